import { describe, expect, it } from 'vitest'
import { type ChildState, openChildren, startableChildren } from './children.ts'

const child = (id: string, state: ChildState, dependsOn: string[] = []) => ({ id, state, dependsOn })

describe('children of a node', () => {
  it.each([
    ['held-back', true],
    ['working', true],
    ['failed', true],
    ['merged', false],
    ['dropped', false],
    ['taken-over', false],
  ] as const)('[GR2] a child that is %s keeps the implementer waiting: %s', (state, isOpen) => {
    expect(openChildren([child('a', 'merged'), child('b', state)])).toEqual(isOpen ? ['b'] : [])
  })

  it('[GR2] a leaf waits for no child', () => {
    expect(openChildren([])).toEqual([])
  })

  it('[GR2] a child starts once every sibling it depends on is settled', () => {
    const waiting = [child('a', 'working'), child('b', 'held-back'), child('c', 'held-back', ['a', 'd'])]
    expect(startableChildren([...waiting, child('d', 'merged')])).toEqual(['b'])
    const [, ...rest] = waiting
    expect(startableChildren([child('a', 'dropped'), ...rest, child('d', 'taken-over')])).toEqual(['b', 'c'])
    expect(startableChildren([child('a', 'failed'), ...rest, child('d', 'merged')])).toEqual(['b'])
  })

  it('[GR2] a child that has started is not started again', () => {
    expect(startableChildren([child('a', 'working'), child('b', 'merged'), child('c', 'failed')])).toEqual([])
  })
})
