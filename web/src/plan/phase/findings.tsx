/** The expert reviewers' findings by severity, with their confidence and the missing reviewers. */
import type { PhaseView, PlanView } from '../../../../src/plan/view.ts'
import { Chip, type Tone } from '../../ui/chip.tsx'
import { absenteesOf, attendanceLabel } from '../view/attendance.ts'
import { outcomeLabel } from '../view/labels.ts'
import { Card } from './card.tsx'

type Review = PlanView['reviews'][number]
type Finding = Review['blocking'][number]

const groups: { id: 'blocking' | 'overridden' | 'carried' | 'noted' | 'advisory'; title: string; means: string }[] = [
  { id: 'blocking', title: 'Critical', means: 'must be settled before the plan continues' },
  { id: 'overridden', title: 'Overridden', means: 'critical, accepted as a risk' },
  { id: 'carried', title: 'Major', means: 'put to the architect; what stays open is carried as a risk' },
  { id: 'noted', title: 'Noted', means: 'minor' },
  { id: 'advisory', title: 'Advice', means: 'the reviewers are not confident enough for these to count' },
]

interface FindingsProps {
  reviews: readonly Review[]
  phase: PhaseView | undefined
  wide?: boolean
}

export function Findings({ reviews, phase, wide }: FindingsProps) {
  const last = reviews.at(-1)
  if (!last) return null
  const whole = last.answered >= last.reviewers
  const { word, tone } = outcomeLabel[last.outcome]!
  const absent = phase && !whole ? absenteesOf(phase) : []
  const findings = {
    ...last,
    carried: last.carried.filter((one) => !last.overridden.some((other) => isSame(one, other))),
  }
  const filled = groups.filter(({ id }) => findings[id].length > 0)
  return (
    <Card
      title="Expert review"
      testId="findings"
      {...(wide === undefined ? {} : { wide })}
      more={
        <>
          <Chip tone={tone}>{word}</Chip>
          <Chip tone={whole ? 'plain' : 'warn'}>
            {whole ? '' : 'degraded: '}
            {attendanceLabel({ answered: last.answered, expected: last.reviewers })}
          </Chip>
          {last.iteration > 1 ? <Chip>round {last.iteration}</Chip> : null}
        </>
      }
    >
      {absent.map(({ role, agent, reason, round }) => (
        <p key={`${role} ${round}`} className="mb-1.5 text-small text-warn wrap-anywhere">
          {role} is missing ({agent}: {reason})
        </p>
      ))}
      {filled.length === 0 ? <p className="text-small text-ink-2">No findings.</p> : null}
      {filled.map(({ id, title, means }) => (
        <section key={id} className="not-first:mt-3">
          <h3 className="text-small">
            <b className="font-medium">
              {title} <span className="numbers text-ink-3">{findings[id].length}</span>
            </b>{' '}
            <span className="text-ink-3">{means}</span>
          </h3>
          <ul className="mt-1 space-y-1.5">
            {findings[id].map((finding, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: findings never change
              <li key={index}>
                <FindingLine finding={finding} />
              </li>
            ))}
          </ul>
        </section>
      ))}
    </Card>
  )
}

/** Overridden findings are carried as well (RV3): they are listed once, as overridden. */
const isSame = (one: Finding, other: Finding) => JSON.stringify(one) === JSON.stringify(other)

const severityTones: Record<Finding['severity'], Tone> = { CRITICAL: 'bad', MAJOR: 'warn', MINOR: 'plain' }

export function FindingLine({ finding: { severity, title, detail, by, confidence } }: { finding: Finding }) {
  return (
    <div className="flex items-start gap-2 text-small">
      <Chip tone={severityTones[severity]} className="w-18 shrink-0 justify-center px-0! text-tiny!">
        {severity.toLowerCase()}
      </Chip>
      <span className="min-w-0 flex-1 wrap-anywhere">
        <b className="font-medium">{title ?? 'no title'}</b>
        {detail ? <span className="text-ink-2"> {detail}</span> : null}
        {by ? <span className="text-ink-3"> {by}</span> : null}
      </span>
      <Sureness confidence={confidence ?? null} />
    </div>
  )
}

function Sureness({ confidence }: { confidence: number | null }) {
  if (confidence === null)
    return <span className="shrink-0 text-tiny leading-[1.7] text-ink-3">confidence not stated</span>
  return (
    <span className="flex shrink-0 items-center gap-1.5 pt-0.5">
      <span aria-hidden="true" className="h-1.5 w-10 overflow-hidden rounded-full bg-sunken">
        <span className="block h-full rounded-full bg-accent" style={{ width: `${confidence}%` }} />
      </span>
      <span className="numbers text-tiny">{confidence} %</span>
      <span className="sr-only">confident</span>
    </span>
  )
}
