/** One event in full: its label, links, payloads and raw record. */
import { Link } from 'wouter'
import type { StoredEvent } from '../../../../src/kernel/events.ts'
import { readPayload } from '../../data/calls/builds.ts'
import { getEvent } from '../../data/calls/runs.ts'
import { useLoaded } from '../../data/use-loaded.ts'
import { AgentName, Avatar } from '../../ui/avatar.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { spaced } from '../../ui/format.ts'
import { LoadingText } from '../../ui/loading-text.tsx'
import { LongText, PromptText } from '../../ui/text/payload-text.tsx'
import { Unfold } from '../../ui/unfold.tsx'
import { moment } from '../view/clock.ts'
import { eventLabel } from '../view/event-label.ts'
import { linksOf, type Payload, payloadsOf } from '../view/event-links.ts'
import { shortRun } from '../view/labels.ts'

export function EventBySeq({ run, seq }: { run: string; seq: number }) {
  const loaded = useLoaded(`${run} ${seq}`, () => getEvent(run, seq))
  if (loaded.state !== 'ready') return <LoadingText loaded={loaded} />
  if (loaded.value === null) return <p className="text-small text-ink-2">This run has no event {seq}.</p>
  return <EventDetail run={run} event={loaded.value} />
}

export function EventDetail({ run, event }: { run: string; event: StoredEvent }) {
  const record = JSON.stringify(event, null, 2)
  const words = eventLabel(event)
  return (
    <article aria-label={`Event ${event.seq}`} data-testid="event-detail" data-seq={event.seq}>
      <div className="flex flex-wrap items-baseline gap-x-2">
        <h3 className="numbers text-[13px] font-semibold">{event.type}</h3>
        <span className="numbers text-tiny text-ink-3">#{event.seq}</span>
      </div>
      {words === '' ? null : <p className="mt-1 text-small wrap-anywhere">{words}</p>}
      <p className="mt-1.5 flex flex-wrap items-center gap-x-2.5 gap-y-0.5 text-tiny text-ink-3">
        <time dateTime={event.ts} className="numbers">
          {moment(Date.parse(event.ts))}
        </time>
        {event.actor ? (
          <span className="inline-flex items-center gap-1">
            <Avatar name={event.actor} small />
            <AgentName name={event.actor} />
          </span>
        ) : null}
        {event.run && event.run !== run ? <span className="numbers">{shortRun(event.run)}</span> : null}
      </p>
      <nav aria-label={`Where event ${event.seq} leads`} className="mt-2 flex flex-wrap gap-1.5">
        {linksOf(event, run).map(({ label, href }) => (
          <Link
            key={`${label} ${href}`}
            href={href}
            className="rounded-full border border-line px-2.5 py-px text-small text-accent hover:border-line-strong hover:bg-hover"
          >
            {label}
          </Link>
        ))}
      </nav>
      <div className="mt-2 space-y-1">
        {payloadsOf(event).map((payload) => (
          <Unfold key={payload.name} label={sentence(spaced(payload.name))}>
            <PayloadText payload={payload} />
          </Unfold>
        ))}
      </div>
      <div className="mt-2 flex items-center justify-between">
        <span className="caption">Record</span>
        <CopyButton text={record} label="Copy the record" className="size-6" />
      </div>
      <div data-testid="event-json">
        <LongText text={record} />
      </div>
    </article>
  )
}

const sentence = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

function PayloadText({ payload: { name, reference } }: { payload: Payload }) {
  if (name === 'prompt') return <PromptText reference={reference} />
  return <PlainPayload reference={reference} />
}

/** Loads at most this much of a long payload. */
const mostBytes = 200_000

function PlainPayload({ reference }: { reference: string }) {
  const loaded = useLoaded(reference, async () =>
    new TextDecoder().decode(await readPayload(reference, { start: 0, end: mostBytes })),
  )
  if (loaded.state !== 'ready') return <LoadingText loaded={loaded} />
  return <LongText text={loaded.value} />
}
