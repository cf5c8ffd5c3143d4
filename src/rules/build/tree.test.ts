import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ChildSpec } from './spec.ts'
import { keptCriteria, treeProblems, withParentCriteria } from './tree.ts'

const criteria = ['c1', 'c2', 'c3'].map((id) => ({ id, text: `the text of ${id}` }))

function child(id: string, given: string[] = [], dependsOn?: string[]): ChildSpec {
  const acceptanceCriteria = given.map((one) => ({ id: one, text: 'in short' }))
  return { id, description: id, acceptanceCriteria, targetPath: `src/${id}.ts`, testPath: `test/${id}.ts`, dependsOn }
}

function messages(children: ChildSpec[], path = ['root'], limits?: { depth: number; children: number }) {
  return treeProblems({ path, criteria, children }, limits).map(({ message }) => message)
}

describe('the tree', () => {
  it('[GR8] is at most three deep below its root', () => {
    expect(messages([child('d')], ['root', 'b', 'c'])).toEqual([])
    expect(messages([child('e')], ['root', 'b', 'c', 'd'])).toEqual([expect.stringMatching(/root\/b\/c\/d.*4 deep.*3/)])
    expect(messages([], ['root', 'b', 'c', 'd'])).toEqual([])
    expect(messages([child('c')], ['root', 'b'], { depth: 1, children: 8 })).toHaveLength(1)
  })

  it('[GR8] has at most eight children a node', () => {
    const many = (count: number) => Array.from({ length: count }, (_, index) => child(`n${index}`))
    expect(messages(many(8))).toEqual([])
    expect(messages(many(9))).toEqual([expect.stringMatching(/9 children.*8/)])
  })

  it('[GR8] a child that bears the name of a sibling or of one above is an error naming it', () => {
    expect(messages([child('a'), child('A')])).toEqual([expect.stringMatching(/two children.*A/)])
    expect(messages([child('root')], ['root', 'b'])).toEqual(['cycle: root → b → root'])
  })

  it('[GR8] a dependency that is no sibling is an error naming both', () => {
    expect(messages([child('a', [], ['ghost']), child('b', [], ['a'])])).toEqual([expect.stringMatching(/a .*ghost/)])
  })

  it('[GR8] a cycle is an error that names exactly its members', () => {
    const children = [child('x', [], ['a']), child('a', [], ['b']), child('b', [], ['c']), child('c', [], ['a'])]
    expect(messages(children)).toEqual(['cycle: a → b → c → a'])
    expect(messages([child('a', [], ['a'])])).toEqual(['cycle: a → a'])
  })

  it('[GR8] criteria are the parent’s, each given once', () => {
    expect(messages([child('a', ['c1']), child('b', ['c2'])])).toEqual([])
    expect(messages([child('a', ['c1']), child('b', ['c1'])])).toEqual([expect.stringMatching(/c1.*a.*b/)])
    expect(messages([child('a', ['c7'])])).toEqual([expect.stringMatching(/a.*c7/)])
  })

  it('[GR8] any order of dependencies without a cycle passes, and closing it into one does not', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 8 }), fc.array(fc.tuple(fc.nat(7), fc.nat(7))), (size, pairs) => {
        const edges = pairs.map(([x, y]) => [x % size, y % size] as const).filter(([x, y]) => x > y)
        const needs = (index: number) => edges.filter(([from]) => from === index).map(([, to]) => `n${to}`)
        const children = Array.from({ length: size }, (_, index) => child(`n${index}`, [], needs(index)))
        expect(messages(children)).toEqual([])
        const chain = children.map((one, index) => ({ ...one, dependsOn: [`n${(index + 1) % size}`] }))
        expect(messages(chain)).toEqual([expect.stringMatching(/^cycle: /)])
      }),
    )
  })

  it('[GR8] a parent keeps the criteria it did not give away, and children use its words', () => {
    expect(keptCriteria(criteria, [child('a', ['c1', 'c3'])])).toEqual([{ id: 'c2', text: 'the text of c2' }])
    const given = withParentCriteria(child('a', ['c1']), criteria)
    expect(given.acceptanceCriteria).toEqual([{ id: 'c1', text: 'the text of c1' }])
    const kept = [{ id: 'c1', text: 'the text of c1', kind: 'keep' as const }]
    expect(withParentCriteria(child('a', ['c1']), kept).acceptanceCriteria).toEqual(kept)
  })
})

describe('criteria that fall back to the node', () => {
  it('[GR6] are its own again once it took them over', () => {
    const given = [child('a', ['c1', 'c3'])]
    expect(keptCriteria(criteria, given, ['c3']).map(({ id }) => id)).toEqual(['c2', 'c3'])
  })
})
