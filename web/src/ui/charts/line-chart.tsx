/** A line chart with an optional limit; hovering reads single values. */
import { type PointerEvent, type ReactNode, useState } from 'react'
import { ChartFrame } from './chart-frame.tsx'
import { axisSteps, nearest, type Point, type Span, share, spanOf, thin } from './scale.ts'
import { type ChartColour, chartColour } from './tones.ts'

export interface LineSeries {
  name: string
  /** In order of `x`. */
  points: readonly Point[]
  colour?: ChartColour
  dashed?: boolean
  /** Holds its value until the next point, as a sum does. */
  stepped?: boolean
}

interface LineChartProps {
  title: string
  note?: ReactNode
  series: readonly LineSeries[]
  /** How a place on the axis and a value are written. */
  formatX: (x: number) => string
  formatY: (y: number) => string
  limit?: { label: string; value: number }
  /** Instead of the picture, while there are no points. */
  empty?: string
  height?: number
  testId?: string
}

/** More can not be told apart on a screen. */
const mostPoints = 600
const mostRows = 40

export function LineChart({
  title,
  note,
  series,
  formatX,
  formatY,
  limit,
  empty,
  height = 76,
  testId,
}: LineChartProps) {
  const [at, setAt] = useState<number | null>(null)
  const lines = series.filter(({ points }) => points.length > 0)
  const wide = spanOf(lines.flatMap(({ points }) => [points[0]!.x, points.at(-1)!.x]))
  const highest = Math.max(limit?.value ?? 0, ...lines.map(({ points }) => spanOf(points.map(({ y }) => y)).to))
  const steps = axisSteps(highest, 2)
  const high = { from: 0, to: steps.at(-1)! }
  const top = (value: number) => `${(1 - share(value, high)) * 100}%`
  const read = (event: PointerEvent<HTMLDivElement>) => {
    const { left, width } = event.currentTarget.getBoundingClientRect()
    setAt(wide.from + ((event.clientX - left) / Math.max(1, width)) * (wide.to - wide.from))
  }
  return (
    <ChartFrame
      title={title}
      note={note}
      testId={testId}
      table={tableOf(lines, formatX, formatY)}
      empty={lines.length === 0 ? (empty ?? 'No data yet.') : undefined}
    >
      <div className="relative" style={{ height }} onPointerMove={read} onPointerLeave={() => setAt(null)}>
        {steps.map((step) => (
          <span key={step} className="absolute inset-x-0 border-t border-line" style={{ top: top(step) }} />
        ))}
        {limit ? <Limit {...limit} top={share(limit.value, high)} /> : null}
        <svg
          aria-hidden="true"
          viewBox="0 0 100 100"
          preserveAspectRatio="none"
          className="absolute inset-0 size-full overflow-visible"
        >
          {lines.map(({ name, points, colour = 'accent', dashed, stepped }) => (
            <path
              key={name}
              d={pathOf(thin(points, mostPoints), wide, high, stepped ?? false)}
              fill="none"
              stroke={chartColour(colour)}
              strokeWidth="2"
              strokeLinejoin="round"
              strokeLinecap="round"
              strokeDasharray={dashed ? '4 3' : undefined}
              vectorEffect="non-scaling-stroke"
            />
          ))}
        </svg>
        {lines.map(({ name, points, colour = 'accent' }) => {
          const point = at === null ? points.at(-1)! : nearest(points, at)!
          return (
            <span
              key={name}
              className="absolute size-[7px] -translate-1/2 rounded-full"
              style={{ left: `${share(point.x, wide) * 100}%`, top: top(point.y), background: chartColour(colour) }}
            />
          )
        })}
      </div>
      <p className="numbers mt-1 flex min-h-[17px] justify-between gap-2 overflow-hidden text-tiny whitespace-nowrap text-ink-3">
        {at === null ? (
          <>
            <span>{formatX(wide.from)}</span>
            <span>{wide.to > wide.from ? formatX(wide.to) : ''}</span>
          </>
        ) : (
          <span className="text-ink">{reading(lines, at, formatX, formatY)}</span>
        )}
      </p>
      {lines.length > 1 ? <Legend lines={lines} /> : null}
    </ChartFrame>
  )
}

function Limit({ label, top }: { label: string; top: number }) {
  return (
    <span className="absolute inset-x-0 border-t border-dashed border-ink-3" style={{ top: `${(1 - top) * 100}%` }}>
      <span className="absolute top-0.5 left-0 rounded-sm bg-panel pr-1 text-tiny text-ink-3">{label}</span>
    </span>
  )
}

function Legend({ lines }: { lines: readonly LineSeries[] }) {
  return (
    <p className="mt-1 flex flex-wrap gap-x-3 gap-y-0.5 text-tiny text-ink-2">
      {lines.map(({ name, colour = 'accent', dashed }) => (
        <span key={name} className="inline-flex items-center gap-1.5">
          <span
            className={`w-3.5 border-t-2 ${dashed ? 'border-dashed' : ''}`}
            style={{ borderColor: chartColour(colour) }}
          />
          {name}
        </span>
      ))}
    </p>
  )
}

function pathOf(points: readonly Point[], wide: Span, high: Span, stepped: boolean): string {
  return points
    .map((point, index) => {
      const x = (share(point.x, wide) * 100).toFixed(3)
      const y = ((1 - share(point.y, high)) * 100).toFixed(3)
      if (index === 0) return `M${x} ${y}`
      return stepped ? `H${x}V${y}` : `L${x} ${y}`
    })
    .join('')
}

function reading(
  lines: readonly LineSeries[],
  at: number,
  formatX: (x: number) => string,
  formatY: (y: number) => string,
): string {
  const found = lines.map(({ name, points }) => ({ name, point: nearest(points, at)! }))
  const values = found.map(({ name, point }) => (lines.length > 1 ? `${name} ${formatY(point.y)}` : formatY(point.y)))
  return [formatX(found[0]!.point.x), ...values].join(' · ')
}

function tableOf(
  lines: readonly LineSeries[],
  formatX: (x: number) => string,
  formatY: (y: number) => string,
): { columns: string[]; rows: string[][] } {
  const rows = lines.flatMap(({ name, points }) =>
    thin(points, mostRows).map(({ x, y }) =>
      lines.length > 1 ? [name, formatX(x), formatY(y)] : [formatX(x), formatY(y)],
    ),
  )
  return { columns: lines.length > 1 ? ['Line', 'At', 'Value'] : ['At', 'Value'], rows }
}
