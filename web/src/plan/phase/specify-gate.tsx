/** How clear the request is, as five bars. */
import type { PlanView } from '../../../../src/plan/view.ts'
import { dimensions } from '../../../../src/rules/plan/question-bank.ts'
import { Chip } from '../../ui/chip.tsx'
import { Card } from './card.tsx'

type Scored = PlanView['specify'][number]

const most = 2

export function SpecifyGate({
  scored,
  mode,
  wide,
}: {
  scored: readonly Scored[]
  mode: PlanView['mode']
  wide?: boolean
}) {
  const last = scored.at(-1)
  if (!last) return null
  const before = scored.at(-2)
  const tone = last.passed ? 'ok' : 'warn'
  return (
    <Card
      title="Specify gate"
      testId="specify-gate"
      {...(wide === undefined ? {} : { wide })}
      more={
        <Chip tone={tone}>
          <span className="numbers">
            {last.score} / {dimensions.length * most}
          </span>
          {last.passed ? 'passed' : 'not passed'}
        </Chip>
      }
    >
      <dl className="space-y-1.5">
        {dimensions.map((name) => (
          <Bar key={name} name={name} points={last.scores[name] ?? 0} before={before?.scores[name]} />
        ))}
      </dl>
      <p className="mt-2.5 text-small text-ink-2">
        {last.threshold} points are required
        {mode === 'rapid' ? ', but not in rapid mode' : ''}.
        {!last.passed && last.weakest ? ` Weakest: ${last.weakest}.` : ''}
      </p>
      {scored.length > 1 ? (
        <ol className="mt-2 space-y-0.5 border-t border-line pt-2 text-small text-ink-2" data-testid="specify-progress">
          {scored.map(({ iteration, score, progress }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rounds stay in their places
            <li key={index} className="flex gap-2">
              <span className="w-14 shrink-0 text-ink-3">round {iteration}</span>
              <span className="min-w-0 wrap-anywhere">{progress ?? `${score}/${dimensions.length * most}`}</span>
            </li>
          ))}
        </ol>
      ) : null}
    </Card>
  )
}

function Bar({ name, points, before }: { name: string; points: number; before: number | undefined }) {
  const ground = ['bg-bad', 'bg-warn', 'bg-ok'][points] ?? 'bg-ok'
  return (
    <div className="grid grid-cols-[86px_1fr_auto] items-center gap-2 text-small">
      <dt>{name}</dt>
      <dd aria-hidden="true" className="h-1.5 overflow-hidden rounded-full bg-sunken">
        <span
          data-points={points}
          className={`block h-full rounded-full transition-[width] duration-700 ${ground}`}
          style={{ width: `${(Math.min(points, most) / most) * 100}%` }}
        />
      </dd>
      <dd className="numbers w-10 text-right">
        {before !== undefined && before !== points ? <span className="text-ink-3">{before} → </span> : null}
        {points}
        <span className="sr-only"> of {most}</span>
      </dd>
    </div>
  )
}
