import { describe, expect, it } from 'vitest'
import { resolveFlags } from './feature-flags.ts'
import { synthesisDepth, synthesisSteps } from './synthesis.ts'

describe('synthesis', () => {
  it('[ST6] three steps: integrate, refine to one or two options, name the gaps as open questions', () => {
    expect(synthesisSteps.map((step) => step.name)).toEqual(['integrate', 'refine', 'name_gaps'])
    expect(synthesisSteps[2]?.writes).toBe('open_questions')
  })

  it('[ST4] the measured agreement sets how deep it goes, and nothing does without convergence detection', () => {
    const on = resolveFlags('standard')
    const off = resolveFlags('standard', { s8_convergence_detection: false })
    expect(synthesisDepth('high', on)).toBe('quick')
    expect(synthesisDepth('medium', on)).toBe('standard')
    expect(synthesisDepth('ambiguous', on)).toBe('standard')
    expect(synthesisDepth('low', on)).toBe('extended')
    expect(synthesisDepth(null, on)).toBe('standard')
    expect(synthesisDepth('high', off)).toBe('standard')
    expect(synthesisDepth('low', off)).toBe('standard')
  })
})
