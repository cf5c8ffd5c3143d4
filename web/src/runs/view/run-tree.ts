/** Runs as a tree, with the total cost below each. Pure. */
import { type Cost, noCost } from '../../../../src/kernel/ask/cost.ts'
import { addUsd } from '../../../../src/rules/budget/add-usd.ts'
export interface TreeRun {
  id: string
  parent?: string | undefined
}

export interface TreeNode<Run> {
  run: Run
  depth: number
  children: TreeNode<Run>[]
}

/** A run whose parent is not in the list is at the top. Children keep their order. */
export function treeOf<Run extends TreeRun>(runs: readonly Run[]): TreeNode<Run>[] {
  const nodes = new Map(runs.map((run) => [run.id, { run, depth: 0, children: [] } as TreeNode<Run>]))
  const top: TreeNode<Run>[] = []
  for (const node of nodes.values()) {
    const above = node.run.parent === undefined ? undefined : nodes.get(node.run.parent)
    if (above && above !== node) above.children.push(node)
    else top.push(node)
  }
  deepen(top, 0)
  return top
}

/** All of them, each before those below it; `isOpen` leaves out what is below a closed one. */
export function flatten<Run>(
  nodes: readonly TreeNode<Run>[],
  isOpen: (run: Run) => boolean = () => true,
): TreeNode<Run>[] {
  return nodes.flatMap((node) => [node, ...(isOpen(node.run) ? flatten(node.children, isOpen) : [])])
}

export function costOf<Run>(node: TreeNode<Run>, own: (run: Run) => Cost | undefined): Cost {
  const sum = noCost()
  for (const { run } of flatten([node])) {
    const cost = own(run)
    if (!cost) continue
    sum.asks += cost.asks
    sum.calls += cost.calls
    sum.tokens += cost.tokens
    sum.usd = addUsd(sum.usd, cost.usd)
  }
  return sum
}

function deepen<Run>(nodes: readonly TreeNode<Run>[], depth: number): void {
  for (const node of nodes) {
    node.depth = depth
    deepen(node.children, depth + 1)
  }
}
