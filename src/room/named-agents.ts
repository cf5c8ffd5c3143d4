/** Whether the agents that a request names are there. An unknown one is an error wherever it stands. */
import { ConveneError } from '../kernel/errors.ts'
import { calledInVain } from '../rules/room/mentions.ts'
import { type Override, readOverride } from '../rules/room/override.ts'
import type { Room } from './view.ts'

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

/** Also those that the mode does not need. */
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

/** RD2: who is called at the beginning of a message is expected to answer it; another may not do so in their place. */
export function checkCalled(known: string[], room: Room, text: string): void {
  const absent = calledInVain(text, known, room.agents)
  if (absent !== null) checkInRoom(known, room, absent, 'text')
}

export function overrideIn(room: Room, said: string): Override {
  const override = readOverride(said, room.agents)
  if (override) return override
  throw new ConveneError('invalid_input', `override: '${said}' is not understood`, {
    path: 'override',
    expected: ['both', ...room.agents.map((name) => `only ${name}`)].join(' | '),
  })
}
