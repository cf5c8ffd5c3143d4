/** Asks until a reply passes its check. A refused reply counts as an attempt; the next starts from the same commit and is told why (GR4, VF). */
import type { AskKind } from '../../kernel/agent.ts'
import type { StepContext } from '../../kernel/engine.ts'
import { refusal } from '../../rules/build/back-edge.ts'
import { type Exit, type ExitReply, exitSchemaAt, namedExit } from '../../rules/build/exits.ts'
import { isLastAttempt } from '../../rules/build/graph.ts'
import type { ExitName, GraphPlace } from '../../rules/build/graph-table.ts'
import type { Problem } from '../../rules/schema/problem.ts'
import { replyRefused } from '../events.ts'
import type { Advice, FailedAttempt } from '../issue-observer.ts'
import { eventHeader, type Node, subjectOf } from '../node.ts'
import { describeReason } from '../reasons.ts'
import { askInWorktree, type Task } from './ask-in-worktree.ts'

export interface VerifiedTask<Found> {
  place: GraphPlace
  kind: AskKind
  role: Task<unknown>['role']
  prompt: Task<unknown>['prompt']
  values: Record<string, unknown>
  thread: Task<unknown>['thread']
  from?: string
  readsOnly?: boolean
  asked?: Task<unknown>['asked']
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
}

export interface VerifiedReply<Found> {
  exit: Exit
  found: Found | undefined
  question: string
  text: string
  attempt: number
}

/** Returns the problems of the last attempt if none is left. */
export async function askUntilVerified<Found>(
  node: Node,
  work: VerifiedTask<Found>,
  /** Returns a commit and a reason if this exit calls for another attempt. */
  again?: (exit: Exit, found: Found | undefined, attempt: number) => { from: string; reason: string } | null,
): Promise<VerifiedReply<Found> | { exhausted: Problem[] }> {
  const { run } = node
  const limits = node.caps
  let refusals: readonly Problem[] = []
  let from = work.from
  let reason = work.values.reason as string | undefined
  for (let attempt = work.firstAttempt ?? 1; ; attempt++) {
    const last = isLastAttempt(attempt, limits)
    const values = {
      ...work.values,
      reason,
      refusals,
      attempt,
      attempts: limits.attempts,
      lastAttempt: last,
      guidance: node.state.guidance,
    }
    const put = await askInWorktree<ExitReply>(node, {
      ...work,
      values,
      schema: exitSchemaAt(work.place),
      attempt,
      ...(from === undefined ? {} : { from }),
    })
    if (put.ok) {
      const exit = namedExit(put.reply)
      const checked = await run.step(`check ${work.kind}`, (step) => work.check(step, exit, put.tree), {
        stoppable: true,
      })
      if (checked.problems.length === 0) {
        const retried = again?.(exit, checked.found, attempt)
        if (!retried) return { exit, found: checked.found, question: put.question, text: put.text, attempt }
        from = retried.from
        reason = retried.reason
        refusals = []
        const problems = [{ rule: 'GR4', message: retried.reason }]
        const advice = await work.onFailure?.({ attempt, problems, last })
        if (advice?.stop !== undefined) return { exhausted: [{ rule: 'FA1', message: advice.stop }, ...problems] }
        node.state.guide(advice?.guidance)
        continue
      }
      refusals = checked.problems
    } else refusals = [put.problem]
    await run.append(
      replyRefused.create(eventHeader(node), { ...subjectOf(node), kind: work.kind, attempt, problems: [...refusals] }),
    )
    const advice = await work.onFailure?.({ attempt, problems: refusals, last })
    if (last) return { exhausted: [...refusals] }
    if (advice?.stop !== undefined) return { exhausted: [{ rule: 'FA1', message: advice.stop }, ...refusals] }
    node.state.guide(advice?.guidance)
  }
}

/** Why a place is entered again, for prompts. */
export function reasonText(problems: readonly Problem[]): string {
  return describeReason(refusal(problems))
}

export function isExit<Name extends ExitName>(exit: Exit, name: Name): exit is Extract<Exit, { name: Name }> {
  return exit.name === name
}
