import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createCodingAgent } from '../../src/agents/acp/acp.ts'
import { ProcessPool } from '../../src/agents/acp/process-pool.ts'
import { createHeadlessAgent } from '../../src/agents/headless/headless-agent.ts'
import { type ModelProvider, modelProviders } from '../../src/agents/models/providers.ts'
import { createRehearsalAgent } from '../../src/agents/rehearsal/rehearsal.ts'
import { parseRehearsalScript } from '../../src/agents/rehearsal/script.ts'
import type { FailureReason } from '../../src/kernel/agent.ts'
import { MemoryLineBindings } from '../../src/kernel/stores/line-bindings.ts'
import { type AgentHarness, agentContract, type Cue } from '../contract/agent.ts'
import { type Action, type FakeScript, fakeCodingAgent, fakeHeadlessAgent } from '../support/fake-coding-agent.ts'
import { Emulator } from './emulator.ts'

for (const provider of modelProviders) {
  agentContract(`a model behind ${provider}`, { provider, rehearsal: false }, () => openModel(provider))
}
agentContract('a coding agent', { provider: 'acp', rehearsal: false }, openCodingAgent)
agentContract('a coding agent in its headless mode', { provider: 'acp', rehearsal: false }, openHeadlessAgent)
agentContract('a rehearsal', { provider: 'rehearsal', rehearsal: true }, openRehearsal)

async function openModel(provider: ModelProvider): Promise<AgentHarness> {
  const emulator = new Emulator()
  await emulator.start()
  return {
    agent: async (prompt, cue) => {
      arrange(emulator, prompt, cue)
      return emulator.agent(provider)
    },
    asked: async () => emulator.sent.length,
    close: () => emulator.stop(),
  }
}

function arrange({ mock }: Emulator, prompt: string, cue: Cue): void {
  if ('text' in cue) mock.onMessage(prompt, { content: cue.text })
  else if ('slowText' in cue) mock.onMessage(prompt, { content: cue.slowText }, { chunkSize: 5, latency: 20 })
  else if (cue.fail === 'disconnect') {
    const cut = { chunkSize: 5, latency: 60, truncateAfterChunks: 7 }
    if (cue.afterText) mock.onMessage(prompt, { content: cue.afterText }, cut)
    else mock.onMessage(prompt, { content: 'never heard' }, { chaos: { disconnectRate: 1 } })
  } else if (cue.fail === 'malformed') mock.onMessage(prompt, { content: '-' }, { chaos: { malformedRate: 1 } })
  else mock.onMessage(prompt, { error: { message: 'no', type: 'error' }, status: statusOf[cue.fail] })
}

const statusOf = { 'rate-limited': 429, timeout: 408, unavailable: 503, refused: 400 }

async function openCodingAgent(): Promise<AgentHarness> {
  const folder = mkdtempSync(join(tmpdir(), 'convene-acp-'))
  const pool = new ProcessPool()
  const fake = fakeCodingAgent(folder, { prompts: [] })
  const prompts: FakeScript['prompts'] = []
  const agent = createCodingAgent({ name: 'coder', command: fake.command }, { env: process.env, baseDir: folder, pool })
  return {
    agent: async (prompt, cue) => {
      prompts.push({ contains: prompt, do: actionsOf(cue) })
      fake.play({ prompts })
      return agent
    },
    asked: async () => fake.received().filter(({ method }) => method === 'session/prompt').length,
    async close() {
      await pool.close()
      await agent.close?.()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function actionsOf(cue: Cue): Action[] {
  if ('text' in cue) return [{ say: cue.text }]
  if ('slowText' in cue) return [{ say: cue.slowText, slowly: 20 }]
  const failing: Record<FailureReason, Action> = {
    'rate-limited': { error: { code: -32603, message: 'Internal error', data: { details: '429 rate limit' } } },
    timeout: { error: { code: -32603, message: 'the request timed out' } },
    refused: { stop: 'refusal' },
    malformed: { stop: 'end_turn' },
    unavailable: { error: { code: -32603, message: '503 Service Unavailable' } },
    disconnect: { sleep: 100, die: 1 },
  }
  return [...(cue.afterText ? [{ say: cue.afterText, slowly: 10 }] : []), failing[cue.fail]]
}

async function openHeadlessAgent(): Promise<AgentHarness> {
  const folder = mkdtempSync(join(tmpdir(), 'convene-headless-'))
  const pool = new ProcessPool()
  const fake = fakeHeadlessAgent(folder, [])
  const prompts: FakeScript['prompts'] = []
  const settings = { name: 'coder', agent: 'claude-code', command: fake.command } as const
  const agent = createHeadlessAgent(settings, { env: process.env, baseDir: folder, pool })
  const failing: Record<FailureReason, Action> = {
    'rate-limited': { fail: 'API Error: 429 rate_limit_error' },
    timeout: { fail: 'the request timed out' },
    refused: { refuse: true },
    malformed: { sleep: 0 },
    unavailable: { fail: 'API Error: 503 Service Unavailable' },
    disconnect: { die: 1 },
  }
  return {
    agent: async (prompt, cue) => {
      const said = 'fail' in cue && cue.afterText ? [{ say: cue.afterText, slowly: 10 }] : []
      prompts.push({ contains: prompt, do: 'fail' in cue ? [...said, failing[cue.fail]] : actionsOf(cue) })
      fake.play(prompts)
      return agent
    },
    asked: async () => fake.starts().length,
    async close() {
      await agent.close?.()
      await pool.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function openRehearsal(): Promise<AgentHarness> {
  const bindings = new MemoryLineBindings()
  let asked = 0
  return {
    agent: async (prompt, cue) => {
      const script = parseRehearsalScript(JSON.stringify([{ when: { contains: prompt }, ...lineOf(cue) }]), prompt)
      const agent = createRehearsalAgent({
        name: 'actor',
        script,
        bindings: {
          bind: (...question) => {
            asked++
            return bindings.bind(...question)
          },
        },
      })
      return agent
    },
    asked: async () => asked,
    close: async () => {},
  }
}

function lineOf(cue: Cue): Record<string, unknown> {
  if ('text' in cue) return { text: cue.text }
  if ('slowText' in cue) return { text: cue.slowText, stream_ms: 200 }
  return { fail: cue.fail, ...(cue.afterText ? { text: cue.afterText, stream_ms: 200 } : {}) }
}
