/** Lays out a graph's cards: ranks by dagre; many unconnected parts are packed into a block. */
import dagre from '@dagrejs/dagre'

export const cardSize = { width: 240, height: 124 }

export interface Placed {
  x: number
  y: number
  /** Cards stand between it and its parent: its edge comes in from the side, through the gap between the columns. */
  fromSide: boolean
}

export interface ToArrange {
  key: string
  parent: string | null
  dependsOn: readonly string[]
}

const gap = { x: 32, y: 28 }
/** So many parts stand side by side; more are packed. */
const longestRow = 5

export function arrange(nodes: readonly ToArrange[]): Map<string, Placed> {
  const packs = packsOf(nodes)
  const packOf = new Map([...packs].flatMap(([id, keys]) => keys.map((key) => [key, id])))
  const graph = new dagre.graphlib.Graph()
  graph.setGraph({ rankdir: 'TB', nodesep: gap.x, ranksep: 64 })
  graph.setDefaultEdgeLabel(() => ({}))
  const standIn = (key: string) => packOf.get(key) ?? key
  for (const [id, keys] of packs) graph.setNode(id, blockSize(keys.length))
  for (const { key } of nodes) if (!packOf.has(key)) graph.setNode(key, { ...cardSize })
  for (const { key, parent, dependsOn } of nodes) {
    const before = dependsOn.filter((other) => graph.hasNode(other))
    for (const other of before) graph.setEdge(other, key)
    if (parent !== null && before.length === 0) graph.setEdge(standIn(parent), standIn(key))
  }
  dagre.layout(graph)
  const placed = new Map<string, Placed>()
  for (const { key, dependsOn } of nodes) {
    if (packOf.has(key)) continue
    const { x, y } = graph.node(key)
    const fromSide = dependsOn.some((other) => graph.hasNode(other))
    placed.set(key, { x: x - cardSize.width / 2, y: y - cardSize.height / 2, fromSide })
  }
  for (const [id, keys] of packs) {
    const { x, y, width, height } = graph.node(id)
    const columns = columnsFor(keys.length)
    for (const [index, key] of keys.entries()) {
      const column = index % columns
      const row = Math.floor(index / columns)
      placed.set(key, {
        x: x - width / 2 + column * (cardSize.width + gap.x),
        y: y - height / 2 + row * (cardSize.height + gap.y),
        fromSide: true,
      })
    }
  }
  return placed
}

/** Parts without parts or ties of their own, by parent, where there are too many of them for a row. */
function packsOf(nodes: readonly ToArrange[]): Map<string, string[]> {
  const tied = new Set(
    nodes.flatMap(({ key, parent, dependsOn }) => [
      ...(parent === null ? [] : [parent]),
      ...(dependsOn.length > 0 ? [key, ...dependsOn] : []),
    ]),
  )
  const free = nodes.filter(({ key, parent }) => parent !== null && !tied.has(key))
  const packs = new Map<string, string[]>()
  for (const [parent, members] of Map.groupBy(free, ({ parent }) => parent))
    if (members.length > longestRow)
      packs.set(
        `block of ${parent}`,
        members.map(({ key }) => key),
      )
  return packs
}

/** About as wide as it is high: what is between list and inspector is so too. */
function columnsFor(count: number): number {
  const shape = (cardSize.height + gap.y) / (cardSize.width + gap.x)
  return Math.max(1, Math.ceil(Math.sqrt(count * shape)))
}

function blockSize(count: number): { width: number; height: number } {
  const columns = columnsFor(count)
  const rows = Math.ceil(count / columns)
  return {
    width: columns * cardSize.width + (columns - 1) * gap.x,
    height: rows * cardSize.height + (rows - 1) * gap.y,
  }
}

/** Changes only when something has to be placed anew. */
export function shapeOf(nodes: readonly ToArrange[]): string {
  return nodes.map(({ key, parent, dependsOn }) => [key, parent, ...dependsOn].join(' ')).join('\n')
}
