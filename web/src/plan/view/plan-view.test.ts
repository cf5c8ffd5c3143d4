import { describe, expect, it } from 'vitest'
import { planLine } from '../../../../src/plan/view.ts'
import { statusOf } from '../../data/plan-status.ts'
import { endLabel } from './labels.ts'
import * as make from './plan.fixture.ts'

describe('how a plan stands', () => {
  it('waits for a person once nothing else goes on', () => {
    const facts = [make.started(), make.begun('3')]
    expect(statusOf(make.viewOf(...facts))).toBe('running')
    expect(statusOf(make.viewOf(...facts, make.asked('q', '3')))).toBe('waiting')
    expect(statusOf(make.viewOf(...facts, make.begun('8'), make.asked('q', '3')))).toBe('running')
  })

  it('waits until the last of several questions is answered', () => {
    const facts = [make.started(), make.begun('3'), make.asked('a', '3'), make.asked('b', '3')]
    const states = (...more: make.Fact[]) => make.viewOf(...facts, ...more).phases.find(({ id }) => id === '3')!.state
    expect(states(make.answered('a'))).toBe('question')
    expect(states(make.answered('a'), make.answered('b'))).toBe('working')
  })

  it('goes back to how a phase ended when the question came after its end', () => {
    const facts = [make.begun('6'), make.ended('6', { flags: ['degraded'] }), make.asked('q', '6')]
    const view = make.viewOf(make.started(), ...facts, make.answered('q'))
    expect(view.phases.find(({ id }) => id === '6')!.state).toBe('degraded')
  })

  it('keeps what an earlier pass said, and begins the next one empty', () => {
    const facts = [
      make.begun('6', ['j']),
      make.voted('6', 'j', 4),
      make.tallied('6', 'RED', 1, 'return'),
      make.ended('6'),
    ]
    const again = [make.returned('6', '4', ['4', '6']), make.begun('6', ['j'], 2)]
    const phase = make.viewOf(make.started(), ...facts, ...again).phases.find(({ id }) => id === '6')!
    expect(phase).toMatchObject({ pass: 2, votes: [] })
    expect([phase.tally, phase.summary, phase.finished]).toEqual([undefined, undefined, undefined])
    expect(phase.earlier).toMatchObject([{ pass: 1, tally: { level: 'RED' }, votes: [{ points: 4 }] }])
  })

  it('is not simply done where something is missing', () => {
    expect(endLabel('done', true)).toEqual({ word: 'done, degraded', tone: 'warn' })
    expect(endLabel('done', false)).toEqual({ word: 'done', tone: 'ok' })
    expect(planLine(make.viewOf(make.started(), make.over(true)))).toMatchObject({
      degraded: true,
      status: 'done',
      issues: 2,
    })
  })

  it('says in a list where it is and how far', () => {
    const view = make.viewOf(make.started(), make.begun('1'), make.ended('1'), make.begun('2'), make.asked('q', '2'))
    expect(planLine(view)).toMatchObject({ id: 'plan-1', plan: 'search-1', at: '2', done: 1, phases: 9, questions: 1 })
  })
})
