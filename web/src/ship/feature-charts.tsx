/** A feature in three charts: spending, throughput, and why attempts failed. */
import { useWatched } from '../data/watched.ts'
import { BarChart } from '../ui/charts/bar-chart.tsx'
import { HorizontalBars } from '../ui/charts/horizontal-bars.tsx'
import { LineChart } from '../ui/charts/line-chart.tsx'
import { clock } from '../ui/format.ts'
import type { FeatureState } from './view/feature-store.ts'
import { retriesOf, spendingFigure, spendingLabel, spendingOf, throughputOf } from './view/figures.ts'
import { shipSettings } from './view/ship-settings-store.ts'

/** Hide a limit so far above the spending that it would flatten the line. */
const worthDrawing = 0.2

export function FeatureCharts({ state: { timeline, isTimelineRead } }: { state: FeatureState }) {
  const settings = useWatched(shipSettings)
  const spending = spendingOf(timeline, settings?.budget ?? {})
  const { unit, limit, spent, before } = spending
  const throughput = throughputOf(timeline)
  const retries = retriesOf(timeline)
  const figure = (value: number) => spendingFigure(unit, value)
  if (!isTimelineRead) return <Reading />
  return (
    <section aria-label="Figures" className={grid}>
      <LineChart
        title="Spent"
        note={`${spendingLabel(spending)}${before > 0 ? `, ${figure(before)} in earlier runs` : ''}`}
        series={[{ name: 'Spent', points: spending.points, stepped: true }]}
        formatX={(at) => clock(new Date(at).toISOString())}
        formatY={figure}
        {...(limit !== null && spent >= limit * worthDrawing
          ? { limit: { label: `budget ${figure(limit)}`, value: limit } }
          : {})}
        empty="Nothing spent yet."
        testId="chart-spent"
      />
      <BarChart
        title={`Done per ${throughput.per}`}
        note={timeline.done.length > 0 ? `${timeline.done.length} done` : undefined}
        bars={throughput.bars}
        empty="Nothing is done yet."
        testId="chart-done"
      />
      <HorizontalBars
        title="Why attempts failed"
        bars={retries}
        columns={['Diagnosis', 'Attempts']}
        empty="No attempt has failed."
        testId="chart-retries"
      />
    </section>
  )
}

/** Below the board where it is narrow: there the issues come first. */
const grid = 'grid gap-3 @max-lg:order-last @lg:grid-cols-3'

function Reading() {
  return (
    <div aria-hidden="true" className={`${grid} opacity-60`}>
      {[1, 2, 3].map((one) => (
        <span key={one} className="pulse block h-[142px] rounded-[10px] bg-line" />
      ))}
    </div>
  )
}
