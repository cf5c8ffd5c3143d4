import { type ModelProvider, modelProviders } from '../../src/agents/models/providers.ts'
import { createRehearsalAgent } from '../../src/agents/rehearsal/rehearsal.ts'
import { parseRehearsalScript } from '../../src/agents/rehearsal/script.ts'
import { MemoryLineBindings } from '../../src/kernel/stores/line-bindings.ts'
import { type AgentHarness, agentContract, type Cue } from '../contract/agent.ts'
import { Emulator } from './emulator.ts'

for (const provider of modelProviders) {
  agentContract(`a model behind ${provider}`, { provider, rehearsal: false }, () => openModel(provider))
}
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
