/**
 * The transcript: thousands of rows, of which only the visible ones are rendered. It follows the end only for a
 * reader who is there.
 */
import { useVirtualizer } from '@tanstack/react-virtual'
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { Icon } from '../../ui/icons.tsx'
import { belongsElsewhere } from '../conversation/referenced-message.ts'
import { useRoomPage } from '../conversation/room-page-context.ts'
import { guessHeight, Row } from './row.tsx'

/** How near to the end counts as being there. */
const nearEnd = 80

export function Transcript() {
  const { conversation, room, selected, partial, sent } = useRoomPage()
  const { entries } = conversation
  const scroller = useRef<HTMLDivElement>(null)
  const virtualizer = useVirtualizer({
    count: entries.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => guessHeight(entries[index]!),
    getItemKey: (index) => entries[index]?.key ?? index,
    overscan: 8,
    paddingStart: 20,
    paddingEnd: 20,
    scrollPaddingStart: 16,
    anchorTo: 'end',
    followOnAppend: true,
    scrollEndThreshold: nearEnd,
  })
  const atEnd = useAtEnd(scroller, () => virtualizer.scrollToEnd())

  const arrivedAt = useRef<string | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: arriving somewhere moves the reader, what happens there does not
  useLayoutEffect(() => {
    const place = selected ?? 'the end'
    if (arrivedAt.current === place) return
    const isFirst = arrivedAt.current === null
    const index = selected === null ? -1 : entries.findIndex((entry) => entry.key === `message:${selected}`)
    if (index >= 0 && (isFirst || !isInSight(selected!)))
      virtualizer.scrollToIndex(index, { align: isFirst ? 'start' : 'center' })
    else if (index < 0 && isFirst) virtualizer.scrollToEnd()
    // What was not found may be among the earlier messages that are still being read.
    if (index >= 0 || !partial) arrivedAt.current = place
  }, [selected, partial])

  // biome-ignore lint/correctness/useExhaustiveDependencies: who has said something wants to see what follows
  useEffect(() => {
    if (sent > 0) virtualizer.scrollToEnd()
  }, [sent])

  return (
    <div className="relative min-h-0 flex-1">
      <div
        ref={scroller}
        role="log"
        aria-live="off"
        aria-label={`Transcript of ${room.name}`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
        tabIndex={0}
        className="h-full overflow-y-auto overscroll-contain px-3.5 outline-offset-[-2px] md:px-5"
      >
        <div className="relative mx-auto w-full max-w-[860px]" style={{ height: virtualizer.getTotalSize() }}>
          {virtualizer.getVirtualItems().map(({ index, key, start }) => {
            const entry = entries[index]
            if (!entry) return null
            return (
              <div
                key={key}
                data-index={index}
                ref={virtualizer.measureElement}
                className="absolute inset-x-0 top-0 pb-4.5"
                style={{ transform: `translateY(${start}px)` }}
              >
                <Row entry={entry} revision={entry.revision} about={belongsElsewhere(entries, index)} />
              </div>
            )
          })}
        </div>
      </div>
      {atEnd ? null : (
        <button
          type="button"
          onClick={() => virtualizer.scrollToEnd({ behavior: 'auto' })}
          className="absolute bottom-3 left-1/2 flex -translate-x-1/2 items-center gap-1.5 rounded-full border border-line-strong bg-panel px-3 py-1 text-small text-ink-2 shadow-lift hover:text-ink"
        >
          <Icon name="down" size={14} /> To the latest
        </button>
      )}
    </div>
  )
}

/** Whether the reader is at the end. If so, a smaller viewport keeps the end in view. */
function useAtEnd(scroller: RefObject<HTMLDivElement | null>, goToEnd: () => void): boolean {
  const [atEnd, setAtEnd] = useState(true)
  const go = useRef(goToEnd)
  go.current = goToEnd
  useEffect(() => {
    const element = scroller.current
    if (!element) return
    let there = true
    let height = element.clientHeight
    const look = () => {
      there = element.scrollHeight - element.scrollTop - element.clientHeight <= nearEnd
      setAtEnd(there)
    }
    const sizes = new ResizeObserver(() => {
      if (element.clientHeight !== height && there) go.current()
      height = element.clientHeight
      look()
    })
    element.addEventListener('scroll', look, { passive: true })
    sizes.observe(element)
    sizes.observe(element.firstElementChild!)
    return () => {
      element.removeEventListener('scroll', look)
      sizes.disconnect()
    }
  }, [scroller])
  return atEnd
}

function isInSight(messageId: string): boolean {
  const box = document.getElementById(`message-${messageId}`)?.getBoundingClientRect()
  return box !== undefined && box.bottom > 60 && box.top < window.innerHeight - 160
}
