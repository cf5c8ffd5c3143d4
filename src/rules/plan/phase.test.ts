import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { resolveFlags } from './feature-flags.ts'
import { modes } from './mode.ts'
import {
  afterRubric,
  needsComparing,
  phaseSteps,
  phasesOf,
  phasesRestingOn,
  resumeAt,
  rubricLevel,
  sharedGap,
  tallyPanel,
  validationRounds,
} from './phase.ts'
import { type PhaseId, parallelPairs, phaseById, phaseIds, phases } from './phase-table.ts'

const order = (mode: (typeof modes)[number]) => phasesOf(mode, resolveFlags(mode)).join(' ')

describe('order', () => {
  it('[PH1] each mode runs its own phases, in order', () => {
    const flags = resolveFlags('complete')
    expect(phasesOf('rapid', flags).join(' ')).toBe('1 2 3 4 7 9')
    expect(order('rapid')).toBe('1 2 3 4 7 9')
    expect(order('standard')).toBe('1 2 3 4 6 6b 7 8 9')
    expect(order('advanced')).toBe('1 2 3 4 5 6 6b 7 8 8b 9')
    expect(order('complete')).toBe('1 2 3 4 5 6 6b 7 8 8b 9')
  })

  it('[PH1] validation is a debate of three rounds in complete mode alone', () => {
    expect(modes.map(validationRounds)).toEqual([1, 1, 1, 3])
  })

  it('[PH1] without expert review there is no 6b', () => {
    expect(phasesOf('standard', resolveFlags('standard', { a4_expert_review: false }))).not.toContain('6b')
  })

  it('[PH1] 8 and 8b run at once only behind s11, and only where both run', () => {
    const sequential = phaseSteps('complete', resolveFlags('complete'))
    expect(sequential.every((step) => step.length === 1)).toBe(true)
    const on = { s11_parallel_dispatch: true }
    expect(phaseSteps('complete', resolveFlags('complete', on)).slice(-2)).toEqual([['8', '8b'], ['9']])
    expect(phaseSteps('standard', resolveFlags('standard', on)).at(-2)).toEqual(['8'])
  })

  it('[PH1] 8b reads phase 7 and the test plan, not 8; 5 and 6b are never a pair', () => {
    expect(phaseById('8b').reads).toEqual({ summaries: ['7'], artefacts: ['test-plan.md'] })
    expect(phaseById('6b').reads.summaries).toContain('6')
    expect(parallelPairs).toEqual([['8', '8b']])
  })

  it('[PH1] steps hold the phases of the mode, each once', () => {
    for (const mode of modes) {
      for (const s11_parallel_dispatch of [true, false]) {
        const flags = resolveFlags(mode, { s11_parallel_dispatch })
        expect(phaseSteps(mode, flags).flat()).toEqual(phasesOf(mode, flags))
      }
    }
  })

  it('[PH2] every phase has its own artefact, and none reads a later phase', () => {
    expect(new Set(phases.map((phase) => phase.artefact)).size).toBe(phases.length)
    const written = phases.flatMap((phase) => [phase.artefact, ...phase.alsoWrites])
    for (const name of ['spec.md', 'research.md', 'design.md', 'plan.md', 'test-plan.md', 'tasks.md', 'issues.json']) {
      expect(written).toContain(name)
    }
    for (const [index, phase] of phases.entries()) {
      expect(phase.id).toBe(phaseIds[index])
      for (const id of phase.reads.summaries) expect(phaseIds.indexOf(id)).toBeLessThan(index)
      for (const name of phase.reads.artefacts) {
        expect(phases.slice(0, index).flatMap((one) => [one.artefact, ...one.alsoWrites])).toContain(name)
      }
    }
  })
})

describe('rubric', () => {
  it('[PH4] GREEN from 80 percent, YELLOW from 60, else RED', () => {
    expect(rubricLevel(16, 20)).toBe('GREEN')
    expect(rubricLevel(15.99, 20)).toBe('YELLOW')
    expect(rubricLevel(12, 20)).toBe('YELLOW')
    expect(rubricLevel(11, 20)).toBe('RED')
    expect(rubricLevel(2.4, 3)).toBe('GREEN')
    expect(rubricLevel(0, 0)).toBe('RED')
    expect(rubricLevel(15, 20, { green: 75, yellow: 50, max_returns: 2 })).toBe('GREEN')
  })

  it('[PH4] the panel’s points are taken together', () => {
    const ballots = ['a', 'b', 'c'].map((member, index) => ({ member, points: 15 + index, outOf: 20 }))
    expect(tallyPanel(['a', 'b', 'c'], ballots)).toEqual({
      kind: 'scored',
      level: 'GREEN',
      percent: 80,
      missing: [],
      flags: [],
    })
  })

  it('[PH4] a larger scale weighs no more than the others', () => {
    const mixed = [
      { member: 'a', points: 900, outOf: 1000 },
      { member: 'b', points: 2, outOf: 10 },
      { member: 'c', points: 2, outOf: 10 },
    ]
    expect(tallyPanel(['a', 'b', 'c'], mixed)).toMatchObject({ level: 'RED', percent: 43.33 })
  })

  it('[PH4] a missing member is named and the verdict is degraded', () => {
    const ballots = [
      { member: 'a', points: 13, outOf: 20 },
      { member: 'a', points: 20, outOf: 20 },
      { member: 'stranger', points: 20, outOf: 20 },
      { member: 'b', points: Number.NaN, outOf: 20 },
    ]
    expect(tallyPanel(['a', 'b', 'c'], ballots)).toEqual({
      kind: 'scored',
      level: 'YELLOW',
      percent: 65,
      missing: ['b', 'c'],
      flags: ['degraded', 'rubric_yellow'],
    })
  })

  it('[PH4] without any score there is no level, only flags', () => {
    expect(tallyPanel(['a', 'b'], [])).toEqual({
      kind: 'skipped',
      missing: ['a', 'b'],
      flags: ['degraded', 'consensus_skipped'],
    })
  })

  it('[PH4] points beyond the rubric count as its whole', () => {
    const greedy = tallyPanel(
      ['a', 'b'],
      [
        { member: 'a', points: 900, outOf: 10 },
        { member: 'b', points: -5, outOf: 10 },
      ],
    )
    expect(greedy).toMatchObject({ percent: 50, level: 'RED' })
  })
})

describe('routing', () => {
  const steps = phaseSteps('complete', resolveFlags('complete'))

  it('[PH4] GREEN continues, YELLOW continues flagged', () => {
    expect(afterRubric('6', 'GREEN', 0, steps)).toEqual({ kind: 'proceed', flags: [] })
    expect(afterRubric('6', 'YELLOW', 0, steps)).toEqual({ kind: 'proceed', flags: ['rubric_yellow'] })
  })

  it('[PH4] RED sends 6 back to 4 and 8 back to 7, with what lies between', () => {
    expect(afterRubric('6', 'RED', 0, steps)).toEqual({ kind: 'return', to: '4', rerun: ['4', '5', '6'] })
    expect(afterRubric('8', 'RED', 1, steps)).toEqual({ kind: 'return', to: '7', rerun: ['7', '8'] })
  })

  it('[PH4] a phase that ran beside the RED one is run again too', () => {
    const parallel = phaseSteps('complete', resolveFlags('complete', { s11_parallel_dispatch: true }))
    expect(afterRubric('8', 'RED', 0, parallel)).toMatchObject({ rerun: ['7', '8', '8b'] })
    const standard = phaseSteps('standard', resolveFlags('standard'))
    expect(afterRubric('6', 'RED', 0, standard)).toMatchObject({ rerun: ['4', '6'] })
  })

  it('[PH4] at most twice, then the user is asked', () => {
    expect(afterRubric('6', 'RED', 1, steps).kind).toBe('return')
    expect(afterRubric('6', 'RED', 2, steps)).toEqual({ kind: 'ask_user', reason: expect.stringContaining('2 times') })
  })
})

describe('resuming', () => {
  it('[PH5] phases that depend on lost output run again, directly or indirectly', () => {
    expect(phasesRestingOn(['4'])).toEqual(['5', '6', '6b', '7', '8', '8b', '9'])
    expect(phasesRestingOn(['5'])).toEqual(['6', '6b', '7', '8', '8b', '9'])
    expect(phasesRestingOn(['8b'])).toEqual(['9'])
    expect(phasesRestingOn(['9'])).toEqual([])
    expect(phasesRestingOn(['1'])).toEqual(['2', '3', '4', '5', '6', '6b', '7', '8', '8b', '9'])
  })

  const flags = resolveFlags('standard')
  const traces = (summaries: PhaseId[], artefacts: PhaseId[] = summaries) => ({
    summaries: new Set(summaries),
    artefacts: new Set(artefacts),
  })

  it('[PH5] at the first phase without a summary', () => {
    expect(resumeAt('standard', flags, traces([]))).toEqual({ kind: 'run', phases: ['1'] })
    expect(resumeAt('standard', flags, traces(['1', '2', '3']))).toEqual({ kind: 'run', phases: ['4'] })
    expect(resumeAt('standard', flags, traces(['1', '2', '4']))).toEqual({ kind: 'run', phases: ['3'] })
    expect(resumeAt('standard', flags, traces(phasesOf('standard', flags)))).toEqual({ kind: 'done' })
  })

  it('[PH5] a lost summary is rebuilt from the artefact, flagged', () => {
    expect(resumeAt('standard', flags, traces(['1', '3'], ['1', '2', '3']))).toEqual({
      kind: 'rebuild',
      phase: '2',
      flags: ['summary_rebuilt'],
    })
  })

  it('[PH5] of two parallel phases only the unfinished one runs', () => {
    const both = resolveFlags('complete', { s11_parallel_dispatch: true })
    const before: PhaseId[] = ['1', '2', '3', '4', '5', '6', '6b', '7']
    expect(resumeAt('complete', both, traces(before))).toEqual({ kind: 'run', phases: ['8', '8b'] })
    expect(resumeAt('complete', both, traces([...before, '8']))).toEqual({ kind: 'run', phases: ['8b'] })
    expect(resumeAt('complete', both, traces([...before, '8b']))).toEqual({ kind: 'run', phases: ['8'] })
  })

  it('[PH5] doing what it says finishes every plan, whatever was lost', () => {
    fc.assert(
      fc.property(fc.constantFrom(...modes), fc.subarray([...phaseIds]), fc.subarray([...phaseIds]), (mode, s, a) => {
        const given = { summaries: new Set(s), artefacts: new Set(a) }
        for (let turn = 0; turn <= phaseIds.length; turn++) {
          const next = resumeAt(mode, resolveFlags(mode), given)
          if (next.kind === 'done') return
          for (const id of next.kind === 'run' ? next.phases : [next.phase]) {
            expect(given.summaries).not.toContain(id)
            given.summaries.add(id)
          }
        }
        throw new Error('never done')
      }),
    )
  })
})

describe('[PH4] objections after GREEN', () => {
  const objection = (member: string, text: string) => ({ member, text })
  const [one, other] = [objection('judge-a', 'no test of a limit'), objection('judge-b', 'limits are not tested')]

  it('[PH4] are compared if two members have one', () => {
    expect(needsComparing('GREEN', [one, other])).toBe(true)
    expect(needsComparing('GREEN', [one])).toBe(false)
    expect(needsComparing('GREEN', [one, { ...one, text: 'another' }])).toBe(false)
    for (const level of ['YELLOW', 'RED'] as const) expect(needsComparing(level, [one, other])).toBe(false)
  })

  it('[PH4] a gap that two members name is shared; one that a member names twice is not', () => {
    expect(sharedGap([[one, other]])).toEqual(one)
    expect(sharedGap([[one], [other]])).toBeNull()
    expect(sharedGap([[one, { ...one, text: 'limits' }]])).toBeNull()
    expect(sharedGap([])).toBeNull()
  })
})
