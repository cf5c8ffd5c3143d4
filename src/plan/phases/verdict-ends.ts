/** What became of the objections of panels and of the expert review, in words for a lead. PH6. */
import type { PlanDigest } from '../../rules/context/plan-digest.ts'
import type { Summary } from '../artefacts.ts'
import { flat } from '../team/phase-result.ts'
import { counted } from '../wording.ts'

/** Empty if there was nothing to do. `carried`: the risks that stand at the end of the plan. */
export function verdictEnd(
  { phase, outcome, dissents, flags }: Pick<Summary, 'phase' | 'outcome' | 'dissents' | 'flags'>,
  carried: PlanDigest['carried'],
): string {
  if (flags.includes('red_overridden')) return 'continued despite it, carried as a risk'
  if (phase === '6b') {
    if (outcome !== 'pass_with_risk') return ''
    const ids = carried.filter((one) => one.phase === '6b' && one.risk.severity !== 'MINOR').map(({ risk }) => risk.id)
    return ids.length > 0 ? `carried as ${ids.join(', ')}, the rest settled by an amendment` : 'settled by an amendment'
  }
  const objections = dissents ?? []
  if (objections.length === 0) return ''
  if (outcome === 'GREEN')
    return phase === '8'
      ? `${counted(objections.length, 'point')} noted in the issues`
      : 'objections are in validation.md'
  if (outcome !== 'YELLOW') return ''
  const ids = objections.flatMap(({ member, text }) => {
    const said = `${flat(text)} (${member})`
    return carried.flatMap(({ risk }) => (risk.risk.includes(said) ? [risk.id] : []))
  })
  const settled = objections.length - ids.length
  return [
    ...(settled > 0 ? [`${counted(settled, 'objection')} settled by an amendment`] : []),
    ...(ids.length > 0 ? [`${counted(ids.length, 'objection')} carried as ${[...new Set(ids)].join(', ')}`] : []),
  ].join(', ')
}
