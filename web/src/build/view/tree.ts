/** Nodes as a tree: parents, reading order, and which node lies in a direction. */
export interface TreeNode {
  key: string
  /** Null: the root. */
  parent: string | null
}

export const keyOf = (path: readonly string[]) => path.join('/')

export const parentKey = (path: readonly string[]) => (path.length > 1 ? keyOf(path.slice(0, -1)) : null)

export interface Branch<Node extends TreeNode> {
  node: Node
  children: Branch<Node>[]
}

/** Children in the order in which they came. */
export function treeOf<Node extends TreeNode>(nodes: readonly Node[]): Branch<Node>[] {
  const below = Map.groupBy(nodes, ({ parent }) => parent)
  const branch = (node: Node): Branch<Node> => ({ node, children: (below.get(node.key) ?? []).map(branch) })
  return (below.get(null) ?? []).map(branch)
}

/** The node an arrow key moves to; undefined if there is none in that direction. */
export function neighbour(nodes: readonly TreeNode[], key: string, arrow: string): string | undefined {
  const node = nodes.find((each) => each.key === key)
  if (!node) return undefined
  const siblings = nodes.filter(({ parent }) => parent === node.parent)
  const at = siblings.indexOf(node)
  switch (arrow) {
    case 'ArrowUp':
      return node.parent ?? undefined
    case 'ArrowDown':
      return nodes.find(({ parent }) => parent === key)?.key
    case 'ArrowLeft':
      return siblings[at - 1]?.key
    case 'ArrowRight':
      return siblings[at + 1]?.key
    default:
      return undefined
  }
}
