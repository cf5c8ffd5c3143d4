/** Checks that the agents named in a request exist. An unknown name is an error in every field. */
import { ConveneError } from '../../kernel/errors.ts'
import { type Override, readOverride } from '../../rules/room/override.ts'
import { calledInVain } from '../../rules/room/wording/mentions.ts'
import type { Room } from '../view.ts'

export function checkKnown(known: string[], name: string, path: string): void {
  if (known.includes(name)) return
  throw new ConveneError('unknown_agent', `${path}: there is no agent '${name}'`, { path, expected: known.join(' | ') })
}

export function checkInRoom(known: string[], room: Room, name: string, path: string): void {
  checkKnown(known, name, path)
  if (room.agents.includes(name)) return
  throw new ConveneError('invalid_input', `${path}: ${name} is not in the room '${room.name}'`, {
    path,
    expected: room.agents.join(' | '),
  })
}

/** Checks every field, including those that the mode does not use. */
export function checkNames(
  known: string[],
  room: Room,
  named: { participants?: string[]; speaker?: string; target?: string },
): void {
  for (const [index, name] of (named.participants ?? []).entries())
    checkInRoom(known, room, name, `participants.${index}`)
  if (named.speaker !== undefined) checkInRoom(known, room, named.speaker, 'speaker')
  if (named.target !== undefined) checkInRoom(known, room, named.target, 'target')
}

/** RD2: an agent called at the start of a message must answer it, so refuse the message if the agent is not in the room. */
export function checkMentioned(known: string[], room: Room, text: string): void {
  const absent = calledInVain(text, known, room.agents)
  if (absent !== null) checkInRoom(known, room, absent, 'text')
}

export function parseOverride(room: Room, text: string): Override {
  const override = readOverride(text, room.agents)
  if (override) return override
  throw new ConveneError('invalid_input', `override: '${text}' is not a valid override`, {
    path: 'override',
    expected: ['both', ...room.agents.map((name) => `only ${name}`)].join(' | '),
  })
}
