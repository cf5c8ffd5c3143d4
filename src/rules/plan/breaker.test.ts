import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type Breakers,
  escalationOf,
  type FailureVerdict,
  fail,
  initialBreakers,
  isOpen,
  roundsAllowed,
  succeed,
} from './breaker.ts'
import { escalations } from './escalations.ts'

/** Plays `f` for a failure and `s` for a success, and gives the verdict of each failure. */
function play(context: string, moves: string, start: Breakers = initialBreakers()) {
  let breakers = start
  const verdicts: FailureVerdict['kind'][] = []
  for (const move of moves) {
    if (move === 's') {
      breakers = succeed(breakers, context)
      continue
    }
    const failed = fail(breakers, context)
    breakers = failed.breakers
    verdicts.push(failed.verdict.kind)
  }
  return { breakers, verdicts }
}

describe('circuit breaker', () => {
  it('[CB1] the second failure in a row escalates, and only that one', () => {
    expect(play('red_team', 'ffff').verdicts).toEqual(['retry', 'escalate', 'open', 'open'])
  })

  it('[CB1] a success resets the count, and the escalation may come again', () => {
    expect(play('red_team', 'fsfsf').verdicts).toEqual(['retry', 'retry', 'retry'])
    expect(play('red_team', 'ffsff').verdicts).toEqual(['retry', 'escalate', 'retry', 'escalate'])
  })

  it('[CB1] the specify gate has a limit of three, parallel dispatch of one', () => {
    expect(play('specify_gate', 'fff').verdicts).toEqual(['retry', 'retry', 'escalate'])
    expect(play('parallel_dispatch', 'f').verdicts).toEqual(['escalate'])
  })

  it('[CB1] contexts do not count for each other', () => {
    const { breakers } = play('consensus', 'f')
    expect(fail(breakers, 'deep_thinking').verdict).toMatchObject({ kind: 'retry', failures: 1 })
    expect(play('__proto__', 'ff').verdicts).toEqual(['retry', 'escalate'])
  })

  it('[CB1] the state before a move is left as it was', () => {
    const before = initialBreakers()
    const { breakers } = fail(before, 'x')
    expect(before.size).toBe(0)
    expect(succeed(breakers, 'x').size).toBe(0)
    expect(breakers.size).toBe(1)
  })

  it.each([
    ['deliberation_round_2', 'light_deliberation'],
    ['red_team', 'quick_strategy'],
    ['parallel_dispatch', 'one_after_the_other'],
    ['specify_gate', 'proceed_with_warning'],
    ['expert_review', 'user_decides'],
    ['consensus', 'skip_validation'],
    ['deep_thinking', 'skip_deep_thinking'],
    ['something else', 'user_decides'],
  ])('[CB1] %s escalates to %s', (context, action) => {
    expect(escalationOf(context).action).toBe(action)
  })

  it('[CB1] skipped validation is flagged as such', () => {
    expect(escalations.get('consensus')?.flags).toContain('consensus_skipped')
  })

  it('[CB1] a breaker that escalated stays open until a success', () => {
    const { breakers } = play('consensus', 'ff')
    expect(isOpen(breakers, 'consensus')).toBe(true)
    expect(isOpen(succeed(breakers, 'consensus'), 'consensus')).toBe(false)
    expect(isOpen(play('consensus', 'f').breakers, 'consensus')).toBe(false)
  })

  it('[CB1] each run of failures escalates exactly once if it reaches the limit, and else never', () => {
    const moves = fc.array(fc.constantFrom('f', 's'), { maxLength: 40 }).map((list) => list.join(''))
    fc.assert(
      fc.property(moves, fc.integer({ min: 1, max: 5 }), (played, limit) => {
        const limits = { max_consecutive_failures: limit, overrides: new Map() }
        let breakers = initialBreakers()
        for (const run of played.split(/s+/)) {
          const kinds = [...run].map(() => {
            const failed = fail(breakers, 'x', limits)
            breakers = failed.breakers
            return failed.verdict.kind
          })
          expect(kinds.filter((kind) => kind === 'escalate')).toHaveLength(run.length >= limit ? 1 : 0)
          if (run.length >= limit) expect(kinds[limit - 1]).toBe('escalate')
          breakers = succeed(breakers, 'x')
        }
      }),
    )
  })

  it('[CB1] a limit below one still lets it be tried once', () => {
    const limits = { max_consecutive_failures: 0, overrides: new Map() }
    expect(fail(initialBreakers(), 'x', limits).verdict).toMatchObject({ kind: 'escalate', failures: 1, limit: 1 })
  })

  it('[CB1] the specify gate may ask in more rounds than its breaker has by default, and in fewer', () => {
    expect(roundsAllowed(3, 3)).toBe(3)
    expect(roundsAllowed(3, 5)).toBe(5)
    expect(roundsAllowed(3, 1)).toBe(3)
    expect(roundsAllowed(1, 5)).toBe(1)
    expect(roundsAllowed(8, 5)).toBe(8)
  })
})
