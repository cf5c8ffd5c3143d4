/** A room's name, agents and current activity, with stop. */
import { useState } from 'react'
import { overrideText, type Room } from '../data/calls/rooms.ts'
import { Button, IconButton } from '../ui/button.tsx'
import { Chip, Dot } from '../ui/chip.tsx'
import { Icon } from '../ui/icons.tsx'
import type { Composition } from './composer/composition.ts'
import type { Message } from './conversation/conversation-types.ts'
import { overrideLabel } from './conversation/override-label.ts'
import { collabLabel, stopMessage } from './conversation/running.ts'
import type { Presence } from './peers/use-presence.ts'

interface RoomHeaderProps {
  room: Room
  /** Null in rooms without peers. */
  presence: Presence | null
  running: Message[]
  /** The session the counter shows when none is running. */
  lastSession: Message | undefined
  composition: Composition
  onRooms?: (() => void) | undefined
  onInspector(): void
  stop(): void
  clearOverride(): void
}

export function RoomHeader({
  room,
  presence,
  running,
  lastSession,
  composition,
  onRooms,
  onInspector,
  stop,
  clearOverride,
}: RoomHeaderProps) {
  return (
    <header className="flex min-h-[54px] items-center gap-2 border-b border-line px-3 md:px-5">
      {onRooms ? <IconButton icon="menu" label="Rooms" onClick={onRooms} /> : null}
      <h1 className="min-w-12 truncate text-title font-semibold">{room.name}</h1>
      {presence ? (
        <PresenceChip presence={presence} />
      ) : (
        <Chip className="max-sm:hidden" title={room.agents.join(', ')}>
          {room.agents.length} {room.agents.length === 1 ? 'agent' : 'agents'}
        </Chip>
      )}
      {room.override ? (
        <OverrideChip override={overrideLabel(overrideText(room.override), room.agents)} clear={clearOverride} />
      ) : null}
      <span className="flex-1" />
      <Counters running={running} lastSession={lastSession} composition={composition} />
      {running.length > 0 ? (
        <Button weight="stop" data-testid="stop" onClick={stop} title="Stop (Esc)">
          <Icon name="stop" size={14} />
          {running.length > 1 ? `Stop all ${running.length}` : 'Stop'}
        </Button>
      ) : null}
      <IconButton icon="panel" label="Inspector" data-testid="inspector-button" onClick={onInspector} />
    </header>
  )
}

function PresenceChip({ presence }: { presence: Presence }) {
  const count = presence.filter(({ present }) => present).length
  const each = presence.map(({ agent, present }) => `${agent}: ${present ? 'present' : 'absent'}`)
  return (
    <Chip tone={count < presence.length ? 'warn' : 'plain'} data-testid="presence" title={each.join('\n')}>
      {count} of {presence.length} peers present
    </Chip>
  )
}

function Counters({
  running,
  lastSession,
  composition,
}: Pick<RoomHeaderProps, 'running' | 'lastSession' | 'composition'>) {
  const sessions = running.filter((message) => message.session)
  const rounds = running.filter((message) => !message.session)
  if (sessions.length > 0) {
    const newest = sessions.at(-1)!
    return sessions.map((message) => (
      <Chip
        key={message.id}
        tone="live"
        data-testid={message === newest ? 'collab-chip' : 'collab-chip-other'}
        title={message.session!.goal}
      >
        <Dot tone="live" />
        {collabLabel(message.session!)}
        {sessions.length > 1 ? <StopOne message={message} /> : null}
      </Chip>
    ))
  }
  if (rounds.length > 0) {
    return (
      <Chip tone="live" className="min-w-0">
        <Dot tone="live" />
        <span className="truncate">{whatHappens(rounds.at(-1)!)}</span>
      </Chip>
    )
  }
  if (composition.mode !== 'collaborate') return null
  const ended = lastSession?.session
  return (
    <Chip
      data-testid="collab-chip"
      title={ended ? `The last one ended: ${ended.end_reason}` : 'Turns taken of turns allowed'}
    >
      {collabLabel(ended ?? { round: 0, max_rounds: composition.maxRounds })}
    </Chip>
  )
}

function StopOne({ message }: { message: Message }) {
  const [asked, setAsked] = useState(false)
  return (
    <button
      type="button"
      aria-label={`Stop: ${message.session?.goal}`}
      disabled={asked}
      onClick={() => {
        setAsked(true)
        stopMessage(message).catch(() => setAsked(false))
      }}
      className="-mr-1 rounded-full hover:bg-panel"
    >
      <Icon name="close" size={12} />
    </button>
  )
}

function OverrideChip({ override, clear }: { override: string; clear(): void }) {
  return (
    <Chip tone="warn" data-testid="room-override">
      {override}
      <button
        type="button"
        aria-label="Let the rule decide again in this room"
        onClick={clear}
        className="-mr-1 rounded-full"
      >
        <Icon name="close" size={12} />
      </button>
    </Chip>
  )
}

function whatHappens(message: Message): string {
  const proposals = message.asks.filter((ask) => ask.kind === 'micro-proposal')
  if (message.mode !== 'single' && !message.decision && proposals.length > 0)
    return `${proposals.filter((ask) => ask.finished).length} of ${proposals.length} proposed`
  const writing = message.answers.filter((answer) => !answer.item).map(({ agent }) => agent)
  return writing.length > 0 ? `${writing.join(' and ')} ${writing.length > 1 ? 'answer' : 'answers'}` : 'deciding'
}
