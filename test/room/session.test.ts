/** Sessions over HTTP: what agents are told, what the room shows, what is rejected, and how a session ends. */
import { describe, expect, it } from 'vitest'
import type { TranscriptItem } from '../../src/room/view.ts'
import { listen } from '../support/server.ts'
import { type Line, newRoom, openRoom, recordPrompts } from './open-room.ts'

const both = { mode: 'collaborate', participants: ['gpt', 'claude'] }
const done: Line = { when: { ask: 'turn' }, repeat: true, reply: { message: 'done', final: true } }

/** gpt and claude hand off to each other; what they say is derived from the round. */
function pingPong(turns: number, say: (round: number) => string, task = (round: number) => `task ${round}`): Line[] {
  return Array.from({ length: turns }, (_, index) => {
    const round = index + 1
    const [agent, to] = round % 2 === 1 ? ['gpt', 'claude'] : ['claude', 'gpt']
    return { when: { ask: 'turn', agent, round }, reply: { message: say(round), handoff: { to, task: task(round) } } }
  }) as Line[]
}

const itemKeys = ['call_id', 'sender', 'target', 'text', 'thread', 'ts', 'type']
const sessionItemKeys = [...itemKeys, 'max_rounds', 'round', 'session_id'].sort()

describe("an agent's prompt", () => {
  it('[AM1] has the agent messages of before the session that the agent knows', async () => {
    const room = await openRoom(pingPong(2, (round) => `said in ${round}`))
    const { body } = await room.served.call('POST', `/api/rooms/${room.id}/agent-messages`, {
      kind: 'inform',
      from: 'you',
      to: 'gpt',
      content: 'We use tabs.',
    })
    await room.over((body as { run: string }).run)
    const asked = recordPrompts(room.served)
    await room.ask({ ...both, text: 'How do we indent?', max_rounds: 2 })
    const [gpt, claude] = asked.map(({ prompt }) => prompt)
    expect(gpt).toContain('[you, to you alone, outside the conversation] We use tabs.')
    expect(claude).not.toContain('We use tabs.')
  })

  it('[TN7] has the goal verbatim, its name, the others, the round and the task', async () => {
    const goal = 'Compare <b>&amp;</b> with {{ goal }} and {% raw %}, "quotes",\n  two lines and 𝒳 — all of it.  '
    const room = await openRoom(
      pingPong(2, (round) => `said in ${round}`),
      { agents: ['gpt', 'claude', 'mistral'] },
    )
    const asked = recordPrompts(room.served)
    await room.ask({ mode: 'collaborate', participants: ['gpt', 'claude', 'mistral'], text: goal, max_rounds: 2 })
    expect(asked).toHaveLength(2)
    const [first, second] = asked.map(({ prompt }) => prompt)
    for (const prompt of [first, second]) {
      expect(prompt).toContain(goal)
      for (const field of ['"message"', '"handoff"', '"final"']) expect(prompt).toContain(field)
    }
    expect(first).toMatch(/Your name is gpt\b.*claude.*mistral/)
    expect(second).toMatch(/Your name is claude\b.*gpt.*mistral/)
    expect(first).toMatch(/round 1 of 2/i)
    expect(second).toMatch(/round 2 of 2/i)
    expect(second).toContain('Your task now: task 1')
    expect(first).not.toContain('Your task now')
  })

  it('[TN7] has the last eight items, messages and tasks alike, oldest first; older ones are gone, the goal stays', async () => {
    const room = await openRoom(
      pingPong(
        7,
        (round) => `message-${round}.`,
        (round) => `task-${round}.`,
      ),
    )
    const asked = recordPrompts(room.served)
    await room.ask({ ...both, text: 'the-goal', max_rounds: 7 })
    const seen = asked.map(({ prompt }) => {
      const window = prompt.slice(prompt.indexOf('the-goal'), prompt.indexOf('Your task now'))
      return [...window.matchAll(/(?:message|task)-\d\./g)].map((match) => match[0])
    })
    const all = Array.from({ length: 7 }, (_, index) => [`message-${index + 1}.`, `task-${index + 1}.`]).flat()
    expect(seen.slice(1)).toEqual([2, 4, 6, 8, 10, 12].map((items) => all.slice(Math.max(0, items - 8), items)))
    expect(asked.every(({ prompt }) => prompt.includes('the-goal'))).toBe(true)
  })

  it('[TN7] has at most 3,000 tokens of them: the oldest go first', async () => {
    const words = (round: number) => `${`alpha${round} `.repeat(900)}end-${round}`
    const room = await openRoom(pingPong(4, words))
    const asked = recordPrompts(room.served)
    await room.ask({ ...both, text: 'a long talk', max_rounds: 4 })
    const last = asked.at(-1)!.prompt
    const window = last.slice(last.indexOf('a long talk'), last.indexOf('Your task now'))
    expect([1, 2, 3].map((round) => window.includes(`end-${round}`))).toEqual([false, false, true])
    const { countTokens } = await import('../../src/kernel/ask/count-tokens.ts')
    expect(countTokens(window)).toBeLessThan(3100)
    expect(countTokens(window)).toBeGreaterThan(1000)
  })

  it('[TN9] has nothing from other conversations in the room, nor from other rooms', async () => {
    const room = await openRoom([
      { when: { ask: 'answer' }, text: 'The password is swordfish.' },
      ...pingPong(2, (round) => `turn ${round}`),
    ])
    const elsewhere = await newRoom(room.served, { name: 'elsewhere' })
    await elsewhere.ask({ text: 'What is the password?', target: 'gpt' })
    const asked = recordPrompts(room.served)
    await room.ask({ ...both, text: 'begin', max_rounds: 2 })
    expect(asked).toHaveLength(2)
    for (const { prompt } of asked) expect(prompt).not.toMatch(/swordfish|password/)
  })
})

describe('how a session begins', () => {
  it('[TN6] the first participant speaks first unless another is named; the default is six rounds', async () => {
    const room = await openRoom([done])
    const asked = recordPrompts(room.served)
    const first = await room.ask({ mode: 'collaborate', participants: ['claude', 'gpt'], text: 'a' })
    await room.ask({ ...both, text: 'b', speaker: 'claude' })
    await room.ask({ ...both, text: 'c', target: 'claude' })
    await room.ask({ mode: 'collaborate', participants: ['gpt', 'gpt', 'claude'], text: 'd' })
    expect(asked.map(({ agent }) => agent)).toEqual(['claude', 'claude', 'claude', 'gpt'])
    expect(await room.session(first.session_id)).toMatchObject({ max_rounds: 6 })
  })

  it('[TN10] from text, overriding the rest of the request; the goal is what follows the colon', async () => {
    const room = await openRoom([done])
    const started = await room.ask({ text: '@router collaborate @Claude, gpt: Find it: the needle', target: 'gpt' })
    expect(started.session_id).toBeTypeOf('string')
    expect(await room.session(started.session_id)).toMatchObject({
      goal: 'Find it: the needle',
      participants: ['claude', 'gpt'],
    })
    const [message, reply] = await room.transcript()
    expect(message).toMatchObject({ text: '@router collaborate @Claude, gpt: Find it: the needle', target: 'router' })
    expect(reply).toMatchObject({ sender: 'claude', session_id: started.session_id })
  })

  it('[TN10] rejects an invalid command with the expected form', async () => {
    const room = await openRoom([done])
    for (const text of [
      '@router collaborate gpt claude',
      '@router collaborate gpt nobody: x',
      '@router collaborate: x',
    ]) {
      const { status, body } = await room.served.call('POST', `/api/rooms/${room.id}/messages`, { text })
      expect([text, status]).toEqual([text, 400])
      expect((body as { error: { path: string; message: string } }).error).toMatchObject({
        path: 'text',
        message: expect.stringContaining('@router collaborate <agent> <agent>: <goal>'),
      })
    }
    expect(await room.transcript()).toEqual([])
  })
})

describe('what the room shows', () => {
  it('[TN5] every item of a session has its session, its round and the cap, and no other key', async () => {
    const room = await openRoom([
      ...pingPong(
        1,
        () => 'first',
        () => 'the task alone',
      ),
      { when: { ask: 'turn', agent: 'claude' }, fail: 'unavailable' },
    ])
    const { session_id, message_id } = await room.ask({ ...both, text: 'go', max_rounds: 3 })
    const items = await room.transcript()
    for (const item of items) {
      expect(Object.keys(item).sort()).toEqual(sessionItemKeys)
      expect(item).toMatchObject({ thread: 'default', session_id, max_rounds: 3 })
      expect(Number.isInteger(item.ts)).toBe(true)
      expect(item.call_id).not.toBe('')
    }
    expect(items.map(({ type, sender, target, text, round }) => [type, sender, target, text, round])).toEqual([
      ['human_message', 'you', 'router', 'go', 1],
      ['agent_response', 'gpt', 'all', 'first', 1],
      ['agent_call', 'router', 'claude', 'the task alone', 2],
      ['agent_response', 'router', 'all', expect.stringContaining('claude could not take its turn'), 2],
    ])
    expect(items[0]!.call_id).toBe(message_id)
    expect(items[0]!.ts).toBeGreaterThan(1_700_000_000)
    expect(items[0]!.ts).toBeLessThan(100_000_000_000)
    expect(await room.session(session_id)).toMatchObject({ end_reason: 'agent_failed', round: 2 })
  })

  it('[TN5] the first turn, and a single call, are calls of the router like any other', async () => {
    const room = await openRoom([
      { when: { ask: 'turn' }, reply: { message: 'done', final: true } },
      { when: { ask: 'answer' }, text: 'yes' },
    ])
    const { session_id, message_id } = await room.ask({ ...both, text: 'go' })
    const session = (await room.served.call('GET', `/api/sessions/${session_id}`)).body as { items: TranscriptItem[] }
    expect(session.items.map(({ type, target, round }) => [type, target, round])).toEqual([
      ['human_message', 'router', 1],
      ['agent_call', 'gpt', 1],
      ['agent_response', 'all', 1],
    ])
    expect(session.items[1]).toMatchObject({ sender: 'router', text: 'go', call_id: `${message_id}/first` })
    const single = await room.ask({ text: 'all well?', target: 'claude' })
    const all = (await room.served.call('GET', `/api/rooms/${room.id}/transcript`)).body as { items: TranscriptItem[] }
    expect(all.items.at(-2)).toMatchObject({
      type: 'agent_call',
      target: 'claude',
      call_id: `${single.message_id}/first`,
    })
  })

  it('[TN5] items outside a session have none of its keys', async () => {
    const room = await openRoom([
      { when: { ask: 'answer', contains: 'well' }, text: 'yes' },
      { when: { ask: 'answer' }, fail: 'refused' },
    ])
    const { message_id } = await room.ask({ text: 'all well?', target: 'gpt' })
    await room.ask({ text: '@claude are you there?' })
    const items = await room.transcript()
    for (const item of items) expect(Object.keys(item).sort()).toEqual(itemKeys)
    expect(items.map(({ type, sender, target }) => [type, sender, target])).toEqual([
      ['human_message', 'you', 'gpt'],
      ['agent_response', 'gpt', 'all'],
      ['human_message', 'you', 'router'],
      ['agent_response', 'router', 'all'],
    ])
    expect(items[0]!.call_id).toBe(message_id)
    expect(items.every((item) => item.call_id !== '')).toBe(true)
  })

  it('[TN8] a running session, a stopped one, and a stop that comes too late', async () => {
    const room = await openRoom([
      { when: { ask: 'turn', contains: 'slow' }, after_ms: 60_000, reply: { message: 'never' } },
      done,
    ])
    const { session_id, run } = await room.say({ ...both, text: 'slow', max_rounds: 9 })
    await room.until((event) => event.type === 'ask.started')
    const shape = { id: session_id, goal: 'slow', participants: ['gpt', 'claude'], round: 1, max_rounds: 9 }
    expect(await room.session(session_id)).toEqual({ ...shape, status: 'running', items: expect.any(Array) })
    const stop = () => room.served.call('POST', `/api/sessions/${session_id}/stop`)
    expect((await stop()).status).toBe(202)
    await room.over(run)
    const ended = await room.session(session_id)
    expect(ended).toEqual({ ...shape, status: 'ended', end_reason: 'canceled', items: await room.transcript() })
    const before = await room.transcript()
    expect((await stop()).status).toBe(202)
    expect((await stop()).body).toMatchObject({ status: 'ended', end_reason: 'canceled' })
    expect(await room.transcript()).toEqual(before)
    expect(before.filter((item) => item.text === 'Collaboration canceled by user.')).toHaveLength(1)

    const finished = await room.ask({ ...both, text: 'quick' })
    expect((await room.served.call('POST', `/api/sessions/${finished.session_id}/stop`)).status).toBe(202)
    expect(await room.session(finished.session_id)).toMatchObject({ end_reason: 'final' })
  })

  it('[TN8] several stops at once post one notice; other sessions continue', async () => {
    const room = await openRoom([
      { when: { ask: 'turn', contains: 'stop me' }, after_ms: 60_000, reply: { message: 'never' } },
      { when: { ask: 'turn', contains: 'leave me' }, after_ms: 150, reply: { message: 'whole', final: true } },
    ])
    const stopped = await room.say({ ...both, text: 'stop me' })
    const left = await room.say({ ...both, text: 'leave me' })
    const stops = [1, 2, 3].map(() => room.served.call('POST', `/api/sessions/${stopped.session_id}/stop`))
    expect((await Promise.all(stops)).map(({ status }) => status)).toEqual([202, 202, 202])
    await Promise.all([room.over(stopped.run), room.over(left.run)])
    const notices = (await room.transcript()).filter((item) => item.sender === 'router')
    expect(notices.map(({ session_id }) => session_id)).toEqual([stopped.session_id])
    expect(await room.session(left.session_id)).toMatchObject({ end_reason: 'final' })
  })
})

describe('how a session ends', () => {
  const ending = async (first: Line, more: Record<string, unknown> = {}) => {
    const room = await openRoom([{ when: { ask: 'turn' }, ...first }])
    const asked = recordPrompts(room.served)
    const { session_id } = await room.ask({ ...both, text: 'go', ...more })
    const [reply] = await room.events('reply.posted')
    return { session: await room.session(session_id), asked, reply: reply?.data as Record<string, unknown> | undefined }
  }

  it('[TN4] without a hand-off, or with one to oneself or an outsider: shown, with a warning if it is invalid', async () => {
    const none = await ending({ reply: { message: 'that is all' } })
    expect([none.session.end_reason, none.reply?.warning]).toEqual(['no_handoff', undefined])
    for (const to of ['gpt', 'mistral', 'Claude', 'router']) {
      const wrong = await ending({ reply: { message: 'over', handoff: { to, task: 'x' } } })
      expect([to, wrong.session.end_reason, wrong.reply?.text]).toEqual([to, 'invalid_handoff', 'over'])
      expect(wrong.reply?.warning).toBeTypeOf('string')
      expect(wrong.asked).toHaveLength(1)
    }
  })

  it('[TN1] one code fence is accepted; a wrong shape is malformed and asked only once', async () => {
    expect((await ending({ text: '```json\n{"message": "m", "final": true}\n```' })).session.end_reason).toBe('final')
    const wrong = [
      '{"message": ""}',
      '{"message": "m", "final": "yes"}',
      '{"message": "m", "handoff": {"to": "claude"}}',
      '{"message": "m", "mood": "good"}',
      `{"message": "m", "handoff": {"to": "claude", "task": "${'x'.repeat(501)}"}}`,
      '["m"]',
      'null',
    ]
    for (const text of wrong) {
      const { session, asked, reply } = await ending({ text })
      expect([text, session.end_reason, asked.length, reply?.text]).toEqual([text, 'malformed', 1, text])
    }
  })

  it('[TN11] when an agent fails, or a script has no line left, which also fails the run', async () => {
    const failed = await ending({ fail: 'timeout' })
    expect([failed.session.end_reason, failed.session.round, failed.reply]).toEqual(['agent_failed', 1, undefined])
    const room = await openRoom([])
    const { session_id, run } = await room.ask({ ...both, text: 'go' })
    expect(await room.session(session_id)).toMatchObject({ status: 'ended', end_reason: 'agent_failed' })
    expect((await room.transcript()).at(-1)).toMatchObject({
      sender: 'router',
      text: expect.stringContaining('script'),
    })
    expect(await room.served.app.engine.get(run)).toMatchObject({ status: 'failed' })
  })

  it('[TN6] after one turn if there is one round, with one participant too', async () => {
    const { session, asked } = await ending(
      { reply: { message: 'm', handoff: { to: 'claude', task: 't' } } },
      { max_rounds: 1 },
    )
    expect([session.end_reason, session.round, asked.length]).toEqual(['cap', 1, 1])
    const alone = await ending({ reply: { message: 'm' } }, { participants: ['claude'] })
    expect([alone.session.end_reason, alone.asked[0]?.agent]).toEqual(['no_handoff', 'claude'])
  })

  it('[TN11] when an agent is no longer configured, instead of staying open', async () => {
    const room = await openRoom(pingPong(3, (round) => `turn ${round}`))
    const { agents } = room.served.app
    const get = agents.get.bind(agents)
    agents.get = (name) => {
      if (name === 'claude') throw new Error("there is no agent 'claude'")
      return get(name)
    }
    const { session_id } = await room.ask({ ...both, text: 'go' })
    expect(await room.session(session_id)).toMatchObject({ status: 'ended', end_reason: 'agent_failed' })
    expect((await room.transcript()).at(-1)).toMatchObject({ sender: 'router', session_id })
  })
})

describe('a fork of a session', () => {
  it('continues it: its turns and its end are those of the session', async () => {
    const over: Line = { when: { ask: 'turn', agent: 'claude', round: 2 }, fail: 'timeout' }
    const saved: Line = { when: { ask: 'turn', agent: 'claude', round: 2 }, reply: { message: 'saved', final: true } }
    const room = await openRoom([...pingPong(1, () => 'first'), over, saved])
    const { session_id, run } = await room.ask({ ...both, text: 'go' })
    expect(await room.session(session_id)).toMatchObject({ status: 'ended', end_reason: 'agent_failed', round: 2 })
    const forked = await room.served.call('POST', `/api/runs/${run}/fork`, { from: 'turn claude' })
    await room.over((forked.body as { id: string }).id)
    const session = await room.session(session_id)
    expect(session).toMatchObject({ status: 'ended', end_reason: 'final', round: 2 })
    expect((await room.transcript()).map(({ text }) => text)).toContain('saved')
  })
})

describe('invalid requests', () => {
  it('are rejected with 400 and the place, or 404', async () => {
    const room = await openRoom([done])
    const only = await newRoom(room.served, { agents: ['gpt'] })
    const messages = `/api/rooms/${room.id}/messages`
    const wrong: [string, unknown, number, string | undefined][] = [
      [messages, { ...both, text: '' }, 400, 'text'],
      [messages, { ...both, text: ' \n\t' }, 400, 'text'],
      [messages, { ...both }, 400, 'text'],
      [messages, { text: 'x', mode: 'collaborate' }, 400, 'participants'],
      [messages, { text: 'x', mode: 'collaborate', participants: [] }, 400, 'participants'],
      [messages, { text: 'x', mode: 'autopilot' }, 400, 'participants'],
      [messages, { text: 'x', mode: 'collaborate', participants: 'gpt' }, 400, 'participants'],
      [messages, { text: 'x', mode: 'collaborate', participants: ['gpt', 7] }, 400, 'participants.1'],
      [messages, { text: 'x', mode: 'collaborate', participants: ['gpt', 'nobody'] }, 400, 'participants.1'],
      [messages, { ...both, text: 'x', speaker: 'nobody' }, 400, 'speaker'],
      [messages, { text: 'x', mode: 'collaborate', participants: ['gpt'], speaker: 'claude' }, 400, 'speaker'],
      [messages, { ...both, text: 'x', target: 'nobody' }, 400, 'target'],
      [messages, { ...both, text: 'x', max_rounds: 0 }, 400, 'max_rounds'],
      [messages, { ...both, text: 'x', max_rounds: 51 }, 400, 'max_rounds'],
      [messages, { ...both, text: 'x', max_rounds: -1 }, 400, 'max_rounds'],
      [messages, { ...both, text: 'x', max_rounds: 1.5 }, 400, 'max_rounds'],
      [messages, { ...both, text: 'x', max_rounds: '6' }, 400, 'max_rounds'],
      [messages, { ...both, text: 'x', max_rounds: null }, 400, 'max_rounds'],
      [messages, { text: 'x', mode: 'single' }, 400, 'target'],
      [messages, { text: 'x', mode: 'single', target: 'nobody' }, 400, 'target'],
      [messages, { text: 'x', mode: 'coordinate', target: 'nobody' }, 400, 'target'],
      [messages, { text: 'x', mode: 'coordinate', participants: ['nobody'] }, 400, 'participants.0'],
      [messages, { text: 'x', mode: 'coordinate', speaker: 'nobody' }, 400, 'speaker'],
      [messages, { text: 'x', mode: 'chat' }, 400, 'mode'],
      [messages, { text: 'x', override: 'only nobody' }, 400, 'override'],
      [messages, { text: 'x', message_id: 'not-a-uuid' }, 400, 'message_id'],
      [messages, null, 400, undefined],
      [messages, 'x', 400, undefined],
      [`/api/rooms/${only.id}/messages`, { text: 'x', target: 'claude' }, 400, 'target'],
      [`/api/rooms/${only.id}/messages`, { ...both, text: 'x' }, 400, 'participants.1'],
      ['/api/rooms', { agents: ['gpt', 'nobody'] }, 400, 'agents.1'],
      ['/api/rooms/nowhere/messages', { text: 'x', target: 'gpt' }, 404, 'room'],
      ['/api/rooms/nowhere/override', { override: 'both' }, 404, 'room'],
      ['/api/rooms/nowhere/agent-messages', { kind: 'inform', from: 'gpt', content: 'x' }, 404, 'room'],
      ['/api/sessions/nowhere/stop', undefined, 404, 'session'],
    ]
    for (const [path, body, status, where] of wrong) {
      const answer = await room.served.call('POST', path, body)
      const { error } = answer.body as { error: { path?: string; message: string; code: string } }
      expect([body, answer.status, error?.path]).toEqual([body, status, where])
      expect(error.message.length).toBeGreaterThan(5)
    }
    for (const path of ['/api/rooms/nowhere', '/api/rooms/nowhere/transcript', '/api/sessions/nowhere', '/api/nothing'])
      expect([path, (await room.served.call('GET', path)).status]).toEqual([path, 404])
    expect(await room.transcript()).toEqual([])
    expect(await room.served.app.engine.list()).toEqual([])
  })
})

describe('a streamed turn', () => {
  it('[TN1] sends only the decoded message, in pieces that join up to it', async () => {
    const message = 'Zeile 1\nZeile "2"\t\\ café naïve 😀 \u{1d4b3} </end>\u2028ok'
    const escaped = JSON.stringify(message).replace(
      /[^ -~]/g,
      (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
    )
    const text = `\`\`\`json\n{"handoff": {"to": "claude", "task": "say \\"message\\": now"}, "message" : ${escaped}}\n\`\`\``
    const room = await openRoom([
      { when: { ask: 'turn', agent: 'gpt' }, text, stream_ms: 2000 },
      { when: { ask: 'turn', agent: 'claude' }, text: 'No JSON at all', stream_ms: 100 },
    ])
    const listening = listen(room.served, `?room=${room.id}&after=0`, ({ events }) =>
      events.some((event) => event.type === 'session.ended'),
    )
    await room.ask({ ...both, text: 'go' })
    const { deltas, events } = await listening
    const [first, second] = events.filter((event) => event.type === 'reply.posted').map((event) => event.data as Said)
    const streamed = (ask: string) => deltas.filter((delta) => delta.ask === ask)
    expect(first!.text).toBe(message)
    expect(streamed(first!.ask).map((delta) => delta.text)).not.toHaveLength(1)
    let sofar = ''
    for (const { offset, text } of streamed(first!.ask)) {
      expect(offset).toBe(sofar.length)
      sofar += text
    }
    expect(sofar).toBe(message)
    expect(second!.text).toBe('No JSON at all')
    expect(
      streamed(second!.ask)
        .map((delta) => delta.text)
        .join(''),
    ).toBe('')
  })

  it('sends what has streamed so far to a late client', async () => {
    const room = await openRoom([
      { when: { ask: 'turn' }, text: JSON.stringify({ message: 'word '.repeat(20), final: true }), stream_ms: 4000 },
    ])
    const early = listen(room.served, `?room=${room.id}`, ({ deltas }) => deltas.filter((d) => d.text).length >= 4)
    const { run } = await room.say({ ...both, text: 'go' })
    await early
    const late = await listen(room.served, `?room=${room.id}`, ({ events }) =>
      events.some((event) => event.type === 'reply.posted'),
    )
    await room.over(run)
    expect(late.deltas[0]!.offset).toBe(0)
    expect(late.deltas[0]!.text.length).toBeGreaterThan(5)
    expect(late.deltas.map((delta) => delta.text).join('')).toBe('word '.repeat(20))
  })
})

interface Said {
  ask: string
  text: string
}

describe('autopilot', () => {
  const autopilot = (limits: Record<string, number>) => ({ settings: { room: { autopilot: limits } } })
  const alone: Line = { when: { ask: 'turn' }, repeat: true, reply: { message: 'on and on' } }

  it('[TN12] alternates without a hand-off, follows a given one, and ends on final', async () => {
    const room = await openRoom(
      [
        { when: { ask: 'turn', round: 3 }, reply: { message: 'back', handoff: { to: 'gpt', task: 'again' } } },
        { when: { ask: 'turn', round: 5 }, reply: { message: 'enough', final: true } },
        alone,
      ],
      { agents: ['gpt', 'claude', 'mistral'] },
    )
    const asked = recordPrompts(room.served)
    const request = { mode: 'autopilot', participants: ['gpt', 'claude', 'mistral'], text: 'go' }
    const { session_id } = await room.ask(request)
    expect(asked.map(({ agent }) => agent)).toEqual(['gpt', 'claude', 'mistral', 'gpt', 'claude'])
    expect(await room.session(session_id)).toMatchObject({ end_reason: 'final', round: 5, max_rounds: 200 })
  })

  it('[TN12] respects the cap on turns, with a notice at an interval of turns', async () => {
    const room = await openRoom([alone], autopilot({ turns: 12, notice_every: 5 }))
    const { session_id } = await room.ask({ ...both, mode: 'autopilot', text: 'go' })
    expect(await room.session(session_id)).toMatchObject({ status: 'ended', end_reason: 'cap', round: 12 })
    const notices = (await room.transcript()).filter((item) => item.sender === 'router' && item.target === 'all')
    expect(notices.map(({ round }) => round)).toEqual([5, 10])
    expect((await room.events('session.ended'))[0]!.data).toMatchObject({ cap: 'turns' })
  })

  it('[TN12] posts a notice every 25 turns unless configured, and max_rounds overrides the cap', async () => {
    const room = await openRoom([alone])
    const { session_id } = await room.ask({ ...both, mode: 'autopilot', text: 'go', max_rounds: 50 })
    expect(await room.session(session_id)).toMatchObject({ end_reason: 'cap', round: 50, max_rounds: 50 })
    const notices = (await room.transcript()).filter((item) => item.sender === 'router' && item.target === 'all')
    expect(notices.map(({ round }) => round)).toEqual([25])
  })

  it('[TN12] respects the cap on tokens: each turn counts once, and the log has the reason', async () => {
    const room = await openRoom([alone], autopilot({ tokens: 1500 }))
    const { session_id } = await room.ask({ ...both, mode: 'autopilot', text: 'go' })
    const used = (await room.events('ask.finished')).map((event) => {
      const { inputTokens, outputTokens } = event.data.usage as { inputTokens: number; outputTokens: number }
      return inputTokens + outputTokens
    })
    const sum = used.reduce((total, tokens) => total + tokens, 0)
    expect(sum).toBeGreaterThanOrEqual(1500)
    expect(sum - used.at(-1)!).toBeLessThan(1500)
    expect(used.length).toBeGreaterThan(2)
    expect(await room.session(session_id)).toMatchObject({ status: 'ended', end_reason: 'cap', round: used.length })
    expect((await room.events('session.ended'))[0]!.data).toMatchObject({ cap: 'tokens' })
    expect(await room.events('handoff.posted')).toHaveLength(used.length - 1)
  })

  it('[TN12] respects the cap on minutes', async () => {
    const room = await openRoom([{ ...alone, after_ms: 40 }], autopilot({ minutes: 0.001 }))
    const { session_id } = await room.ask({ ...both, mode: 'autopilot', text: 'go' })
    const session = await room.session(session_id)
    expect(session).toMatchObject({ status: 'ended', end_reason: 'cap' })
    expect(session.round).toBeLessThan(200)
    expect((await room.events('session.ended'))[0]!.data).toMatchObject({ cap: 'minutes' })
  })
})
