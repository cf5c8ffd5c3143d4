import { describe, expect, it } from 'vitest'
import { resolveFlags } from './feature-flags.ts'
import { architectOf, castPhase, pickTeam } from './preset.ts'
import { presets } from './preset-table.ts'

const flags = resolveFlags('complete')
const balanced = pickTeam({ mode: 'complete', flags })

describe('presets', () => {
  it('[ST7] balanced is the default', () => {
    expect(balanced).toMatchObject({ preset: 'balanced', warnings: [] })
    expect(balanced.agents['4']).toHaveLength(3)
    expect(balanced.agents['7']).toEqual(['qa-strategist', 'qa-security', 'qa-performance'])
  })

  it('[ST7] rapid_prototype has one agent a phase', () => {
    const team = pickTeam({ preset: 'rapid_prototype', mode: 'standard', flags: resolveFlags('standard') })
    expect(team).toMatchObject({ preset: 'rapid_prototype', warnings: [] })
    expect(team.agents['4']).toEqual(['software-architect-pragmatic'])
    expect(team.agents['7']).toEqual(['qa-strategist'])
  })

  it('[ST7] an unknown preset becomes balanced, with a warning that names it', () => {
    const team = pickTeam({ preset: 'security_focused', mode: 'complete', flags })
    expect(team.preset).toBe('balanced')
    expect(team.agents).toEqual(balanced.agents)
    expect(team.warnings).toEqual([expect.stringContaining('security_focused')])
    expect(pickTeam({ preset: '__proto__', mode: 'complete', flags }).preset).toBe('balanced')
  })

  it('[ST7] a preset with an unknown agent becomes balanced, with a warning that names the agent', () => {
    const own = { description: 'own', agents: { '2': [], '4': ['ghost'], '6b': [], '7': [] } }
    const known = new Set([...presets.values()].flatMap((preset) => Object.values(preset.agents).flat()))
    const team = pickTeam({ preset: 'own', mode: 'complete', flags, known }, new Map([...presets, ['own', own]]))
    expect(team.preset).toBe('balanced')
    expect(team.warnings).toEqual([expect.stringContaining('ghost')])
  })

  it('[ST7] a preset that names no researchers has balanced’s', () => {
    const own = { agents: { '4': ['a'], '6b': ['b'], '7': ['c'] } }
    const team = pickTeam({ preset: 'own', mode: 'complete', flags }, new Map([...presets, ['own', own]]))
    expect(team.agents).toEqual({ ...own.agents, '2': balanced.agents['2'] })
  })

  it('[ST7] an empty list of reviewers gives way to expert review', () => {
    const team = pickTeam({ preset: 'rapid_prototype', mode: 'complete', flags })
    expect(team.agents['6b']).toEqual(['security-analyst', 'simplicity-reviewer'])
    const without = resolveFlags('complete', { a4_expert_review: false })
    expect(pickTeam({ preset: 'rapid_prototype', mode: 'complete', flags: without }).agents['6b']).toEqual([])
  })

  it('[ST7] with team presets off the team is balanced; rapid mode keeps the preset asked for', () => {
    const off = resolveFlags('complete', { s10_team_presets: false })
    expect(pickTeam({ preset: 'rapid_prototype', mode: 'complete', flags: off })).toMatchObject({
      preset: 'balanced',
      warnings: [expect.stringContaining('turned off')],
    })
    const rapid = { mode: 'rapid', flags: resolveFlags('rapid') } as const
    expect(pickTeam({ ...rapid, preset: 'rapid_prototype' })).toMatchObject({ preset: 'rapid_prototype', warnings: [] })
    expect(pickTeam(rapid).preset).toBe('balanced')
  })
})

describe('casts', () => {
  it('[ST1] red team in phase 4: the pragmatic architect proposes and defends, security challenges', () => {
    expect(castPhase('4', 'red_team', balanced)).toEqual({
      strategy: 'red_team',
      proposer: 'software-architect-pragmatic',
      challenger: 'security-analyst',
      defender: 'software-architect-pragmatic',
      flags: [],
    })
  })

  it('[ST1] red team in 6b: the coordinator weighs the challenge itself', () => {
    expect(castPhase('6b', 'red_team', balanced)).toMatchObject({
      proposer: 'simplicity-reviewer',
      challenger: 'security-analyst',
      defender: 'coordinator',
    })
  })

  it('[ST1] red team in phase 7: the strategist proposes and defends, QA security challenges', () => {
    expect(castPhase('7', 'red_team', balanced)).toMatchObject({
      proposer: 'qa-strategist',
      challenger: 'qa-security',
      defender: 'qa-strategist',
    })
  })

  it('[ST1] a team with one agent plays quick, flagged', () => {
    const team = pickTeam({ preset: 'rapid_prototype', mode: 'complete', flags })
    for (const strategy of ['perspectives', 'red_team'] as const) {
      expect(castPhase('4', strategy, team)).toEqual({
        strategy: 'quick',
        agents: ['software-architect-pragmatic'],
        flags: ['single_agent_plays_quick'],
      })
    }
    expect(castPhase('4', 'quick', team).flags).toEqual([])
  })

  it('[ST1] a custom team plays red team with its first two agents', () => {
    const agents = { '2': [], '4': ['x', 'x', 'y'], '6b': ['p', 'q'], '7': ['qa-security', 'z'] }
    const team = { preset: 'own', agents, warnings: [] }
    expect(castPhase('4', 'red_team', team)).toMatchObject({ proposer: 'x', challenger: 'y', defender: 'x' })
    expect(castPhase('7', 'red_team', team)).toMatchObject({ proposer: 'qa-security', challenger: 'z' })
  })

  it('[ST1] perspectives casts every agent', () => {
    expect(castPhase('7', 'perspectives', balanced)).toMatchObject({ agents: balanced.agents['7'] })
  })

  it('[ST7] own roles join the phases in which several lenses work, unless the preset places them', () => {
    const flags = resolveFlags('standard')
    const { agents } = pickTeam({ mode: 'standard', flags, extra: ['data-engineer'] })
    for (const roles of Object.values(agents)) expect(roles.at(-1)).toBe('data-engineer')
    const alone = pickTeam({ mode: 'rapid', flags: resolveFlags('rapid'), preset: 'rapid_prototype', extra: ['x'] })
    expect(Object.values(alone.agents).flat()).not.toContain('x')
    const own = new Map([['ours', { agents: { '4': ['a', 'x'], '6b': ['b', 'c'], '7': ['d', 'e'] } }]])
    const placed = pickTeam({ mode: 'standard', flags, preset: 'ours', extra: ['x'] }, own)
    expect(placed.agents).toMatchObject({ '4': ['a', 'x'], '6b': ['b', 'c'], '7': ['d', 'e'] })
  })

  it('[RV4] the architect is the one who would defend the design, or else the first', () => {
    const agents = { '2': [], '6b': [], '7': [] }
    expect(architectOf({ agents: { ...agents, '4': ['a', 'software-architect-pragmatic'] } })).toBe(
      'software-architect-pragmatic',
    )
    expect(architectOf({ agents: { ...agents, '4': ['a', 'b'] } })).toBe('a')
  })
})
