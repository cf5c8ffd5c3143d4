/** A horizontal bar chart. */
import type { ReactNode } from 'react'
import { ChartFrame } from './chart-frame.tsx'
import { type ChartColour, chartColour } from './tones.ts'

export interface NamedFigure {
  /** Two never share one. */
  label: string
  value: number
  colour?: ChartColour
}

interface HorizontalBarsProps {
  title: string
  note?: ReactNode
  bars: readonly NamedFigure[]
  /** What the labels and the values are, for the table. */
  columns?: readonly [string, string]
  formatValue?: (value: number) => string
  colour?: ChartColour
  empty?: string
  testId?: string
}

export function HorizontalBars({
  title,
  note,
  bars,
  columns = ['What', 'How much'],
  formatValue = String,
  colour = 'accent',
  empty,
  testId,
}: HorizontalBarsProps) {
  const highest = Math.max(0, ...bars.map(({ value }) => value))
  return (
    <ChartFrame
      title={title}
      note={note}
      testId={testId}
      table={{ columns, rows: bars.map(({ label, value }) => [label, formatValue(value)]) }}
      empty={bars.length === 0 ? (empty ?? 'No data yet.') : undefined}
    >
      <div className="grid grid-cols-[minmax(0,max-content)_minmax(48px,1fr)_max-content] items-center gap-x-3 gap-y-1.5 text-small @max-[15rem]:grid-cols-1">
        {bars.map(({ label, value, colour: own }) => (
          <div
            key={label}
            className="contents @max-[15rem]:grid @max-[15rem]:grid-cols-[minmax(0,1fr)_max-content] @max-[15rem]:gap-x-2"
          >
            <span className="max-w-40 truncate @max-[15rem]:max-w-none" title={label}>
              {label}
            </span>
            <span className="h-1.5 overflow-hidden rounded-full bg-sunken @max-[15rem]:order-last @max-[15rem]:col-span-full">
              <span
                className="block h-full rounded-full"
                style={{
                  width: highest > 0 ? `${(value / highest) * 100}%` : 0,
                  background: chartColour(own ?? colour),
                }}
              />
            </span>
            <span className="numbers text-right">{formatValue(value)}</span>
          </div>
        ))}
      </div>
    </ChartFrame>
  )
}
