/** Creates the agents of a configuration. Calls no provider and loads no provider's SDK. */
import { relative, resolve, sep } from 'node:path'
import type { Agent } from '../kernel/agent.ts'
import { ConveneError } from '../kernel/errors.ts'
import type { LineBindings } from '../kernel/stores/line-bindings.ts'
import type { PermissionPolicy } from '../rules/agents/permission.ts'
import { createA2aAgent } from './a2a/a2a-agent.ts'
import type { PresetName } from './acp/presets.ts'
import { ProcessPool } from './acp/process-pool.ts'
import { connectCodingAgent } from './coding-agent.ts'
import { createModelAgent } from './models/model.ts'
import { Pace, type PaceSettings } from './models/pace.ts'
import type { Price } from './models/price.ts'
import { type ModelProvider, modelProviders, providerFacts } from './models/providers.ts'
import { createRehearsalAgent } from './rehearsal/rehearsal.ts'
import { type RehearsalScript, readRehearsalScript } from './rehearsal/script.ts'

/** One entry of `agents:` in convene.yaml. */
export interface AgentSettings {
  provider: string
  model?: string
  base_url?: string
  api_key_env?: string
  script?: string
  /** The endpoint of a remote agent. */
  url?: string
  price?: Price
  retries?: number
  helper?: boolean
  agent?: PresetName
  command?: string | readonly string[]
  headless?: boolean
  permissions?: PermissionPolicy
  env?: Readonly<Record<string, string>>
}

export interface ConnectOptions {
  env: Readonly<Record<string, string | undefined>>
  bindings: LineBindings
  /** The folder of convene.yaml, which its paths are relative to. */
  baseDir: string
  /** How calls back off when a provider rate-limits them; without it they fail. */
  pace?: PaceSettings
  /** How many model replies one ask in a workspace may take. */
  maxSteps?: number
  /** The processes of coding agents, which the caller closes. */
  pool?: ProcessPool
}

/** Throws a `ConveneError` that names the invalid key. A missing API key fails the call instead. */
export function connectAgents(
  agents: Readonly<Record<string, AgentSettings>>,
  options: ConnectOptions,
): Map<string, Agent> {
  const shared: Shared = { scripts: new Map(), paces: new Map() }
  return new Map(Object.entries(agents).map(([name, settings]) => [name, connect(name, settings, options, shared)]))
}

/** State that several agents share. */
interface Shared {
  scripts: Map<string, RehearsalScript>
  paces: Map<string, Pace>
}

function connect(name: string, settings: AgentSettings, options: ConnectOptions, shared: Shared): Agent {
  const { provider, model, retries, price } = settings
  if (isModelProvider(provider)) return connectModel(name, provider, settings, options, shared)
  if (provider === 'rehearsal') {
    const script = loadScript(required(name, settings, 'script'), options.baseDir, shared.scripts)
    return createRehearsalAgent({ name, script, bindings: options.bindings, model, retries, price })
  }
  if (provider === 'a2a') {
    const { api_key_env: apiKeyEnv } = settings
    const key = apiKeyEnv === undefined ? {} : { apiKeyEnv, apiKey: options.env[apiKeyEnv] }
    return createA2aAgent({ name, url: required(name, settings, 'url'), ...key, price, retries, model })
  }
  if (provider === 'acp') {
    const { agent, command, headless, permissions, env: added } = settings
    const { env, baseDir, pool = new ProcessPool() } = options
    const own = { name, agent, command, headless, permissions, env: added, model, price, retries }
    return connectCodingAgent(own, { env, baseDir, pool })
  }
  const message = `agent "${name}": "${provider}" is not a provider`
  throw new ConveneError('invalid_config', message, { path: `agents.${name}.provider`, expected: known })
}

const known = [...modelProviders, 'acp', 'rehearsal', 'a2a'].join(' | ')

function connectModel(
  name: string,
  provider: ModelProvider,
  settings: AgentSettings,
  { env, pace, maxSteps }: ConnectOptions,
  { paces }: Shared,
): Agent {
  if (provider === 'openai-compatible') required(name, settings, 'base_url')
  const apiKeyEnv = keyVariable(provider, settings.api_key_env, env)
  return createModelAgent({
    name,
    provider,
    model: required(name, settings, 'model'),
    baseUrl: settings.base_url,
    ...(apiKeyEnv ? { apiKeyEnv, apiKey: env[apiKeyEnv] } : {}),
    price: settings.price,
    retries: settings.retries,
    pace: pace && paceFor(paces, [provider, settings.base_url, apiKeyEnv], pace),
    maxSteps,
  })
}

/** Rate limits apply per key at a provider, whichever of its models is called. */
function paceFor(paces: Map<string, Pace>, of: (string | undefined)[], settings: PaceSettings): Pace {
  const key = JSON.stringify(of)
  const pace = paces.get(key) ?? new Pace(settings)
  paces.set(key, pace)
  return pace
}

/** The configured variable if it is set or unusual; else the first of the provider's usual variables that is set. */
function keyVariable(
  provider: ModelProvider,
  named: string | undefined,
  env: ConnectOptions['env'],
): string | undefined {
  const usual = providerFacts[provider].keyVariables
  if (named !== undefined && (env[named]?.trim() || !usual.includes(named))) return named
  return usual.find((variable) => env[variable]?.trim()) ?? named ?? usual[0]
}

/** Agents with the same script share its lines. The pool's name is the relative path, so a moved project keeps it. */
function loadScript(script: string, baseDir: string, scripts: Map<string, RehearsalScript>): RehearsalScript {
  const path = resolve(baseDir, script)
  const file = relative(baseDir, path).split(sep).join('/')
  const loaded = scripts.get(file) ?? readRehearsalScript(path, file)
  scripts.set(file, loaded)
  return loaded
}

function required(name: string, settings: AgentSettings, key: 'model' | 'base_url' | 'script' | 'url'): string {
  const value = settings[key]
  if (value) return value
  const path = `agents.${name}.${key}`
  throw new ConveneError('invalid_config', `agent "${name}" needs ${key} (provider ${settings.provider})`, { path })
}

function isModelProvider(provider: string): provider is ModelProvider {
  return (modelProviders as readonly string[]).includes(provider)
}
