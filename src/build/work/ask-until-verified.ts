/**
 * Asks until a reply passes its check. A refused reply counts as an attempt (GR4); its files and its conversation stay, and
 * the next message says what was checked and why it does not hold (VF8).
 */
import type { AgentMessage, AskKind } from '../../kernel/agent.ts'
import type { StepContext } from '../../kernel/engine.ts'
import { withEarlierLists } from '../../rules/build/earlier-lists.ts'
import { type Exit, type ExitReply, exitSchemaAt, namedExit } from '../../rules/build/exits.ts'
import { isLastAttempt } from '../../rules/build/graph.ts'
import type { ExitName, GraphPlace } from '../../rules/build/graph-table.ts'
import type { PastAttempt } from '../../rules/evidence/attempt-history.ts'
import { refusalLine } from '../../rules/evidence/refusal-line.ts'
import type { Problem } from '../../rules/schema/problem.ts'
import { replyRefused } from '../events.ts'
import type { Advice, FailedAttempt } from '../issue-observer.ts'
import { eventHeader, moveOnto, type Node, subjectOf } from '../node.ts'
import type { RoleThread, RoleThreads } from '../node-input.ts'
import { refusedDependencies } from './approve-dependencies.ts'
import { approveSettings } from './approve-settings.ts'
import { askInWorktree, type Task } from './ask-in-worktree.ts'
import { Conversation } from './conversation.ts'
import { keepFiles, keepFilesOf, type PutBack } from './keep-files.ts'
import { type Repaired, repairFor } from './take-repair.ts'

export interface VerifiedTask<Found> {
  place: GraphPlace
  kind: AskKind
  role: Task<unknown>['role']
  prompt: Task<unknown>['prompt']
  values: Record<string, unknown>
  /** The conversation to start from if there is none to continue. */
  thread: AgentMessage[]
  /** Whose conversation over the node's life it continues, and adds to. */
  memory?: keyof RoleThreads
  from?: string
  readsOnly?: boolean
  asked?: Task<unknown>['asked']
  /** Exits beside Stuck after which a person is asked and the same task continues. */
  open?: readonly ExitName[]
  /** The number of the first attempt, if earlier visits count too. */
  firstAttempt?: number
  /** Called for every refused reply. May add guidance for the next attempt, or prevent it. */
  onFailure?: (failure: FailedAttempt) => Promise<Advice | undefined>
  /** Runs inside a step. Problems send the reply back; without any, `found` is recorded. */
  check(step: StepContext, exit: Exit, tree: string | null): Promise<CheckResult<Found>>
}

export interface CheckResult<Found> {
  problems: Problem[]
  found?: Found
  /** Paths that the agent may not touch; the next attempt finds them as they were. */
  putBack?: PutBack
  /** What was run to check the reply, in words, if the problems do not say it. */
  seen?: string
  /** Settings that a person may allow (TR7); the reply is then checked again. */
  inQuestion?: string[]
}

export interface VerifiedReply<Found> {
  exit: Exit
  found: Found | undefined
  attempt: number
  /** The conversation, with this reply at its end. */
  thread: RoleThread
  /** The attempts before it that were refused. */
  past: readonly PastAttempt[]
}

/** No attempt is left: the problems of the last one. What was tried, its files and its conversation are in the node's state. */
export interface Exhausted {
  exhausted: Problem[]
}

export async function askUntilVerified<Found>(
  node: Node,
  work: VerifiedTask<Found>,
  /** Returns a commit and a reason if this exit calls for another attempt. */
  again?: (exit: Exit, found: Found | undefined, attempt: number) => { from: string; reason: string } | null,
): Promise<VerifiedReply<Found> | Exhausted> {
  const { run } = node
  const limits = node.caps
  const talk = new Conversation(node, work)
  let from = work.from
  // What a reviewer said is about the work that it saw.
  let earlier = work.kind === 'implement' ? node.state.lastReply : undefined
  const gaveUp = (exhausted: Problem[]): Exhausted => {
    remember(node, work, { thread: talk.soFar(), past: talk.past, left: from })
    return { exhausted }
  }
  for (let attempt = work.firstAttempt ?? 1; ; attempt++) {
    const last = isLastAttempt(attempt, limits)
    const put = await askInWorktree<ExitReply>(node, {
      ...work,
      ...talk.next(attempt, last),
      schema: exitSchemaAt(work.place),
      attempt,
      ...(from === undefined ? {} : { from }),
    })
    let refusals: readonly Problem[]
    const unwanted =
      put.tree && from !== undefined && !work.readsOnly
        ? await refusedDependencies(node, { tree: put.tree, from })
        : null
    if (put.ok) {
      const exit = withEarlierLists(namedExit(put.reply), earlier)
      let { tree } = put
      const check = (): Promise<CheckResult<Found> & { left?: string; repaired?: Repaired }> =>
        run.step(
          `check ${work.kind}`,
          async (step) => {
            const mayMove = work.memory === 'impl' && tree !== null && from !== undefined
            const repaired = mayMove ? await repairFor(node, step, { tree: tree!, from: from! }) : null
            if (repaired) return { problems: [], repaired }
            const result = unwanted ?? (await work.check(step, exit, tree))
            if (result.problems.length === 0 || tree === null || from === undefined) return result
            return { ...result, left: await keepFiles(node, tree, from, result.putBack) }
          },
          { stoppable: true },
        )
      let checked = await check()
      while (checked.repaired) {
        tree = checked.repaired.tree
        from = checked.repaired.base
        moveOnto(node, from)
        checked = await check()
      }
      if (checked.inQuestion && (await approveSettings(node, checked.inQuestion))) checked = await check()
      node.state.wasPutBack(work.kind, checked.putBack?.mayAllow ?? [])
      earlier = { exit, problems: checked.problems }
      if (work.kind === 'implement') node.state.replied(earlier)
      if (checked.problems.length === 0) {
        const retried = again?.(exit, checked.found, attempt)
        if (!retried) {
          const thread = talk.endedWith(put)
          const open = isOpen(work, exit) ? { past: [...talk.past, endedAt(exit, attempt)], left: from } : { past: [] }
          remember(node, work, { thread, ...open })
          return { exit, found: checked.found, attempt, thread, past: talk.past }
        }
        from = retried.from
        const problems = [{ rule: 'GR4', message: retried.reason }]
        const advice = await work.onFailure?.({ attempt, problems, last })
        if (advice?.stop !== undefined) return gaveUp([{ rule: 'FA1', message: advice.stop }, ...problems])
        node.state.guide(advice?.guidance)
        talk.retried(
          put,
          { attempt, strategy: strategyOf(exit), outcome: 'it asked for another attempt' },
          retried.reason,
        )
        continue
      }
      refusals = checked.problems
      if (checked.left !== undefined) from = checked.left
      const outcome = refusalLine(refusals[0]!.message, refusals[0]!.path)
      talk.refused(put, { attempt, strategy: strategyOf(exit), outcome }, { ...checked })
    } else {
      refusals = [put.problem]
      if (put.tree && from !== undefined) from = await keepFilesOf(node, put.tree, from, unwanted?.putBack)
      talk.refused(
        put,
        { attempt, strategy: 'no reply that could be read', outcome: put.problem.message },
        { problems: [put.problem] },
      )
    }
    await run.append(
      replyRefused.create(eventHeader(node), { ...subjectOf(node), kind: work.kind, attempt, problems: [...refusals] }),
    )
    const advice = await work.onFailure?.({ attempt, problems: refusals, last })
    if (last) return gaveUp([...refusals])
    if (advice?.stop !== undefined) return gaveUp([{ rule: 'FA1', message: advice.stop }, ...refusals])
    node.state.guide(advice?.guidance)
  }
}

/** The next task of the same role continues from here, whatever comes between, such as a question to a person. */
function remember<Found>(
  { state }: Node,
  { memory, kind, readsOnly }: VerifiedTask<Found>,
  { thread, past, left }: { thread: RoleThread; past: readonly PastAttempt[]; left?: string | undefined },
): void {
  state.tried(kind, past)
  if (memory === undefined) return
  state.talked(memory, thread)
  if (left !== undefined && !readsOnly) state.leftUnfinished(memory, left)
}

function isOpen<Found>({ open = [] }: VerifiedTask<Found>, exit: Exit): boolean {
  return isExit(exit, 'Stuck') || isExit(exit, 'RequestRetry') || open.includes(exit.name)
}

function endedAt(exit: Exit, attempt: number): PastAttempt {
  return { attempt, strategy: strategyOf(exit), outcome: outcomeOf(exit) }
}

function outcomeOf(exit: Exit): string {
  if (isExit(exit, 'Stuck')) return `it gave up: ${exit.payload.recommendation}`
  if (isExit(exit, 'SpecAmbiguity') || isExit(exit, 'ClarificationNeeded')) return `it asked: ${exit.payload.question}`
  if (isExit(exit, 'BlockedDependency')) return `${exit.payload.missingSymbol} is missing`
  return 'it asked for another attempt'
}

/** What the agent tried, in its own words where it has any. */
function strategyOf(exit: Exit): string {
  if (isExit(exit, 'RequestRetry')) return `${exit.payload.strategyFrom} (${exit.payload.diagnosis})`
  if (isExit(exit, 'Stuck')) return `Stuck: ${exit.payload.diagnosis}`
  if (isExit(exit, 'TestsReady')) return `TestsReady: ${exit.payload.testFiles.join(', ')}`
  if (isExit(exit, 'InitWork')) return `InitWork: ${exit.payload.interfaceFile}`
  return exit.name
}

export function isExit<Name extends ExitName>(exit: Exit, name: Name): exit is Extract<Exit, { name: Name }> {
  return exit.name === name
}
