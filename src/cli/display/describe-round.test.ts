import { describe, expect, it } from 'vitest'
import { wordingRules } from '../../rules/room/dispatch-decision.ts'
import { describeRound, explainRound, inWords, type ResolvedRound } from './describe-round.ts'

const round: ResolvedRound = {
  message_id: 'm',
  mode: 'parallel',
  rule: 'parallel',
  reason: 'gpt, claude: …',
  winner: 'gpt',
  runnerUp: 'claude',
  responders: ['gpt', 'claude'],
  overlap: 0.1249,
  proposals: {
    gpt: { angle: 'schema design', confidence: 0.9, covers: ['tables'] },
    claude: { angle: 'running cost', confidence: 0.8, covers: ['price'] },
  },
  missing: [],
  limits: {},
  coordination: { calls: 2, tokens: 310, usd: null, milliseconds: 1234 },
}

describe('how a round was decided', () => {
  it('[RD10] describes a round in one line: mode, responders, overlap, cost', () => {
    expect(describeRound(round)).toBe('PARALLEL: gpt and claude · overlap 0.12 · 2 proposals, 1.2 s')
    expect(describeRound({ ...round, mode: 'synthesis', rule: 'synthesis' })).toMatch(/^SYNTHESIS: gpt, then claude · /)
    expect(describeRound({ ...round, mode: 'solo', rule: 'gap', responders: ['gpt'] })).toMatch(
      /^SOLO: gpt · clearly ahead · /,
    )
  })

  it.each(wordingRules)('[DP9] says in words why %s decided', (rule) => {
    const asked = { ...round, mode: 'solo' as const, rule, responders: ['gpt'], overlap: null, proposals: {} }
    expect(describeRound(asked)).toMatch(/^SOLO: gpt · (?:you|it) \p{L}+/u)
    expect(explainRound(asked)).toContain(`${rule}: gpt, claude: … No proposals were needed. [DP9]`)
  })

  it('[RD10] names missing proposals, mentions and overrides', () => {
    const alone = { ...round, mode: 'solo' as const, responders: ['gpt'], overlap: null }
    const missing = [{ agent: 'claude', reason: 'timeout' }]
    expect(describeRound({ ...alone, rule: 'only', missing, proposals: { gpt: round.proposals.gpt! } })).toBe(
      'SOLO: gpt · the only proposal · no proposal from claude (timeout) · 1 proposal, 1.2 s',
    )
    expect(describeRound({ ...alone, rule: 'mention', proposals: {} })).toBe('SOLO: gpt · called by name')
    expect(describeRound({ ...round, override: { kind: 'both' } })).toContain(' · as you asked · ')
  })

  it('[RD10] explains a round with its figures and the rule, evaluated again', () => {
    const words = explainRound(round)
    expect(words).toContain('0.90  gpt     schema design [DP2]')
    expect(words).toContain('overlap 0.00, limit 0.50 [DP4]')
    expect(words).toContain('deciding took 2 calls, 310 tokens, 1.2 s')
    const overridden = explainRound({ ...round, responders: ['claude'], override: { kind: 'only', agent: 'claude' } })
    expect(overridden).toContain('you asked for claude alone: claude [RD10]')
  })

  it('[RD4] names unreadable and missing proposals, and works without any', () => {
    const unread = { ...round, proposals: { ...round.proposals, gpt: { ...round.proposals.gpt!, malformed: true } } }
    expect(explainRound(unread)).toContain("gpt's proposal could not be read")
    const missing = ['gpt', 'claude'].map((agent) => ({ agent, reason: 'unavailable' }))
    const none = { ...round, mode: 'solo' as const, rule: 'none', overlap: null, proposals: {}, missing }
    expect(explainRound(none)).toContain('claude made no proposal: unavailable')
  })

  it('joins names into a phrase', () => {
    expect([inWords([]), inWords(['a']), inWords(['a', 'b']), inWords(['a', 'b', 'c'])]).toEqual([
      '',
      'a',
      'a and b',
      'a, b and c',
    ])
  })
})
