import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { failOpen } from './fail-open.ts'

describe('failing open', () => {
  it('[RD8] the winner answers, if it is known and able', () => {
    expect(failOpen({ winner: 'gpt', live: ['gpt', 'claude'] })).toBe('gpt')
    expect(failOpen({ winner: 'gpt', live: ['zoe', 'claude'] })).toBe('claude')
  })

  it('[RD8] without a winner the first live agent by name answers', () => {
    expect(failOpen({ live: ['gpt', 'claude'] })).toBe('claude')
  })

  it('[RD8] a winner whose answer failed is replaced by the first other agent', () => {
    expect(failOpen({ winner: 'ada', live: ['gpt', 'claude', 'ada'], failed: ['ada'] })).toBe('claude')
    expect(failOpen({ winner: 'ada', live: ['gpt', 'claude', 'ada'], failed: ['ada', 'claude'] })).toBe('gpt')
  })

  it('[RD8] nobody answers only if no agent is left', () => {
    const names = fc.subarray(['ada', 'claude', 'gpt', 'zoe'])
    fc.assert(
      fc.property(
        names,
        names,
        fc.option(fc.constantFrom('ada', 'gpt', 'gone'), { nil: undefined }),
        (live, failed, winner) => {
          const able = live.filter((name) => !failed.includes(name))
          const responder = failOpen({ winner, live, failed })
          expect(responder === undefined).toBe(able.length === 0)
          if (responder !== undefined) expect(able).toContain(responder)
        },
      ),
    )
  })
})
