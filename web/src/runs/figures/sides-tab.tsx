/** Both sides of a comparison: one agent alone, and Convene. */
import type { ResponseOf } from '../../../../src/serve/call.ts'
import { buildAddress } from '../../data/addresses/build.ts'
import { planAddress } from '../../data/addresses/plan.ts'
import { getComparison } from '../../data/calls/runs.ts'
import { useLoaded } from '../../data/use-loaded.ts'
import { Chip } from '../../ui/chip.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { count, duration, money, plural, priceHint } from '../../ui/format.ts'
import { LoadFailed } from '../../ui/page-states.tsx'

type Comparison = ResponseOf<'GET /api/comparisons/:comparison/report'>
type Side = Comparison['sides'][number]

/** `status` is that of the run: its end brings the figures. */
export function SidesTab({ run, status }: { run: string; status: string }) {
  const loaded = useLoaded(`${run} ${status}`, () => getComparison(run))
  if (loaded.state === 'loading') return <p className="p-5 text-ink-3">Loading the comparison…</p>
  if (loaded.state === 'failed') return <LoadFailed what="comparison" problem={loaded.problem} retry={loaded.retry} />
  return <Sides comparison={loaded.value} />
}

function Sides({ comparison: { goal, spec, sides } }: { comparison: Comparison }) {
  if (sides.length === 0)
    return (
      <p className="p-5 text-ink-2">The two sides run one after the other. They are shown here once both have ended.</p>
    )
  const branches = sides.flatMap(({ branch }) => branch ?? [])
  const command = `git diff ${branches.join(' ')}`
  return (
    <div className="min-h-0 flex-1 overflow-y-auto p-4 md:p-5" data-testid="comparison">
      <h2 className="mb-3 text-title font-semibold wrap-anywhere">{goal ?? spec}</h2>
      <div className="overflow-x-auto">
        <table className="w-full text-left text-small">
          <thead>
            <tr>
              <td />
              {sides.map((side) => (
                <th key={side.strategy} scope="col" className="px-2 py-1.5 align-bottom font-semibold">
                  <a href={placeOf(side)} className="hover:underline">
                    {names[side.strategy]}
                  </a>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rowsFor(sides).map(({ name, figure }) => (
              <tr key={name} className="border-t border-line">
                <th scope="row" className="py-1.5 pr-2 font-normal whitespace-nowrap text-ink-3">
                  {name}
                </th>
                {sides.map((side) => (
                  <td key={side.strategy} className="numbers px-2 py-1.5 wrap-anywhere">
                    {figure(side)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {branches.length > 1 ? (
        <p className="mt-4 flex items-center gap-2 text-small text-ink-2">
          <code className="min-w-0 wrap-anywhere">{command}</code>
          <CopyButton text={command} label="Copy the command" />
        </p>
      ) : null}
      <div className="mt-5 grid gap-4 md:grid-cols-2">
        {sides.map((side) => (
          <Planned key={side.strategy} side={side} />
        ))}
      </div>
    </div>
  )
}

function Planned({ side: { strategy, planned, reason } }: { side: Side }) {
  if (!planned && reason === undefined) return null
  return (
    <section className="min-w-0 rounded-[10px] border border-line bg-panel px-4 py-3" data-side={strategy}>
      <h3 className="caption mb-2">{names[strategy]}</h3>
      {reason === undefined ? null : <p className="mb-2 text-small wrap-anywhere text-bad">{reason}</p>}
      <ol className="space-y-2.5 text-small">
        {planned?.issues.map(({ number, title, criteria }) => (
          <li key={number}>
            <b className="font-medium wrap-anywhere">
              #{number} {title}
            </b>
            <ul className="mt-0.5 list-disc pl-5 text-ink-2">
              {criteria.map((text) => (
                <li key={text} className="wrap-anywhere">
                  {text}
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ol>
      {planned?.folder ? <p className="mt-2 text-tiny wrap-anywhere text-ink-3">{planned.folder}</p> : null}
    </section>
  )
}

const names: Record<Side['strategy'], string> = {
  solo: 'One agent alone',
  graph: 'The graph',
  'one-call': 'One reply',
  plan: 'All phases',
}

function placeOf({ strategy, run }: Side): string {
  if (strategy === 'plan') return planAddress(run)
  return strategy === 'one-call' ? '?tab=events' : buildAddress(run)
}

interface Row {
  name: string
  figure(side: Side): React.ReactNode
}

/** Builds have tests, evidence and a diff; plans have issues. */
function rowsFor(sides: readonly Side[]): Row[] {
  const isPlan = sides.some(({ strategy }) => strategy === 'plan')
  return [...common, ...(isPlan ? planned : built)]
}

const common: Row[] = [
  { name: 'Result', figure: ({ status }) => <Chip tone={status === 'done' ? 'ok' : 'bad'}>{status}</Chip> },
  {
    name: 'Cost',
    figure: ({ cost }) => (cost.usd === null ? <span title={priceHint}>unknown</span> : money(cost.usd)),
  },
  { name: 'Tokens', figure: ({ cost }) => count(cost.tokens) },
  { name: 'Asks', figure: ({ cost }) => count(cost.asks) },
  { name: 'Requests', figure: ({ cost }) => count(cost.calls) },
  { name: 'Time', figure: ({ seconds }) => duration(seconds * 1000) },
]

const built: Row[] = [
  { name: 'Tests', figure: ({ tests }) => (tests ? `${tests.passed} passed, ${tests.failed} failed` : 'none ran') },
  { name: 'Verified by', figure: ({ evidence }) => plural(evidence.commands, 'command') },
  { name: 'Sent back', figure: ({ evidence }) => plural(evidence.refusals, 'reply', 'replies') },
  { name: 'Diff', figure: ({ diff }) => `${plural(diff.files, 'file')}, +${diff.added} −${diff.removed}` },
  { name: 'Branch', figure: ({ branch }) => <code>{branch}</code> },
]

const planned: Row[] = [
  { name: 'Issues', figure: ({ planned }) => planned?.issues.length ?? '–' },
  { name: 'Criteria', figure: ({ planned }) => planned?.issues.flatMap(({ criteria }) => criteria).length ?? '–' },
]
