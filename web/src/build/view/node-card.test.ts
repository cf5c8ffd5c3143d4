import { describe, expect, it } from 'vitest'
import * as make from './build.fixture.ts'
import { cardsOf } from './node-card.ts'

const { started, node, viewOf } = make
const root = ['root']
const part = ['root', 'part']

describe('what a card says of a node', () => {
  it('says what it does, and how often it has tried', () => {
    const [card] = cardsOf(viewOf([started(), node(root), make.asked(root, 'implement', 2)]))
    expect(card).toMatchObject({
      state: 'working',
      tone: 'live',
      words: 'writing code, attempt 2 of 5',
      agent: 'coder',
    })
  })

  it('[VF7] shows a command while it runs, and no longer', () => {
    const facts = [started(), node(root), make.running(root, 'claim', 'npm test')]
    expect(viewOf(facts).nodes[0]!.running).toMatchObject({ command: 'npm test', purpose: 'claim' })
    for (const next of [make.seen(root, 'claim', {}), make.asked(root, 'implement', 2), make.finished(root, 'failed')])
      expect(viewOf([...facts, next]).nodes[0]!.running).toBeUndefined()
  })

  it('counts the planned tests of its own, not those of others', () => {
    const own = { 'it works': 'failed' }
    const facts = [started(), node(root), make.planned(root, ['it works']), make.seen(root, 'red', own)]
    expect(cardsOf(viewOf(facts))[0]!.tests).toMatchObject({ words: '1 failing, as expected', tone: 'live' })
    const claimed = [...facts, make.seen(root, 'claim', { 'it works': 'passed', another: 'failed' })]
    expect(cardsOf(viewOf(claimed))[0]!.tests).toMatchObject({ words: '1 of 1 passing', tone: 'ok' })
    const before = [...claimed, make.seen(root, 'before', { 'it works': 'failed' })]
    expect(cardsOf(viewOf(before))[0]!.tests).toMatchObject({ words: '1 of 1 passing', tone: 'ok' })
    const wrong = [...facts, make.seen(root, 'claim', own)]
    expect(cardsOf(viewOf(wrong))[0]!.tests).toMatchObject({ words: '0 of 1 passing', tone: 'bad' })
  })

  it('shows parts that wait for their turn until they begin', () => {
    const facts = [started(), node(root), make.planned(root, [], { part: [], later: ['part'] })]
    expect(cardsOf(viewOf(facts)).map(({ key, state, words }) => [key, state, words])).toEqual([
      ['root', 'idle', 'about to start'],
      ['root/part', 'planned', 'not started'],
      ['root/later', 'planned', 'after part'],
    ])
    const begun = cardsOf(viewOf([...facts, node(part)]))
    expect(begun.map(({ key, state }) => [key, state])).toEqual([
      ['root', 'idle'],
      ['root/part', 'idle'],
      ['root/later', 'planned'],
    ])
    expect(begun[2]!.dependsOn).toEqual(['root/part'])
  })

  it('says that a merged part is judged before it counts as merged', () => {
    const facts = [
      started(),
      node(part),
      make.asked(part, 'review-impl'),
      make.replied(part, 'review-impl', 'Approved'),
      make.merged(part),
      make.routed(part, 'merger', 'MergeComplete', ['parent', 'rebaser'], 'broadcast'),
    ]
    expect(cardsOf(viewOf(facts))[0]!.words).toBe('merged; its parent is checking it')
    expect(cardsOf(viewOf([...facts, make.finished(part, 'merged')]))[0]!.words).toBe('merged abcdef0')
  })

  it('leaves what was under way when the build was stopped', () => {
    const stopped = { type: 'run.parked', data: { reason: 'stopped' } }
    const [card] = cardsOf(viewOf([started(), node(root), make.asked(root, 'implement'), stopped]))
    expect(card).toMatchObject({ state: 'halted', words: 'not finished' })
    expect(card!.finished).not.toBeNull()
  })

  it('is the same object while nothing about it changes', () => {
    const facts = [started(), node(root), node(part), make.asked(part, 'scaffold')]
    const before = cardsOf(viewOf(facts))
    const after = cardsOf(viewOf([...facts, make.replied(part, 'scaffold', 'InitWork')]), before)
    expect(after[0]).toBe(before[0])
    expect(after[1]).not.toBe(before[1])
  })
})
