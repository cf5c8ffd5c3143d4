import { describe, expect, it } from 'vitest'
import { arrange, cardSize } from '../../ui/graph/arrange.ts'
import * as make from '../view/build.fixture.ts'
import { cardsOf } from '../view/node-card.ts'
import { neighbour, treeOf } from '../view/tree.ts'
import { edgesOf } from './graph-edges.ts'

const parts = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ key: `root/p${index}`, parent: 'root', dependsOn: [] as string[] }))
const root = { key: 'root', parent: null, dependsOn: [] }

describe('where the cards stand', () => {
  it('never lets two stand on the same ground, however many there are', () => {
    for (const count of [0, 1, 4, 6, 47]) {
      const placed = [...arrange([root, ...parts(count)]).values()]
      expect(placed).toHaveLength(count + 1)
      for (const [index, one] of placed.entries())
        for (const other of placed.slice(index + 1)) {
          const apart = Math.abs(one.x - other.x) >= cardSize.width || Math.abs(one.y - other.y) >= cardSize.height
          expect(apart).toBe(true)
        }
    }
  })

  it('packs many parts into a block that fits a screen', () => {
    const placed = [...arrange([root, ...parts(47)]).values()]
    const width = Math.max(...placed.map(({ x }) => x)) - Math.min(...placed.map(({ x }) => x))
    const height = Math.max(...placed.map(({ y }) => y)) - Math.min(...placed.map(({ y }) => y))
    expect(width / height).toBeGreaterThan(0.6)
    expect(width / height).toBeLessThan(1.6)
    expect(placed.filter(({ fromSide }) => fromSide)).toHaveLength(47)
  })

  it('puts a part below those it waits for', () => {
    const late = { key: 'root/late', parent: 'root', dependsOn: ['root/p0'] }
    const placed = arrange([root, ...parts(2), late])
    expect(placed.get('root/late')!.y).toBeGreaterThan(placed.get('root/p0')!.y)
    expect(placed.get('root/late')!.fromSide).toBe(true)
    expect(placed.get('root')!.y).toBeLessThan(placed.get('root/p0')!.y)
  })
})

describe('the lines of the graph', () => {
  const facts = [
    make.started(),
    make.node(['root']),
    make.node(['root', 'a']),
    make.node(['root', 'b'], ['a']),
    make.forecast(['root', 'a'], 'b', ['src/two.ts']),
    make.forecast(['root', 'b'], 'a', ['src/one.ts']),
  ]
  const edges = (more: make.Fact[] = [], since = 0) => {
    const view = make.viewOf([...facts, ...more])
    return edgesOf(cardsOf(view), view.routes, view.forecasts, since)
  }

  it('lead to parts, to what waits, and between those that would conflict', () => {
    expect(edges().map(({ id, kind }) => [kind, id])).toEqual([
      ['part', 'root > root/a'],
      ['part', 'root > root/b'],
      ['dependency', 'root/a before root/b'],
      ['forecast', 'root/a conflicts with root/b'],
    ])
    expect(edges().at(-1)).toMatchObject({ files: ['src/one.ts', 'src/two.ts'] })
  })

  it('forget a forecast once one of the two is merged', () => {
    expect(edges([make.merged(['root', 'a'])]).filter(({ kind }) => kind === 'forecast')).toEqual([])
  })

  it('light up when an exit is seen to travel, and only then', () => {
    const spawned = make.routed(['root'], 'scaffold', 'InitWork', ['children', 'tdd:write-tests'], 'spawn')
    const complete = make.routed(['root', 'a'], 'merger', 'MergeComplete', ['parent'], 'broadcast')
    const lit = (list: ReturnType<typeof edges>) => list.flatMap((edge) => (edge.kind === 'part' ? [edge.lit] : []))
    expect(lit(edges([spawned]))).toEqual([
      { seq: 7, way: 'down' },
      { seq: 7, way: 'down' },
    ])
    expect(lit(edges([spawned, complete]))).toEqual([
      { seq: 8, way: 'up' },
      { seq: 7, way: 'down' },
    ])
    expect(lit(edges([spawned, complete], 8))).toEqual([null, null])
  })
})

describe('the tree', () => {
  const nodes = [root, ...parts(3), { key: 'root/p1/deep', parent: 'root/p1', dependsOn: [] }]

  it('keeps parts below their parent, in the order in which they came', () => {
    const [top] = treeOf(nodes)
    expect(top!.children.map(({ node, children }) => [node.key, children.length])).toEqual([
      ['root/p0', 0],
      ['root/p1', 1],
      ['root/p2', 0],
    ])
  })

  it('leads on by arrow keys', () => {
    expect(neighbour(nodes, 'root', 'ArrowDown')).toBe('root/p0')
    expect(neighbour(nodes, 'root/p0', 'ArrowRight')).toBe('root/p1')
    expect(neighbour(nodes, 'root/p1', 'ArrowLeft')).toBe('root/p0')
    expect(neighbour(nodes, 'root/p1/deep', 'ArrowUp')).toBe('root/p1')
    expect(neighbour(nodes, 'root/p2', 'ArrowRight')).toBeUndefined()
    expect(neighbour(nodes, 'root', 'ArrowUp')).toBeUndefined()
    expect(neighbour(nodes, 'root', 'Enter')).toBeUndefined()
  })
})
