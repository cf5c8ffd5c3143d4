/**
 * A unique id that sorts by creation time (UUID version 7). Rows written together are then neighbours in every index, so a
 * commit touches a few pages instead of one per row.
 */
import { randomUUID } from 'node:crypto'

export function timeOrderedId(now = Date.now()): string {
  const time = now.toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`
}
