/** An event in a narrow list: time and kind, and what happened below. */
import type { StoredEvent } from '../../../../src/kernel/events.ts'
import { agentColour } from '../../ui/agent-colour.ts'
import { timeOfDay } from '../view/clock.ts'
import { eventLabel, eventTone } from '../view/event-label.ts'

const colours = { plain: '', live: 'text-live', ok: 'text-ok', warn: 'text-warn', bad: 'text-bad' }

export function NewestLine({ event, onChoose }: { event: StoredEvent; onChoose(): void }) {
  const tone = eventTone(event)
  return (
    <button
      type="button"
      onClick={onChoose}
      data-testid="newest-line"
      data-seq={event.seq}
      className="block h-[46px] w-full border-b border-line px-4 py-1.5 text-left hover:bg-hover"
    >
      <span className="flex items-baseline gap-2">
        <span className={`numbers min-w-0 truncate text-[11.5px] font-medium ${tone ? colours[tone] : ''}`}>
          {event.type}
        </span>
        {event.actor ? (
          <span className="truncate text-tiny" style={{ color: agentColour(event.actor) }}>
            {event.actor}
          </span>
        ) : null}
        <time dateTime={event.ts} className="numbers ml-auto shrink-0 text-tiny text-ink-3">
          {timeOfDay(Date.parse(event.ts))}
        </time>
      </span>
      <span className="block truncate text-tiny text-ink-2">{eventLabel(event)}</span>
    </button>
  )
}
