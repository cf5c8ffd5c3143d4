/** A virtualised list of events that loads more near its end. */
import { useVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, useEffect, useRef } from 'react'
import type { StoredEvent } from '../../../../src/kernel/events.ts'
import { Button } from '../../ui/button.tsx'
import { plural } from '../../ui/format.ts'
import { Icon } from '../../ui/icons.tsx'
import type { EventList, EventListState } from './event-list.ts'

interface EventRowsProps {
  list: EventList
  state: EventListState
  label: string
  rowHeight: number
  empty: ReactNode
  row(event: StoredEvent): ReactNode
}

/** Loads the next page this many rows before the end. */
const ahead = 30

export function EventRows({ list, state, label, rowHeight, empty, row }: EventRowsProps) {
  const { events, complete, waiting, phase } = state
  const scroller = useRef<HTMLDivElement>(null)
  const virtualizer = useVirtualizer({
    count: events.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    getItemKey: (index) => events[index]?.seq ?? index,
    overscan: 12,
  })
  const shown = virtualizer.getVirtualItems()
  const last = shown.at(-1)?.index ?? 0
  useEffect(() => {
    if (!complete && phase === 'ready' && last >= events.length - ahead) void list.more()
  }, [list, last, events.length, complete, phase])
  useEffect(() => {
    const element = scroller.current
    if (!element) return
    const look = () => list.follow(element.scrollTop < rowHeight)
    element.addEventListener('scroll', look, { passive: true })
    return () => element.removeEventListener('scroll', look)
  }, [list, rowHeight])
  // Another list starts at the top.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the list is what changes
  useEffect(() => void scroller.current?.scrollTo({ top: 0 }), [list])
  return (
    <div className="relative min-h-0 flex-1">
      <section
        ref={scroller}
        aria-label={label}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
        tabIndex={0}
        data-testid="event-rows"
        className="h-full overflow-x-hidden overflow-y-auto outline-offset-[-2px]"
      >
        <div className="relative" style={{ height: virtualizer.getTotalSize() }}>
          {shown.map(({ index, key, start }) => {
            const event = events[index]
            if (!event) return null
            return (
              <div
                key={key}
                data-index={index}
                ref={virtualizer.measureElement}
                className="absolute inset-x-0 top-0"
                style={{ transform: `translateY(${start}px)` }}
              >
                {row(event)}
              </div>
            )
          })}
        </div>
        <End state={state} empty={empty} onMore={() => void list.more()} />
      </section>
      {waiting > 0 ? (
        <button
          type="button"
          onClick={() => scroller.current?.scrollTo({ top: 0 })}
          className="absolute top-2 left-1/2 flex -translate-x-1/2 items-center gap-1.5 rounded-full border border-line-strong bg-panel px-3 py-1 text-small text-ink-2 shadow-lift hover:text-ink"
        >
          <span className="rotate-180">
            <Icon name="down" size={14} />
          </span>
          {plural(waiting, 'new event')}
        </button>
      ) : null}
    </div>
  )
}

function End({ state, empty, onMore }: { state: EventListState; empty: ReactNode; onMore(): void }) {
  const { phase, problem, events, complete } = state
  if (phase === 'failed')
    return (
      <div role="alert" className="flex items-center gap-3 p-4 text-small text-bad">
        {problem}
        <Button onClick={onMore}>Try again</Button>
      </div>
    )
  if (phase === 'reading' || !complete)
    return (
      <p role="status" className="pulse p-4 text-small text-ink-3">
        Reading…
      </p>
    )
  return events.length === 0 ? <div className="p-6 text-center text-small text-ink-2">{empty}</div> : null
}
