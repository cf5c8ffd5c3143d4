/** Every event of a run and its child runs, with filters. */
import { useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import type { StoredEvent } from '../../../../src/kernel/events.ts'
import type { RunOverview } from '../../../../src/runs/overview.ts'
import { type RunPlace, runAddress } from '../../data/addresses/run.ts'
import { agentColour } from '../../ui/agent-colour.ts'
import { count } from '../../ui/format.ts'
import { Icon } from '../../ui/icons.tsx'
import { Choice } from '../view/choice.tsx'
import { moment, timeOfDay } from '../view/clock.ts'
import { eventLabel, eventTone } from '../view/event-label.ts'
import { shortRun } from '../view/labels.ts'
import type { EventOrder } from './event-list.ts'
import { EventRows } from './event-rows.tsx'
import { useEventList } from './use-event-list.ts'

interface EventsTabProps {
  view: RunOverview
  place: RunPlace
}

export function EventsTab({ view, place }: EventsTabProps) {
  const [, navigate] = useLocation()
  const [type, setType] = useState('')
  const [agent, setAgent] = useState('')
  const [typed, setTyped] = useState('')
  const [order, setOrder] = useState<EventOrder>('newest')
  const text = useSettled(typed)
  const { list, state } = useEventList({
    run: view.run,
    order,
    from: place.from,
    ...(type === '' ? {} : { types: typesFor(view, type) }),
    ...(agent === '' ? {} : { actor: agent }),
    ...(text === '' ? {} : { text }),
  })
  const filtered = type !== '' || agent !== '' || text !== ''
  return (
    <div className="flex min-h-0 flex-1 flex-col" data-testid="events">
      <div className="flex flex-wrap items-center gap-2 border-b border-line px-3 py-2 md:px-4">
        <label className="relative min-w-40 flex-1">
          <span className="sr-only">Search in the events</span>
          <input
            type="search"
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
            placeholder="Search in the events"
            maxLength={300}
            className="h-[30px] w-full rounded-lg border border-line bg-panel px-2.5 text-small placeholder:text-ink-3"
          />
        </label>
        <Choice label="Type of event" value={type} onChange={setType}>
          <option value="">all types</option>
          {groupsOf(view).map(({ name, types }) => (
            <optgroup key={name} label={name}>
              {types.length > 1 ? <option value={`${name}.`}>{`${name}: all`}</option> : null}
              {types.map((each) => (
                <option key={each.name} value={each.name}>{`${each.name} (${count(each.value)})`}</option>
              ))}
            </optgroup>
          ))}
        </Choice>
        <Choice label="Agent" value={agent} onChange={setAgent}>
          <option value="">all agents</option>
          {view.agents.map(({ name }) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </Choice>
        <Choice label="Order" value={order} onChange={(value) => setOrder(value as EventOrder)}>
          <option value="newest">newest first</option>
          <option value="oldest">oldest first</option>
        </Choice>
      </div>
      {place.from === undefined ? null : (
        <p className="flex items-center gap-2 border-b border-line bg-accent-soft px-3 py-1 text-small md:px-4">
          {order === 'newest' ? 'Up to' : 'From'} event {place.from}.
          <button
            type="button"
            onClick={() => navigate(runAddress(view.run, { tab: 'events', at: place.at }), { replace: true })}
            className="text-accent underline underline-offset-2"
          >
            Show all
          </button>
        </p>
      )}
      <EventRows
        list={list}
        state={state}
        label="Events"
        rowHeight={31}
        empty={filtered ? 'No matching events.' : 'No events yet.'}
        row={(event) => (
          <EventLine
            event={event}
            run={view.run}
            chosen={event.seq === place.at}
            onChoose={() => {
              const at = event.seq === place.at ? undefined : event.seq
              navigate(runAddress(view.run, { ...place, tab: 'events', at }), { replace: true })
            }}
          />
        )}
      />
      <p className="numbers flex items-center gap-2 border-t border-line px-3 py-1 text-tiny text-ink-3 md:px-4">
        <span>
          {filtered
            ? `${count(state.events.length)}${state.complete ? '' : '+'} matching, of ${count(view.events)}`
            : `${count(view.events)} events`}
        </span>
      </p>
    </div>
  )
}

const toneColours = { plain: '', live: 'text-live', ok: 'text-ok', warn: 'text-warn', bad: 'text-bad' }

interface EventLineProps {
  event: StoredEvent
  run: string
  chosen: boolean
  onChoose(): void
}

export function EventLine({ event, run, chosen, onChoose }: EventLineProps) {
  const tone = eventTone(event)
  return (
    <button
      type="button"
      aria-pressed={chosen}
      onClick={onChoose}
      data-testid="event-line"
      data-seq={event.seq}
      data-type={event.type}
      className="grid h-[31px] w-full grid-cols-[auto_minmax(0,auto)_minmax(0,1fr)_auto] items-center gap-x-2.5 border-b border-line px-3 text-left text-small hover:bg-hover aria-pressed:bg-accent-soft md:px-4"
    >
      <time dateTime={event.ts} className="numbers text-tiny text-ink-3">
        <span className="max-sm:hidden">{moment(Date.parse(event.ts))}</span>
        <span className="sm:hidden">{timeOfDay(Date.parse(event.ts))}</span>
      </time>
      <span className={`numbers truncate text-[11.5px] font-medium ${tone ? toneColours[tone] : ''}`}>
        {event.type}
      </span>
      <span className="truncate text-ink-2">{eventLabel(event)}</span>
      <span className="flex items-center gap-2 max-sm:hidden">
        {event.actor ? (
          <span className="max-w-24 truncate text-tiny font-medium" style={{ color: agentColour(event.actor) }}>
            {event.actor}
          </span>
        ) : null}
        {event.run && event.run !== run ? (
          <span className="numbers max-w-28 truncate text-[10.5px] text-ink-3">{shortRun(event.run)}</span>
        ) : null}
        {event.payload_ref ? <Icon name="link" size={12} /> : null}
      </span>
    </button>
  )
}

interface TypeGroup {
  name: string
  types: { name: string; value: number }[]
}

function groupsOf(view: RunOverview): TypeGroup[] {
  const groups = new Map<string, TypeGroup>()
  for (const each of view.types.toSorted((one, other) => one.name.localeCompare(other.name))) {
    const name = each.name.split('.')[0]!
    const group = groups.get(name) ?? { name, types: [] }
    groups.set(name, { name, types: [...group.types, each] })
  }
  return [...groups.values()]
}

/** `issue.` stands for all types that begin so, those among them that have happened. */
function typesFor(view: RunOverview, type: string): string[] {
  return type.endsWith('.') ? view.types.map(({ name }) => name).filter((name) => name.startsWith(type)) : [type]
}

/** What was typed, once no more is typed for a moment. */
function useSettled(value: string): string {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value.trim()), 250)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}
