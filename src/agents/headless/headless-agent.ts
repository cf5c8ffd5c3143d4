/** A coding agent in its headless mode: a process for each ask, without sessions and without questions to a person. */
import type { Agent, AgentFailure, AgentReply } from '../../kernel/agent.ts'
import { estimateTokens, noUsage } from '../../kernel/ask/usage.ts'
import { mayWorkHeadless } from '../../rules/agents/way-of-asking.ts'
import { type CodingAgentDeps, type CodingAgentSettings, folderFor } from '../acp/acp.ts'
import { EmptyFolders } from '../acp/empty-folder.ts'
import { configurationFailure, type FailingCodingAgent, installLine } from '../acp/failure.ts'
import { type PresetName, presets } from '../acp/presets.ts'
import { type FoundProgram, programOf } from '../acp/program.ts'
import { priced } from '../models/price.ts'
import { HeadlessAsk } from './headless-ask.ts'
import { headlessModes } from './modes.ts'

export type HeadlessSettings = CodingAgentSettings & { agent: PresetName }

export function createHeadlessAgent(settings: HeadlessSettings, { env, baseDir, pool }: CodingAgentDeps): Agent {
  const { name, agent, model, price, retries, permissions = 'worktree' } = settings
  const about: FailingCodingAgent = { name, agent }
  const folders = new EmptyFolders()
  const running = new Set<HeadlessAsk>()
  const ending = new Set<Promise<void>>()
  let hasWorked = false
  return {
    name,
    provider: 'acp',
    model,
    rehearsal: false,
    retries,
    async call(request, options) {
      options.signal.throwIfAborted()
      const isWork = request.workspace !== undefined
      if (!mayWorkHeadless(permissions, isWork)) return failed(cannotAsk(about, agent))
      const program = headlessProgram(settings, env, baseDir, isWork && permissions !== 'deny')
      if (program.missing) return failed(notInstalled(about, agent, program.missing))
      const free = await pool.reserve(presets[agent].memoryMb, options.signal)
      const place = await folderFor(request, folders).catch((error) => {
        free()
        throw error
      })
      const ask = new HeadlessAsk({ request, options, place, agent, program, about, hasWorked, price })
      running.add(ask)
      try {
        const reply = await ask.run()
        hasWorked ||= reply.ok
        return reply
      } finally {
        // A stopped agent gets a moment to end; the caller does not wait for that.
        const atRest = ask.end().then(async () => {
          running.delete(ask)
          free()
          await place.release()
        })
        ending.add(atRest)
        void atRest.catch(() => {}).finally(() => ending.delete(atRest))
      }
    },
    estimateUsage: (messages, reply) => priced(estimateTokens(messages, reply), price),
    async close() {
      await Promise.all([...running].map((ask) => ask.end()))
      await Promise.allSettled(ending)
      await folders.close()
    },
  }
}

/** The agent's own program, or the configured command, with the arguments of its headless mode. */
export function headlessProgram(
  { agent, command, model, env: added }: HeadlessSettings,
  env: CodingAgentDeps['env'],
  baseDir: string,
  mayWrite: boolean,
): FoundProgram {
  const words =
    typeof command === 'string' ? ['/bin/sh', '-c', `exec ${command} "$@"`, 'sh'] : (command ?? [presets[agent].cli])
  const program = programOf({ agent, command: words, ...(added ? { env: added } : {}) }, env, baseDir)
  const mode = headlessModes[agent]
  return {
    ...program,
    argv: [...program.argv, ...mode.arguments({ mayWrite, ...(model ? { model } : {}) })],
    env: { ...program.env, ...mode.env?.({ mayWrite }) },
  }
}

function notInstalled(about: FailingCodingAgent, agent: PresetName, program: string): AgentFailure {
  const fix = `run: npm install -g ${presets[agent].cliPackage}`
  return configurationFailure(about, `needs the program ${program}, which is not installed`, fix, 'program')
}

function cannotAsk(about: FailingCodingAgent, agent: PresetName): AgentFailure {
  const what = 'cannot ask a person in its headless mode, as permissions: ask wants'
  return configurationFailure(about, what, `run: ${installLine(agent)}, or set permissions: worktree`)
}

function failed(failure: AgentFailure): AgentReply {
  return { ok: false, failure, partialText: '', usage: noUsage }
}
