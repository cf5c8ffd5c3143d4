/** Prints which packages are loaded once agents are connected, and which after one of them has been asked. */
import { registerHooks } from 'node:module'

const loaded = new Set<string>()
registerHooks({
  resolve(specifier, context, next) {
    if (/^(ai|@ai-sdk\/[\w-]+)$/.test(specifier)) loaded.add(specifier)
    return next(specifier, context)
  },
})

const { connectAgents } = await import('../../src/agents/connect.ts')
const { MemoryLineBindings } = await import('../../src/kernel/stores/line-bindings.ts')
await import('../../src/kernel/ask/ask.ts')

const agents = connectAgents(
  {
    claude: { provider: 'anthropic', model: 'm' },
    gpt: { provider: 'openai', model: 'm' },
    gemini: { provider: 'google', model: 'm' },
    local: { provider: 'openai-compatible', model: 'm', base_url: 'http://127.0.0.1:9/v1' },
  },
  { env: {}, bindings: new MemoryLineBindings(), baseDir: '.' },
)
const before = [...loaded]
await agents
  .get('local')!
  .call(
    { kind: 'answer', question: { run: 'r', step: 's', try: 1 }, messages: [{ role: 'user', content: 'hi' }] },
    { signal: new AbortController().signal },
  )
console.log(JSON.stringify({ before, after: [...loaded] }))
