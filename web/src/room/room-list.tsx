/** All rooms with their activity, and the agents of the open room. */
import { Link } from 'wouter'
import type { Agent, Room } from '../data/calls/rooms.ts'
import type { RoomActivity } from '../data/feed/activity.ts'
import { live } from '../data/feed/live.ts'
import { useWatched } from '../data/watched.ts'
import { agentColour } from '../ui/agent-colour.ts'
import { IconButton } from '../ui/button.tsx'
import { Dot } from '../ui/chip.tsx'
import { ago } from '../ui/format.ts'

interface RoomListProps {
  open: string | null
  onNew(): void
  onChosen?: (() => void) | undefined
}

export function RoomList({ open, onNew, onChosen }: RoomListProps) {
  const rooms = useWatched(live.rooms)
  const agents = useWatched(live.agents)
  const activity = useWatched(live.activity.rooms)
  const room = rooms?.find(({ id }) => id === open)
  return (
    <div className="flex min-h-0 flex-1 flex-col overflow-y-auto px-2.5 py-3.5">
      <div className="mb-1 flex items-center justify-between pl-2">
        <h2 className="caption">Rooms</h2>
        <IconButton icon="plus" label="New room" data-testid="new-room" onClick={() => onNew()} />
      </div>
      <nav aria-label="Rooms">
        <ul>
          {rooms?.map((each) => (
            <li key={each.id}>
              <RoomLink room={each} activity={activity[each.id]} isOpen={each.id === open} onChosen={onChosen} />
            </li>
          ))}
        </ul>
        {rooms?.length === 0 ? <p className="px-2 py-1 text-small text-ink-3">None yet.</p> : null}
      </nav>
      {room && agents ? <InThisRoom room={room} agents={agents} /> : null}
    </div>
  )
}

interface RoomLinkProps {
  room: Room
  activity: RoomActivity | undefined
  isOpen: boolean
  onChosen?: (() => void) | undefined
}

function RoomLink({ room, activity, isOpen, onChosen }: RoomLinkProps) {
  const busy = (activity?.running.length ?? 0) > 0
  const unread = isOpen ? 0 : (activity?.unread ?? 0)
  const spoken = [busy ? 'busy' : '', unread > 0 ? `${unread} unread` : ''].filter(Boolean).join(', ')
  return (
    <Link
      href={`/rooms/${room.id}`}
      onClick={onChosen}
      aria-current={isOpen ? 'page' : undefined}
      data-testid="room-link"
      data-busy={busy}
      data-unread={unread}
      className="flex items-center gap-2 rounded-[7px] px-2 py-[7px] text-ink-2 hover:bg-hover aria-[current=page]:bg-accent-soft aria-[current=page]:text-ink"
    >
      <Dot tone={busy ? 'live' : unread > 0 ? 'accent' : 'plain'} />
      <span className={`truncate ${unread > 0 ? 'font-semibold text-ink' : 'font-medium'}`}>{room.name}</span>
      {spoken ? <span className="sr-only">({spoken})</span> : null}
      <span aria-hidden="true" className="ml-auto shrink-0 text-tiny text-ink-3">
        {unread > 0 ? (
          <span className="rounded-full bg-accent px-1.5 py-px font-medium text-on-accent">{unread}</span>
        ) : activity ? (
          ago(activity.at)
        ) : (
          ''
        )}
      </span>
    </Link>
  )
}

function InThisRoom({ room, agents }: { room: Room; agents: Agent[] }) {
  return (
    <section>
      <h2 className="caption mt-5 mb-1.5 px-2">In this room</h2>
      <ul>
        {room.agents.map((name) => {
          const agent = agents.find((each) => each.name === name)
          // Peers run elsewhere, so this project need not know them.
          const isPeer = room.dispatch === 'peers'
          const kind = isPeer ? 'peer' : agent?.rehearsal ? 'rehearsal' : (agent?.model ?? agent?.provider ?? 'gone')
          return (
            <li key={name} className="flex items-center gap-2 px-2 py-[7px]">
              <Dot tone={isPeer ? 'plain' : agent === undefined ? 'bad' : agent.rehearsal ? 'warn' : 'ok'} />
              <span className="truncate font-medium" style={{ color: agentColour(name) }}>
                {name}
              </span>
              <span className="ml-auto truncate text-tiny text-ink-3">{kind}</span>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
