import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Said, Stage } from './dispatch-room.ts'

const stage = new Stage()
beforeAll(() => stage.start())
afterAll(() => stage.stop())

const proposes: Said = { angle: 'orders', confidence: 0.9, covers: ['orders'] }
const three = { claude: { proposes }, gemini: { proposes }, gpt: { proposes } }

describe('a message whose wording says who should speak', () => {
  it('[DP9] makes no proposals, and records the words that decided', async () => {
    const room = await stage.open(three)
    const { resolved, replies } = await room.say('What would each of you check first in the orders table?')
    expect(resolved).toMatchObject({
      mode: 'parallel',
      rule: 'asked_several',
      responders: ['claude', 'gemini', 'gpt'],
      reason: '“each of you” asks several to answer: claude, gemini, gpt.',
      proposals: {},
      agents: ['claude', 'gemini', 'gpt'],
      limits: { rule: 'measured' },
      coordination: { calls: 0, tokens: 0 },
    })
    expect(replies).toHaveLength(3)
    expect(stage.questions('micro-proposal')).toEqual([])
  })

  it('[DP9] by name and in order: the second reads the first', async () => {
    const room = await stage.open({ ...three, gpt: { answers: 'The draft of gpt.' } })
    for (const message of ['gpt drafts the mail, then claude cuts it', '@gpt drafts the mail, then @claude cuts it']) {
      const { resolved, replies } = await room.say(message)
      expect(resolved).toMatchObject({ mode: 'synthesis', rule: 'asked_second', responders: ['gpt', 'claude'] })
      expect(replies.map(({ agent, role }) => [agent, role])).toEqual([
        ['gpt', 'primary'],
        ['claude', 'synthesis'],
      ])
    }
    expect(stage.questions('answer', 'claude')[0]!.prompt).toContain('The draft of gpt.')
    expect(stage.questions('micro-proposal')).toEqual([])
  })

  it('[DP9] about what an agent said: another one answers', async () => {
    const room = await stage.open(three)
    await room.say('@gpt may we drop the orders index?')
    const named = await room.say('what did gpt miss?')
    expect(named.resolved).toMatchObject({ mode: 'solo', rule: 'asked_other', winner: 'claude', spoke: ['you', 'gpt'] })
    expect(named.replies.map(({ agent }) => agent)).toEqual(['claude'])
    const checked = await room.say('can somebody else check that?')
    expect(checked.resolved).toMatchObject({ rule: 'asked_other', winner: 'gemini' })
    const addressed = await room.say('and claude?')
    expect(addressed.resolved).toMatchObject({ rule: 'addressed', responders: ['claude'] })
  })

  it('[DP9] a further opinion on a judgement: neither the judge nor the one whose words were judged', async () => {
    const room = await stage.open(three)
    await room.say('@claude may we drop the orders index?')
    await room.say('@gemini may we drop the orders index?')
    await room.say('@gpt is claude right?')
    const { resolved } = await room.say('give me a second opinion on that')
    expect(resolved).toMatchObject({ rule: 'asked_other', winner: 'gemini', judged: ['claude'] })
  })

  it('[DP9] asking for one answer: one answers, without proposals', async () => {
    const room = await stage.open(three)
    await room.say('@gpt may we drop the orders index?')
    const { resolved, replies } = await room.say('Bitte nur einer: wie heißt die Spalte?')
    expect(resolved).toMatchObject({ mode: 'solo', rule: 'asked_one', winner: 'gpt', coordination: { calls: 0 } })
    expect(replies).toHaveLength(1)
  })

  it('[DP9] a second view of an answer to come: one answers and another goes over it', async () => {
    const room = await stage.open({ ...three, claude: { proposes, answers: 'The index can go.' } })
    const { resolved } = await room.say('May we drop the orders index? And get me a critique of whatever you propose.')
    expect(resolved).toMatchObject({ mode: 'synthesis', rule: 'asked_second', responders: ['claude', 'gemini'] })
    expect(stage.questions('answer', 'gemini').at(-1)!.prompt).toContain('The index can go.')
    expect(stage.questions('micro-proposal')).toEqual([])
  })

  it('[DP9] a remark to an agent by name: that agent answers, whoever spoke last', async () => {
    const room = await stage.open(three)
    await room.say('@gpt may we drop the orders index?')
    await room.say('@gemini what about customers?')
    const { resolved } = await room.say('gpt you mixed up the orders index btw')
    expect(resolved).toMatchObject({ mode: 'solo', rule: 'addressed', winner: 'gpt', coordination: { calls: 0 } })
  })

  it('[DP9] corrected: the one who spoke last answers, without proposals', async () => {
    const room = await stage.open(three)
    await room.say('@gpt may we drop the orders index?')
    const { resolved, replies } = await room.say('no, I meant the index on customers')
    expect(resolved).toMatchObject({ rule: 'continued', winner: 'gpt', coordination: { calls: 0 } })
    expect(resolved.reason).toBe('“no, i meant” reads as a follow-up to gpt, the last to speak.')
    expect(replies.map(({ agent }) => agent)).toEqual(['gpt'])
  })

  it('[DP9] told something for information: the last speaker acknowledges it, without proposals', async () => {
    const room = await stage.open(three)
    await room.say('@gpt may we drop the orders index?')
    const { resolved, replies } = await room.say('FYI the orders index is gone since noon')
    expect(resolved).toMatchObject({ mode: 'solo', rule: 'noted', winner: 'gpt', coordination: { calls: 0 } })
    expect(replies.map(({ agent }) => agent)).toEqual(['gpt'])
    expect(stage.questions('answer').at(-1)!.prompt).toContain('Acknowledge it in one short sentence.')
  })

  it('[RD3] greeted or thanked in another language: nobody proposes', async () => {
    const room = await stage.open(three)
    await room.say('@gpt may we drop the orders index?')
    const { resolved } = await room.say('danke dir!')
    expect(resolved).toMatchObject({ rule: 'no_content', winner: 'gpt', coordination: { calls: 0 } })
  })

  it('[DP9] nobody stands in for an agent that is addressed', async () => {
    const room = await stage.open({ ...three, gemini: { answers: { status: 500 } } })
    const { replies, notices, resolved } = await room.say('gemini: sum this up in three lines')
    expect(resolved.rule).toBe('addressed')
    expect(replies).toEqual([])
    expect(notices.join()).toContain('gemini could not answer')
  })

  it('[RD10] overrides come first', async () => {
    const room = await stage.open(three)
    const only = await room.say('What would each of you check?', { override: 'only gpt' })
    expect(only.resolved).toMatchObject({ rule: 'override', responders: ['gpt'] })
    await room.override('only claude')
    const held = await room.say('What would each of you check?')
    expect(held.resolved).toMatchObject({ rule: 'override', responders: ['claude'] })
    await room.override(null)
    const both = await room.say('gpt: what would you check?', { override: 'both' })
    expect(both.resolved).toMatchObject({ rule: 'addressed', mode: 'parallel', responders: ['gpt', 'claude'] })
  })

  it('[DP9] is decided by proposals under rule seed', async () => {
    const room = await stage.open(three, 'room: { dispatch: { rule: seed } }')
    const { resolved } = await room.say('What would each of you check first?')
    expect(resolved).toMatchObject({ mode: 'solo', rule: 'overlap', coordination: { calls: 3 } })
  })

  it('[EV2] is replayed from the log with the limits of that time', async () => {
    const room = await stage.open(three)
    const asked = await room.say('What would each of you check first?')
    const proposed = await room.say('Which port do the orders use?')
    expect(proposed.resolved.rule).toBe('overlap')
    for (const { run } of [asked, proposed]) {
      const { body } = await room.served.call('POST', `/api/runs/${run}/replay`)
      expect(body).toMatchObject({ decisions: 1, differences: [] })
    }
  })
})

describe('agents that say whether their answer is enough', () => {
  it('[DP10] one answers where the most confident says so', async () => {
    const room = await stage.open({
      claude: { proposes: { angle: 'a', confidence: 0.8, covers: ['locks'], solo_sufficient: false } },
      gpt: { proposes: { angle: 'b', confidence: 0.9, covers: ['orders'], solo_sufficient: true } },
    })
    const { resolved, replies } = await room.say('Why does the orders job hang?')
    expect(resolved).toMatchObject({ mode: 'solo', rule: 'sufficient', winner: 'gpt' })
    expect(replies).toHaveLength(1)
  })

  it('[DP10] two answer where both say that theirs is not', async () => {
    const proposes = { angle: 'a', confidence: 0.8, covers: ['orders'], solo_sufficient: false }
    const room = await stage.open({ claude: { proposes }, gpt: { proposes } })
    const { resolved } = await room.say('List every way the orders job can hang.')
    expect(resolved).toMatchObject({ mode: 'synthesis', rule: 'synthesis', responders: ['claude', 'gpt'] })
  })
})

describe('an agent that has nothing to add', () => {
  const open = { angle: 'a', confidence: 0.8, covers: ['orders'], solo_sufficient: false }
  const apart = { ...open, covers: ['locks'] }
  const passes = (events: { type: string; data: unknown }[]) =>
    events.filter(({ type }) => type === 'reply.passed').map(({ data }) => data as { agent: string; role: string })

  it('[RD13] passes instead of answering second: recorded, not shown, no failure', async () => {
    for (const [second, role] of [
      [open, 'synthesis'],
      [apart, 'secondary'],
    ] as const) {
      const room = await stage.open({ claude: { proposes: open }, gpt: { proposes: second, answers: 'PASS' } })
      const { replies, notices, result, resolved } = await room.say('List every way the orders job can hang.')
      expect(resolved.responders).toEqual(['claude', 'gpt'])
      expect(replies.map(({ agent }) => agent)).toEqual(['claude'])
      expect([notices, result]).toEqual([[], {}])
      expect(passes(await room.events())).toMatchObject([{ agent: 'gpt', role }])
      expect((await room.transcript()).map(({ sender }) => sender)).toEqual(['you', 'claude'])
      expect(stage.questions('answer', 'gpt')[0]!.prompt).toContain('reply with the single word PASS')
      expect(stage.questions('answer', 'claude')[0]!.prompt).not.toContain('PASS')
    }
  })

  it('[RD13] the winner cannot pass', async () => {
    const room = await stage.open({ claude: { proposes: open, answers: 'PASS' }, gpt: { proposes: open } })
    const { replies } = await room.say('List every way the orders job can hang.')
    expect(replies.map(({ agent, text }) => [agent, text])).toEqual([
      ['claude', 'PASS'],
      ['gpt', 'gpt answers.'],
    ])
    expect(passes(await room.events())).toEqual([])
  })

  it('[RD13] is not offered a pass where the person asked for its voice', async () => {
    const room = await stage.open(three)
    await room.say('What would each of you check first?')
    const prompts = stage.questions('answer').map(({ prompt }) => prompt)
    expect(prompts).toHaveLength(3)
    for (const prompt of prompts) {
      expect(prompt).toContain('The person asked several of you: give your own answer')
      expect(prompt).not.toContain('PASS')
    }
  })

  it('[RD8] [RD13] answers after all where it passed and the winner failed', async () => {
    let asked = 0
    const room = await stage.open({
      claude: { proposes: open, answers: { status: 500 } },
      gpt: { proposes: apart, answers: () => (++asked === 1 ? 'PASS' : 'Then I do.') },
    })
    const { replies } = await room.say('List every way the orders job can hang.')
    expect(replies).toMatchObject([{ agent: 'gpt', role: 'stand-in', text: 'Then I do.' }])
  })
})
