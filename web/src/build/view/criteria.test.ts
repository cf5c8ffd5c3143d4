import { expect, it } from 'vitest'
import type { NodeView } from '../../../../src/build/view.ts'
import { partsWith } from './criteria.ts'

const node = (path: string[], ...criteria: string[]) =>
  ({ path, criteria: criteria.map((id) => ({ id, text: id })) }) as unknown as NodeView

it('finds the part that took over a criterion, among direct parts alone', () => {
  const root = node(['retry'], 'waits', 'kinds')
  const nodes = [
    root,
    node(['retry', 'schedule'], 'waits'),
    node(['retry', 'schedule', 'table'], 'waits'),
    node(['other', 'schedule'], 'waits'),
    node(['retry', 'classifier'], 'kinds'),
  ]
  expect(partsWith(nodes, root, 'waits')).toEqual([nodes[1]])
  expect(partsWith(nodes, root, 'decides')).toEqual([])
})
