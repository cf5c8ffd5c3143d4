import { describe, expect, it } from 'vitest'
import { defaultAssumptions, estimate, estimateModes } from './estimate.ts'

describe('estimate', () => {
  it('[RK3] gives calls, tokens and cost for each of the four modes, each dearer than the one before', () => {
    const estimates = estimateModes({ price: { input: 0.000003, output: 0.000015 } })
    expect(estimates.map(({ mode }) => mode)).toEqual(['rapid', 'standard', 'advanced', 'complete'])
    for (const [index, each] of estimates.entries()) {
      expect(each.tokens).toBe(each.calls * 5_500)
      expect(each.cost).toBeCloseTo(each.calls * (4_000 * 0.000003 + 1_500 * 0.000015), 6)
      if (index > 0) expect(each.calls).toBeGreaterThan(estimates[index - 1]!.calls)
    }
  })

  it('[RK3] counts the calls of every phase of rapid mode', () => {
    // research, architecture and tests: three agents and a synthesis each, or one agent; clarification: one;
    // completion: the comparison of the documents, and the issues
    expect(estimate('rapid').calls).toBe(4 + 4 + 4 + 1 + 2)
    expect(estimate('rapid', { preset: 'rapid_prototype' }).calls).toBe(1 + 1 + 1 + 1 + 2)
  })

  it('[RK3] [RK4] a small goal takes four calls: one agent per phase, no score, no separate comparison', () => {
    expect(estimate('rapid', { preset: 'rapid_prototype', small: true }).calls).toBe(4)
  })

  it('[RK3] counts the panel, and in complete mode its three rounds', () => {
    const without = { flags: { s9_multi_strategy: false } }
    expect(estimate('complete', without).calls - estimate('advanced', without).calls).toBe(2 * 3)
  })

  it('[RK3] an unknown price is an unknown cost, not a free plan', () => {
    expect(estimate('standard').cost).toBeNull()
    expect(estimate('standard', { price: { input: 0, output: 0 } }).cost).toBe(0)
  })

  it('[RK3] full deliberation costs one more call per agent, where light costs one', () => {
    const full = { assumptions: { ...defaultAssumptions, variant: 'full' as const } }
    const light = { assumptions: { ...defaultAssumptions, variant: 'light' as const } }
    expect(estimate('advanced', full).calls - estimate('advanced').calls).toBe(2 * (3 - 1))
    // Complete mode plays it in phases 2 and 4; it is its usual variant.
    expect(estimate('complete').calls - estimate('complete', light).calls).toBe(2 * (3 - 1))
  })

  it('[RK3] [ST7] an own role is counted in every phase that it joins', () => {
    expect(estimate('standard', { extra: ['data-engineer'] }).calls - estimate('standard').calls).toBe(4)
    const alone = { preset: 'rapid_prototype' }
    expect(estimate('rapid', { ...alone, extra: ['data-engineer'] }).calls).toBe(estimate('rapid', alone).calls)
  })

  it('[RK3] flags change what is counted', () => {
    expect(estimate('standard', { flags: { a4_expert_review: false } }).calls).toBe(estimate('standard').calls - 2)
  })
})
