import { describe, expect, it } from 'vitest'
import { asked, type Fact, finished, merged, node, replied, routed, started, viewOf } from './build.fixture.ts'
import { progressOf } from './node-progress.ts'

const path = ['root']
const begin = [started(), node(path), asked(path, 'scaffold'), replied(path, 'scaffold', 'InitWork')]
const toTests = routed(path, 'scaffold', 'InitWork', ['children', 'tdd:write-tests', 'impl'], 'spawn')
const toCode = routed(path, 'tdd:write-tests', 'TestsReady', ['impl'])
const toReview = routed(path, 'impl', 'TestsPassed', ['tdd:review'])

function progress(facts: Fact[]) {
  const view = viewOf(facts)
  return progressOf(view.nodes[0]!, view.routes, view.strategy)
}
const states = (facts: Fact[]) => progress(facts).segments.map(({ state }) => state)

describe('how far a node has come', () => {
  it('is nowhere before anyone is asked', () => {
    expect(states([started(), node(path)])).toEqual(['todo', 'todo', 'todo', 'todo', 'todo'])
  })

  it('goes on with every exit', () => {
    expect(states(begin)).toEqual(['here', 'todo', 'todo', 'todo', 'todo'])
    expect(states([...begin, toTests])).toEqual(['done', 'here', 'todo', 'todo', 'todo'])
    expect(states([...begin, toTests, toCode])).toEqual(['done', 'done', 'here', 'todo', 'todo'])
  })

  it('goes back where an exit leads back', () => {
    const more = routed(path, 'tdd:review', 'MoreTests', ['tdd:write-tests'])
    expect(states([...begin, toTests, toCode, toReview, more])).toEqual(['done', 'here', 'todo', 'todo', 'todo'])
    const conflict = routed(path, 'rebaser', 'RebaseConflict', ['scaffold'])
    expect(states([...begin, toTests, toCode, conflict])).toEqual(['here', 'todo', 'todo', 'todo', 'todo'])
  })

  it('stays where it is while a clean rebase, or a person, is dealt with', () => {
    const clean = routed(path, 'rebaser', 'RebaseClean', ['tdd:write-tests'])
    expect(states([...begin, toTests, toCode, clean])).toEqual(['done', 'done', 'here', 'todo', 'todo'])
    const stuck = routed(path, 'impl', 'Stuck', [], 'escalate')
    expect(states([...begin, toTests, toCode, stuck])).toEqual(['done', 'done', 'here', 'todo', 'todo'])
  })

  it('follows a question that was put after the last exit, but not one that is about another node', () => {
    expect(states([...begin, toTests, toCode, asked(path, 'review-impl')])[3]).toBe('here')
    expect(states([...begin, toTests, toCode, asked(path, 'judge-child')])[2]).toBe('here')
  })

  it('is done when it is merged, and shows where it failed', () => {
    const end = [...begin, toTests, toCode]
    expect(states([...end, merged(path), finished(path, 'merged')])).toEqual(Array(5).fill('done'))
    expect(states([...end, finished(path, 'failed')])).toEqual(['done', 'done', 'failed', 'todo', 'todo'])
  })

  it('has three places for one agent alone: code, review and merge', () => {
    const begun = [started('solo'), node(path), asked(path, 'implement')]
    expect(progress(begun).segments).toEqual([
      { place: 'code', state: 'here' },
      { place: 'review', state: 'todo' },
      { place: 'merge', state: 'todo' },
    ])
    expect(states([...begun, asked(path, 'review-impl')])).toEqual(['done', 'here', 'todo'])
  })

  it('tells the exit that travelled last', () => {
    expect(progress([...begin, toTests, toCode]).travel).toEqual({
      seq: 6,
      exit: 'TestsReady',
      from: 'tests',
      to: 'code',
    })
    expect(progress(begin).travel).toBeNull()
  })
})
