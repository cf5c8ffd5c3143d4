/** Which rows must name their message, because several messages are being answered at once. */
import type { Entry, Message } from './conversation-types.ts'

/** The message of a row that does not follow another row of the same message. */
export function belongsElsewhere(entries: Entry[], index: number): Message | undefined {
  const entry = entries[index]!
  if (!('message' in entry) || entry.kind === 'message' || !entry.message) return undefined
  const before = entries[index - 1]
  const isTogether = before !== undefined && 'message' in before && before.message === entry.message
  return isTogether ? undefined : entry.message
}
