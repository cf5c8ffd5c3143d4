/** Chooses what to give up so that something new fits. Pure. */
export interface Disposable {
  bytes: number
  usedAt: number
}

/** The oldest first, only as many as are needed. Where even all are not enough, all. */
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
