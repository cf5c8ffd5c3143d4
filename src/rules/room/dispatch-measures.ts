/** How well decisions meet what the senders of messages wanted, according to judges. SPEC.md § DP11. */
import { type DispatchDecision, type DispatchMode, isWordingRule } from './dispatch-decision.ts'

/** A decision, and for each judge: the mode wanted, the modes that would also be fine, whose answer alone would do. */
export interface Wanted {
  decision: Pick<DispatchDecision, 'mode' | 'winner' | 'responders' | 'rule'>
  wanted: readonly DispatchMode[]
  acceptable: readonly (readonly DispatchMode[])[]
  good_alone: readonly (readonly string[])[]
}

/** Null where there is nothing to count. */
interface Share {
  of: number
  share: number | null
}

export interface DispatchMeasures {
  messages: number
  /** Where the judges want the same: decided as they want. */
  agreement: Share
  /** Where a judge would not accept one answer: several answer. */
  recall: Share
  /** Where all judges want one answer: several answer. */
  noise: Share
  /** Of solo decisions: a judge names the one who answers as good alone. */
  right: Share
  /** Answers per message. */
  answers: number
  /** Decided by the wording, so without a call for proposals. */
  calls_saved: Share
}

export function measureDispatch(rows: readonly Wanted[]): DispatchMeasures {
  const agreed = rows.filter(({ wanted }) => new Set(wanted).size === 1)
  const needs = rows.filter(({ acceptable }) => acceptable.some((modes) => !modes.includes('solo')))
  const wantOne = rows.filter(({ wanted }) => wanted.every((mode) => mode === 'solo'))
  const solos = rows.filter((row) => !isShared(row))
  const answers = rows.reduce((sum, { decision }) => sum + decision.responders.length, 0)
  return {
    messages: rows.length,
    agreement: share(agreed, ({ decision, wanted }) => decision.mode === wanted[0]),
    recall: share(needs, isShared),
    noise: share(wantOne, isShared),
    right: share(solos, ({ decision, good_alone }) => good_alone.some((names) => names.includes(decision.winner))),
    answers: rows.length === 0 ? 0 : answers / rows.length,
    calls_saved: share(rows, ({ decision }) => isWordingRule(decision.rule)),
  }
}

function isShared({ decision }: Wanted): boolean {
  return decision.responders.length > 1
}

function share(rows: readonly Wanted[], holds: (row: Wanted) => boolean): Share {
  return { of: rows.length, share: rows.length === 0 ? null : rows.filter(holds).length / rows.length }
}
