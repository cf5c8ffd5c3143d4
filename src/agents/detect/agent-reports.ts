/** Reports which agents can be asked: those of the configuration, and coding agents that it does not name. */
import type { AgentConfig, LoadedConfig } from '../../kernel/config/load.ts'
import { ConveneError } from '../../kernel/errors.ts'
import { MemoryLineBindings } from '../../kernel/stores/line-bindings.ts'
import { isTrusted, reachOf } from '../../kernel/trust/trusted-reach.ts'
import { presets } from '../acp/presets.ts'
import { programOf } from '../acp/program.ts'
import { connectAgents } from '../connect.ts'
import { type CodingAgentFinding, examineCodingAgent } from './coding-agents.ts'
import { type Machine, thisMachine } from './machine.ts'

export interface AgentReport {
  name: string
  provider: string
  /** Which coding agent, by the name of its preset. */
  agent?: string
  version?: string
  /** `off`: installed, but not in convene.yaml. */
  state: 'ok' | 'missing' | 'login' | 'old' | 'off'
  detail: string
  fix?: string
}

/** Every agent of the configuration. Asks nobody, starts no session, and runs nothing as an untrusted file says (TR4). */
export function configuredAgents(loaded: LoadedConfig, machine: Machine): Promise<AgentReport[]> {
  const untrusted = isTrusted(loaded, machine.env) ? [] : reachOf(loaded).map(({ path }) => path)
  return Promise.all(
    Object.entries(loaded.config.agents).map(async ([name, agent]) => ({
      name,
      provider: agent.provider,
      ...(agent.provider === 'acp'
        ? await checkCodingAgent(name, agent, loaded, { machine, untrusted })
        : checkAgent(name, agent, loaded, machine.env)),
    })),
  )
}

/** A command of the user's own is only looked for: what it needs beyond that shows when it is asked. */
async function checkCodingAgent(
  name: string,
  settings: Extract<AgentConfig, { provider: 'acp' }>,
  { folder }: LoadedConfig,
  { machine, untrusted }: { machine: Machine; untrusted: readonly string[] },
): Promise<Omit<AgentReport, 'name' | 'provider'>> {
  const { agent, command, headless, env: added = {} } = settings
  const own = agent && presets[agent]
  const about = { ...(agent ? { agent } : {}) }
  const environment = `agents.${name}.env`
  if (untrusted.includes(environment))
    return { ...about, state: 'missing', detail: `you have not trusted ${environment}`, fix: 'convene trust' }
  if (headless && own && command === undefined && !machineWith(machine, added).find(own.cli)) {
    const fix = `npm install -g ${own.cliPackage}`
    return { agent, state: 'missing', detail: `${own.cli} is not installed`, fix }
  }
  if (agent && command === undefined) {
    const { title: _, ...found } = await examineCodingAgent(machineWith(machine, added), agent)
    return found
  }
  const { argv, missing } = programOf(settings, machine.env, folder)
  if (missing)
    return { ...about, state: 'missing', detail: `${missing} is not installed`, fix: `correct agents.${name}.command` }
  return { ...about, state: 'ok', detail: `runs ${argv.join(' ')}` }
}

function machineWith(machine: Machine, added: Record<string, string>): Machine {
  if (Object.keys(added).length === 0) return machine
  const env = { ...machine.env, ...added }
  return added.PATH === undefined ? { ...machine, env } : thisMachine(env)
}

function checkAgent(
  name: string,
  agent: Exclude<AgentConfig, { provider: 'acp' }>,
  { folder }: LoadedConfig,
  env: Machine['env'],
): Pick<AgentReport, 'state' | 'detail' | 'fix'> {
  const about = [agent.provider, agent.model].filter(Boolean).join(' ')
  try {
    connectAgents({ [name]: agent }, { env, bindings: new MemoryLineBindings(), baseDir: folder })
  } catch (error) {
    if (!(error instanceof ConveneError)) throw error
    return { state: 'missing', detail: error.message, fix: `correct agents.${name} in convene.yaml` }
  }
  if (agent.provider === 'rehearsal') return { state: 'ok', detail: `rehearsal: plays ${agent.script}` }
  const key = agent.api_key_env
  if (key === undefined)
    return { state: 'ok', detail: `${about} at ${agent.provider === 'a2a' ? agent.url : agent.base_url}` }
  if (!env[key]?.trim())
    return { state: 'missing', detail: `${about}: ${key} is not set`, fix: `export ${key}=<your key>` }
  return { state: 'ok', detail: `${about}, key in ${key}` }
}

/** Coding agents that are installed and that the configuration does not name. */
export function unusedCodingAgents(
  codingAgents: readonly CodingAgentFinding[],
  loaded: LoadedConfig | undefined,
): AgentReport[] {
  const named = Object.values(loaded?.config.agents ?? {}).map((each) => (each.provider === 'acp' ? each.agent : null))
  return codingAgents
    .filter(({ agent }) => !named.includes(agent))
    .map(({ agent, version, detail, state, fix }) => ({
      name: agent,
      provider: 'acp',
      agent,
      ...(version ? { version } : {}),
      state: 'off',
      detail: state === 'ok' ? `${detail}; not in convene.yaml` : detail,
      fix: state === 'ok' ? `write agents: {${agent}: {provider: acp, agent: ${agent}}} into convene.yaml` : fix,
    }))
}
