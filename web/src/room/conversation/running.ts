/** Stops a message, and sets a room's override. */
import { overrideRoom, stopRun, stopSession } from '../../data/calls/rooms.ts'
import { live } from '../../data/feed/live.ts'
import type { Message } from './conversation-types.ts'

/** Asks the server to stop; the room's own events then say that it has. */
export function stopMessage(message: Message): Promise<unknown> {
  if (message.session) return stopSession(message.session.id)
  return message.run === undefined ? Promise.resolve() : stopRun(message.run)
}

export function collabLabel({ round, max_rounds }: { round: number; max_rounds: number }): string {
  return `Collab: ${round}/${max_rounds}`
}

/** Holds for the room until it is set to null. */
export async function setOverride(room: string, override: string | null): Promise<void> {
  live.putRoom(await overrideRoom(room, override))
}
