import { describe, expect, it } from 'vitest'
import { addUsage, estimateTokens, noUsage } from './usage.ts'

describe('usage', () => {
  it('adds up, cached input included', () => {
    const sum = addUsage(
      { inputTokens: 10, outputTokens: 5, cachedInputTokens: 4, usd: 0.25 },
      { inputTokens: 1, outputTokens: 2, usd: 0.5 },
    )
    expect(sum).toEqual({ inputTokens: 11, outputTokens: 7, cachedInputTokens: 4, usd: 0.75, requests: 2 })
  })

  it('has an unknown price as soon as one part has, and is an estimate as soon as one part is', () => {
    const sum = addUsage(
      { inputTokens: 1, outputTokens: 1, usd: 0.5 },
      { inputTokens: 1, outputTokens: 1, usd: null, estimated: true },
    )
    expect(sum).toEqual({ inputTokens: 2, outputTokens: 2, usd: null, estimated: true, requests: 2 })
  })

  it('is not changed by nothing', () => {
    const usage = { inputTokens: 3, outputTokens: 2, usd: null }
    expect(addUsage(noUsage, usage)).toEqual(usage)
  })

  it('is reckoned from all messages and the reply', () => {
    const one = estimateTokens([{ role: 'user', content: 'How far is the moon?' }], '')
    const two = estimateTokens(
      [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'How far is the moon?' },
      ],
      'Far.',
    )
    expect(one).toMatchObject({ outputTokens: 0, usd: null, estimated: true })
    expect(two.inputTokens).toBeGreaterThan(one.inputTokens)
    expect(two.outputTokens).toBeGreaterThan(0)
  })
})
