/** Which runs the list shows, as a tree: matching runs with their parents. Pure. */
import type { Cost } from '../../../../src/kernel/ask/cost.ts'
import type { ListedRun } from '../../data/calls/runs.ts'
import { kindLabel, statusLabel } from './labels.ts'
import { costOf, type TreeNode, treeOf } from './run-tree.ts'

export interface RunsFilter {
  text: string
  /** A kind of run, or all. */
  kind: string
  status: string
}

export interface RunsRow {
  run: ListedRun
  depth: number
  /** How many runs are right below it. */
  below: number
  open: boolean
  /** With everything below it. */
  cost: Cost
}

export function rowsOf(runs: readonly ListedRun[], filter: RunsFilter, isOpen: (run: string) => boolean): RunsRow[] {
  const trees = treeOf(runs.toSorted((one, other) => one.created_at.localeCompare(other.created_at))).reverse()
  const narrowed = filter.text.trim() !== '' || filter.status !== '' || filter.kind !== ''
  return trees.flatMap((tree) => rowsBelow(tree, filter, isOpen, narrowed))
}

/** A search finds runs at any depth; without one, only open levels are shown. */
function rowsBelow(
  node: TreeNode<ListedRun>,
  filter: RunsFilter,
  isOpen: (run: string) => boolean,
  narrowed: boolean,
): RunsRow[] {
  const open = isOpen(node.run.id)
  const below = open || narrowed ? node.children.flatMap((child) => rowsBelow(child, filter, isOpen, narrowed)) : []
  if (narrowed && below.length === 0 && !fits(node.run, filter)) return []
  return [
    {
      run: node.run,
      depth: node.depth,
      below: node.children.length,
      open: open || (narrowed && below.length > 0),
      cost: costOf(node, ({ cost }) => cost),
    },
    ...below,
  ]
}

function fits(run: ListedRun, { text, kind, status }: RunsFilter): boolean {
  if (kind !== '' && run.kind !== kind) return false
  if (status !== '' && run.status !== status) return false
  const words = [run.id, run.title, run.feature, run.reason, kindLabel(run.kind), statusLabel(run.status).word]
  return words.join('\n').toLowerCase().includes(text.trim().toLowerCase())
}
