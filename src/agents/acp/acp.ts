/** A coding agent behind the port: Claude Code, Codex, Gemini CLI, opencode, or any program that speaks ACP on stdio. */
import type { Agent, AgentFailure, AgentReply, AgentRequest } from '../../kernel/agent.ts'
import { estimateTokens, noUsage } from '../../kernel/ask/usage.ts'
import type { PermissionPolicy } from '../../rules/agents/permission.ts'
import { type Price, priced } from '../models/price.ts'
import type { AgentProcess } from './agent-process.ts'
import { type AskFolder, CodingAsk } from './coding-ask.ts'
import { EmptyFolders } from './empty-folder.ts'
import { type FailingCodingAgent, missingProgram } from './failure.ts'
import { memoryOf, type PresetName, presets } from './presets.ts'
import type { ProcessPool } from './process-pool.ts'
import { programOf } from './program.ts'
import { applySettings } from './session-settings.ts'
import { Sessions } from './sessions.ts'

export interface CodingAgentSettings {
  name: string
  /** The name of a preset. */
  agent?: PresetName
  command?: string | readonly string[]
  model?: string
  permissions?: PermissionPolicy
  env?: Readonly<Record<string, string>>
  /** Without it the agent's own figure counts, if it gives one. */
  price?: Price
  retries?: number
}

export interface CodingAgentDeps {
  env: Readonly<Record<string, string | undefined>>
  /** The folder of convene.yaml, which the paths of a command are relative to. */
  baseDir: string
  /** Shared by all coding agents of a configuration, which closes it. */
  pool: ProcessPool
}

export function createCodingAgent(settings: CodingAgentSettings, { env, baseDir, pool }: CodingAgentDeps): Agent {
  const { name, agent, model, price, retries } = settings
  const preset = agent && presets[agent]
  const sessions = new Sessions(name, preset)
  const folders = new EmptyFolders()
  const about: FailingCodingAgent = { name, ...(agent ? { agent } : {}) }
  const stopping = new Map<string, Promise<void>>()
  let hasWorked = false
  let startingAhead: NodeJS.Timeout | undefined
  const memoryMb = memoryOf(agent)
  /** Starts a session for the next ask, unless that comes, or the command ends, within a moment. */
  const startAhead = (process: AgentProcess, request: AgentRequest, folder: string) => {
    if (!preset?.startsAhead) return
    clearTimeout(startingAhead)
    startingAhead = setTimeout(() => {
      if (!pool.isIdle(process)) return
      void sessions.startAhead(process, request, folder, (session, response) =>
        applySettings(session, response, { model, preset, mayWrite: false }),
      )
    }, aheadMs)
    startingAhead.unref()
  }
  return {
    name,
    provider: 'acp',
    model,
    rehearsal: false,
    retries,
    async call(request, options) {
      options.signal.throwIfAborted()
      clearTimeout(startingAhead)
      // A reminder continues the session of the call that it follows, once the agent has stopped.
      await stopping.get(keyOf(request))
      options.signal.throwIfAborted()
      const program = programOf(settings, env, baseDir)
      if (program.missing) return failed(missingProgram(about, program.missing))
      // Both take a while, and neither needs the other.
      const [placed, acquired] = await Promise.allSettled([
        folderFor(request, folders),
        pool.acquire({ key: name, program, memoryMb }, options.signal, sessions.preferred(request)),
      ])
      const process = acquired.status === 'fulfilled' ? acquired.value : undefined
      if (placed.status === 'rejected') {
        if (process) pool.release(process, { reusable: true })
        throw placed.reason
      }
      const place = placed.value
      const ask = new CodingAsk({ request, options, place, settings, sessions, about, hasWorked })
      let isAnswered = false
      try {
        if (acquired.status === 'rejected') throw acquired.reason
        hasWorked = true
        const reply = await ask.run(acquired.value)
        isAnswered = reply.ok
        return reply
      } catch (error) {
        // Also if the ask is stopped before there is a process: it is then at rest.
        const reply = ask.failed(error)
        options.signal.throwIfAborted()
        return reply
      } finally {
        // A stopped agent gets a moment to stop; the caller does not wait for that.
        const atRest = ask.atRest.then(async (isReusable) => {
          stopping.delete(keyOf(request))
          if (process) pool.release(process, { reusable: isReusable })
          await place.release()
          if (process && isReusable && isAnswered) startAhead(process, request, place.folder)
        })
        stopping.set(keyOf(request), atRest)
      }
    },
    estimateUsage: (messages, reply) => priced(estimateTokens(messages, reply), price),
    async close() {
      clearTimeout(startingAhead)
      await Promise.all([sessions.close(), folders.close()])
    },
  }
}

/** How long an agent is idle before a session is started for its next ask. */
const aheadMs = 250

const keyOf = ({ question: { run, step } }: AgentRequest) => `${run} ${step}`

function failed(failure: AgentFailure): AgentReply {
  return { ok: false, failure, partialText: '', usage: noUsage }
}

/** A build's worktree, a copy of the project, or an empty folder: never the user's checkout. */
export async function folderFor({ workspace, source }: AgentRequest, folders: EmptyFolders): Promise<AskFolder> {
  if (workspace) return { folder: workspace.folder, kind: 'write', release: async () => {} }
  const checkout = await source?.checkout?.()
  return checkout ? { ...checkout, kind: 'read' } : { ...(await folders.take()), kind: 'none' }
}
