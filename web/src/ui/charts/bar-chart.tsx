/** A vertical bar chart. */
import { useState } from 'react'
import { BarsFrame, type BarsProps } from './bars-frame.tsx'
import { axisSteps } from './scale.ts'
import { chartColour } from './tones.ts'

interface BarChartProps extends BarsProps {
  height?: number
}

/** With its gap, in pixels. */
const widestBar = 43

export function BarChart({ colour = 'ok', height = 76, ...props }: BarChartProps) {
  const { bars, columns = ['When', 'How many'], formatValue = String } = props
  const [over, setOver] = useState<string | null>(null)
  const highest = axisSteps(Math.max(0, ...bars.map(({ value }) => value)), 2).at(-1)!
  const shown = bars.find(({ label }) => label === over)
  return (
    <BarsFrame {...props} columns={columns} formatValue={formatValue} isEmpty={bars.every(({ value }) => value === 0)}>
      {/* As wide as its bars, so that the last label stands below the last of them. */}
      <div style={{ maxWidth: Math.max(bars.length * widestBar, 90) }}>
        <div className="flex items-end gap-[3px] border-b border-line" style={{ height }}>
          {bars.map(({ label, value, colour: own }) => (
            <span
              key={label}
              onPointerEnter={() => setOver(label)}
              onPointerLeave={() => setOver(null)}
              className="flex h-full max-w-10 min-w-0 flex-1 items-end"
            >
              <span
                className="w-full rounded-t-[3px] transition-[height] duration-200"
                style={{
                  height: `${(value / highest) * 100}%`,
                  minHeight: value > 0 ? 2 : 0,
                  background: chartColour(own ?? colour),
                  opacity: over === null || over === label ? 1 : 0.45,
                }}
              />
            </span>
          ))}
        </div>
        <p className="numbers mt-1 flex min-h-[17px] justify-between gap-2 overflow-hidden text-tiny whitespace-nowrap text-ink-3">
          {shown ? (
            <span className="text-ink">
              {shown.label} · {formatValue(shown.value)}
            </span>
          ) : (
            <>
              <span>{bars[0]?.label}</span>
              <span>{bars.length > 1 ? bars.at(-1)?.label : ''}</span>
            </>
          )}
        </p>
      </div>
    </BarsFrame>
  )
}
