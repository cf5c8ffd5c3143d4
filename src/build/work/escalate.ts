/** Asks a person what to do about a node that cannot continue, and continues with the answer. */
import { askPerson } from '../../kernel/runs/questions.ts'
import { allowChoice } from '../../rules/build/touched-paths.ts'
import { personsAnswer } from '../../rules/evidence/attempt-history.ts'
import { eventHeader, type Node, subjectOf } from '../node.ts'
import type { PersonsAnswer } from '../node-state.ts'

export interface Trouble {
  /** What happened, in one line. */
  reason: string
  exit: string
  capped?: string
  /** Full details. */
  detail: string
  /** The agent's own question, if it has one. */
  question?: string
  /** Paths that were put back, and that a person may allow (VF3). */
  mayAllow?: readonly string[]
}

export type Ruling = ({ kind: 'retry' } & PersonsAnswer) | { kind: 'give-up' }

export async function escalate(node: Node, trouble: Trouble): Promise<Ruling> {
  const { deps, run, input, workspace } = node
  if (input.unattended && !trouble.question) return { kind: 'give-up' }
  const { reason, exit, capped, question, mayAllow = [] } = trouble
  const text = question ? `${input.spec.id}: ${question}` : `${input.spec.id} cannot continue: ${reason}`
  const allow = mayAllow.length > 0 ? allowChoice(mayAllow) : undefined
  const detail = allow === undefined ? trouble.detail : `${putBackLine(mayAllow, allow)}\n${trouble.detail}`
  const context = { ...subjectOf(node), exit, ...(capped ? { capped } : {}), reason, detail }
  const choices = ['retry', 'give up', ...(allow === undefined ? [] : [allow])]
  const answer = await deps.activity.whileWaiting(run.runId, () =>
    askPerson(run, eventHeader(node), { text, choices, context }),
  )
  if (answer.choice === 'give up') return { kind: 'give-up' }
  // The person may have repaired something outside the tree.
  workspace.testResults.forget(input.build)
  workspace.seenTests.forgetRuns(input.build)
  const answered = personsAnswer(question ?? `${input.spec.id} cannot continue: ${reason}`, answer)
  const allowed = allow !== undefined && answer.choice === allow ? mayAllow : []
  return { kind: 'retry', answered, decides: answer.text !== undefined, allowed }
}

function putBackLine(paths: readonly string[], allow: string): string {
  return `Put back, because agents may not edit them: ${paths.join(', ')}. Only the answer "${allow}" changes that.`
}

/** Describes a reached cap, for the question to a person. */
export function capReason(capped: string, limit: number): string {
  const what: Record<string, string> = {
    attempts: `all ${limit} attempts are used (cap: attempts)`,
    reviews: `the review has asked for more ${limit} times (cap: reviews)`,
    scaffolds: `the scaffold was sent back ${limit} times (cap: scaffolds)`,
    merges: `merging was refused ${limit} times (cap: merges)`,
    rebases: `rebasing ended in a conflict ${limit} times (cap: rebases)`,
  }
  return what[capped] ?? `the cap on ${capped} is reached`
}
