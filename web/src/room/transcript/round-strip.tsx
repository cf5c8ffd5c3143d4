/** The line between a message and its answers: who is proposing, then who answers and why. */
import { Chip, Dot } from '../../ui/chip.tsx'
import { joinNames } from '../../ui/format.ts'
import type { Entry, Message } from '../conversation/conversation-types.ts'
import { becauseOf, undecided, whoAnswers } from '../conversation/decision-labels.ts'
import { useRoomPage } from '../conversation/room-page-context.ts'
import { flagLabel, flagReason } from '../peers/peer-facts.ts'

export function RoundStrip({ entry }: { entry: Extract<Entry, { kind: 'round' }> }) {
  const { explain } = useRoomPage()
  const { message } = entry
  return (
    <div data-testid="round" className="flex items-center gap-2.5 text-small text-ink-3">
      <Line />
      {message.decision ? <Decided message={message} /> : <Proposing message={message} />}
      <button
        type="button"
        onClick={() => explain(message.id)}
        className="rounded-full border border-line bg-sunken px-2.5 py-px text-ink-2 hover:border-line-strong hover:text-ink"
        aria-label={`Why: ${message.decision ? whoAnswers(message.decision) : (undecided(message) ?? 'who answers is being decided')}`}
      >
        why
      </button>
      <Line />
    </div>
  )
}

function Decided({ message }: { message: Message }) {
  const decision = message.decision!
  const malformed = Object.keys(decision.proposals).filter((name) => decision.proposals[name]!.malformed)
  const absent = decision.missing.map(({ agent }) => agent)
  return (
    <span className="flex min-w-0 flex-wrap items-center justify-center gap-x-2 gap-y-0.5 text-center">
      <b className="font-semibold text-ink-2">{whoAnswers(decision)}</b>
      <span>{becauseOf(decision)}</span>
      {absent.length > 0 ? <Chip tone="warn">without {joinNames(absent)}</Chip> : null}
      {(decision.flags ?? []).map((flag) => (
        <Chip key={flag} tone="warn" title={flagReason[flag]}>
          {flagLabel[flag]}
        </Chip>
      ))}
      {malformed.length > 0 ? <Chip tone="warn">{joinNames(malformed)}: unreadable proposal</Chip> : null}
    </span>
  )
}

function Proposing({ message }: { message: Message }) {
  const asked = message.asks.filter((ask) => ask.kind === 'micro-proposal')
  const proposed = asked.filter((ask) => ask.finished)
  const outstanding = asked.filter((ask) => !ask.finished).map((ask) => ask.owner)
  const ended = undecided(message)
  return (
    <span className="flex min-w-0 flex-wrap items-center justify-center gap-x-2" role="status">
      {ended ? null : <Dot tone="live" />}
      <b className="font-semibold text-ink-2">{ended ?? `${proposed.length} of ${asked.length} proposed`}</b>
      {outstanding.length > 0 && !ended ? <span>waiting for {joinNames(outstanding)}</span> : null}
    </span>
  )
}

function Line() {
  return <span aria-hidden="true" className="h-px min-w-3 flex-1 bg-line" />
}
