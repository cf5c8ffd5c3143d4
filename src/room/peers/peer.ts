/** One agent as a process of its own in a room of peers: it sees every message and plays its part in every round. RD11. */
import { randomUUID } from 'node:crypto'
import { ConveneError } from '../../kernel/errors.ts'
import type { StoredEvent } from '../../kernel/events.ts'
import { rulebookName } from '../../rules/team/rulebook.ts'
import type { RoomDeps } from '../deps.ts'
import {
  handoffPosted,
  messagePosted,
  noticePosted,
  replyPassed,
  replyPosted,
  roomStream,
  roundResolved,
  sessionEnded,
  sessionStarted,
} from '../events.ts'
import { partClaimed, partDropped, partFailed, peerJoined, peerLeft, proposalPosted, roundStalled } from './events.ts'
import { messageRun } from './peer-facts.ts'
import type { PeerHappening, PeerPlace } from './peer-place.ts'
import { type PostedMessage, RoundPlay } from './play-round.ts'
import { SessionPlay, sessionRun } from './play-session.ts'
import { takeSeat } from './seat.ts'

export interface JoinRequest {
  room: string
  agent: string
  /** Stands for another edition of the rules, in tests. */
  rulebook?: string
  report(happening: PeerHappening): void
  signal: AbortSignal
}

export interface JoinedPeer {
  rulebook: string
  /** Never resolves; rejects when this peer cannot go on. */
  ended: Promise<never>
  /** Gives up what it is doing and leaves the room. */
  leave(): Promise<void>
}

const roundTypes = [
  messagePosted,
  proposalPosted,
  roundResolved,
  partClaimed,
  partFailed,
  partDropped,
  roundStalled,
  replyPosted,
  replyPassed,
  noticePosted,
  sessionStarted,
  handoffPosted,
  sessionEnded,
].map(({ type }) => type as string)
const membershipTypes: string[] = [peerJoined.type, peerLeft.type]
/** How much of the room is read at once; rounds that began further back are looked for one by one. */
const mostEarlier = 2_000

/** What a peer needs of the project beyond its room. */
export interface PeerProject {
  /** The runs of messages to peers, in any room, that have not ended. */
  openRuns(): Promise<string[]>
  summarise(room: string, message_id: string): Promise<void>
}

export async function joinRoom(deps: RoomDeps, project: PeerProject, request: JoinRequest): Promise<JoinedPeer> {
  const { room, agent, report, signal } = request
  checkPlace(deps, room, agent)
  const rulebook = rulebookName(deps.settings.dispatch, request.rulebook)
  const seat = await takeSeat(deps, room, agent, randomUUID(), signal)
  const stream = roomStream(room)
  const plays = new Map<string, Play>()
  const memberships: StoredEvent[] = []
  let fail: (error: unknown) => void = () => {}
  const failed = new Promise<never>((_, reject) => {
    fail = reject
  })
  const ended = Promise.race([failed, seat.lost])
  ended.catch(() => {})
  const rulebooksBefore = (seq: number) => rulebooksIn(memberships, seq)
  const summarise = (message_id: string) => project.summarise(room, message_id)
  const place: PeerPlace = { deps, room, agent, rulebook, rulebooksBefore, summarise, report, fail }

  const see = (event: StoredEvent, since?: number) => {
    if (membershipTypes.includes(event.type)) memberships.push(event)
    if (!roundTypes.includes(event.type) || event.run === undefined) return
    if (messagePosted.is(event) && !plays.has(event.run)) {
      const play = playOf(place, event as PostedMessage)
      if (play) plays.set(event.run, play)
    }
    const play = plays.get(event.run)
    play?.see(event, since)
    if (since === undefined && play) advance(event.run, play)
  }
  const advance = (run: string, play: Play) => {
    for (const [id, other] of plays) if (other.isOver && id !== run) plays.delete(id)
    play.advance()
  }

  // What is written while the past is read waits for it.
  let waiting: StoredEvent[] | null = []
  const unsubscribe = deps.store.subscribe((event) => {
    if (event.stream !== stream) return
    if (waiting) waiting.push(event)
    else see(event)
  })
  const leave = async () => {
    unsubscribe()
    await Promise.all([...plays.values()].map((play) => play.close()))
    await deps.store.append([peerLeft.create({ stream, actor: agent }, { room, agent })]).catch(() => {})
    await seat.leave()
  }
  try {
    const [joined] = await deps.store.append([peerJoined.create({ stream, actor: agent }, { room, agent, rulebook })])
    const now = deps.clock.now()
    const members = await deps.store.read({ stream, types: membershipTypes, last: mostEarlier })
    const recent = await deps.store.read({ stream, types: roundTypes, last: mostEarlier })
    const earlier = recent.length < mostEarlier ? [] : await earlierRounds(deps, project, stream, recent[0]!.seq)
    const past = [...members, ...earlier, ...recent]
    const last = Math.max(members.at(-1)?.seq ?? 0, recent.at(-1)?.seq ?? 0)
    // How long ago it happened, by the one clock of the log.
    for (const event of past) see(event, now - Math.max(0, Date.parse(joined!.ts) - Date.parse(event.ts)))
    for (const [run, play] of plays) advance(run, play)
    const arrived = waiting
    waiting = null
    for (const event of arrived) if (event.seq > last) see(event)
  } catch (error) {
    await leave()
    throw error
  }
  return { rulebook, ended, leave }
}

/** The rounds that began before `seq` and are not over: an agent that was called by name is waited for without end. */
async function earlierRounds(
  { store }: RoomDeps,
  { openRuns }: PeerProject,
  stream: string,
  seq: number,
): Promise<StoredEvent[]> {
  const found: StoredEvent[] = []
  for (const run of await openRuns()) {
    const events = await store.read({ run, types: roundTypes, before: seq })
    found.push(...events.filter((event) => event.stream === stream))
  }
  return found.sort((one, other) => one.seq - other.seq)
}

/** A message of work that the room hosts has another run, and is played there. */
function playOf(place: PeerPlace, posted: PostedMessage): Play | null {
  const { message_id, text } = posted.data
  if (posted.run === messageRun(message_id)) return new RoundPlay(place, posted)
  return posted.run === sessionRun(message_id) ? new SessionPlay(place, message_id, text) : null
}

interface Play {
  readonly isOver: boolean
  see(event: StoredEvent, since?: number): void
  advance(): void
  close(): Promise<void>
}

function checkPlace(deps: RoomDeps, id: string, agent: string): void {
  const room = deps.room(id)
  if (room.dispatch !== 'peers')
    throw new ConveneError(
      'not_peers',
      `the agents of the room '${room.name}' are not peers: Convene asks them itself`,
      {
        path: 'room',
        expected: 'a room that was created with dispatch: peers',
      },
    )
  if (!room.agents.includes(agent))
    throw new ConveneError('invalid_input', `name: ${agent} is not in the room '${room.name}'`, {
      path: 'name',
      expected: room.agents.join(' | '),
    })
  deps.agent(agent)
}

/** PR5: of the peers that have joined and not left. */
function rulebooksIn(memberships: readonly StoredEvent[], before: number): Record<string, string> {
  const rulebooks: Record<string, string> = {}
  for (const event of memberships) {
    if (event.seq >= before) break
    if (peerJoined.is(event)) rulebooks[event.data.agent] = event.data.rulebook
    else if (peerLeft.is(event)) delete rulebooks[event.data.agent]
  }
  return rulebooks
}
