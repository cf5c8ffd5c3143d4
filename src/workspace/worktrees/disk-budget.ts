/** Chooses what to remove to make room. Pure. */
export interface Disposable {
  bytes: number
  usedAt: number
}

/** Oldest first, and only as many as needed; all if even that is not enough. */
export function toGiveUp<Item extends Disposable>(
  items: readonly Item[],
  used: number,
  needed: number,
  budget: number,
): Item[] {
  let excess = used + needed - budget
  return items
    .toSorted((a, b) => a.usedAt - b.usedAt)
    .filter((item) => {
      if (excess <= 0) return false
      excess -= item.bytes
      return true
    })
}
