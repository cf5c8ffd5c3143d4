/** What a review or a comparison found, and how the architect settled it. */
import type { PlanView } from '../../../../src/plan/view.ts'
import type { PhaseId } from '../../../../src/rules/plan/phase-table.ts'
import { Chip } from '../../ui/chip.tsx'
import { plural } from '../../ui/format.ts'
import { Card } from './card.tsx'

interface OfPhase {
  view: PlanView
  phase: PhaseId
}

/** The documents as they were compared last. */
export function Contradictions({ view, phase }: OfPhase) {
  const last = view.consistency.filter((one) => one.phase === phase).at(-1)
  if (!last) return null
  const { contradictions } = last
  const found = contradictions?.length ?? 0
  return (
    <Card
      title="Consistency"
      wide
      testId="consistency"
      more={
        <Chip tone={contradictions !== null && found === 0 ? 'ok' : 'warn'}>
          {contradictions === null ? 'not checked' : found === 0 ? 'no contradiction' : plural(found, 'contradiction')}
        </Chip>
      }
    >
      <p className="text-small text-ink-2">Specification, design, test plan and decisions, compared with each other.</p>
      {contradictions?.map(({ matter, first, second }) => (
        <section key={`${matter} ${first.where}`} className="mt-2 text-small wrap-anywhere">
          <h3 className="font-medium">{matter}</h3>
          {[first, second].map(({ where, says }) => (
            <p key={`${where} ${says}`}>
              <span className="text-ink-3">{where}:</span> {says}
            </p>
          ))}
        </section>
      ))}
    </Card>
  )
}

export function Amendments({ view, phase }: OfPhase) {
  const points = view.amendments.filter((one) => one.phase === phase).flatMap((one) => one.points)
  if (points.length === 0) return null
  const settled = points.filter((point) => point.settled).length
  return (
    <Card
      title="Amendment by the architect"
      wide
      testId="amendment"
      more={
        <Chip tone={settled === points.length ? 'ok' : 'warn'}>
          {settled} of {plural(points.length, 'point')} settled
        </Chip>
      }
    >
      <ul className="space-y-2 text-small">
        {points.map(({ id, by, text, settled, how }) => (
          <li key={id} className="wrap-anywhere">
            <Chip tone={settled ? 'ok' : 'warn'}>{settled ? 'settled' : 'carried as a risk'}</Chip> {text}{' '}
            <span className="text-ink-3">({by})</span>
            <span className="block text-ink-2">{how}</span>
          </li>
        ))}
      </ul>
    </Card>
  )
}
