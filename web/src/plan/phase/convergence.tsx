/** How far the members agree, by conclusions and by words, round by round; and who holds which position. */
import type { PhaseView } from '../../../../src/plan/view.ts'
import { Chip } from '../../ui/chip.tsx'
import { hundredths } from '../../ui/format.ts'
import { verdictTones } from '../view/labels.ts'
import { type Question, standsOf } from '../view/positions.ts'
import { Card } from './card.tsx'

type Measured = PhaseView['convergence'][number]

export interface Point {
  label: string
  measured: Measured
}

interface ConvergenceProps {
  points: readonly Point[]
  title?: string
  wide?: boolean
}

export function Convergence({ points, title = 'Convergence', wide }: ConvergenceProps) {
  const last = points.at(-1)?.measured
  if (!last) return null
  return (
    <Card
      title={title}
      testId="convergence"
      {...(wide === undefined ? {} : { wide })}
      more={
        last.verdict ? (
          <Chip tone={verdictTones[last.verdict] ?? 'plain'}>{last.verdict}</Chip>
        ) : (
          <Chip tone="warn">not measured</Chip>
        )
      }
    >
      {last.skipped ? <p className="mb-2 text-small text-warn">Not measured: {last.skipped}.</p> : null}
      <Chart points={points} />
      <p className="mt-1.5 text-small text-ink-2">
        {last.agreement_ratio === null
          ? 'Written independently of each other'
          : `Agreement ratio ${hundredths(last.agreement_ratio)}`}
        {last.stability === null ? '' : `, stability ${hundredths(last.stability)}`}.
      </p>
    </Card>
  )
}

const figure = (value: number | null) => (value === null ? 'unknown' : hundredths(value))

const left = 34
const right = 310
const top = 10
const bottom = 91
/** The lines between low, medium and high agreement, as they are drawn by default. */
const lines = [1, 0.7, 0.4, 0]

const y = (value: number) => bottom - Math.min(1, Math.max(0, value)) * (bottom - top)

function Chart({ points }: { points: readonly Point[] }) {
  const x = (index: number) => left + ((index + 0.5) / points.length) * (right - left)
  const conclusions = points.map(({ measured }, index) => [x(index), measured.positions] as const)
  const wording = points.map(({ measured }, index) => [x(index), measured.score] as const)
  const words = points
    .map(
      ({ label, measured }) =>
        `${label}: ${measured.verdict ?? 'not measured'}, conclusions ${figure(measured.positions)}, words ${figure(measured.score)}`,
    )
    .join('; ')
  return (
    <>
      <svg role="img" aria-label={`Agreement. ${words}`} viewBox="0 0 320 112" className="w-full max-w-[420px]">
        {lines.map((value) => (
          <g key={value}>
            <path d={`M${left} ${y(value)}H${right}`} stroke="var(--line)" />
            <text x={left - 6} y={y(value) + 3} textAnchor="end" fontSize="9" fill="var(--ink-3)">
              {value.toFixed(1)}
            </text>
          </g>
        ))}
        <Line values={wording} colour="var(--ink-3)" dashed />
        <Line values={conclusions} colour="var(--accent)" />
        {points.map(({ label }, index) => (
          <text key={label} x={x(index)} y={106} textAnchor="middle" fontSize="9" fill="var(--ink-3)">
            {label}
          </text>
        ))}
      </svg>
      <p aria-hidden="true" className="flex flex-wrap gap-x-4 text-tiny text-ink-2">
        <span className="flex items-center gap-1.5">
          <span className="h-0.5 w-4 bg-accent" />
          conclusions {figure(points.at(-1)!.measured.positions)}
        </span>
        <span className="flex items-center gap-1.5">
          <span className="w-4 border-t-2 border-dashed border-ink-3" />
          words {figure(points.at(-1)!.measured.score)}
        </span>
      </p>
    </>
  )
}

interface LineProps {
  values: readonly (readonly [number, number | null])[]
  colour: string
  dashed?: boolean
}

function Line({ values, colour, dashed = false }: LineProps) {
  const known = values.flatMap(([x, value]) => (value === null ? [] : [{ x, y: y(value) }]))
  return (
    <g>
      <path
        d={known.map((point, index) => `${index === 0 ? 'M' : 'L'}${point.x} ${point.y}`).join('')}
        fill="none"
        stroke={colour}
        strokeWidth="2"
        strokeDasharray={dashed ? '4 3' : undefined}
      />
      {known.map((point) => (
        <circle key={point.x} cx={point.x} cy={point.y} r="3.2" fill={colour} />
      ))}
    </g>
  )
}

export function WhereTheyStand({ measured }: { measured: Measured | undefined }) {
  if (!measured || measured.stands.length === 0) return null
  const { agreed, disagreed, alone } = standsOf(measured.stands)
  return (
    <Card
      title="Positions"
      wide
      testId="stands"
      more={<Chip>{measured.aligned ? 'compared by meaning' : 'compared by wording'}</Chip>}
    >
      {disagreed.length > 0 ? <Table caption="Disagreed" questions={disagreed} differs /> : null}
      {agreed.length > 0 ? <Table caption="Agreed" questions={agreed} /> : null}
      {alone.length > 0 ? <Table caption="Nobody else speaks to it" questions={alone} plain /> : null}
    </Card>
  )
}

interface TableProps {
  caption: string
  questions: Question[]
  differs?: boolean
  plain?: boolean
}

function Table({ caption, questions, differs = false, plain = false }: TableProps) {
  return (
    <div className="overflow-x-auto not-first:mt-3">
      <table className="w-full text-small">
        <caption
          className={`pb-1 text-left text-small font-medium ${differs ? 'text-warn' : plain ? 'text-ink-2' : 'text-ok'}`}
        >
          {caption}
        </caption>
        <thead className="text-left text-ink-3">
          <tr>
            <th className="w-2/5 py-1 pr-3 font-medium">question</th>
            <th className="py-1 pr-3 font-medium">position</th>
            <th className="py-1 font-medium">held by</th>
          </tr>
        </thead>
        <tbody>
          {questions.map(({ question, choices }) =>
            choices.map(({ choice, roles, follows }, index) => (
              <tr key={`${question} ${choice}`} className="border-t border-line align-top">
                {index === 0 ? (
                  <th scope="row" rowSpan={choices.length} className="py-1.5 pr-3 text-left font-normal wrap-anywhere">
                    {question}
                  </th>
                ) : null}
                <td className={`py-1.5 pr-3 wrap-anywhere ${differs && index > 0 ? 'text-warn' : ''}`}>
                  {choice}
                  {follows ? <span className="block text-ink-3">{follows}</span> : null}
                </td>
                <td className="py-1.5 text-ink-2 wrap-anywhere">{roles.join(', ')}</td>
              </tr>
            )),
          )}
        </tbody>
      </table>
    </div>
  )
}
