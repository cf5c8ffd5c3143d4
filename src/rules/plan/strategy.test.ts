import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { applyRule } from '../schema/rule.ts'
import { type FlagName, featureFlags, flagNames, resolveFlags } from './feature-flags.ts'
import { modes } from './mode.ts'
import { type PhaseId, phaseIds } from './phase-table.ts'
import { chooseStrategy, rule, type StrategyChoice } from './strategy.ts'
import { strategies, strategyRounds, strategyTable } from './strategy-table.ts'

const decide = (input: unknown): StrategyChoice => {
  const ruling = applyRule(rule, input)
  if (!ruling.ok) throw new Error(ruling.error.message)
  return ruling.output
}

const refusal = (input: unknown) => {
  const ruling = applyRule(rule, input)
  return ruling.ok ? undefined : ruling.error
}

describe('strategies', () => {
  it('[ST1] quick plays one round, perspectives two, red_team three', () => {
    expect(decide({ phase: 2, mode: 'advanced' })).toEqual({ strategy: 'quick', rounds: 1 })
    expect(decide({ phase: 4, mode: 'advanced' })).toEqual({ strategy: 'perspectives', rounds: 2 })
    expect(decide({ phase: 7, mode: 'complete' })).toEqual({ strategy: 'red_team', rounds: 3 })
  })

  it('[ST1] the rounds are lenses and cross-review, and propose, challenge and defend', () => {
    expect(strategyRounds.perspectives.map((round) => round.name)).toEqual(['lens', 'cross_review'])
    expect(strategyRounds.red_team.map((round) => round.name)).toEqual(['propose', 'challenge', 'defend'])
    expect(strategyRounds.red_team[1]?.task).toMatch(/CRITICAL, MAJOR or MINOR/)
  })

  it.each([
    [2, 'rapid', 'quick'],
    [2, 'standard', 'quick'],
    [2, 'advanced', 'quick'],
    [2, 'complete', 'perspectives'],
    [4, 'rapid', 'quick'],
    [4, 'standard', 'quick'],
    [4, 'advanced', 'perspectives'],
    [4, 'complete', 'perspectives'],
    ['6b', 'advanced', 'red_team'],
    ['6b', 'complete', 'red_team'],
    [7, 'rapid', 'quick'],
    [7, 'standard', 'quick'],
    [7, 'advanced', 'perspectives'],
    [7, 'complete', 'red_team'],
  ])('[ST2] phase %s in %s mode plays %s', (phase, mode, strategy) => {
    expect(decide({ phase, mode }).strategy).toBe(strategy)
  })

  it('[ST2] a phase may be given as a number or as text', () => {
    expect(decide({ phase: '4', mode: 'complete' })).toEqual(decide({ phase: 4, mode: 'complete' }))
  })

  it.each(['1', '3', '5', '6', '8', '8b', '9'])('[ST2] phase %s has no strategy and no rounds', (phase) => {
    for (const mode of modes) expect(decide({ phase, mode })).toEqual({ strategy: null, rounds: 0 })
  })

  it('[ST2] a phase that does not exist is an error', () => {
    expect(refusal({ phase: 10, mode: 'rapid' })).toMatchObject({ path: 'phase' })
    expect(refusal({ phase: '4b', mode: 'rapid' })).toMatchObject({ path: 'phase' })
    expect(refusal({ mode: 'rapid' })).toMatchObject({ path: 'phase' })
  })
})

describe('signals', () => {
  const phase4 = (signals: object, mode = 'complete') => decide({ phase: 4, mode, signals })

  it('[ST3] two security words call for red_team, one does not', () => {
    expect(phase4({ security_keywords: 2 }, 'advanced')).toEqual({
      strategy: 'red_team',
      rounds: 3,
      override: 'Raised from perspectives to red_team: 2 security words in the research.',
    })
    expect(phase4({ security_keywords: 1 })).toEqual({ strategy: 'perspectives', rounds: 2 })
  })

  it('[ST3] security words may be listed, and a word listed twice is one word', () => {
    expect(phase4({ security_keywords: ['auth', 'payment'] }).strategy).toBe('red_team')
    expect(phase4({ security_keywords: ['auth', ' Auth '] }).strategy).toBe('perspectives')
  })

  it('[ST3] up to three files and no open question lower phase 4 to quick, even in complete mode', () => {
    expect(phase4({ files_affected: 3, open_questions: 0 })).toEqual({
      strategy: 'quick',
      rounds: 1,
      override: 'Lowered from perspectives to quick: 3 files affected and no open question.',
    })
    expect(phase4({ files_affected: 4, open_questions: 0 }).strategy).toBe('perspectives')
    expect(phase4({ files_affected: 1, open_questions: 1 }).strategy).toBe('perspectives')
    expect(phase4({ files_affected: ['a.ts'], open_questions: [] }).strategy).toBe('quick')
  })

  it('[ST3] an unknown count is not a signal', () => {
    expect(phase4({ files_affected: 1 }).strategy).toBe('perspectives')
    expect(phase4({ open_questions: 0 }).strategy).toBe('perspectives')
    expect(phase4({ files_affected: null, open_questions: null, specify_score: null }).strategy).toBe('perspectives')
  })

  it('[ST3] a specify score below 7 outweighs a small change, a score of 7 does not', () => {
    const small = { files_affected: 1, open_questions: 0 }
    expect(phase4({ ...small, specify_score: 6 })).toEqual({ strategy: 'perspectives', rounds: 2 })
    expect(phase4({ ...small, specify_score: 7 }).strategy).toBe('quick')
  })

  it('[ST3] the strictest of the signals that hold wins', () => {
    const all = { security_keywords: 5, files_affected: 1, open_questions: 0, specify_score: 3 }
    expect(phase4(all).strategy).toBe('red_team')
  })

  it('[ST3] signals apply to phase 4 only', () => {
    const signals = { security_keywords: 5, files_affected: 1, open_questions: 0, specify_score: 3 }
    for (const phase of ['2', '6b', '7']) {
      expect(decide({ phase, mode: 'complete', signals })).toEqual(decide({ phase, mode: 'complete' }))
    }
  })

  it('[ST3] an at-least signal is never undercut while multi-strategy is on', () => {
    const signals = fc.record(
      {
        security_keywords: fc.nat(5),
        files_affected: fc.nat(6),
        open_questions: fc.nat(2),
        specify_score: fc.integer({ min: 0, max: 6 }),
      },
      { requiredKeys: ['specify_score'] },
    )
    fc.assert(
      fc.property(signals, fc.constantFrom('advanced', 'complete'), (given, mode) => {
        const { strategy } = decide({ phase: 4, mode, signals: given })
        expect(strategies.indexOf(strategy!)).toBeGreaterThanOrEqual(strategies.indexOf('perspectives'))
      }),
    )
  })

  it('[SG2] a specify score below 6 raises later phases too, where a table has them quick', () => {
    const quick = { rapid: 'quick', standard: 'quick', advanced: 'quick', complete: 'quick' } as const
    const table = new Map(['2', '4', '6b', '7'].map((phase) => [phase as PhaseId, quick]))
    const on = resolveFlags('complete')
    const play = (phase: PhaseId, specify_score: number) =>
      chooseStrategy(
        phase,
        'complete',
        on,
        { specify_score, security_keywords: 9 * Number(phase !== '4') },
        undefined,
        table,
      )
    expect(play('7', 5)).toEqual({
      strategy: 'perspectives',
      rounds: 2,
      override: 'Raised from quick to perspectives: specify score 5 of 10.',
    })
    expect(play('7', 6).strategy).toBe('quick')
    expect(play('4', 6).strategy).toBe('perspectives')
    expect(play('2', 1).strategy).toBe('quick')
  })

  it('[SG2] with a low specify score no phase after clarification plays below perspectives', () => {
    const signals = { files_affected: 1, open_questions: 0, specify_score: 5 }
    for (const mode of ['advanced', 'complete']) {
      for (const phase of ['4', '6b', '7']) expect(decide({ phase, mode, signals }).strategy).not.toBe('quick')
    }
  })

  it('[ST3] limits move the signals, and an unknown limit is refused', () => {
    expect(
      decide({ phase: 4, mode: 'advanced', signals: { security_keywords: 2 }, limits: { security_keywords: 3 } }),
    ).toEqual({ strategy: 'perspectives', rounds: 2 })
    expect(refusal({ phase: 4, mode: 'advanced', limits: { words: 3 } })).toMatchObject({ path: 'limits' })
  })

  it('[ST3] signals that are no counts are refused where they stand', () => {
    expect(refusal({ phase: 4, mode: 'complete', signals: { files_affected: -1 } })).toMatchObject({
      path: 'signals.files_affected',
    })
    expect(refusal({ phase: 4, mode: 'complete', signals: { security_keywords: 'auth' } })).toMatchObject({
      path: 'signals.security_keywords',
      expected: 'number',
    })
    expect(refusal({ phase: 4, mode: 'complete', signals: { specify_score: 11 } })).toMatchObject({
      path: 'signals.specify_score',
    })
  })
})

describe('flags', () => {
  it('[ST4] without multi-strategy every phase that has a strategy plays quick, whatever the signals', () => {
    const signals = { security_keywords: 9, specify_score: 1 }
    for (const phase of strategyTable.keys()) {
      expect(decide({ phase, mode: 'complete', signals, flags: { s9_multi_strategy: false } })).toEqual({
        strategy: 'quick',
        rounds: 1,
      })
    }
  })

  it('[ST4] multi-strategy is off in rapid and standard mode, even if asked for', () => {
    expect(decide({ phase: '6b', mode: 'standard' }).strategy).toBe('quick')
    expect(decide({ phase: '6b', mode: 'standard', flags: { s9_multi_strategy: true } }).strategy).toBe('quick')
    expect(decide({ phase: 4, mode: 'standard', signals: { security_keywords: 4 } })).toEqual({
      strategy: 'quick',
      rounds: 1,
    })
  })

  it('[ST4] multi-strategy needs deliberation and convergence', () => {
    for (const needed of ['s7_mpa_deliberation', 's8_convergence_detection']) {
      expect(decide({ phase: '6b', mode: 'complete', flags: { [needed]: false } }).strategy).toBe('quick')
      expect(decide({ phase: 4, mode: 'complete', flags: { [needed]: false } }).strategy).toBe('quick')
    }
  })

  it('[ST4] where a table lets multi-strategy stand alone, only perspectives plays quick without deliberation', () => {
    const standing: ReadonlySet<FlagName> = new Set(['s9_multi_strategy'])
    expect(chooseStrategy('4', 'complete', standing)).toEqual({ strategy: 'quick', rounds: 1 })
    expect(chooseStrategy('7', 'complete', standing).strategy).toBe('red_team')
    expect(chooseStrategy('4', 'complete', standing, { security_keywords: 2 }).strategy).toBe('red_team')
  })

  it('[ST4] each flag is off outside its modes and on inside them by default', () => {
    expect([...resolveFlags('rapid')]).toEqual(['a6_context_protocol'])
    expect(resolveFlags('standard')).toEqual(
      new Set([
        's8_convergence_detection',
        's10_team_presets',
        's12_specify_gate',
        's13_confidence_gated_review',
        'a4_expert_review',
        'a6_context_protocol',
      ]),
    )
    const all = new Set(flagNames.filter((name) => name !== 's11_parallel_dispatch'))
    expect(resolveFlags('advanced')).toEqual(all)
    expect(resolveFlags('complete')).toEqual(all)
    expect(resolveFlags('complete', { s11_parallel_dispatch: true })).toEqual(new Set(flagNames))
  })

  it('[ST4] a flag that is on lies inside its modes and has all that it requires', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...modes),
        fc.dictionary(fc.constantFrom(...flagNames), fc.boolean()),
        (mode, overrides) => {
          const on = resolveFlags(mode, overrides)
          for (const name of on) {
            expect(featureFlags[name].modes).toContain(mode)
            for (const required of featureFlags[name].requires) expect(on).toContain(required)
            expect(overrides[name]).not.toBe(false)
          }
        },
      ),
    )
  })

  it('[ST4] flags that require each other do not hang', () => {
    const circle = {
      ...featureFlags,
      s7_mpa_deliberation: { ...featureFlags.s7_mpa_deliberation, requires: ['s9_multi_strategy' as const] },
    }
    expect(resolveFlags('complete', {}, circle)).toContain('s9_multi_strategy')
    expect(resolveFlags('complete', { s7_mpa_deliberation: false }, circle)).not.toContain('s9_multi_strategy')
  })

  it('[ST4] an unknown flag is refused with the nearest known one', () => {
    expect(refusal({ phase: 4, mode: 'complete', flags: { s9_multistrategy: true } })).toMatchObject({
      path: 'flags.s9_multistrategy',
      expected: 's9_multi_strategy',
      message: expect.stringContaining('s9_multi_strategy'),
    })
    expect(refusal({ phase: 4, mode: 'complete', flags: { constructor: true } })).toMatchObject({
      path: 'flags.constructor',
    })
    expect(refusal({ phase: 4, mode: 'complete', flags: { ['x'.repeat(1_000_000)]: true } })).toBeDefined()
    expect(refusal({ phase: 4, mode: 'complete', flags: { s9_multi_strategy: 'off' } })).toMatchObject({
      expected: 'boolean',
    })
  })
})

describe('explanation', () => {
  const explain = (input: unknown) => {
    const ruling = applyRule(rule, input)
    return ruling.ok ? ruling.explanation() : ''
  }

  it('[ST3] names the table’s strategy and the signals that hold', () => {
    const text = explain({ phase: 4, mode: 'complete', signals: { security_keywords: 3, specify_score: 4 } })
    expect(text).toContain('the table says perspectives [ST2]')
    expect(text).toContain('3 security words in the research, so red_team [ST3]')
    expect(text).toContain('at least perspectives [ST3]')
  })

  it('[ST4] says why multi-strategy is off', () => {
    expect(explain({ phase: 4, mode: 'standard' })).toContain('in standard mode')
    expect(explain({ phase: 4, mode: 'complete', flags: { s9_multi_strategy: false } })).toContain('turned off')
    expect(explain({ phase: 4, mode: 'complete', flags: { s7_mpa_deliberation: false } })).toContain(
      'needs s7_mpa_deliberation',
    )
  })

  it('[ST2] every phase and mode can be explained', () => {
    for (const phase of phaseIds) for (const mode of modes) expect(explain({ phase, mode })).toContain(`Phase ${phase}`)
  })
})
