/** Lays out issue cards: connected issues together, groups in rows. Pure. */
import { arrange, cardSize, type Placed, type ToArrange } from '../../ui/graph/arrange.ts'

const gap = 40
/** About the shape of the space there is. */
const wider = 2.4

export function placeIssues(nodes: readonly ToArrange[]): Map<string, Placed> {
  const blocks = groupsOf(nodes).map(blockOf)
  const area = blocks.reduce((sum, { width, height }) => sum + (width + gap) * (height + gap), 0)
  const widest = Math.max(Math.sqrt(area * wider), ...blocks.map(({ width }) => width))
  const placed = new Map<string, Placed>()
  let [x, y, rowHeight] = [0, 0, 0]
  for (const { at, width, height } of blocks) {
    if (x > 0 && x + width > widest) {
      x = 0
      y += rowHeight + gap
      rowHeight = 0
    }
    for (const [key, place] of at) placed.set(key, { ...place, x: place.x + x, y: place.y + y })
    x += width + gap
    rowHeight = Math.max(rowHeight, height)
  }
  return placed
}

/** Connected components, each in the order of the list. */
function groupsOf(nodes: readonly ToArrange[]): ToArrange[][] {
  const known = new Map(nodes.map((node) => [node.key, node]))
  const ties = new Map(nodes.map(({ key }) => [key, new Set<string>()]))
  for (const { key, parent, dependsOn } of nodes)
    for (const other of [...dependsOn, ...(parent === null ? [] : [parent])]) {
      if (!known.has(other)) continue
      ties.get(key)!.add(other)
      ties.get(other)!.add(key)
    }
  const seen = new Set<string>()
  return nodes.flatMap(({ key }) => {
    if (seen.has(key)) return []
    const group = new Set([key])
    for (const member of group) for (const other of ties.get(member)!) group.add(other)
    for (const member of group) seen.add(member)
    return [nodes.filter((node) => group.has(node.key))]
  })
}

interface Block {
  /** From its own top left corner. */
  at: [string, Placed][]
  width: number
  height: number
}

function blockOf(group: readonly ToArrange[]): Block {
  const known = new Set(group.map(({ key }) => key))
  // A parent that is not in the list connects nothing.
  const placed = arrange(
    group.map((node) => (node.parent !== null && !known.has(node.parent) ? { ...node, parent: null } : node)),
  )
  const [left, top] = [
    Math.min(...[...placed.values()].map(({ x }) => x)),
    Math.min(...[...placed.values()].map(({ y }) => y)),
  ]
  const at = [...placed].map(([key, place]): [string, Placed] => [
    key,
    { ...place, x: place.x - left, y: place.y - top },
  ])
  const width = Math.max(...at.map(([, { x }]) => x)) + cardSize.width
  const height = Math.max(...at.map(([, { y }]) => y)) + cardSize.height
  return { at, width, height }
}
