import { describe, expect, it } from 'vitest'
import { dispatch } from './dispatch.ts'
import { applyOverride, overrideInForce, readOverride } from './override.ts'

const agents = ['ada', 'claude', 'gpt']
const solo = dispatch({
  gpt: { angle: 'schema', confidence: 0.9, covers: [] },
  claude: { angle: 'schema', confidence: 0.4, covers: [] },
})

describe("a person's word", () => {
  it('[RD10] is "both" or "only" and a name', () => {
    expect(readOverride(' Both ', agents)).toEqual({ kind: 'both' })
    expect(readOverride('only claude', agents)).toEqual({ kind: 'only', agent: 'claude' })
    expect(readOverride('ONLY  @Claude', agents)).toEqual({ kind: 'only', agent: 'claude' })
    for (const text of ['only', 'only bob', 'both of you', 'claude', ''])
      expect(readOverride(text, agents)).toBeUndefined()
  })

  it('[RD10] for the message wins over the one for the room', () => {
    const only = { kind: 'only', agent: 'gpt' } as const
    expect(overrideInForce({ message: only, room: { kind: 'both' } }, ['claude', 'gpt'])).toEqual(only)
    expect(overrideInForce({ room: { kind: 'both' } }, ['claude', 'gpt'])).toEqual({ kind: 'both' })
    expect(overrideInForce({}, ['gpt'])).toBeUndefined()
    expect(overrideInForce({ room: { kind: 'only', agent: 'gone' } }, ['gpt'])).toBeUndefined()
  })

  it('[RD10] both: winner and runner-up answer together, and the rule stays readable', () => {
    expect(applyOverride(solo, { kind: 'both' }, agents)).toMatchObject({
      mode: 'parallel',
      winner: 'gpt',
      runnerUp: 'claude',
      responders: ['gpt', 'claude'],
      rule: 'gap',
      override: { kind: 'both' },
    })
  })

  it('[RD10] both: with one proposal the first other agent joins; with one agent none does', () => {
    const lone = dispatch({ gpt: { angle: '', confidence: 1, covers: [] } })
    expect(applyOverride(lone, { kind: 'both' }, agents).responders).toEqual(['gpt', 'ada'])
    expect(applyOverride(lone, { kind: 'both' }, ['gpt'])).toMatchObject({ mode: 'solo', responders: ['gpt'] })
  })

  it('[RD10] both: a round that is already shared stays as it was decided', () => {
    const shared = dispatch({
      gpt: { angle: 'schema', confidence: 0.9, covers: [], builds_on_other: true },
      claude: { angle: 'schema', confidence: 0.8, covers: [] },
    })
    expect(applyOverride(shared, { kind: 'both' }, agents)).toEqual({ ...shared, override: { kind: 'both' } })
  })

  it('[RD10] only: that agent alone, even without a proposal', () => {
    expect(applyOverride(solo, { kind: 'only', agent: 'claude' }, agents)).toMatchObject({
      mode: 'solo',
      winner: 'claude',
      runnerUp: 'gpt',
      responders: ['claude'],
      rule: 'gap',
    })
    expect(applyOverride(solo, { kind: 'only', agent: 'gpt' }, agents)).toMatchObject({
      winner: 'gpt',
      runnerUp: 'claude',
    })
    const lone = dispatch({ gpt: { angle: '', confidence: 1, covers: [] } })
    expect(applyOverride(lone, { kind: 'only', agent: 'gpt' }, agents)).not.toHaveProperty('runnerUp')
  })
})
