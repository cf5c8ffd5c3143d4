/** Turns options of a command into a message to a room: the target, the mode and the participants. */
import { ConveneError } from '../../kernel/errors.ts'
import type { RoomMode } from '../../room/events.ts'
import type { Room } from '../../room/view.ts'
import type { BodyOf } from '../../serve/call.ts'

export interface Wish {
  /** Names, in the order given. */
  to: string[]
  mode?: string
  speaker?: string
  maxRounds?: number
}

export type MessageRequest = BodyOf<'POST /api/rooms/:room/messages'>

/** One name makes a single call; several make a collaboration; none means all agents of the room. */
export function messageRequest(text: string, wish: Wish, room: Room): MessageRequest {
  const { to, speaker, maxRounds } = wish
  const mode = wish.mode ?? (to.length === 0 ? 'coordinate' : to.length === 1 ? 'single' : undeterminedMode(to))
  const session = { ...(speaker === undefined ? {} : { speaker }), ...(maxRounds ? { max_rounds: maxRounds } : {}) }
  if (mode === 'collaborate' || mode === 'autopilot')
    return { text, mode, participants: to.length > 0 ? to : room.agents, ...session }
  if (mode === 'single') return { text, mode, target: to.length > 0 ? theOnly(to) : onlyAgent(room), ...session }
  if (mode === 'coordinate' && to.length > 0) throw namesInCoordinate(to)
  // The server refuses unknown modes: it knows them all.
  return { text, mode: mode as MessageRequest['mode'], ...session }
}

/** Reads names as typed: `gpt,claude`, `gpt claude`, `@gpt`. */
export function readNames(text: string): string[] {
  return [
    ...new Set(
      text
        .split(/[\s,]+/)
        .map((name) => name.replace(/^@/, ''))
        .filter((name) => name !== ''),
    ),
  ]
}

/** Whether replies must be labelled with the agent's name. */
export function severalMaySpeak(message: MessageRequest, room: Room): boolean {
  if (message.mode === 'single') return false
  return (message.participants ?? room.agents).length > 1
}

export const isSessionMode = (mode: string | undefined): mode is Extract<RoomMode, 'collaborate' | 'autopilot'> =>
  mode === 'collaborate' || mode === 'autopilot'

function onlyAgent(room: Room): string {
  if (room.agents.length === 1) return room.agents[0]!
  throw new ConveneError('usage', `a single call needs one agent to call: ${room.agents.join(' or ')}`, {
    path: '--to',
    expected: room.agents.join(' | '),
  })
}

function theOnly(names: string[]): string {
  if (names.length === 1) return names[0]!
  throw new ConveneError('usage', `a single call goes to one agent, not to ${names.join(' and ')}`, {
    path: '--to',
    expected: 'one agent',
  })
}

function undeterminedMode(names: string[]): never {
  throw new ConveneError(
    'usage',
    `several agents are named: use mode collaborate to let them take turns, or write ${names.map((name) => `@${name}`).join(' ')} in the message for one answer each`,
    { path: '--mode', expected: 'collaborate | autopilot' },
  )
}

function namesInCoordinate(names: string[]): ConveneError {
  return new ConveneError(
    'usage',
    `in mode coordinate a rule chooses who answers. Leave out ${names.join(', ')}, or use another mode`,
    { path: '--to', expected: 'no names, or mode single, collaborate or autopilot' },
  )
}
