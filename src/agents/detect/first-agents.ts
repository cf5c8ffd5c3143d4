/** The entries and roles that a new configuration gets for what is on this machine. */
import { hostedProviders } from '../../kernel/config/agents.ts'
import { type Candidate, firstRoles, joining } from '../../rules/agents/first-roles.ts'
import { type PresetName, presets } from '../acp/presets.ts'
import type { Detection, KeyFinding } from './detect.ts'

/** An entry of `agents:` in a configuration. */
export interface AgentEntry {
  name: string
  settings: { provider: string } & Record<string, string | true>
}

/** What `init` calls the model of a provider. */
const modelNames = { anthropic: 'claude', openai: 'gpt', google: 'gemini' } as const

type Found = Pick<Detection, 'keys' | 'codingAgents'>

/** The coding agents that can be asked, and a model for every other key that is set (AG7). */
export function foundAgents(found: Found): AgentEntry[] {
  return joining(candidates(found)).map(({ name, settings }) => ({ name, settings }))
}

/** Who implements and who reviews (AG7). */
export function foundRoles(found: Found): Record<string, string> {
  return { ...firstRoles(candidates(found)) }
}

function candidates({ keys, codingAgents }: Found): (Candidate & AgentEntry)[] {
  const coding = codingAgents
    .filter(({ state }) => state === 'ok')
    .map(({ agent }) => ({ ...codingEntry(agent), vendor: presets[agent].vendor, kind: 'coding' as const }))
  const models = keys
    .filter(({ state }) => state === 'ok')
    .map((key) => ({ ...modelEntry(key), vendor: key.provider, kind: 'model' as const }))
  return [...coding, ...models]
}

/** A cheap model that writes proposals (RD4) and takes no other part: by a key, or else through a coding agent. */
export function quickAgent({ keys, codingAgents }: Found): AgentEntry | undefined {
  const key = keys.find(({ state }) => state === 'ok')
  if (key) {
    const { provider, variable } = key
    const { quick } = hostedProviders[provider]
    return { name: 'quick', settings: { provider, model: quick, api_key_env: variable, helper: true } }
  }
  const coding = codingAgents.find(({ agent, state }) => state === 'ok' && presets[agent].quickModel !== undefined)
  if (!coding) return undefined
  const { agent } = coding
  return { name: 'quick', settings: { provider: 'acp', agent, model: presets[agent].quickModel!, helper: true } }
}

export function codingEntry(agent: PresetName): AgentEntry {
  return { name: presets[agent].name, settings: { provider: 'acp', agent } }
}

export function modelEntry({ provider, variable }: Pick<KeyFinding, 'provider' | 'variable'>): AgentEntry {
  return {
    name: modelNames[provider],
    settings: { provider, model: hostedProviders[provider].model, api_key_env: variable },
  }
}
