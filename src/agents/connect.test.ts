import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import type { Agent } from '../kernel/agent.ts'
import { MemoryLineBindings } from '../kernel/stores/line-bindings.ts'
import { type AgentSettings, connectAgents } from './connect.ts'

const baseDir = mkdtempSync(join(tmpdir(), 'connect-'))
afterAll(() => rmSync(baseDir, { recursive: true }))

const connect = (agents: Record<string, AgentSettings>, env: Record<string, string> = {}) =>
  connectAgents(agents, { env, bindings: new MemoryLineBindings(), baseDir })

describe('connectAgents', () => {
  it('creates one agent per entry, in order', () => {
    const agents = connect({
      claude: { provider: 'anthropic', model: 'claude-sonnet-4-5' },
      gpt: { provider: 'openai', model: 'gpt-4o', retries: 4 },
      local: { provider: 'openai-compatible', model: 'llama3.2', base_url: 'http://127.0.0.1:11434/v1' },
    })
    expect([...agents.keys()]).toEqual(['claude', 'gpt', 'local'])
    expect(agents.get('gpt')).toMatchObject({
      name: 'gpt',
      provider: 'openai',
      model: 'gpt-4o',
      rehearsal: false,
      retries: 4,
    })
  })

  it('lets agents of one script share its lines, however they spell the path', async () => {
    writeFileSync(join(baseDir, 'demo.yaml'), '[{ text: one }, { text: two }]')
    const agents = connect({
      a: { provider: 'rehearsal', script: 'demo.yaml' },
      b: { provider: 'rehearsal', script: './sub/../demo.yaml' },
    })
    expect([await replyOf(agents.get('a')!, '1'), await replyOf(agents.get('b')!, '2')]).toEqual(['one', 'two'])
  })

  it.each([
    [{ provider: 'anthropic', model: 'm' }, 'ANTHROPIC_API_KEY'],
    [{ provider: 'openai', model: 'm' }, 'OPENAI_API_KEY'],
    [{ provider: 'google', model: 'm' }, 'GOOGLE_GENERATIVE_AI_API_KEY'],
    [{ provider: 'google', model: 'm', api_key_env: 'TEAM_KEY' }, 'TEAM_KEY'],
    [
      { provider: 'openai-compatible', model: 'm', base_url: 'http://127.0.0.1:9/v1', api_key_env: 'TEAM_KEY' },
      'TEAM_KEY',
    ],
  ])('%j without its key fails when called, and names the variable to set', async (settings, variable) => {
    const agent = connect({ it: settings }, { [variable]: '  ' }).get('it')!
    const reply = await agent.call(question('1'), { signal: new AbortController().signal })
    expect(reply).toMatchObject({ ok: false, failure: { reason: 'refused', retryable: false } })
    expect(!reply.ok && reply.failure.message).toMatch(new RegExp(`agent "it".*${variable}`))
  })

  it.each([
    [{ GEMINI_API_KEY: 'k' }, undefined],
    [{ GEMINI_API_KEY: 'k' }, 'GOOGLE_GENERATIVE_AI_API_KEY'],
    [{ GOOGLE_GENERATIVE_AI_API_KEY: 'k', GEMINI_API_KEY: 'other' }, undefined],
  ])("takes either of Google's usual variables (%j)", async (env, api_key_env) => {
    const settings = { provider: 'google', model: 'm', base_url: 'http://127.0.0.1:9/v1beta', api_key_env }
    const reply = await connect({ it: settings }, env)
      .get('it')!
      .call(question('1'), { signal: new AbortController().signal })
    expect(reply).toMatchObject({ ok: false, failure: { reason: 'unavailable' } })
  })

  it.each([
    [{ provider: 'openai' }, 'agents.it.model'],
    [{ provider: 'openai-compatible', model: 'm' }, 'agents.it.base_url'],
    [{ provider: 'rehearsal' }, 'agents.it.script'],
    [{ provider: 'mistral', model: 'm' }, 'agents.it.provider'],
  ])('refuses %j and names the key', (settings, path) => {
    expect(() => connect({ it: settings })).toThrow(expect.objectContaining({ path, exitCode: 2 }))
  })
})

function question(step: string) {
  const messages = [{ role: 'user' as const, content: 'hello' }]
  return { kind: 'answer' as const, question: { run: 'run', step, try: 1 }, messages }
}

async function replyOf(agent: Agent, step: string): Promise<string> {
  const reply = await agent.call(question(step), { signal: new AbortController().signal })
  if (!reply.ok) throw new Error(reply.failure.message)
  return reply.text
}
