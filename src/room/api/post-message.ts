/** Posts a message to a room: checks the request, reads its attachments and starts the run that answers it. */
import { ConveneError } from '../../kernel/errors.ts'
import { timeOrderedId } from '../../kernel/time-ordered-id.ts'
import { actingPerson } from '../../kernel/users/acting-person.ts'
import { parseCollaborate } from '../../rules/turns/collaborate-command.ts'
import { type AttachmentRequest, readAttachments } from '../attachments/read-attachments.ts'
import { type Attachment, messagePosted, type RoomMode, roomStream, sessionStarted } from '../events.ts'
import { startSummary } from '../room-summary.ts'
import type { AnswerInput } from '../run.ts'
import type { SessionInput } from '../session.ts'
import type { Room } from '../view.ts'
import type { RoomsDependencies } from './deps.ts'
import { checkInRoom, checkMentioned, checkNames, parseOverride } from './named-agents.ts'
import { sessionRun } from './sessions.ts'

export interface MessageRequest {
  text: string
  target?: string
  mode?: 'single' | 'coordinate' | 'collaborate' | 'autopilot'
  participants?: string[]
  speaker?: string
  max_rounds?: number
  override?: string
  /** Files and text that travel with the message, beside those that its text names by `@path`. */
  attachments?: AttachmentRequest[]
  /** The sender's folder, relative to the project: `@path` is looked up there first. */
  folder?: string
  /** An idempotency key: posting the same id twice posts one message. */
  message_id?: string
}

export interface Posted {
  message_id: string
  session_id?: string
  run: string
}

/** `known`: the names of agents that a message may use. */
interface KnownRoom {
  room: Room
  known: string[]
}

type PostingDeps = Pick<
  RoomsDependencies,
  'store' | 'engine' | 'agentNames' | 'files' | 'summaryDue' | 'defaults' | 'workflows'
>

export async function postMessage(deps: PostingDeps, about: KnownRoom, request: MessageRequest): Promise<Posted> {
  const { room, known } = about
  if (room.agents.length === 0)
    throw new ConveneError('empty_room', `none of the agents in the room '${room.name}' is still configured`, {
      path: 'room',
      expected: `a room with any of ${deps.agentNames.join(', ')}`,
    })
  const command = parseCollaborate(request.text, room.agents)
  if (command.kind === 'wrong') throw new ConveneError('invalid_input', `text: ${command.message}`, { path: 'text' })
  if (command.kind === 'collaborate') {
    checkNames(known, room, request)
    const { target: _, ...rest } = request
    return collaborate(deps, about, { ...rest, mode: 'collaborate', participants: command.participants }, command.goal)
  }
  const mode = request.mode ?? (request.target === undefined ? 'coordinate' : 'single')
  if (mode === 'collaborate' || mode === 'autopilot')
    return collaborate(deps, about, { ...request, mode }, request.text)
  return answer(deps, about, request, mode)
}

async function answer(
  deps: PostingDeps,
  { room, known }: KnownRoom,
  request: MessageRequest,
  mode: 'single' | 'coordinate',
): Promise<Posted> {
  if (mode === 'single' && request.target === undefined) {
    throw new ConveneError('invalid_input', 'target: a single call needs an agent to call', {
      path: 'target',
      expected: room.agents.join(' | '),
    })
  }
  if (request.target !== undefined) checkInRoom(known, room, request.target, 'target')
  checkNames(known, room, request)
  if (mode === 'coordinate') checkMentioned(known, room, request.text)
  const override = request.override === undefined ? undefined : parseOverride(room, request.override)
  if (request.message_id !== undefined) await refuseReuse(deps, room, request.message_id, mode, request.text)
  const { message_id = timeOrderedId(), text } = request
  const run = messageRun(message_id)
  const target = mode === 'single' ? request.target! : 'router'
  const attached = await attach(deps, room, request)
  const { workflows } = deps
  const isOfPeers = room.dispatch === 'peers'
  const summarise = isOfPeers ? undefined : await deps.summaryDue(room.id)
  const posted = messagePosted.create(
    { stream: roomStream(room.id), run, actor: actingPerson().name },
    { message_id, text, mode, target, ...(override ? { override } : {}), ...attached },
  )
  const input: AnswerInput = {
    room: room.id,
    message_id,
    text,
    mode,
    ...(mode === 'single' ? { target } : {}),
    ...(override ? { override } : {}),
    ...attached,
  }
  const workflow = isOfPeers ? workflows.peers : workflows.answer
  await deps.engine.start(workflow, input, { id: run, events: [posted] })
  if (summarise) await startSummary(deps.engine, workflows.summary, { room: room.id, message_id, ...summarise })
  return { message_id, run }
}

async function collaborate(
  deps: PostingDeps,
  { room, known }: KnownRoom,
  request: MessageRequest,
  goal: string,
): Promise<Posted> {
  const participants = [...new Set(request.participants ?? [])]
  if (participants.length === 0) {
    throw new ConveneError('invalid_input', 'participants: a collaboration needs at least one agent', {
      path: 'participants',
      expected: `a list of ${room.agents.join(' | ')}`,
    })
  }
  checkNames(known, room, request)
  const speaker =
    request.speaker ?? (request.target && participants.includes(request.target) ? request.target : participants[0]!)
  if (!participants.includes(speaker))
    throw new ConveneError('invalid_input', `speaker: ${speaker} is not a participant`, {
      path: 'speaker',
      expected: participants.join(' | '),
    })
  const autopilot = request.mode === 'autopilot'
  const mode = autopilot ? 'autopilot' : 'collaborate'
  if (request.message_id !== undefined) await refuseReuse(deps, room, request.message_id, mode, request.text)
  const { message_id = timeOrderedId() } = request
  const max_rounds = request.max_rounds ?? (autopilot ? deps.defaults.autopilot_turns : deps.defaults.max_rounds)
  const session_id = message_id
  const run = sessionRun(session_id)
  const header = { stream: roomStream(room.id), run, actor: actingPerson().name }
  const attached = await attach(deps, room, request)
  const sessionFields = { session_id, round: 1, max_rounds }
  const events = [
    messagePosted.create(header, {
      message_id,
      text: request.text,
      mode,
      target: 'router',
      ...attached,
      ...sessionFields,
    }),
    sessionStarted.create(header, { session_id, message_id, goal, participants, speaker, max_rounds, autopilot }),
  ]
  const input: SessionInput = {
    room: room.id,
    message_id,
    session_id,
    goal,
    participants,
    speaker,
    max_rounds,
    autopilot,
    ...attached,
  }
  const { session, peersSession } = deps.workflows
  await deps.engine.start(room.dispatch === 'peers' ? peersSession : session, input, { id: run, events })
  return { message_id, session_id, run }
}

/** RD15: reads the attachments now, so that a later change of the files does not change the message. */
async function attach(deps: PostingDeps, room: Room, request: MessageRequest): Promise<{ attachments?: Attachment[] }> {
  const { files, store, defaults } = deps
  const read = await readAttachments(files, { ...request, agents: room.agents }, defaults.attachments_kb)
  if (read.length === 0) return {}
  const attachments = await Promise.all(
    read.map(async ({ text, ...facts }) => {
      const ref = await store.putPayload(text)
      return { ...facts, bytes: Buffer.byteLength(text), ref }
    }),
  )
  return { attachments }
}

/** RD1: posting the same message again is fine. Refuses an id that another message already has. */
async function refuseReuse(
  { store }: PostingDeps,
  room: Room,
  message_id: string,
  mode: RoomMode,
  text: string,
): Promise<void> {
  for (const run of [messageRun(message_id), sessionRun(message_id)]) {
    const posted = (await store.read({ run, limit: 10 })).find((event) => messagePosted.is(event))
    const isSame =
      posted?.stream === roomStream(room.id) && posted.data.mode === mode && isSameText(posted.data.text, text)
    if (!posted || isSame) continue
    throw new ConveneError('message_exists', `another message already has the id '${message_id}'`, {
      path: 'message_id',
      status: 409,
    })
  }
}

const messageRun = (message: string) => `message-${message}`

/** Stored texts are redacted: one with a redaction cannot be compared and counts as equal. */
function isSameText(stored: string, text: string): boolean {
  return stored === text.toWellFormed() || stored.includes('[redacted:')
}
