/** The run's whole duration in a narrow strip, with its activity; dragging over it zooms in. */
import { type PointerEvent, useRef, useState } from 'react'
import type { Slices } from '../../../../src/runs/overview-figures.ts'
import { isWhole, type TimeSpan, within } from '../view/time-window.ts'

interface TimeStripProps {
  slices: Slices
  all: TimeSpan
  window: TimeSpan
  onChoose(window: TimeSpan): void
  onAll(): void
}

const height = 34

export function TimeStrip({ slices, all, window, onChoose, onAll }: TimeStripProps) {
  const strip = useRef<HTMLDivElement>(null)
  const [drawn, setDrawn] = useState<{ start: number; end: number } | null>(null)
  const whole = all.to - all.from
  const share = (at: number) => Math.min(1, Math.max(0, (at - all.from) / whole))
  const timeAt = (event: PointerEvent) => {
    const { left, width } = strip.current!.getBoundingClientRect()
    return all.from + Math.min(1, Math.max(0, (event.clientX - left) / Math.max(1, width))) * whole
  }
  const begin = (event: PointerEvent<HTMLDivElement>) => {
    event.currentTarget.setPointerCapture(event.pointerId)
    setDrawn({ start: timeAt(event), end: timeAt(event) })
  }
  const end = (event: PointerEvent<HTMLDivElement>) => {
    if (!drawn) return
    const [from, to] = [Math.min(drawn.start, timeAt(event)), Math.max(drawn.start, timeAt(event))]
    setDrawn(null)
    // A click without dragging moves the visible part.
    if (to - from > whole / 200) onChoose(within({ from, to }, all))
    else if (!isWhole(window, all)) {
      const half = (window.to - window.from) / 2
      onChoose(within({ from: from - half, to: from + half }, all))
    }
  }
  const marked = drawn ? { from: Math.min(drawn.start, drawn.end), to: Math.max(drawn.start, drawn.end) } : window
  const highest = Math.max(1, ...slices.list.map(({ events }) => events))
  return (
    <div
      ref={strip}
      aria-hidden="true"
      data-testid="time-strip"
      title="Drag to zoom in; double-click to show everything"
      onPointerDown={begin}
      onPointerMove={(event) => drawn && setDrawn({ ...drawn, end: timeAt(event) })}
      onPointerUp={end}
      onPointerCancel={() => setDrawn(null)}
      onDoubleClick={onAll}
      className="relative touch-none overflow-hidden rounded-t-md bg-sunken select-none"
      style={{ height, cursor: 'crosshair' }}
    >
      {slices.list.map(({ events }, index) => {
        const from = slices.from + index * slices.width
        const left = share(from)
        const width = share(from + slices.width) - left
        if (events === 0 || width <= 0) return null
        return (
          <span
            key={from}
            className="absolute bottom-0 rounded-t-[1px] bg-line-strong"
            style={{
              left: `${left * 100}%`,
              width: `max(1px, calc(${width * 100}% - 1px))`,
              height: Math.max(2, Math.sqrt(events / highest) * (height - 6)),
            }}
          />
        )
      })}
      <span
        className={`absolute inset-y-0 border-x-2 border-accent bg-accent/10 ${isWhole(marked, all) ? 'opacity-0' : ''}`}
        style={{ left: `${share(marked.from) * 100}%`, right: `${(1 - share(marked.to)) * 100}%` }}
      />
    </div>
  )
}
