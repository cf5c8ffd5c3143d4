import { describe, expect, it } from 'vitest'
import { featureFlags, flagNames, nearestFlag, resolveFlags } from './feature-flags.ts'

describe('feature flags', () => {
  it('[ST4] every flag says what it does, and requires only flags that exist', () => {
    for (const name of flagNames) {
      expect(featureFlags[name].description).not.toBe('')
      for (const required of featureFlags[name].requires) expect(flagNames).toContain(required)
    }
    expect(featureFlags.s9_multi_strategy.requires).toEqual(['s7_mpa_deliberation', 's8_convergence_detection'])
    expect(featureFlags.s11_parallel_dispatch.enabled).toBe(false)
  })

  it('[ST4] overrides are own properties only', () => {
    const inherited = Object.create({ s9_multi_strategy: false }) as Record<string, boolean>
    expect(resolveFlags('complete', inherited)).toContain('s9_multi_strategy')
  })

  it('[ST4] the nearest flag is the one with the fewest edits', () => {
    expect(nearestFlag('multi_strategy')).toBe('s9_multi_strategy')
    expect(nearestFlag('S12_SPECIFY_GATE')).toBe('s12_specify_gate')
    expect(nearestFlag('expert_review')).toBe('a4_expert_review')
  })
})
