import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { dispatch } from '../../../../src/rules/room/dispatch.ts'
import { wordingRules } from '../../../../src/rules/room/dispatch-decision.ts'
import { defaultDispatchLimits } from '../../../../src/rules/room/dispatch-limits.ts'
import { becauseOf, ruleId, whoAnswers, whyTitle } from '../conversation/decision-labels.ts'
import { centreDistance, sharedPart, topicsApart } from './circles.ts'
import { costOf } from './cost.ts'
import { ladder } from './ladder.ts'
import { aDecision, aMessage, anAsk } from './message.fixture.ts'
import { roomFigures } from './room-figures.ts'

describe('the ladder of the rule', () => {
  it('shows each step that was asked and ends with the one that fired', () => {
    const rungs = ladder(aDecision())
    expect(rungs.map(({ rule, fired }) => [rule, fired])).toEqual([
      ['gap', false],
      ['parallel', true],
    ])
    expect(rungs[0]).toMatchObject({ question: 'A lead of more than 0.30?', figures: '0.04' })
    expect(rungs[1]?.figures).toBe('0.82 and 0.78, overlap 0.12')
  })

  it('shows the limits of the room and not the usual ones', () => {
    expect(ladder(aDecision({ limits: { gap: 0.01 }, rule: 'gap', mode: 'solo' }))[0]?.question).toBe(
      'A lead of more than 0.01?',
    )
  })

  it('is empty where nothing was compared', () => {
    expect(ladder(aDecision({ rule: 'mention', proposals: {}, overlap: null }))).toEqual([])
    expect(ladder(aDecision({ rule: 'only', overlap: null }))).toEqual([])
  })

  it('ends with the rule that decided, whatever was proposed', () => {
    const confidence = fc.integer({ min: 0, max: 100 }).map((value) => value / 100)
    const words = fc.array(fc.constantFrom('queue', 'cost', 'latency', 'design'), { maxLength: 4 })
    const proposal = fc.record(
      {
        angle: fc.constant(''),
        confidence,
        covers: words,
        builds_on_other: fc.boolean(),
        solo_sufficient: fc.boolean(),
      },
      { requiredKeys: ['angle', 'confidence', 'covers', 'builds_on_other'] },
    )
    const rule = fc.constantFrom('seed' as const, 'measured' as const)
    fc.assert(
      fc.property(proposal, proposal, rule, (gpt, claude, rule) => {
        const limits = { ...defaultDispatchLimits, rule }
        const decision = dispatch({ gpt, claude }, [], limits)
        const rungs = ladder(aDecision({ ...decision, proposals: { gpt, claude }, limits: { ...limits } }))
        expect(rungs.at(-1)).toMatchObject({ rule: decision.rule, fired: true })
        expect(rungs.filter(({ fired }) => fired)).toHaveLength(1)
      }),
    )
  })
})

describe('the words for a decision', () => {
  it('says who answers and why', () => {
    const both = aDecision()
    expect([whoAnswers(both), becauseOf(both), ruleId(both)]).toEqual([
      'Both answer',
      'different angles, overlap 0.12',
      'DP3',
    ])
    const solo = aDecision({ mode: 'solo', rule: 'gap', responders: ['gpt'] })
    expect([whoAnswers(solo), becauseOf(solo)]).toEqual(['gpt answers', 'ahead by 0.04'])
    const named = aDecision({ mode: 'solo', rule: 'mention', responders: ['gpt'], proposals: {} })
    expect([becauseOf(named), ruleId(named)]).toEqual(['called by name', 'RD2'])
    const asked = aDecision({ override: { kind: 'both' } })
    expect([becauseOf(asked), ruleId(asked)]).toEqual(['as you asked', 'RD10'])
  })

  it("[DP9] [DP10] names the rules of people's wishes", () => {
    const limits = { rule: 'measured' }
    const several = aDecision({ rule: 'asked_several', proposals: {}, overlap: null, limits })
    expect([becauseOf(several), ruleId(several), ladder(several)]).toEqual(['you asked several', 'DP9', []])
    const one = aDecision({ mode: 'solo', rule: 'sufficient', responders: ['gpt'], limits })
    expect([becauseOf(one), ruleId(one)]).toEqual(['one answer is enough', 'DP10'])
    const [rung] = ladder(
      aDecision({
        ...one,
        proposals: {
          gpt: { angle: '', confidence: 1, covers: [], solo_sufficient: true },
          claude: { angle: '', confidence: 0.5, covers: [] },
        },
      }),
    )
    expect(rung).toMatchObject({ rule: 'sufficient', figures: 'yes, did not say', fired: true })
  })

  it.each(wordingRules)('[DP9] has words for %s', (rule) => {
    const decision = aDecision({ mode: 'solo', rule, proposals: {}, overlap: null, limits: { rule: 'measured' } })
    expect(becauseOf(decision)).toMatch(/^(?:you|it) /)
    expect(ruleId(decision)).toBe('DP9')
  })

  it('falls back to the reason of a rule it does not know', () => {
    expect(becauseOf(aDecision({ rule: 'weather' }))).toBe('a reason')
  })

  it('has a heading for every kind of message', () => {
    expect(whyTitle(aMessage({ mode: 'single', target: 'gpt' }))).toBe('Why gpt answered')
    expect(whyTitle(aMessage())).toBe('Deciding who answers')
    expect(whyTitle(aMessage({ over: true, stopped: true }))).toBe('Stopped before a decision')
    expect(whyTitle(aMessage({ over: true }))).toBe('Ended before a decision')
    expect(whyTitle(aMessage({ over: true, decision: aDecision() }))).toBe('Why both answered')
    expect(whyTitle(aMessage({ decision: aDecision() }))).toBe('Why both answered')
    expect(whyTitle(aMessage({ decision: aDecision({ mode: 'synthesis' }) }))).toBe('Why claude built on gpt')
  })
})

describe('cost', () => {
  it('keeps what coordinating added apart from the answers', () => {
    const asks = [anAsk('micro-proposal', 'gpt', 0.0001), anAsk('answer', 'gpt', 0.01), anAsk('answer', 'claude', 0.02)]
    const { coordination, answers } = costOf(aMessage({ asks, decision: aDecision() }))
    expect(coordination).toEqual({ calls: 2, tokens: 300, usd: 0.0006, milliseconds: 400 })
    expect(answers).toMatchObject({ calls: 2, tokens: 200, usd: 0.03 })
  })

  it('is unknown as soon as one part is', () => {
    expect(
      costOf(aMessage({ asks: [anAsk('answer', 'gpt', null), anAsk('answer', 'claude', 1)] })).answers.usd,
    ).toBeNull()
  })
})

describe('the figures of a room', () => {
  it('counts how messages were answered and what coordinating added', () => {
    const figures = roomFigures([
      aMessage({ mode: 'single', target: 'gpt', asks: [anAsk('answer', 'gpt', 0.01)] }),
      aMessage({ decision: aDecision() }),
      aMessage({ mode: 'collaborate' }),
      aMessage(),
    ])
    expect(figures.mix).toEqual({ single: 1, solo: 0, parallel: 1, synthesis: 0, collaborate: 1 })
    expect(figures.messages).toBe(4)
    expect(figures.coordination.milliseconds).toBe(400)
    expect(figures.rounds).toEqual([{ id: '1', kind: 'parallel', milliseconds: 400, usd: 0.0006 }])
  })
})

describe('the circles', () => {
  it('share as much as the overlap says', () => {
    for (const overlap of [0.05, 0.12, 0.5, 0.9]) expect(sharedPart(centreDistance(overlap))).toBeCloseTo(overlap, 4)
    expect(centreDistance(1)).toBe(0)
    expect(centreDistance(0)).toBeGreaterThan(2)
  })

  it('sort topics by who would cover them, word forms aside', () => {
    const gpt = { angle: 'storage', covers: ['retries', 'idempotency'] }
    const claude = { angle: 'customers', covers: ['retry', 'declines'] }
    expect(topicsApart(gpt, claude)).toEqual({ first: ['idempotency'], both: ['retries'], second: ['declines'] })
  })

  it('have a topic that both cover in the middle alone, once', () => {
    const middle = (a: string[], b: string[]) => topicsApart({ angle: '', covers: a }, { angle: '', covers: b })
    expect(middle(['design'], ['design'])).toEqual({ first: [], both: ['design'], second: [] })
    expect(middle(['UI'], ['ui '])).toEqual({ first: [], both: ['UI'], second: [] })
    expect(middle(['retry', 'retries'], ['Retry', 'it'])).toEqual({ first: [], both: ['retry'], second: ['it'] })
    const named = topicsApart({ angle: 'how to retry', covers: ['load'] }, { angle: '', covers: ['retries'] })
    expect(named).toEqual({ first: ['load'], both: ['retries'], second: [] })
  })
})
