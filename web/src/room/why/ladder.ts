/** The steps of the dispatch rule with this round's figures: which were checked, and which applied. SPEC.md § DP3, DP10. */
import { hundredths as inHundredths, showHundredths } from '../../../../src/rules/room/confidence.ts'
import { isWordingRule } from '../../../../src/rules/room/dispatch-decision.ts'
import { recordedLimits } from '../../../../src/rules/room/dispatch-limits.ts'
import { hundredths } from '../../ui/format.ts'
import type { Decision } from '../conversation/conversation-types.ts'

export interface Rung {
  rule: string
  question: string
  figures: string
  leadsTo: string
  fired: boolean
}

/** Up to the step that fired. Empty where no two proposals were compared. */
export function ladder(decision: Decision): Rung[] {
  const [winner, second] = ranked(decision).map((name) => decision.proposals[name]!)
  if (!winner || !second || decision.overlap === null || isWordingRule(decision.rule)) return []
  const limit = recordedLimits(decision.limits)
  const overlap = `overlap ${hundredths(decision.overlap)}`
  const [high, low] = [winner, second].map(({ confidence }) => inHundredths(confidence)).sort((a, b) => b - a)
  const sure = `${showHundredths(high!)} and ${showHundredths(low!)}`
  const neither = limit.rule === 'measured' && winner.solo_sufficient === false && second.solo_sufficient === false
  const builds =
    winner.builds_on_other || second.builds_on_other ? 'one would build on the other' : 'neither would build'
  const rungs = [
    ...(limit.rule === 'measured' ? [sufficiency(winner, second)] : []),
    {
      rule: 'gap',
      question: `A lead of more than ${hundredths(limit.gap)}?`,
      figures: showHundredths(high! - low!),
      leadsTo: 'one answers',
    },
    {
      rule: 'parallel',
      question: `Both over ${hundredths(limit.high)}, overlap under ${hundredths(limit.overlap)}?`,
      figures: `${sure}, ${overlap}`,
      leadsTo: 'they answer together',
    },
    {
      rule: 'synthesis',
      question: neither
        ? `Both over ${hundredths(limit.high)}, overlap from ${hundredths(limit.overlap)}, and neither enough alone?`
        : `Both over ${hundredths(limit.synthesis)}, overlap from ${hundredths(limit.overlap)}, and reading first helps?`,
      figures: neither ? `${sure}, ${overlap}` : `${sure}, ${overlap}, ${builds}`,
      leadsTo: 'one after the other',
    },
    {
      rule: 'overlap',
      question: `Both over ${hundredths(limit.high)}, overlap from ${hundredths(limit.overlap)}?`,
      figures: `${sure}, ${overlap}`,
      leadsTo: 'one answers for both',
    },
    {
      rule: 'low_conviction',
      question: `Both under ${hundredths(limit.low)}?`,
      figures: sure,
      leadsTo: 'the more confident agent answers',
    },
    { rule: 'default', question: 'None of these', figures: '', leadsTo: 'the more confident agent answers' },
  ]
  const fired = rungs.findIndex(({ rule }) => rule === decision.rule)
  return rungs.slice(0, fired + 1).map((rung, index) => ({ ...rung, fired: index === fired }))
}

/** What the two say of their own answers, as the rule reads it. SPEC.md § DP10. */
function sufficiency(winner: Proposed, second: Proposed): Omit<Rung, 'fired'> {
  const said = ({ solo_sufficient }: Proposed) =>
    solo_sufficient === undefined ? 'did not say' : solo_sufficient ? 'yes' : 'no'
  return {
    rule: 'sufficient',
    question: 'Do they say that one answer is enough?',
    figures: `${said(winner)}, ${said(second)}`,
    leadsTo: 'one answers',
  }
}

type Proposed = Decision['proposals'][string]

/** Surest first, as the rule ranks them; an override may have put another one first. SPEC.md § DP2. */
export function ranked({ proposals }: Decision): string[] {
  const byConfidence = (a: string, b: string) =>
    inHundredths(proposals[b]!.confidence) - inHundredths(proposals[a]!.confidence)
  return Object.keys(proposals).sort((a, b) => byConfidence(a, b) || (a < b ? -1 : 1))
}
