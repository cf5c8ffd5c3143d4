/**
 * Asks a coding agent over the protocol and one in its headless mode after using up all file descriptors, and again with
 * descriptors; prints the four replies. Run it under a low `ulimit -n`.
 */
import { closeSync, openSync } from 'node:fs'
import { connectAgents } from '../../src/agents/connect.ts'
import { MemoryLineBindings } from '../../src/kernel/stores/line-bindings.ts'

const [folder, overProtocol, headless] = process.argv.slice(2) as [string, string, string]
const agents = connectAgents(
  {
    coder: { provider: 'acp', command: JSON.parse(overProtocol) },
    quick: { provider: 'acp', agent: 'claude-code', headless: true, command: JSON.parse(headless) },
  },
  { env: { PATH: process.env.PATH }, bindings: new MemoryLineBindings(), baseDir: folder },
)
const replies: unknown[] = []
const askBoth = async () => {
  for (const [name, agent] of agents) {
    const question = { run: 'r', step: `${name} ${replies.length}`, try: 1 }
    const messages = [{ role: 'user' as const, content: 'How are you?' }]
    const { signal } = new AbortController()
    const reply = await agent.call({ kind: 'answer', question, messages }, { signal }).catch((error) => ({
      thrown: String(error),
    }))
    replies.push(reply)
  }
}
// Loaded before: a module that cannot be read is another fault.
await import('@agentclientprotocol/sdk/unstable')

const held: number[] = []
try {
  for (;;) held.push(openSync('/dev/null', 'r'))
} catch {
  // No descriptor is left.
}
await askBoth()
for (const descriptor of held) closeSync(descriptor)
await askBoth()
console.log(JSON.stringify(replies))
for (const agent of agents.values()) await agent.close?.()
process.exit()
