/** The timeline: a lane for each agent and kind of work of every run. */
import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { RunOverview } from '../../../../src/runs/overview.ts'
import { IconButton } from '../../ui/button.tsx'
import { duration } from '../../ui/format.ts'
import { useKeys } from '../../ui/keyboard/use-keys.ts'
import { narrowScreen, useMedia } from '../../ui/use-media.ts'
import { ticksIn } from '../view/clock.ts'
import { isOn } from '../view/labels.ts'
import { around, isWhole, moved, type TimeSpan, within, zoomed } from '../view/time-window.ts'
import { useNow } from '../view/use-now.ts'
import { TimeStrip } from './time-strip.tsx'
import { TimelineRowView } from './timeline-row.tsx'
import { type Bar, isOpenAtFirst, rowsOf } from './timeline-rows.ts'

interface TimelineProps {
  view: RunOverview
  revision: number
  /** The event whose bar is marked. */
  at: number | undefined
  onChoose(seq: number): void
}

export function Timeline({ view, revision, at, onChoose }: TimelineProps) {
  const narrow = useMedia(narrowScreen)
  const goesOn = isOn(view.runs.find(({ id }) => id === view.run)?.status ?? 'running')
  const now = useNow(goesOn)
  const all = { from: view.from, to: Math.max(view.to, goesOn ? now : 0, view.from + 1) }
  const [chosen, setChosen] = useState<TimeSpan | null>(null)
  const window = chosen ? within(chosen, all) : all
  const look = (next: TimeSpan) => setChosen(isWhole(next, all) ? null : next)
  const [folds, setFolds] = useState<ReadonlyMap<string, boolean>>(new Map())
  // Decided once, so that a growing run does not collapse while someone reads it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the view is changed in place
  const openAtFirst = useMemo(() => isOpenAtFirst(view), [view.run])
  const isOpen = (run: string) => folds.get(run) ?? openAtFirst(run)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the view is changed in place, its revision tells
  const rows = useMemo(() => rowsOf(view, isOpen, now, narrow), [revision, folds, now, narrow])
  const scroller = useRef<HTMLDivElement>(null)
  const labels = narrow ? 0 : 190
  const width = Math.max(60, useWidth(scroller) - labels)
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => rows[index]!.height + (narrow ? 18 : 0),
    getItemKey: (index) => rows[index]!.key,
    overscan: 6,
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: heights follow from the rows
  useLayoutEffect(() => virtualizer.measure(), [rows, narrow])
  const middle = (window.from + window.to) / 2
  const zoom = (factor: number, place = middle) => look(zoomed(window, factor, place, all))
  useWheel(scroller, labels, (share, by) => {
    if (by.zoom !== 0) zoom(by.zoom > 0 ? 1.25 : 0.8, window.from + share * (window.to - window.from))
    else look(moved(window, (by.pan / width) * (window.to - window.from), all))
  })
  useKeys({ '+': () => zoom(0.5), '-': () => zoom(2), '0': () => setChosen(null) })
  const choose = (bar: Bar) => (bar.divides && canDivide(bar) ? look(around(bar.time, all)) : onChoose(bar.seq))
  const ticks = ticksIn(window, all.from, Math.max(2, Math.floor(width / 90)))
  const offsetOf = (time: number) => ((time - window.from) / (window.to - window.from)) * width
  return (
    <section aria-label="Timeline" data-testid="timeline" className="flex min-h-0 flex-1 flex-col">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1 px-3 pt-2.5 pb-1.5 md:px-4">
        <Legend />
        <span className="flex-1" />
        <span className="numbers text-tiny text-ink-3" data-testid="window">
          {isWhole(window, all)
            ? duration(all.to - all.from)
            : `${duration(window.to - window.from)} of ${duration(all.to - all.from)}`}
        </span>
        <span className="flex">
          <IconButton icon="minus" label="Zoom out (-)" onClick={() => zoom(2)} disabled={isWhole(window, all)} />
          <IconButton icon="plus" label="Zoom in (+)" onClick={() => zoom(0.5)} />
          <IconButton icon="fit" label="Show all (0)" onClick={() => setChosen(null)} />
        </span>
      </div>
      <div className="shrink-0 px-3 md:px-4" style={{ paddingLeft: narrow ? undefined : labels + 16 }}>
        <TimeStrip slices={view.slices} all={all} window={window} onChoose={look} onAll={() => setChosen(null)} />
        <div aria-hidden="true" className="relative h-5 overflow-hidden border-b border-line">
          {ticks
            .filter(({ at: time }) => offsetOf(time) < width - 34)
            .map(({ at: time, label }) => (
              <span
                key={time}
                className="numbers absolute top-0.5 text-[10px] whitespace-nowrap text-ink-3"
                style={{ left: offsetOf(time) }}
              >
                {label}
              </span>
            ))}
        </div>
      </div>
      <section
        ref={scroller}
        aria-label="Lanes"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
        tabIndex={0}
        className="min-h-0 flex-1 overflow-x-hidden overflow-y-auto px-3 pb-4 outline-offset-[-2px] md:px-4"
      >
        <div className="relative" style={{ height: virtualizer.getTotalSize() }}>
          <Grid ticks={ticks} window={window} width={width} left={labels} />
          {virtualizer.getVirtualItems().map(({ index, key, start }) => {
            const row = rows[index]
            if (!row) return null
            return (
              <div key={key} className="absolute inset-x-0 top-0" style={{ transform: `translateY(${start}px)` }}>
                <TimelineRowView
                  row={row}
                  run={view.run}
                  window={window}
                  width={width}
                  labels={labels}
                  now={now}
                  chosen={at}
                  onChoose={choose}
                  onFold={() => setFolds(new Map([...folds, [row.key, !isOpen(row.key)]]))}
                />
              </div>
            )
          })}
        </div>
      </section>
    </section>
  )
}

/** A closer look helps only where there is time between its parts. */
const canDivide = ({ time }: Bar) => time.to - time.from > 12

function Grid({
  ticks,
  window,
  width,
  left,
}: {
  ticks: { at: number }[]
  window: TimeSpan
  width: number
  left: number
}) {
  return (
    <div aria-hidden="true" className="pointer-events-none absolute inset-0 overflow-hidden">
      {ticks.map(({ at }) => (
        <span
          key={at}
          className="absolute inset-y-0 border-l border-line opacity-60"
          style={{ left: left + ((at - window.from) / (window.to - window.from)) * width }}
        />
      ))}
    </div>
  )
}

function Legend() {
  return (
    <p aria-hidden="true" className="flex flex-wrap gap-x-3.5 gap-y-0.5 text-tiny text-ink-2 max-[759px]:hidden">
      <Key look="h-2 w-4 rounded-[3px] bg-accent" words="asked" />
      <Key look="h-2 w-4 rounded-[3px] border border-ok bg-ok-soft" words="command passed" />
      <Key look="h-2 w-4 rounded-[3px] border border-bad bg-bad-soft" words="failed" />
      <Key look="h-2 w-4 rounded-[3px] border-b-2 border-warn bg-accent" words="refused" />
      <Key look="size-2 rotate-45 bg-ok" words="merged" />
      <Key look="h-2 w-4 rounded-[3px] border border-warn bg-warn-soft" words="waits for you" />
    </p>
  )
}

function Key({ look, words }: { look: string; words: string }) {
  return (
    <span className="inline-flex items-center gap-1.5">
      <span className={look} />
      {words}
    </span>
  )
}

function useWidth(element: { current: HTMLElement | null }): number {
  const [width, setWidth] = useState(900)
  useLayoutEffect(() => {
    const place = element.current
    if (!place) return
    const measure = () => {
      const { paddingLeft, paddingRight } = getComputedStyle(place)
      setWidth(place.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight))
    }
    measure()
    const sizes = new ResizeObserver(measure)
    sizes.observe(place)
    return () => sizes.disconnect()
  }, [element])
  return width
}

/** The wheel zooms with a modifier, pans sideways, and scrolls otherwise. */
function useWheel(
  element: { current: HTMLElement | null },
  left: number,
  turn: (share: number, by: { zoom: number; pan: number }) => void,
): void {
  const latest = useRef(turn)
  latest.current = turn
  useEffect(() => {
    const place = element.current
    if (!place) return
    const wheel = (event: WheelEvent) => {
      const box = place.getBoundingClientRect()
      const share = Math.min(1, Math.max(0, (event.clientX - box.left - left) / Math.max(1, box.width - left)))
      const sideways = event.shiftKey ? event.deltaY || event.deltaX : event.deltaX
      if (event.ctrlKey || event.metaKey || event.altKey) latest.current(share, { zoom: event.deltaY, pan: 0 })
      else if (Math.abs(sideways) > Math.abs(event.shiftKey ? 0 : event.deltaY))
        latest.current(share, { zoom: 0, pan: sideways })
      else return
      event.preventDefault()
    }
    place.addEventListener('wheel', wheel, { passive: false })
    return () => place.removeEventListener('wheel', wheel)
  }, [element, left])
}
