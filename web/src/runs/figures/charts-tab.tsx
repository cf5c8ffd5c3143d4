/** A run in charts: cost and tokens, requests over time, merges, agreement and retries. */
import type { RunOverview } from '../../../../src/runs/overview.ts'
import type { Named, Slice, Spent } from '../../../../src/runs/overview-figures.ts'
import type { Floor } from '../../../../src/runs/overview-lines.ts'
import { agentColour } from '../../ui/agent-colour.ts'
import { HorizontalBars } from '../../ui/charts/horizontal-bars.tsx'
import { LineChart } from '../../ui/charts/line-chart.tsx'
import type { ChartColour } from '../../ui/charts/tones.ts'
import { count, duration, hundredths, money, plural } from '../../ui/format.ts'
import { timeOfDay } from '../view/clock.ts'
import { floorLabel, retryLabel } from '../view/labels.ts'
import { type Curve, curvesOf, soFar } from './curves.ts'

export function ChartsTab({ view }: { view: RunOverview }) {
  const agents = view.agents.toSorted((one, other) => other.value.tokens - one.value.tokens)
  const floors = view.floors.map(({ name, value }) => ({ name: floorLabel[name as Floor] ?? name, value }))
  const colour = (name: string): ChartColour => agentColour(name) as ChartColour
  const calls = view.agents.reduce((sum, { value }) => sum + value.calls, 0)
  const retries = view.retries.toSorted((one, other) => other.value - one.value)
  return (
    <div className="min-h-0 flex-1 overflow-y-auto p-3 md:p-4" data-testid="charts">
      <div className="mx-auto grid max-w-[1180px] grid-cols-[repeat(auto-fill,minmax(min(100%,320px),1fr))] gap-3">
        <Cost title="Cost by agent" spent={agents} colour={colour} testId="cost-by-agent" />
        <Tokens title="Tokens by agent" spent={agents} colour={colour} testId="tokens-by-agent" />
        <Cost title="Cost by floor" spent={floors} testId="cost-by-floor" />
        <Tokens title="Tokens by floor" spent={floors} testId="tokens-by-floor" />
        <OverTime
          title="Requests over time"
          note={plural(calls, 'request')}
          view={view}
          read={(slice) => slice.calls}
          unit={(value) => plural(value, 'request')}
          testId="calls-over-time"
        />
        <SpentSoFar view={view} />
        <OverTime
          title="Throughput"
          note={throughput(view)}
          view={view}
          read={(slice) => slice.events}
          unit={(value) => plural(value, 'item done', 'items done')}
          testId="throughput"
        />
        <MergedSoFar view={view} />
        {curvesOf(view.convergence).map((curve) => (
          <Agreement key={`${curve.run} ${curve.phase}`} curve={curve} />
        ))}
        <HorizontalBars
          title="Retries by reason"
          bars={retries.map(({ name, value }) => ({ label: retryLabel(name), value, colour: 'warn' }))}
          columns={['Reason', 'Count']}
          empty="No retries."
          testId="retries"
        />
        <HorizontalBars
          title="Time by agent"
          bars={agents.map(({ name, value }) => ({ label: name, value: value.milliseconds, colour: colour(name) }))}
          columns={['Agent', 'Time']}
          formatValue={duration}
          empty="No agent has been asked yet."
        />
      </div>
    </div>
  )
}

interface SpentProps {
  title: string
  spent: readonly Named<Spent>[]
  colour?: (name: string) => ChartColour
  testId: string
}

/** An unknown price is named, never drawn as zero. */
function Cost({ title, spent, colour, testId }: SpentProps) {
  const unknown = spent.filter(({ value }) => value.usd === null).map(({ name }) => name)
  const known = spent.flatMap(({ name, value }) => (value.usd === null ? [] : [{ name, usd: value.usd }]))
  const total = known.reduce((sum, { usd }) => sum + usd, 0)
  return (
    <HorizontalBars
      title={title}
      note={unknown.length > 0 ? `${money(total)}, plus unknown prices: ${unknown.join(', ')}` : money(total)}
      bars={known.map(({ name, usd }) => ({ label: name, value: usd, ...(colour ? { colour: colour(name) } : {}) }))}
      columns={['Who', 'Cost']}
      formatValue={money}
      empty={unknown.length > 0 ? 'Prices are unknown.' : 'Nothing spent yet.'}
      testId={testId}
    />
  )
}

function Tokens({ title, spent, colour, testId }: SpentProps) {
  const total = spent.reduce((sum, { value }) => sum + value.tokens, 0)
  return (
    <HorizontalBars
      title={title}
      note={`${count(total)} tokens`}
      bars={spent.map(({ name, value }) => ({
        label: `${name}, ${plural(value.calls, 'request')}`,
        value: value.tokens,
        ...(colour ? { colour: colour(name) } : {}),
      }))}
      columns={['Who', 'Tokens']}
      formatValue={count}
      empty="No agent has been asked yet."
      testId={testId}
    />
  )
}

interface OverTimeProps {
  title: string
  note?: string
  view: RunOverview
  read(slice: Slice): number
  unit(value: number): string
  testId?: string
}

function OverTime({ title, note, view, read, unit, testId }: OverTimeProps) {
  const { from, width, list } = view.slices
  return (
    <LineChart
      title={title}
      {...(note === undefined ? {} : { note })}
      series={[
        {
          name: title,
          points: list.map((slice, index) => ({ x: from + (index + 0.5) * width, y: read(slice) })),
          colour: 'accent',
        },
      ]}
      formatX={(at) => `${timeOfDay(at)}, each ${duration(width)}`}
      formatY={unit}
      empty="No events yet."
      {...(testId === undefined ? {} : { testId })}
    />
  )
}

function SpentSoFar({ view }: { view: RunOverview }) {
  const priced = view.slices.list.every(({ usd }) => usd !== null)
  const points = soFar(view.slices, (slice) => (priced ? (slice.usd ?? 0) : slice.tokens))
  const costs = priced && (points.at(-1)?.y ?? 0) > 0
  const tokens = costs ? [] : soFar(view.slices, (slice) => slice.tokens)
  return (
    <LineChart
      title={costs ? 'Money so far' : 'Tokens so far'}
      note={costs ? money(points.at(-1)!.y) : count(tokens.at(-1)?.y ?? 0)}
      series={[{ name: 'so far', points: costs ? points : tokens, stepped: true, colour: 'ok' }]}
      formatX={timeOfDay}
      formatY={costs ? money : count}
      empty="Nothing spent yet."
    />
  )
}

function MergedSoFar({ view }: { view: RunOverview }) {
  const points = soFar(view.slices, ({ merges }) => merges)
  const merged = points.at(-1)?.y ?? 0
  return (
    <LineChart
      title="Merged so far"
      note={plural(merged, 'merge')}
      series={merged === 0 ? [] : [{ name: 'merges', points, stepped: true, colour: 'ok' }]}
      formatX={timeOfDay}
      formatY={(value) => plural(Math.round(value), 'merge')}
      empty="Nothing merged yet."
      testId="merged-so-far"
    />
  )
}

/** Events per minute, while the run lasted. */
function throughput({ slices, from, to }: RunOverview): string {
  const minutes = Math.max(1 / 60, (to - from) / 60_000)
  const done = slices.list.reduce((sum, { events }) => sum + events, 0)
  return `${count(Math.round(done / minutes))} events a minute`
}

function Agreement({ curve: { phase, title, words, conclusions, verdict } }: { curve: Curve }) {
  return (
    <LineChart
      title={`Convergence, ${title}`}
      note={verdict ?? 'not measured'}
      series={[
        { name: 'conclusions', points: conclusions, colour: 'accent' },
        { name: 'words', points: words, colour: 'plain', dashed: true },
      ]}
      formatX={(round) => `round ${Math.round(round)}`}
      formatY={hundredths}
      limit={{ label: 'high', value: 0.7 }}
      empty="Not measured."
      testId={`convergence-${phase}`}
    />
  )
}
