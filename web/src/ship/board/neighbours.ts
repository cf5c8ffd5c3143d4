/** Where arrow keys move, on the board and in the graph. Pure. */
import type { IssueCard } from '../view/issue-card.ts'

/** Where an arrow key leads: along the column, or to the same height in the next one that has cards. */
export function besideOnBoard(
  grid: readonly (readonly Pick<IssueCard, 'number'>[])[],
  from: number | null,
  key: string,
): number | undefined {
  const column = grid.findIndex((cards) => cards.some(({ number }) => number === from))
  if (column === -1) return undefined
  const row = grid[column]!.findIndex(({ number }) => number === from)
  if (key === 'ArrowDown') return grid[column]![row + 1]?.number
  if (key === 'ArrowUp') return grid[column]![row - 1]?.number
  const by = { ArrowRight: 1, ArrowLeft: -1 }[key]
  if (by === undefined) return undefined
  for (let at = column + by; at >= 0 && at < grid.length; at += by) {
    const cards = grid[at]!
    if (cards.length > 0) return cards[Math.min(row, cards.length - 1)]!.number
  }
  return undefined
}

/** The nearest one that lies that way. */
export function besideInGraph(
  placed: ReadonlyMap<string, { x: number; y: number }>,
  from: string,
  key: string,
): string | undefined {
  const here = placed.get(from)
  const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[key]
  if (!here || !way) return undefined
  let best: { key: string; far: number } | undefined
  for (const [other, { x, y }] of placed) {
    const [dx, dy] = [x - here.x, y - here.y]
    const ahead = dx * way[0]! + dy * way[1]!
    if (other === from || ahead <= 0) continue
    const aside = Math.abs(dx * way[1]!) + Math.abs(dy * way[0]!)
    const far = ahead + 2 * aside
    if (!best || far < best.far) best = { key: other, far }
  }
  return best?.key
}
