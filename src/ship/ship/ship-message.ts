/** Reads `/ship <goal>` from a message: it starts a ship in the room it is sent to. */

/** The goal, empty if none was given; null for any other message. */
export function shipGoal(text: string): string | null {
  const match = /^\/ship(?:\s+([\s\S]*))?$/i.exec(text)
  return match ? (match[1] ?? '').trim() : null
}
