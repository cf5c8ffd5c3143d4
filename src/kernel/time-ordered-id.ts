/**
 * An id that is new in the world and sorts by when it was made (UUID, version 7). Rows that are written together then lie
 * together in every index: a commit touches a few pages instead of one for each row.
 */
import { randomUUID } from 'node:crypto'

export function timeOrderedId(now = Date.now()): string {
  const time = now.toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`
}
