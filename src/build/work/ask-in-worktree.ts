/** Asks an agent in a clean worktree and snapshots the files it leaves. Prompt, reply and tree are recorded as one step. */

import type { z } from 'zod'
import type { PromptName } from '../../agents/prompts/prompts.ts'
import type { AgentMessage, AgentWorkspace, AskKind } from '../../kernel/agent.ts'
import { toolUsed } from '../../kernel/ask/ask-events.ts'
import { readThread } from '../../kernel/ask/threads.ts'
import type { StepContext } from '../../kernel/engine.ts'
import { ConveneError, ScriptExhausted } from '../../kernel/errors.ts'
import { askInStep, isUnreached } from '../../kernel/runs/ask-in-run.ts'
import { type ParkReason, parkReasonOf } from '../../kernel/runs/parking.ts'
import { cannotStart, configurationFault } from '../../rules/build/configuration-fault.ts'
import type { BuildRole } from '../../rules/build/staffing.ts'
import { commandsChanged, underSystem } from '../../rules/context/commands-in-force.ts'
import { defaultThreadLimits } from '../../rules/evidence/attempt-history.ts'
import type { Problem } from '../../rules/schema/problem.ts'
import type { SlotSetup } from '../../workspace/worktrees/slot.ts'
import { agentNudged, commandStarted, taskPut } from '../events.ts'
import { eventHeader, type Node, subjectOf } from '../node.ts'
import { systemPrompt } from '../system-prompt.ts'
import { setupModeAt } from '../trust/changed-manifests.ts'
import { dropByProducts } from './drop-by-products.ts'

export interface Task<Reply> {
  kind: AskKind
  role: BuildRole
  prompt: PromptName
  values: Record<string, unknown>
  /** The conversation so far: what was asked and replied. */
  thread: AgentMessage[]
  /** The same conversation with its tool calls and results, by reference; used while it is not too long. */
  continues?: string
  schema: z.ZodType<Reply>
  attempt: number
  /** The commit to check out for the agent. Absent: it gets no worktree. */
  from?: string
  /** Read-only task: whatever the agent changes is discarded. */
  readsOnly?: boolean
  /** The node that asks, if it is the parent. */
  asked?: { node: string; path: string[]; for: string }
}

/**
 * `tree` holds the files that the agent left, also those of a reply that failed (VF8). `thread` is the conversation with
 * tools and reply, by reference.
 */
export type WorktreeReply<Reply> =
  | { ok: true; reply: Reply; text: string; question: string; tree: string | null; thread?: string }
  /** `malformed`: the agent replied, but the reply could not be parsed. `text` is what it said. */
  | {
      ok: false
      problem: Problem
      malformed?: boolean
      text?: string
      question?: string
      tree?: string | null
      thread?: string
    }

export function askInWorktree<Reply>(node: Node, task: Task<Reply>): Promise<WorktreeReply<Reply>> {
  const { run, deps } = node
  const agent = deps.agentFor(task.role)
  const rendered = deps.prompts.render(task.prompt, task.values)
  return run.step(
    `${task.kind} ${agent.name}`,
    async (step) => {
      const asking = deps.semaphore.run(step.signal, () =>
        inSlot(node, task.from, step, async (workspace, snapshot) => {
          const asked = task.asked ?? { ...subjectOf(node), for: undefined }
          const earlier = task.continues
            ? await readThread(deps.store, task.continues, defaultThreadLimits.tokens)
            : null
          const { messages: soFar, isOutdated } = underSystem(earlier ?? task.thread, systemPrompt(node))
          const question = isOutdated ? `${commandsChanged(node.workspace.project)}\n\n${rendered}` : rendered
          const messages: AgentMessage[] = [...soFar, { role: 'user', content: question }]
          const told = {
            node: asked.node,
            path: asked.path,
            ask: step.key,
            kind: task.kind,
            agent: agent.name,
            grounds: deps.groundsFor(task.role),
            attempt: task.attempt,
            prompt_ref: await deps.store.putPayload(JSON.stringify(messages)),
          }
          const nudged = { ...subjectOf(node), kind: task.kind, agent: agent.name, attempt: task.attempt }
          const result = await askInStep<Reply>(run, step, deps, {
            agent,
            kind: task.kind,
            messages: () => messages,
            before: [taskPut.create(eventHeader(node), told)],
            schema: task.schema,
            reminder: reminder(deps.settings.silence_seconds),
            onReminder: () => [agentNudged.create(eventHeader(node), nudged)],
            keepThread: true,
            parksOnFault: true,
            parksUnreached: true,
            limits: { silenceMs: deps.settings.silence_seconds * 1000 },
            facts: { node: asked.node, attempt: task.attempt },
            path: asked.path,
            ...(asked.for === undefined ? {} : { for: asked.for }),
            stream: eventHeader(node).stream,
            feature: node.input.feature,
            ...(workspace ? { workspace } : {}),
            exitName: (reply) => Object.keys(reply as object)[0] ?? '',
          })
          if (!result.exit.ok) {
            const { failure } = result.exit
            if (failure.reason === 'budget') return { spent: failure } as const
            const parked = isUnreached(result) ? unreached(failure) : parkReasonOf(failure)
            if (parked) return { spent: parked } as const
            const silent = failure.silent === true
            // Every failure of the agent counts as an attempt (GR4).
            const problem = { rule: silent ? 'GR5' : (failure.rule ?? 'GR4'), message: failure.message }
            const malformed = failure.reason === 'malformed'
            const left = task.readsOnly ? null : await snapshot().catch(uncommittable)
            const tree = typeof left === 'string' ? left : null
            const { raw: text, thread } = result
            return { ok: false, problem, malformed, text, question, tree, thread } as const
          }
          const { thread } = result
          const { value: reply, text } = result.exit
          const left = task.readsOnly ? null : await snapshot().catch(uncommittable)
          if (left !== null && typeof left === 'object')
            return { ok: false, problem: left, text, question, thread } as const
          return { ok: true, reply, text, question, tree: left, thread } as const
        }),
      )
      const put = await asking.catch((error) => ({ spent: parkReasonIn(node, error) }))
      return 'spent' in put && put.spent ? deps.parking.park(run, step, put.spent) : put
    },
    { stoppable: true },
  )
}

/** AS3: no attempt of the agent, which was asked nothing. */
function unreached({ message }: { message: string }): ParkReason {
  return { code: configurationFault, message: `${message}; start it, or correct its address, and continue` }
}

/** GR5: the reminder to a silent agent, in the same conversation and with the files it left. */
function reminder(seconds: number): string {
  return (
    `REMINDER: there was no output from you for ${seconds} seconds. Your files are as you left them. ` +
    'Finish this task now with one of its exits.'
  )
}

/** A failure that a person can repair: it parks the run. Builds of issues leave it to the issue loop. */
function parkReasonIn({ input }: Node, error: unknown): ParkReason {
  if (error instanceof ConveneError && error.code === configurationFault)
    return { code: error.code, message: error.message }
  const isOne = error instanceof ScriptExhausted || (error instanceof ConveneError && error.code === 'setup_failed')
  if (!isOne || input.issue || input.issueTrailer) throw error
  return { code: error.code, message: error.message }
}

type Snapshot = () => Promise<string | null>

async function inSlot<Value>(
  node: Node,
  from: string | undefined,
  step: StepContext,
  work: (workspace: AgentWorkspace | undefined, snapshot: Snapshot) => Promise<Value>,
): Promise<Value> {
  if (from === undefined) return work(undefined, async () => null)
  const { workspace, deps, input } = node
  const mode = await setupModeAt(workspace.repository, input, from)
  const slot = await workspace.worktrees.acquire(input.build, from, mode, () => {
    const about = { ...subjectOf(node), purpose: 'setup', command: workspace.project.setup ?? '' }
    return step.append(commandStarted.create(eventHeader(node), about))
  })
  try {
    // No agent has changed anything yet, so a failing set-up does not count as an attempt.
    if (slot.setup && slot.setup.exitCode !== 0) throw setupFailed(slot.setup)
    // TR9: without a sandbox agents have no tool that runs commands.
    const canRun = deps.settings.sandbox === 'off' || (await workspace.commands.sandboxState()).available
    const run: AgentWorkspace['run'] = async (command, { signal, timeoutMs }) => {
      const { output, exitCode, ended } = await workspace.commands.run({
        command,
        readable: workspace.programs,
        folder: slot.project,
        writable: [slot.folder],
        timeoutMs: Math.min(timeoutMs ?? Number.POSITIVE_INFINITY, deps.settings.command_seconds * 1000),
        signal,
      })
      try {
        return { exitCode, ended, output: await output.text(64_000) }
      } finally {
        await output.remove()
      }
    }
    return await work(
      {
        folder: slot.project,
        ...(canRun ? { run } : {}),
        onTool: (call) => step.emit(toolUsed.create(eventHeader(node), { ...subjectOf(node), ...call })),
      },
      async () => dropByProducts(workspace.repository, from, (await slot.snapshot()).tree),
    )
  } finally {
    workspace.worktrees.release(slot)
  }
}

function setupFailed({ command, exitCode, tail }: SlotSetup): ConveneError {
  const said = tail?.trim() ? `:\n${tail.trim().slice(-3000)}` : ''
  const fault = cannotStart('build.setup', command, exitCode, tail ?? '')
  if (fault) return new ConveneError(configurationFault, fault)
  const message = `build.setup: ${command} ended with ${exitCode} before an agent was asked${said}`
  return new ConveneError('setup_failed', message, { path: 'build.setup', exitCode: 1, status: 500 })
}

/** The agent left files that cannot be committed: that counts as its attempt. */
function uncommittable(error: unknown): Problem {
  const isOurs =
    error instanceof ConveneError && (error.code === 'nested_repository' || error.code === 'unreadable_file')
  if (!isOurs) throw error
  return { rule: 'VF6', message: error.message }
}
