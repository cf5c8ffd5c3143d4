import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { applyRule } from '../schema/rule.ts'
import { dispatch, rule } from './dispatch.ts'
import { recordedLimits } from './dispatch-limits.ts'
import type { Proposal } from './proposal.ts'

const enough = { solo_sufficient: true }
const notEnough = { solo_sufficient: false }

function proposal(confidence: number, covers: string[], more: Partial<Proposal> = {}): Proposal {
  return { angle: `own${Math.round(confidence * 100)}`, confidence, covers, ...more }
}

function decide(input: unknown) {
  const ruling = applyRule(rule, input)
  if (!ruling.ok) throw new Error(ruling.error.message)
  return ruling.output
}

const agents = ['claude', 'gemini', 'gpt']

describe('the wording decides', () => {
  const proposals = {
    claude: proposal(0.7, ['cost']),
    gemini: proposal(0.9, ['cost'], enough),
    gpt: proposal(0.8, ['cost']),
  }

  it('[DP9] several are asked: in parallel, the most confident first, up to the limit', () => {
    const message = 'What would each of you do?'
    expect(decide({ proposals, message })).toMatchObject({
      mode: 'parallel',
      responders: ['gemini', 'gpt', 'claude'],
      rule: 'asked_several',
      reason: '“each of you” asks several to answer: gemini, gpt, claude.',
    })
    expect(decide({ proposals, message, limits: { max_responders: 2 } }).responders).toEqual(['gemini', 'gpt'])
    expect(decide({ proposals, message, limits: { max_responders: 1 } })).toMatchObject({
      mode: 'solo',
      winner: 'gemini',
    })
  })

  it('[DP9] one is asked and then another: in synthesis, in the order named or by confidence', () => {
    expect(decide({ proposals, message: 'gpt writes it, then claude checks it' })).toMatchObject({
      mode: 'synthesis',
      responders: ['gpt', 'claude'],
      rule: 'asked_second',
    })
    expect(decide({ proposals, message: 'Write it, then have someone check it.' }).responders).toEqual([
      'gemini',
      'gpt',
    ])
  })

  it('[DP9] the reason names the words, and who was asked', () => {
    const reason = (message: string) => decide({ proposals, message }).reason
    expect(reason('gpt: the risks. claude: the costs.')).toBe('“gpt: … claude:” asks gpt, claude to answer.')
    expect(reason('Not you, gemini. Is it safe?')).toBe('“not you” asks for somebody other than gemini: gpt.')
  })

  it('[DP9] somebody else is asked: the best of the others, alone', () => {
    const asked = { proposals, message: 'what did gemini miss?' }
    expect(decide(asked)).toMatchObject({ mode: 'solo', winner: 'gpt', responders: ['gpt'], rule: 'asked_other' })
    const history = [{ sender: 'gemini', text: 'Yes.' }]
    expect(decide({ proposals, message: 'can someone check that?', history }).winner).toBe('gpt')
    expect(decide({ proposals, message: 'can someone check that?' }).rule).toBe('sufficient')
  })

  it('[DP9] one answer is asked for: the most confident, or of those listed', () => {
    const one = decide({ proposals, message: 'Only one of you, please: which port does it use?' })
    expect(one).toMatchObject({ mode: 'solo', winner: 'gemini', responders: ['gemini'], rule: 'asked_one' })
    const listed = decide({ proposals, message: 'claude or gpt, whoever is free: which port does it use?' })
    expect(listed).toMatchObject({ mode: 'solo', winner: 'gpt', rule: 'asked_one' })
    const without = decide({ proposals: {}, agents, message: 'Es reicht, wenn einer antwortet: welcher Port?' })
    expect(without).toMatchObject({ responders: ['claude'], rule: 'asked_one' })
    expect(without.reason).toBe('“es reicht, wenn einer” asks for one answer, from claude.')
  })

  it('[DP9] one is addressed, with or without @', () => {
    for (const message of ['claude, what is left?', '@claude what is left'])
      expect(decide({ proposals, message })).toMatchObject({ mode: 'solo', winner: 'claude', rule: 'addressed' })
  })

  it('[DP9] needs no proposals: those who spoke last begin, and those who did not look at it afresh', () => {
    const without = (message: string, senders: string[] = []) =>
      decide({ proposals: {}, agents, message, history: senders.map((sender) => ({ sender, text: 'x' })) })
    expect(without('each of you, please')).toMatchObject({ responders: agents, overlap: null, rule: 'asked_several' })
    expect(without('Challenge each other.', ['claude', 'gpt']).responders).toEqual(['gpt', 'claude'])
    expect(without('what did gpt miss?', ['claude', 'gpt'])).toMatchObject({ winner: 'gemini', rule: 'asked_other' })
    expect(without('what did gpt miss?').winner).toBe('claude')
  })

  it('[DP9] is not read by rule seed, nor in a room of one agent', () => {
    const message = 'What would each of you do?'
    expect(decide({ proposals, message, limits: { rule: 'seed' } })).toEqual(
      decide({ proposals, limits: { rule: 'seed' } }),
    )
    expect(decide({ proposals: {}, agents: ['gpt'], message }).rule).toBe('none')
  })

  it('[DP9] explains which words decided', () => {
    const ruling = applyRule(rule, { proposals: {}, agents, message: 'So: what did gpt miss?' })
    expect(ruling.ok && ruling.explanation()).toBe(
      'SOLO: claude\n  asked_other: “gpt” asks for somebody other than gpt: claude. [DP9]',
    )
  })
})

describe('what agents say of their own answers', () => {
  it('[DP10] one answer where the most confident says that it is enough', () => {
    const two = { a: proposal(0.8, ['cost'], enough), b: proposal(0.8, ['design'], notEnough) }
    expect(decide({ proposals: two })).toMatchObject({ mode: 'solo', winner: 'a', runnerUp: 'b', rule: 'sufficient' })
  })

  it('[DP10] one answer where the runner-up says that one is enough', () => {
    const two = { a: proposal(0.8, ['cost'], notEnough), b: proposal(0.7, ['cost'], enough) }
    expect(decide({ proposals: two })).toMatchObject({
      mode: 'solo',
      winner: 'a',
      rule: 'sufficient',
      reason: 'a, the most confident, would not answer alone, but b says that one answer is enough.',
    })
  })

  it('[DP10] two answers where the most confident says that it is enough and all others, at least two, say that it is not', () => {
    const three = {
      a: proposal(0.8, ['cost'], enough),
      b: proposal(0.7, ['cost'], notEnough),
      c: proposal(0.6, ['cost'], notEnough),
    }
    expect(decide({ proposals: three })).toMatchObject({ mode: 'parallel', responders: ['a', 'b'], rule: 'parallel' })
    const ruling = applyRule(rule, { proposals: three })
    expect(ruling.ok && ruling.explanation()).toContain(
      'parallel: a says that its answer alone is enough, but all 2 others say that one is not. [DP10]',
    )
    for (const other of [proposal(0.6, ['cost'], enough), proposal(0.5, ['cost'], notEnough), proposal(0.6, ['cost'])])
      expect(decide({ proposals: { ...three, c: other } })).toMatchObject({ mode: 'solo', rule: 'sufficient' })
    const far = { ...three, a: proposal(0.95, ['cost'], enough) }
    expect(decide({ proposals: far })).toMatchObject({ mode: 'solo', rule: 'sufficient' })
    expect(decide({ proposals: three, limits: { max_responders: 1 } }).mode).toBe('solo')
  })

  it('[DP10] two answers where both say that theirs is not enough', () => {
    const same = { a: proposal(0.8, ['cost'], notEnough), b: proposal(0.6, ['costs'], notEnough) }
    expect(decide({ proposals: same })).toMatchObject({ mode: 'synthesis', responders: ['a', 'b'], overlap: 1 })
    const apart = { ...same, b: proposal(0.6, ['design'], notEnough) }
    expect(decide({ proposals: apart })).toMatchObject({ mode: 'parallel', responders: ['a', 'b'], overlap: 0 })
    const unsure = { ...same, b: proposal(0.5, ['costs'], notEnough) }
    expect(decide({ proposals: unsure })).toMatchObject({ mode: 'solo', rule: 'default' })
    const behind = { ...same, a: proposal(0.95, ['cost'], notEnough) }
    expect(decide({ proposals: behind })).toMatchObject({ mode: 'solo', rule: 'gap' })
    expect(decide({ proposals: same, limits: { max_responders: 1 } }).mode).toBe('solo')
  })

  it('[DP10] without these fields, the table on topics alone: angles in other words are no difference', () => {
    const same = { a: proposal(0.9, ['cost']), b: proposal(0.8, ['cost']) }
    expect(decide({ proposals: same })).toMatchObject({ rule: 'overlap', overlap: 1, responders: ['a'] })
    expect(decide({ proposals: same, limits: { rule: 'seed' } }).overlap).toBeLessThan(1)
    const apart = { ...same, b: proposal(0.8, ['design']) }
    expect(decide({ proposals: apart })).toMatchObject({ mode: 'parallel', rule: 'parallel' })
    const builds = { ...same, b: proposal(0.8, ['cost'], { builds_on_other: true }) }
    expect(decide({ proposals: builds })).toMatchObject({ mode: 'synthesis', rule: 'synthesis' })
  })

  it('[DP10] a third joins beside the runner-up and never takes its place', () => {
    const agreeing = { a: proposal(0.9, ['cost']), b: proposal(0.85, ['cost']), c: proposal(0.8, ['design']) }
    expect(decide({ proposals: agreeing })).toMatchObject({ mode: 'solo', rule: 'overlap' })
    expect(decide({ proposals: agreeing, limits: { rule: 'seed' } }).responders).toEqual(['a', 'b', 'c'])
    const apart = { ...agreeing, b: proposal(0.85, ['law']) }
    expect(decide({ proposals: apart }).responders).toEqual(['a', 'b', 'c'])
    const builds = { ...agreeing, b: proposal(0.85, ['cost'], { builds_on_other: true }) }
    expect(decide({ proposals: builds })).toMatchObject({ mode: 'synthesis', responders: ['a', 'b'] })
    const open = Object.fromEntries(Object.entries(apart).map(([name, one]) => [name, { ...one, ...notEnough }]))
    expect(decide({ proposals: open })).toMatchObject({ mode: 'parallel', responders: ['a', 'b', 'c'] })
  })

  it('[DP10] explains what each says of its answer', () => {
    const two = { a: proposal(0.8, ['cost'], enough), b: proposal(0.8, ['design'], notEnough) }
    const ruling = applyRule(rule, { proposals: two })
    const explained = ruling.ok ? ruling.explanation() : ''
    expect(explained).toContain('· enough alone [DP2]')
    expect(explained).toContain('· not enough alone [DP2]')
    expect(explained).toContain('sufficient: a, the most confident, says that its answer alone is enough. [DP10]')
  })
})

describe('any room by the measured rule', () => {
  const said = fc.constantFrom(undefined, 'each of you', 'what did b miss?', 'a then b', 'Why twice?', 'c: hello')
  const anyProposal = fc.record(
    {
      angle: fc.constant('x'),
      confidence: fc.integer({ min: 0, max: 100 }).map((value) => value / 100),
      covers: fc.array(fc.constantFrom('cost', 'design', 'law'), { maxLength: 2 }),
      solo_sufficient: fc.boolean(),
      builds_on_other: fc.boolean(),
    },
    { requiredKeys: ['angle', 'confidence', 'covers'] },
  )
  const anyRoom = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd'), anyProposal, { minKeys: 1, noNullPrototype: true })

  it('[DP8] the order of keys and agents does not matter, and one winner answers first', () => {
    fc.assert(
      fc.property(anyRoom, said, (room, message) => {
        const names = Object.keys(room)
        const turned = Object.fromEntries(Object.entries(room).reverse())
        const talk = message === undefined ? undefined : { message }
        const decision = dispatch(room, names, undefined, talk)
        expect(dispatch(turned, names.reverse(), undefined, talk)).toEqual(decision)
        expect(decision.responders[0]).toBe(decision.winner)
        expect(new Set(decision.responders).size).toBe(decision.responders.length)
        expect(decision.responders.length).toBeLessThanOrEqual(3)
        expect(decision.mode === 'solo').toBe(decision.responders.length === 1)
      }),
    )
  })
})

describe('recorded limits', () => {
  it('[DP10] rounds recorded before there were two rules were decided by the table', () => {
    expect(recordedLimits({ gap: 0.2 })).toMatchObject({ rule: 'seed', gap: 0.2, overlap: 0.5 })
    expect(recordedLimits({ rule: 'measured' }).rule).toBe('measured')
    expect(recordedLimits({ gap: 'wide' }).rule).toBe('seed')
  })
})
