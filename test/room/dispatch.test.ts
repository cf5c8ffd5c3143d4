import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { askStarted } from '../../src/kernel/ask/ask-events.ts'
import { systemClock } from '../../src/kernel/clock.ts'
import type { StoredEvent } from '../../src/kernel/events.ts'
import { latch, type Part, type Said, Stage } from './dispatch-room.ts'

const stage = new Stage()
beforeAll(() => stage.start())
afterAll(() => stage.stop())

const question = 'Should our checkout service keep its orders in Postgres or in Kafka?'

const storage = { angle: 'durable storage of orders in Postgres', covers: ['postgres', 'orders'] }
const streaming = { angle: 'event streaming with Kafka partitions', covers: ['kafka', 'throughput'] }

/** Both propose the same. */
const same = (confidence: number, more: object = {}): Said => ({ ...storage, confidence, ...more })

/** The table alone; `measured`, the default, reads the same table where agents say nothing of their own answers. */
const seedRule = 'room: { dispatch: { rule: seed } }'

describe('who answers', () => {
  const rows: [rule: string, mode: string, gpt: Said, claude: Said, winner: string, responders: string[]][] = [
    ['gap', 'solo', { ...storage, confidence: 0.9 }, { ...streaming, confidence: 0.59 }, 'gpt', ['gpt']],
    [
      'parallel',
      'parallel',
      { ...storage, confidence: 0.6 },
      { ...streaming, confidence: 0.9 },
      'claude',
      ['claude', 'gpt'],
    ],
    ['synthesis', 'synthesis', same(0.9), same(0.8, { builds_on_other: true }), 'gpt', ['gpt', 'claude']],
    ['overlap', 'solo', same(0.9), same(0.8), 'gpt', ['gpt']],
    [
      'low_conviction',
      'solo',
      { ...storage, confidence: 0.1 },
      { ...streaming, confidence: 0.2 },
      'claude',
      ['claude'],
    ],
    ['default', 'solo', { ...storage, confidence: 0.4 }, { ...streaming, confidence: 0.4 }, 'claude', ['claude']],
  ]

  it.each(rows)(
    '[DP3] %s: %s, with every input of the decision',
    async (rule, mode, gpt, claude, winner, responders) => {
      const room = await stage.open({ gpt: { proposes: gpt }, claude: { proposes: claude } }, seedRule)
      const round = await room.say(question)
      expect(round.resolved).toMatchObject({ mode, rule, winner, responders, missing: [] })
      expect(round.resolved.runnerUp).toBe(winner === 'gpt' ? 'claude' : 'gpt')
      expect(round.resolved.proposals).toEqual({ gpt, claude })
      expect(round.resolved.overlap).toBe(
        JSON.stringify(gpt).includes('Kafka') === JSON.stringify(claude).includes('Kafka') ? 1 : 0,
      )
      expect(round.resolved.limits).toEqual({
        rule: 'seed',
        gap: 0.3,
        overlap: 0.5,
        high: 0.5,
        low: 0.3,
        synthesis: 0.7,
        max_responders: 3,
      })
      expect(round.resolved.coordination).toMatchObject({ calls: 2, usd: null })
      expect(round.resolved.coordination.tokens).toBeGreaterThan(0)
      expect(round.replies.map((reply) => reply.agent)).toEqual(expect.arrayContaining(responders))
      expect(round.replies).toHaveLength(responders.length)
      expect(round.notices).toEqual([])
      // There are no asks besides proposals and answers.
      expect(room.asked).toHaveLength(2 + responders.length)
      expect(
        stage
          .questions('micro-proposal')
          .map((asked) => asked.agent)
          .sort(),
      ).toEqual(['claude', 'gpt'])
    },
  )

  it('[DP3] follows the limits of the configuration, and records them', async () => {
    const room = await stage.open(
      { gpt: { proposes: { ...storage, confidence: 0.9 } }, claude: { proposes: { ...streaming, confidence: 0.6 } } },
      'room: { dispatch: { gap: 0.29 } }',
    )
    const { resolved } = await room.say(question)
    expect(resolved).toMatchObject({ mode: 'solo', rule: 'gap', limits: { gap: 0.29, overlap: 0.5 } })
  })

  it('[RD10] `decide` returns the same decision for the recorded input', async () => {
    for (const [, , gpt, claude] of rows) {
      const room = await stage.open({ gpt: { proposes: gpt }, claude: { proposes: claude } })
      const { resolved } = await room.say(question)
      const { proposals, limits } = resolved
      const decided = (await room.served.call('POST', '/api/decide/dispatch', { proposals, limits })).body as object
      expect(resolved).toMatchObject(decided)
    }
  })
})

describe('solo', () => {
  it('[RD5] the winner answers as if it were alone', async () => {
    const room = await stage.open({
      gpt: { proposes: { ...storage, confidence: 0.9 } },
      claude: { proposes: { ...streaming, confidence: 0.2 } },
    })
    const { replies } = await room.say(question)
    expect(replies).toMatchObject([{ agent: 'gpt', role: 'primary', text: 'gpt answers.' }])
    const [asked] = stage.questions('answer')
    expect(asked!.prompt).not.toMatch(/angle|primary/i)
    expect(asked!.prompt).toContain(question)
  })
})

describe('parallel', () => {
  const cast: Record<'gpt' | 'claude', Part> = {
    gpt: { proposes: { ...storage, confidence: 0.8 } },
    claude: { proposes: { ...streaming, confidence: 0.7 } },
  }

  it("[RD6] both answer concurrently: neither waits for the other's answer", async () => {
    const both = latch()
    const whenBothAreAsked = async ({ name }: { name: string }) => {
      if (stage.questions('answer').length === 2) both.open()
      await both.opened
      return `${name} was not alone.`
    }
    const room = await stage.open({
      gpt: { ...cast.gpt, answers: whenBothAreAsked },
      claude: { ...cast.claude, answers: whenBothAreAsked },
    })
    const { replies } = await room.say(question)
    expect(replies.map((reply) => reply.text).sort()).toEqual(['claude was not alone.', 'gpt was not alone.'])
  })

  it("[RD6] each knows its own angle, the other's angle and topics, and who is primary", async () => {
    const room = await stage.open(cast)
    const { replies } = await room.say(question)
    expect(Object.fromEntries(replies.map(({ agent, role }) => [agent, role]))).toEqual({
      gpt: 'primary',
      claude: 'secondary',
    })
    const [gpt] = stage.questions('answer', 'gpt')
    const [claude] = stage.questions('answer', 'claude')
    expect(gpt!.prompt).toContain(`Your angle: ${storage.angle}`)
    expect(gpt!.prompt).toContain(`claude's angle: ${streaming.angle} (topics: kafka, throughput)`)
    expect(gpt!.prompt).toContain('You are the primary')
    expect(claude!.prompt).toContain(`Your angle: ${streaming.angle}`)
    expect(claude!.prompt).toContain(`gpt's angle: ${storage.angle} (topics: postgres, orders)`)
    expect(claude!.prompt).toContain('Add only what')
    expect(claude!.prompt).not.toContain('You are the primary')
  })

  it("[RD8] a failed agent is reported, and the other's answer stands", async () => {
    const room = await stage.open({ gpt: { ...cast.gpt, answers: { status: 500 } }, claude: cast.claude })
    const { replies, notices, result } = await room.say(question)
    expect(replies.map((reply) => reply.agent)).toEqual(['claude'])
    expect(notices).toEqual([expect.stringMatching(/^gpt could not answer: /)])
    expect(result).toEqual({})
  })
})

/** Timers of a quarter of an hour or more fire only by hand, and the clock advances by hand too. */
function holdLongTimers(): { next(): Promise<() => void>; skip(seconds: number): void } {
  let ahead = 0
  const held: (() => void)[] = []
  let arrived = latch()
  const { now, after: startTimer } = systemClock
  vi.spyOn(systemClock, 'now').mockImplementation(() => now() + ahead)
  vi.spyOn(systemClock, 'after').mockImplementation((milliseconds, fn) => {
    if (milliseconds <= 900_000) return startTimer(milliseconds, fn)
    held.push(fn)
    arrived.open()
    return () => {}
  })
  onTestFinished(() => {
    vi.restoreAllMocks()
  })
  return {
    async next() {
      await arrived.opened
      arrived = latch()
      return held.shift()!
    },
    skip(seconds) {
      ahead += seconds * 1000
    },
  }
}

describe('synthesis', () => {
  const proposals = { gpt: same(0.9), claude: same(0.8, { builds_on_other: true }) }
  const quick = 'room: { synthesis: { silence_seconds: 0.3, total_seconds: 60 } }'
  const long = `${Array.from({ length: 400 }, (_, index) => `word${index}`).join(' ')} the end of it`

  it('[RD7] the second answers only after reading the first answer in full, however long it is', async () => {
    const room = await stage.open({
      gpt: { proposes: proposals.gpt, answers: long },
      claude: { proposes: proposals.claude, answers: 'I would add one thing.' },
    })
    const { replies, waiting } = await room.say(question)
    expect(long.length).toBeGreaterThan(2000)
    expect(replies).toMatchObject([
      { agent: 'gpt', role: 'primary', text: long },
      { agent: 'claude', role: 'synthesis', text: 'I would add one thing.' },
    ])
    expect(waiting).toMatchObject([{ agent: 'claude', for: 'gpt' }])
    const [first, second] = stage.questions('answer')
    expect([first!.name, second!.name]).toEqual(['gpt', 'claude'])
    expect(first!.prompt).toContain('You are the primary')
    expect(second!.prompt).toContain(long)
    expect(second!.prompt).toContain(`Your angle: ${storage.angle}`)
    expect(second!.prompt).toMatch(/extend.*challenge.*not repeat/is)
  })

  it('[RD7] the second is shown as waiting while it waits', async () => {
    const seen = latch()
    const room = await stage.open({
      gpt: { proposes: proposals.gpt, answers: () => seen.opened.then(() => 'Here I am.') },
      claude: { proposes: proposals.claude },
    })
    const posted = await room.post(question)
    const waiting = await room.until((event) => event.type === 'answer.waiting')
    expect(waiting).toMatchObject({
      actor: 'claude',
      data: { agent: 'claude', for: 'gpt', message_id: posted.message_id },
    })
    expect(stage.questions('answer').map((asked) => asked.name)).not.toContain('claude')
    seen.open()
    expect((await room.round(posted)).replies.map((reply) => reply.agent)).toEqual(['gpt', 'claude'])
  })

  it("[RD7] a silent winner times out: the second answers with PARALLEL's context, and the late answer is still shown, once", async () => {
    const second = latch()
    const room = await stage.open(
      {
        gpt: { proposes: { ...storage, confidence: 0.9 }, answers: () => second.opened.then(() => 'Late, but here.') },
        claude: {
          proposes: { ...storage, confidence: 0.8, builds_on_other: true },
          answers: () => 'I did not wait.',
        },
      },
      quick,
    )
    const posted = await room.post(question)
    await room.until((event) => event.type === 'reply.posted' && event.actor === 'claude')
    second.open()
    const { replies, notices } = await room.round(posted)
    expect(replies).toMatchObject([
      { agent: 'claude', role: 'secondary', text: 'I did not wait.' },
      { agent: 'gpt', role: 'primary', text: 'Late, but here.' },
    ])
    expect(notices).toEqual([])
    const [asked] = stage.questions('answer', 'claude')
    expect(asked!.prompt).toContain(`gpt's angle: ${storage.angle} (topics: postgres, orders)`)
    expect(asked!.prompt).toContain('Add only what')
    expect(stage.questions('answer')).toHaveLength(2)
  })

  it('[RD7] streamed output resets the silence timeout', async () => {
    const timers = holdLongTimers()
    const room = await stage.open(
      { gpt: { proposes: proposals.gpt }, claude: { proposes: proposals.claude } },
      'room: { synthesis: { silence_seconds: 7000, total_seconds: 20000 } }',
      'retry: { retries: 0, silence_seconds: 900 }',
    )
    const begin = latch()
    const begun = latch()
    const end = latch()
    const gpt = room.served.app.agents.get('gpt')
    const call = gpt.call.bind(gpt)
    gpt.call = async (request, options) => {
      if (request.kind !== 'answer') return call(request, options)
      await begin.opened
      options.onText?.('Slowly ')
      options.onActivity?.()
      begun.open()
      await end.opened
      return { ok: true, text: 'Slowly and steadily.', usage: { inputTokens: 1, outputTokens: 9, usd: null } }
    }
    const posted = await room.post(question)
    const fire = await timers.next()
    timers.skip(4000)
    begin.open()
    await begun.opened
    timers.skip(3000)
    fire()
    // It waits on, instead of letting the second answer.
    await timers.next()
    end.open()
    const { replies } = await room.round(posted)
    expect(replies).toMatchObject([
      { agent: 'gpt', text: 'Slowly and steadily.' },
      { agent: 'claude', role: 'synthesis' },
    ])
    expect(stage.questions('answer', 'claude')[0]!.prompt).toContain('Slowly and steadily.')
  })

  it('[RD8] a failed winner is reported, and the second answers as if alone', async () => {
    const room = await stage.open({
      gpt: { proposes: proposals.gpt, answers: { status: 503 } },
      claude: { proposes: proposals.claude },
    })
    const { replies, notices } = await room.say(question)
    expect(replies.map((reply) => reply.agent)).toEqual(['claude'])
    expect(notices).toEqual([expect.stringMatching(/^gpt could not answer: /)])
    expect(stage.questions('answer', 'claude')[0]!.prompt).not.toMatch(/angle|primary/)
  })

  it('[RD8] a stop while both are at work ends the round with one notice and no answer', async () => {
    const room = await stage.open(
      {
        gpt: { proposes: proposals.gpt, answers: stage.silence },
        claude: { proposes: proposals.claude, answers: stage.silence },
      },
      quick,
    )
    const posted = await room.post(question)
    await room.until(isAskedToAnswer('claude'))
    expect((await room.served.call('POST', `/api/runs/${posted.run}/stop`)).status).toBe(202)
    const { replies, notices, result } = await room.round(posted)
    expect([replies, notices, result]).toEqual([[], ['Stopped by user.'], { reason: 'stopped' }])
  })
})

describe('without proposals', () => {
  const cast = { gpt: { proposes: same(0.9) }, claude: { proposes: { ...streaming, confidence: 0.1 } } }

  it.each(['?', 'ok', 'thanks'])('[RD3] %j goes to the last responder, with no further call', async (nod) => {
    const room = await stage.open(cast)
    await room.say(question)
    const before = room.asked.length
    const { resolved, replies } = await room.say(nod)
    expect(resolved).toMatchObject({
      mode: 'solo',
      winner: 'gpt',
      responders: ['gpt'],
      proposals: {},
      coordination: { calls: 0, tokens: 0 },
    })
    expect(replies.map((reply) => reply.agent)).toEqual(['gpt'])
    expect(room.asked.slice(before)).toMatchObject([{ agent: 'gpt', kind: 'answer' }])
  })

  it('[RD3] an acknowledgement goes to the first by name if no agent has answered yet', async () => {
    const room = await stage.open(cast)
    expect((await room.say('hello')).replies.map((reply) => reply.agent)).toEqual(['claude'])
    expect(room.asked).toHaveLength(1)
  })

  it('[RD2] @name: only the named agent is asked, and it answers', async () => {
    const room = await stage.open(cast)
    const { resolved, replies } = await room.say(`@claude ${question}`)
    expect(resolved).toMatchObject({
      mode: 'solo',
      rule: 'mention',
      winner: 'claude',
      responders: ['claude'],
      proposals: {},
    })
    expect(replies.map((reply) => reply.agent)).toEqual(['claude'])
    expect(room.asked).toMatchObject([{ agent: 'claude', kind: 'answer' }])
  })

  it('[RD2] two names: both answer, and nobody proposes', async () => {
    const room = await stage.open(cast)
    const { resolved, replies } = await room.say(`@gpt @claude ${question}`)
    expect(resolved).toMatchObject({ rule: 'mention', responders: ['gpt', 'claude'] })
    expect(replies.map((reply) => reply.agent).sort()).toEqual(['claude', 'gpt'])
    expect(stage.questions('micro-proposal')).toEqual([])
    expect(room.asked).toHaveLength(2)
  })

  it('[RD8] nobody stands in for an agent that was named or called singly', async () => {
    const room = await stage.open({ gpt: { answers: { status: 500 } }, claude: {} })
    for (const more of [{ target: 'gpt' }, {}]) {
      const { replies, notices, result } = await room.say(`@gpt ${question}`, more)
      expect(replies).toEqual([])
      expect(notices).toEqual([expect.stringMatching(/^gpt could not answer: /)])
      expect(result).toEqual({ reason: 'unavailable' })
    }
    expect(room.asked.map((asked) => asked.agent)).toEqual(['gpt', 'gpt'])
  })
})

describe('proposals that go wrong', () => {
  const kinds: [string, Said | (() => Promise<Said>), string | null][] = [
    ['malformed', 'I think I should answer this, because', null],
    ['refused', { status: 403 }, 'refused'],
    ['broken', { status: 500 }, 'unavailable'],
    ['rate-limited', { status: 429 }, 'rate-limited'],
    ['slow', stage.silence, 'timeout'],
  ]
  const hurry = 'room: { proposal_seconds: 1 }'

  it.each(kinds)('[RD4] [RD8] one is %s: exactly one agent answers', async (_, proposes, missing) => {
    const room = await stage.open(
      { gpt: { proposes }, claude: { proposes: { ...streaming, confidence: 0.75 } } },
      hurry,
    )
    const { resolved, replies, notices } = await room.say(question)
    expect(resolved).toMatchObject({ mode: 'solo', winner: 'claude', responders: ['claude'] })
    expect(resolved.missing).toEqual(missing === null ? [] : [{ agent: 'gpt', reason: missing }])
    expect(resolved.rule).toBe(missing === null ? 'default' : 'only')
    expect(replies).toMatchObject([{ agent: 'claude', role: 'primary' }])
    expect(notices).toEqual([])
    // One call per proposal, whatever its outcome.
    expect(stage.questions('micro-proposal')).toHaveLength(2)
  })

  it.each(kinds)('[RD8] all are %s: the first by name answers, exactly once', async (_, proposes, missing) => {
    const room = await stage.open({ gpt: { proposes }, claude: { proposes } }, hurry)
    const { resolved, replies } = await room.say(question)
    expect(resolved).toMatchObject({ mode: 'solo', winner: 'claude', rule: missing === null ? 'sufficient' : 'none' })
    expect(replies).toMatchObject([{ agent: 'claude' }])
  })

  it('[RD4] an unreadable proposal counts as 0.5, is flagged, and leads neither to PARALLEL nor SYNTHESIS', async () => {
    const prose = `Well, ${'I would say '.repeat(20)}`
    for (const other of [
      { ...streaming, confidence: 0.51 },
      { ...storage, confidence: 0.8, builds_on_other: true },
    ]) {
      const room = await stage.open({ gpt: { proposes: prose }, claude: { proposes: other } })
      const { resolved } = await room.say(question)
      expect(resolved.proposals.gpt).toEqual({
        angle: prose.slice(0, 100),
        confidence: 0.5,
        covers: [],
        solo_sufficient: true,
        malformed: true,
      })
      expect(resolved).toMatchObject({ mode: 'solo', winner: 'claude' })
    }
  })

  it('[RD4] a confidence out of range is clamped, not malformed', async () => {
    const room = await stage.open({
      gpt: { proposes: { ...storage, confidence: 17 } },
      claude: { proposes: { ...streaming, confidence: -3 } },
    })
    const { resolved } = await room.say(question)
    expect(resolved.proposals).toEqual({ gpt: { ...storage, confidence: 1 }, claude: { ...streaming, confidence: 0 } })
    expect(resolved).toMatchObject({ rule: 'gap', winner: 'gpt' })
  })

  it("[RD4] the prompt describes its fields in words, offers the message's topics, and names the agent", async () => {
    const room = await stage.open({ gpt: {}, claude: {} })
    await room.say(question)
    const asked = stage.questions('micro-proposal')
    expect(asked.map(({ agent, name }) => [agent, name]).sort()).toEqual([
      ['claude', 'claude'],
      ['gpt', 'gpt'],
    ])
    for (const { prompt } of asked) {
      for (const field of ['angle', 'confidence', 'covers', 'solo_sufficient', 'builds_on_other'])
        expect(prompt).toContain(`"${field}"`)
      expect(prompt).toMatch(/Topics in the message: .*checkout.*orders.*postgres.*kafka/i)
    }
  })

  it('[RD4] a proposer writes for all agents with its own model, and is told for whom', async () => {
    const room = await stage.open(
      { gpt: { proposes: same(0.9) }, claude: { proposes: { ...streaming, confidence: 0.2 } } },
      'roles: { proposer: claude }',
    )
    const { resolved, replies } = await room.say(question)
    const asked = stage.questions('micro-proposal')
    expect(asked.map((one) => one.agent)).toEqual(['claude', 'claude'])
    expect(asked.map((one) => one.name).sort()).toEqual(['claude', 'gpt'])
    expect(resolved).toMatchObject({ winner: 'gpt', rule: 'gap' })
    expect(replies).toMatchObject([{ agent: 'gpt' }])
    expect(stage.questions('answer')).toMatchObject([{ agent: 'gpt', name: 'gpt' }])
  })
})

describe('answers that go wrong', () => {
  const three = {
    claude: { proposes: { angle: 'nothing', confidence: 0.1, covers: [] } },
    gemini: { proposes: { angle: 'little', confidence: 0.2, covers: [] } },
    gpt: { proposes: same(0.9) },
  }

  it('[RD8] the first other agent by name answers in place of a winner that failed for good', async () => {
    const room = await stage.open({ ...three, gpt: { ...three.gpt, answers: { status: 500 } } })
    const { resolved, replies, notices, result } = await room.say(question)
    expect(resolved.responders).toEqual(['gpt'])
    expect(replies).toMatchObject([{ agent: 'claude', role: 'stand-in' }])
    expect(notices).toEqual([expect.stringMatching(/claude answered in place of gpt/)])
    expect(result).toEqual({})
    expect(stage.questions('answer').map((asked) => asked.agent)).toEqual(['gpt', 'claude'])
  })

  it('[RD8] agents stand in one after the other until one succeeds', async () => {
    const failing = { status: 403 }
    const room = await stage.open({
      ...three,
      gpt: { ...three.gpt, answers: failing },
      claude: { ...three.claude, answers: failing },
    })
    const { replies } = await room.say(question)
    expect(replies).toMatchObject([{ agent: 'gemini', role: 'stand-in' }])
    expect(stage.questions('answer').map((asked) => asked.agent)).toEqual(['gpt', 'claude', 'gemini'])
  })

  it('[RD8] reports once that nobody could answer', async () => {
    const room = await stage.open({
      gpt: { proposes: same(0.9), answers: { status: 500 } },
      claude: { answers: { status: 403 } },
    })
    const { replies, notices, result } = await room.say(question)
    expect(replies).toEqual([])
    expect(notices).toEqual([expect.stringMatching(/^Nobody could answer\..*gpt.*claude/)])
    expect(result).toEqual({ reason: 'configuration_fault' })
    expect((await room.transcript()).map((item) => item.sender)).toEqual(['you', 'router'])
  })

  it('[RD12] a failed answer is retried as configured, without counting as a second answer', async () => {
    let calls = 0
    const room = await stage.open(
      { gpt: { proposes: same(0.9), answers: () => (++calls < 3 ? { status: 503 } : 'At last.') }, claude: {} },
      '',
      'retry: { retries: 2, first_wait_ms: 1 }',
    )
    const { replies } = await room.say(question)
    expect(replies).toMatchObject([{ agent: 'gpt', text: 'At last.' }])
    expect(stage.questions('answer', 'gpt')).toHaveLength(3)
    const events = (await room.events()).filter((event) => event.type === 'ask.started')
    expect(events).toHaveLength(3)
  })
})

describe("a person's override", () => {
  const cast = { gpt: { proposes: same(0.9) }, claude: { proposes: { ...streaming, confidence: 0.1 } } }

  it('[RD10] both: the winner and the runner-up, each told about the other', async () => {
    const room = await stage.open(cast)
    const { resolved, replies } = await room.say(question, { override: 'both' })
    expect(resolved).toMatchObject({
      mode: 'parallel',
      rule: 'gap',
      responders: ['gpt', 'claude'],
      override: { kind: 'both' },
    })
    expect(replies.map((reply) => reply.agent).sort()).toEqual(['claude', 'gpt'])
    expect(stage.questions('answer', 'claude')[0]!.prompt).toContain(`gpt's angle: ${storage.angle}`)
  })

  it('[RD10] only claude: nobody proposes, and claude answers', async () => {
    const room = await stage.open(cast)
    const { resolved, replies } = await room.say(question, { override: 'only claude' })
    expect(resolved).toMatchObject({
      mode: 'solo',
      winner: 'claude',
      responders: ['claude'],
      override: { kind: 'only', agent: 'claude' },
    })
    expect(replies.map((reply) => reply.agent)).toEqual(['claude'])
    expect(room.asked).toHaveLength(1)
  })

  it('[RD10] for the room, it applies until cleared, also after a restart; one on the message takes precedence', async () => {
    const room = await stage.open(cast)
    expect(await room.override('only claude')).toMatchObject({
      status: 200,
      body: { override: { kind: 'only', agent: 'claude' } },
    })
    expect((await room.say(question)).replies.map((reply) => reply.agent)).toEqual(['claude'])
    const again = await room.reopen()
    expect((await again.say(question)).replies.map((reply) => reply.agent)).toEqual(['claude'])
    expect((await again.say(question, { override: 'both' })).replies).toHaveLength(2)
    expect((await again.override(null)).body).not.toHaveProperty('override')
    expect((await again.say(question)).resolved).toMatchObject({ winner: 'gpt', rule: 'gap', responders: ['gpt'] })
  })

  it('[RD10] an invalid override is rejected', async () => {
    const room = await stage.open(cast)
    expect((await room.override('only nobody')).status).toBe(400)
    const { status } = await room.served.call('POST', `/api/rooms/${room.id}/messages`, {
      text: question,
      override: 'sometimes',
    })
    expect(status).toBe(400)
    expect(room.asked).toEqual([])
  })
})

describe('three agents', () => {
  const schema = { angle: 'relational schema migrations', covers: ['migrations'] }
  const different: Record<'claude' | 'gemini' | 'gpt', Part> = {
    claude: { proposes: { ...streaming, confidence: 0.7 } },
    gemini: { proposes: { ...schema, confidence: 0.8 } },
    gpt: { proposes: { ...storage, confidence: 0.9 } },
  }

  it('[DP6] [RD6] three angles: three answers, each told about the two others', async () => {
    const room = await stage.open(different)
    const { resolved, replies } = await room.say(question)
    expect(resolved).toMatchObject({
      mode: 'parallel',
      responders: ['gpt', 'gemini', 'claude'],
      winner: 'gpt',
      runnerUp: 'gemini',
    })
    expect(replies.map(({ agent, role }) => `${agent} ${role}`).sort()).toEqual([
      'claude secondary',
      'gemini secondary',
      'gpt primary',
    ])
    const { prompt } = stage.questions('answer', 'gemini')[0]!
    expect(prompt).toContain(`gpt's angle: ${storage.angle}`)
    expect(prompt).toContain(`claude's angle: ${streaming.angle}`)
  })

  it('[DP6] [RD7] a chain of three: each reads every earlier answer', async () => {
    const room = await stage.open({
      claude: { proposes: same(0.8, { builds_on_other: true }), answers: 'Third, and last.' },
      gemini: { proposes: same(0.85, { builds_on_other: true }), answers: 'Second: not quite so.' },
      gpt: { proposes: same(0.9), answers: 'First: keep it in Postgres.' },
    })
    const { resolved, replies, waiting } = await room.say(question)
    expect(resolved).toMatchObject({ mode: 'synthesis', responders: ['gpt', 'gemini', 'claude'] })
    expect(replies.map(({ agent, role }) => [agent, role])).toEqual([
      ['gpt', 'primary'],
      ['gemini', 'synthesis'],
      ['claude', 'synthesis'],
    ])
    expect(waiting).toMatchObject([
      { agent: 'gemini', for: 'gpt' },
      { agent: 'claude', for: 'gemini' },
    ])
    const [, second, third] = stage.questions('answer')
    expect(second!.prompt).toContain('First: keep it in Postgres.')
    expect(third!.prompt).toContain('First: keep it in Postgres.')
    expect(third!.prompt).toContain('Second: not quite so.')
  })

  it('[DP6] [RD7] a failed middle agent is left out, and the last still reads the first', async () => {
    const room = await stage.open({
      claude: { proposes: same(0.8, { builds_on_other: true }) },
      gemini: { proposes: same(0.85, { builds_on_other: true }), answers: { status: 500 } },
      gpt: { proposes: same(0.9), answers: 'First: keep it in Postgres.' },
    })
    const { replies, notices } = await room.say(question)
    expect(replies.map(({ agent, role }) => [agent, role])).toEqual([
      ['gpt', 'primary'],
      ['claude', 'synthesis'],
    ])
    expect(notices).toEqual([expect.stringMatching(/^gemini could not answer/)])
    expect(stage.questions('answer', 'claude')[0]!.prompt).toContain('First: keep it in Postgres.')
  })

  it('[DP6] [RD7] a late answer after a timeout is read by those still waiting', async () => {
    const gaveUp = latch()
    const cameBack = latch()
    const room = await stage.open(
      {
        claude: { proposes: same(0.8, { builds_on_other: true }) },
        gemini: {
          proposes: same(0.85, { builds_on_other: true }),
          answers: async () => {
            gaveUp.open()
            await cameBack.opened
            return 'Second, without having read.'
          },
        },
        gpt: { proposes: same(0.9), answers: () => gaveUp.opened.then(() => 'First, though late.') },
      },
      'room: { synthesis: { silence_seconds: 1.5, total_seconds: 60 } }',
    )
    const posted = await room.post(question)
    await room.until((event) => event.type === 'reply.posted' && event.actor === 'gpt')
    cameBack.open()
    const { replies } = await room.round(posted)
    expect(replies.map((reply) => reply.agent)).toEqual(['gpt', 'gemini', 'claude'])
    const { prompt } = stage.questions('answer', 'claude')[0]!
    expect(prompt).toContain('Second, without having read.')
    expect(prompt).toContain('First, though late.')
  })

  it('[DP6] respects max_responders of the configuration', async () => {
    const room = await stage.open(different, 'room: { dispatch: { max_responders: 2 } }')
    const { resolved, replies } = await room.say(question)
    expect(resolved.responders).toEqual(['gpt', 'gemini'])
    expect(replies.map((reply) => reply.agent).sort()).toEqual(['gemini', 'gpt'])
  })
})

describe("the room's memory", () => {
  it('[RD9] topics, last responder, angles and rounds go into the next proposal prompts, and into no answer prompt', async () => {
    const room = await stage.open({
      gpt: { proposes: { ...storage, confidence: 0.8 } },
      claude: { proposes: { ...streaming, confidence: 0.7 } },
    })
    await room.say(question)
    expect(stage.questions('micro-proposal')[0]!.prompt).not.toMatch(/so far|last rounds/)
    stage.asked = []
    await room.say('What would a migration between the two databases look like?')
    for (const { prompt } of stage.questions('micro-proposal')) {
      expect(prompt).toContain('topics: postgres, orders')
      expect(prompt).toMatch(/last to answer: (gpt|claude)/)
      expect(prompt).toContain(`gpt: ${storage.angle}`)
      expect(prompt).toContain(`claude: ${streaming.angle}`)
      expect(prompt).toContain('PARALLEL: gpt and claude (parallel)')
    }
    const answers = stage.questions('answer')
    expect(answers).toHaveLength(2)
    for (const { prompt } of answers) {
      expect(prompt).not.toMatch(/last to answer|recent angles|The last rounds|PARALLEL/)
      expect(prompt).toContain(question)
      expect(prompt).toContain('gpt answers.')
    }
  })

  it('[RD9] the rule never sees it: earlier messages change no decision', async () => {
    const cast = { gpt: { proposes: same(0.4) }, claude: { proposes: same(0.4) } }
    const room = await stage.open(cast)
    await room.say(`@gpt ${question}`)
    expect((await room.say(question)).resolved).toMatchObject({ winner: 'claude', rule: 'default' })
  })
})

describe('over a restart', () => {
  const cast = { gpt: { proposes: same(0.9) }, claude: { proposes: { ...streaming, confidence: 0.1 } } }

  it("[RD10] a recorded decision stands, whatever the configuration or the room's override is now", async () => {
    const room = await stage.open({ ...cast, gpt: { ...cast.gpt, answers: stage.silence } })
    const posted = await room.post(question)
    await room.until((event) => event.type === 'round.resolved')
    await room.override('only claude')
    stage.recast(cast)
    const again = await room.reopen('room: { dispatch: { gap: 1, high: 0.05 } }')
    const { replies, resolved } = await again.round(posted)
    expect(resolved).toMatchObject({ responders: ['gpt'], limits: { gap: 0.3, high: 0.5 } })
    expect(replies).toMatchObject([{ agent: 'gpt', role: 'primary' }])
  })

  it('[RD8] an agent removed from the configuration during its proposal or answer has failed', async () => {
    for (const silent of ['proposes', 'answers'] as const) {
      const room = await stage.open({ ...cast, gpt: { ...cast.gpt, [silent]: stage.silence } })
      const posted = await room.post(question)
      await room.until(silent === 'answers' ? isAskedToAnswer('gpt') : (event) => event.type === 'ask.finished')
      stage.recast({ claude: cast.claude })
      const again = await room.reopen()
      const { resolved, replies } = await again.round(posted)
      if (silent === 'proposes') expect(resolved.missing).toEqual([{ agent: 'gpt', reason: 'unavailable' }])
      else expect(resolved.responders).toEqual(['gpt'])
      expect(replies).toMatchObject([{ agent: 'claude', role: silent === 'answers' ? 'stand-in' : 'primary' }])
    }
  })

  it('[RD8] removing an agent while it stands in for another ends the round with a notice', async () => {
    const room = await stage.open({
      claude: { ...cast.claude, answers: stage.silence },
      gpt: { ...cast.gpt, answers: { status: 500 } },
    })
    const posted = await room.post(question)
    await room.until(isAskedToAnswer('claude'))
    stage.recast({ gpt: cast.gpt })
    const { replies, notices } = await (await room.reopen()).round(posted)
    expect(replies).toEqual([])
    expect(notices).toEqual([expect.stringMatching(/^Nobody could answer/)])
  })

  it("[RD10] a room's override that names a removed agent is inactive until that agent is back", async () => {
    const room = await stage.open({ ...cast, gemini: {} })
    await room.override('only gemini')
    stage.recast(cast)
    const again = await room.reopen()
    expect((await again.say(question)).replies).toMatchObject([{ agent: 'gpt' }])
  })

  it('[RD8] a round that was stopped while two were at work stays stopped', async () => {
    const room = await stage.open(
      {
        gpt: { proposes: same(0.9), answers: stage.silence },
        claude: { proposes: same(0.8, { builds_on_other: true }), answers: stage.silence },
      },
      'room: { synthesis: { silence_seconds: 0.1, total_seconds: 60 } }',
    )
    const posted = await room.post(question)
    await room.until(isAskedToAnswer('claude'))
    // The stop is on disk, but the process ends before the round has seen it.
    const { app } = room.served
    const stopping = app.engine.stop(posted.run)
    await app.engine.close()
    await stopping
    const again = await room.reopen()
    const { replies, notices } = await again.round(posted)
    expect([replies, notices]).toEqual([[], ['Stopped by user.']])
  })
})

describe("the conversation in an agent's prompt", () => {
  it('does not repeat the message when an answer is asked again in a forked run', async () => {
    const room = await stage.open({ gpt: {}, claude: {} })
    await room.say('@gpt The first thing I say.')
    const { run } = await room.say('@gpt The second thing I say.')
    const forked = (await room.served.call('POST', `/api/runs/${run}/fork`, { from: 'answer gpt' })).body as {
      id: string
    }
    await room.served.app.engine.result(forked.id)
    const [, second, again] = stage.questions('answer')
    expect(again!.prompt).toBe(second!.prompt)
    expect(again!.prompt.split('The second thing I say.')).toHaveLength(2)
  })

  it("never begins with the agent's own words, which providers reject", async () => {
    const room = await stage.open({ gpt: {}, claude: {} })
    for (let number = 0; number < 7; number++) await room.say(`@gpt @claude Message ${number}`)
    stage.emulator.mock.clearRequests()
    await room.say('@gpt @claude The last message')
    const first = stage.emulator.mock
      .getRequests()
      .map(({ body }) => (body as { messages: { role: string }[] }).messages.find(({ role }) => role !== 'system')!)
    expect(new Set(first.map(({ role }) => role))).toEqual(new Set(['user']))
  })
})

describe("a room's rate limit", () => {
  /** Long waits end at once, and the clock advances by as much. */
  function skipLongWaits(): number[] {
    const skipped: number[] = []
    const { now, after: startTimer } = systemClock
    const ahead = () => skipped.reduce((sum, milliseconds) => sum + milliseconds, 0)
    vi.spyOn(systemClock, 'now').mockImplementation(() => now() + ahead())
    vi.spyOn(systemClock, 'after').mockImplementation((milliseconds, fn) => {
      if (milliseconds < 30_000 || milliseconds > 60_000) return startTimer(milliseconds, fn)
      skipped.push(milliseconds)
      return startTimer(0, fn)
    })
    onTestFinished(() => {
      vi.restoreAllMocks()
    })
    return skipped
  }

  it('[RD12] over the limit a message waits, with one notice, and is then answered', async () => {
    const skipped = skipLongWaits()
    const room = await stage.open(
      { gpt: { proposes: same(0.9) }, claude: { proposes: { ...streaming, confidence: 0.1 } } },
      'room: { calls_per_minute: 3 }',
    )
    expect((await room.say(question)).notices).toEqual([])
    expect(skipped).toEqual([])
    const { notices, replies } = await room.say(question)
    expect(notices).toEqual([expect.stringMatching(/Rate limit reached; resuming in \d+ s/)])
    expect(replies).toMatchObject([{ agent: 'gpt' }])
    expect(skipped).toHaveLength(1)
    expect(room.asked).toHaveLength(6)
  })

  it('[RD12] a second answer counts too, and waits if the limit is reached', async () => {
    const skipped = skipLongWaits()
    const room = await stage.open(
      { gpt: { proposes: { ...storage, confidence: 0.8 } }, claude: { proposes: { ...streaming, confidence: 0.7 } } },
      'room: { calls_per_minute: 3 }',
    )
    const { notices, replies } = await room.say(question)
    expect(notices).toHaveLength(1)
    expect(replies).toHaveLength(2)
    expect(skipped).toHaveLength(1)
  })

  it('[RD12] a waiting message can be stopped', async () => {
    const room = await stage.open(
      { gpt: { proposes: same(0.9) }, claude: { proposes: { ...streaming, confidence: 0.1 } } },
      'room: { calls_per_minute: 3 }',
    )
    await room.say(question)
    const posted = await room.post(question)
    await room.until((event) => event.type === 'notice.posted')
    await room.served.call('POST', `/api/runs/${posted.run}/stop`)
    const { notices, replies } = await room.round(posted)
    expect([replies, notices.at(-1)]).toEqual([[], 'Stopped by user.'])
    expect(room.asked).toHaveLength(3)
  })
})

function isAskedToAnswer(agent: string): (event: StoredEvent) => boolean {
  return (event) => askStarted.is(event) && event.data.kind === 'answer' && event.data.agent === agent
}
