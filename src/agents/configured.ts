/** The agents of a project: those in its configuration or, if it has none, two rehearsal agents. */
import type { Agent } from '../kernel/agent.ts'
import type { LoadedConfig } from '../kernel/config/load.ts'
import { ConveneError } from '../kernel/errors.ts'
import type { LineBindings } from '../kernel/stores/line-bindings.ts'
import { ProcessPool } from './acp/process-pool.ts'
import { connectAgents } from './connect.ts'
import { rehearsalWithoutAgents } from './rehearsal/default-script.ts'
import { createRehearsalAgent } from './rehearsal/rehearsal.ts'

export interface AgentDescription {
  name: string
  provider: string
  model?: string
  rehearsal: boolean
  /** Serves only the roles that name it. */
  helper?: boolean
}

export interface ConnectedAgents {
  names(): string[]
  /** Those that join rooms and take roles that name nobody: all but helpers, or all if there are only helpers. */
  members(): string[]
  get(name: string): Agent
  describe(): AgentDescription[]
  close(): Promise<void>
}

export function connectConfigured(
  { config, folder }: LoadedConfig,
  options: {
    env: NodeJS.ProcessEnv
    bindings: LineBindings
    /** The processes of coding agents; closed with the agents. */
    pool?: ProcessPool
    /** Wraps each agent that is handed out, for telemetry. */
    watch?: (agent: Agent) => Agent
  },
): ConnectedAgents {
  const { first_wait_ms, longest_wait_ms, longest_retry_after_ms, rate_limit_minutes } = config.retry
  const pace = {
    firstWaitMs: first_wait_ms,
    longestWaitMs: longest_wait_ms,
    longestRetryAfterMs: longest_retry_after_ms,
    patienceMs: rate_limit_minutes * 60_000,
  }
  const maxSteps = config.build.max_steps
  const { pool = new ProcessPool() } = options
  const configured = connectAgents(config.agents, { ...options, baseDir: folder, pace, maxSteps, pool })
  const agents = configured.size > 0 ? configured : rehearsalAgents(options.bindings)
  const isHelper = (name: string) => config.agents[name]?.helper === true
  return {
    names: () => [...agents.keys()],
    members() {
      const names = [...agents.keys()]
      const members = names.filter((name) => !isHelper(name))
      return members.length > 0 ? members : names
    },
    get(name) {
      const agent = agents.get(name)
      if (!agent)
        throw new ConveneError('unknown_agent', `there is no agent '${name}'`, {
          expected: [...agents.keys()].join(' | '),
        })
      return options.watch?.(agent) ?? agent
    },
    describe: () =>
      [...agents.values()].map(({ name, provider, model, rehearsal }) => ({
        name,
        provider,
        ...(model ? { model } : {}),
        rehearsal,
        ...(isHelper(name) ? { helper: true } : {}),
      })),
    close: async () => {
      await pool.close()
      for (const agent of agents.values()) await agent.close?.()
    },
  }
}

function rehearsalAgents(bindings: LineBindings): Map<string, Agent> {
  const script = rehearsalWithoutAgents()
  return new Map(['claude', 'gpt'].map((name) => [name, createRehearsalAgent({ name, script, bindings })]))
}
