/** The API path of a room's latest events. */
/** More messages than fit on a screen, few enough to load at once. */
const tailSize = 400

export function roomEndPath(room: string): string {
  const size = String(tailSize)
  return `/events?${new URLSearchParams({ room, after: '0', last: size, limit: size })}`
}

export const isWholeTail = (events: number) => events === tailSize
