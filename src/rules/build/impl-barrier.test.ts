import { describe, expect, it } from 'vitest'
import { type ChildState, canStartImpl, implWaitsFor } from './impl-barrier.ts'

const child = (id: string, state: ChildState) => ({ id, state })

describe('the barrier before impl', () => {
  it('[GR2] a leaf waits for its tests alone', () => {
    expect(canStartImpl({ testsReady: false, children: [] })).toBe(false)
    expect(canStartImpl({ testsReady: true, children: [] })).toBe(true)
  })

  it('[GR2] a parent waits for tests and every child', () => {
    const children = [child('a', 'merged'), child('b', 'merged')]
    expect(canStartImpl({ testsReady: true, children })).toBe(true)
    expect(canStartImpl({ testsReady: false, children })).toBe(false)
    expect(implWaitsFor({ testsReady: false, children: [child('a', 'working'), ...children] })).toEqual(['tests', 'a'])
  })

  it.each([
    ['working', false],
    ['judging', false],
    ['failed', false],
    ['merged', true],
    ['dropped', true],
    ['taken-over', true],
  ] as const)('[GR2] with a child %s it may start: %s', (state, start) => {
    expect(canStartImpl({ testsReady: true, children: [child('a', 'merged'), child('b', state)] })).toBe(start)
  })
})
