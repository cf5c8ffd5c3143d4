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

type Ended = PlanView['contradictions'][number]

const endWords: Readonly<Record<Ended['end'], string>> = {
  repaired: 'repaired',
  decided: 'decided by you',
  open: 'open',
}

/** The contradictions that were found, and how each ended; before that, the documents as they were compared last. */
export function Contradictions({ view, phase }: OfPhase) {
  const last = view.consistency.filter((one) => one.phase === phase).at(-1)
  const ended = view.contradictions.filter((one) => one.phase === phase)
  if (!last && ended.length === 0) return null
  const found: readonly (Omit<Ended, 'end' | 'how' | 'phase'> & Partial<Ended>)[] =
    ended.length > 0 ? ended : (last?.contradictions ?? [])
  const open = ended.length > 0 ? ended.filter(({ end }) => end === 'open').length : found.length
  const isUnchecked = last?.contradictions === null && found.length === 0
  return (
    <Card
      title="Consistency"
      wide
      testId="consistency"
      more={
        <Chip tone={!isUnchecked && open === 0 ? 'ok' : 'warn'}>
          {isUnchecked
            ? 'not checked'
            : open > 0
              ? `${plural(open, 'contradiction')}${ended.length > 0 ? ' open' : ''}`
              : found.length > 0
                ? `${plural(found.length, 'contradiction')} settled`
                : 'no contradiction'}
        </Chip>
      }
    >
      <p className="text-small text-ink-2">Specification, design, test plan and decisions, compared with each other.</p>
      {found.map(({ matter, first, second, end, how }) => (
        <section key={JSON.stringify([matter, first, second])} className="mt-2 text-small wrap-anywhere">
          <h3 className="font-medium">
            {end && <Chip tone={end === 'open' ? 'warn' : 'ok'}>{endWords[end]}</Chip>} {matter}
          </h3>
          <p>
            <span className="text-ink-3">{first.where}:</span> {first.says}
          </p>
          <p>
            <span className="text-ink-3">{second.where}:</span> {second.says}
          </p>
          {how && <p className="text-ink-2">{end === 'decided' ? `you decided: ${how}` : how}</p>}
        </section>
      ))}
    </Card>
  )
}

export function Amendments({ view, phase }: OfPhase) {
  // Every amendment numbers its points from a1.
  const points = view.amendments
    .filter((one) => one.phase === phase)
    .flatMap((one, pass) => one.points.map((point) => ({ ...point, key: `${pass} ${point.id}` })))
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
        {points.map(({ key, by, text, settled, how }) => (
          <li key={key} className="wrap-anywhere">
            <Chip tone={settled ? 'ok' : 'warn'}>{settled ? 'settled' : 'carried as a risk'}</Chip> {text}{' '}
            <span className="text-ink-3">({by})</span>
            <span className="block text-ink-2">{how}</span>
          </li>
        ))}
      </ul>
    </Card>
  )
}
