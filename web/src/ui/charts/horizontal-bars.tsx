/** A horizontal bar chart. */
import { BarsFrame, type BarsProps } from './bars-frame.tsx'
import { chartColour } from './tones.ts'

export function HorizontalBars({ colour = 'accent', ...props }: BarsProps) {
  const { bars, columns = ['What', 'How much'], formatValue = String } = props
  const highest = Math.max(0, ...bars.map(({ value }) => value))
  return (
    <BarsFrame {...props} columns={columns} formatValue={formatValue} isEmpty={bars.length === 0}>
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
    </BarsFrame>
  )
}
