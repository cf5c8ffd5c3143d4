/** The panel beside a run's tabs: the chosen event, or the newest events. */
import type { ReactNode } from 'react'
import { Link, useLocation } from 'wouter'
import type { RunOverview } from '../../../src/runs/overview.ts'
import type { RunSpan } from '../../../src/runs/overview-lanes.ts'
import { type RunPlace, type RunTab, runAddress } from '../data/addresses/run.ts'
import { IconButton } from '../ui/button.tsx'
import { count, duration } from '../ui/format.ts'
import { Modal } from '../ui/modal.tsx'
import { narrowScreen, useMedia, wideScreen } from '../ui/use-media.ts'
import { EventBySeq } from './events/event-detail.tsx'
import { EventRows } from './events/event-rows.tsx'
import { useEventList } from './events/use-event-list.ts'
import { NewestLine } from './timeline/newest-line.tsx'

interface RunAsideProps {
  view: RunOverview
  place: RunPlace & { tab: RunTab }
}

export function RunAside({ view, place }: RunAsideProps) {
  const wide = useMedia(wideScreen)
  const narrow = useMedia(narrowScreen)
  const [, navigate] = useLocation()
  const { at, tab } = place
  if (at === undefined) return wide && tab === 'timeline' ? <Newest view={view} /> : null
  const close = () => navigate(runAddress(view.run, { ...place, at: undefined }), { replace: true })
  const content = <Chosen view={view} at={at} close={<IconButton icon="close" label="Close" onClick={close} />} />
  if (wide)
    return (
      <aside aria-label={`Event ${at}`} className="flex w-[380px] shrink-0 flex-col border-l border-line bg-panel">
        {content}
      </aside>
    )
  return (
    <Modal title={`Event ${at}`} shape={narrow ? 'bottom' : 'right'} onClose={close} bare>
      {content}
    </Modal>
  )
}

function Chosen({ view, at, close }: { view: RunOverview; at: number; close: ReactNode }) {
  const span = spanAt(view, at)
  return (
    <div className="min-h-0 flex-1 overflow-y-auto p-4" data-testid="chosen">
      <div className="mb-2 flex items-center justify-between gap-2">
        {span ? <b className="min-w-0 truncate text-title font-semibold">{spanTitle(span)}</b> : <span />}
        {close}
      </div>
      {span ? <SpanFacts view={view} span={span} /> : null}
      <EventBySeq run={view.run} seq={at} />
      {span?.last !== undefined && span.last !== at && (span.count ?? 1) === 1 ? (
        <div className="mt-4 border-t border-line pt-4">
          <EventBySeq run={view.run} seq={span.last} />
        </div>
      ) : null}
    </div>
  )
}

function spanAt({ lanes }: RunOverview, seq: number): RunSpan | undefined {
  for (const { spans } of lanes) {
    const found = spans.find((span) => span.seq === seq)
    if (found) return found
  }
  return undefined
}

const spanTitle = ({ words, count: many }: RunSpan) => (many ? `${count(many)} × ${words || 'various'}` : words)

function SpanFacts({ view, span }: { view: RunOverview; span: RunSpan }) {
  const took = span.to === null ? 'running' : duration(span.to - span.from)
  return (
    <p className="mb-3 flex flex-wrap items-center gap-x-3 text-small text-ink-2">
      <span className="numbers">{took}</span>
      {span.to !== null && span.to > span.from ? <span>{duration(span.from - view.from)} after the start</span> : null}
      <Link
        href={runAddress(view.run, { tab: 'events', from: span.last ?? span.seq, at: span.seq })}
        className="text-accent underline underline-offset-2"
      >
        In the events
      </Link>
    </p>
  )
}

function Newest({ view }: { view: RunOverview }) {
  const [, navigate] = useLocation()
  const { list, state } = useEventList({ run: view.run, order: 'newest' })
  return (
    <aside aria-label="Newest events" className="flex w-[320px] shrink-0 flex-col border-l border-line bg-panel">
      <div className="flex items-baseline justify-between px-4 py-2.5">
        <h2 className="caption">Newest events</h2>
        <Link href={runAddress(view.run, { tab: 'events' })} className="text-small text-accent hover:underline">
          All {count(view.events)}
        </Link>
      </div>
      <EventRows
        list={list}
        state={state}
        label="Newest events"
        rowHeight={46}
        empty="No events yet."
        row={(event) => (
          <NewestLine
            event={event}
            onChoose={() => navigate(runAddress(view.run, { at: event.seq }), { replace: true })}
          />
        )}
      />
    </aside>
  )
}
