/** Rooms that are interrupted: what was said stands, what was in flight is finished, nothing appears twice. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type App, createApp } from '../../src/app.ts'
import { readServerSentEvents } from '../../src/cli/client/server-sent-events.ts'
import { loadConfig } from '../../src/kernel/config/load.ts'
import type { StoredEvent } from '../../src/kernel/events.ts'
import type { TranscriptItem } from '../../src/room/view.ts'
import { start, temporaryFolder } from '../support/convene.ts'
import { type Line, type Posted, projectFiles } from './open-room.ts'

interface Story {
  script: Line[]
  message: Record<string, unknown>
  settings?: Record<string, unknown>
}

const question = 'Which storage engine fits an append-only event log?'

const propose = (agent: string, confidence: number, builds_on_other: boolean): Line => ({
  when: { ask: 'micro-proposal', agent },
  reply: { angle: 'storage engines', confidence, covers: ['storage'], builds_on_other },
})

/** Both propose, gpt answers, claude builds on it. */
const synthesis = (pace: Partial<Line> = {}): Story => ({
  script: [
    { ...propose('gpt', 0.9, true), ...pace },
    { ...propose('claude', 0.85, true), ...pace },
    { when: { ask: 'answer', agent: 'gpt' }, text: 'SQLite, in WAL mode.', ...pace },
    {
      when: { ask: 'answer', agent: 'claude', contains: 'SQLite, in WAL mode.' },
      text: 'And checkpoint often.',
      ...pace,
    },
  ],
  message: { text: question },
})

const parallel: Story = {
  script: [
    propose('gpt', 0.9, false),
    { ...propose('claude', 0.8, false), reply: { angle: 'running cost', confidence: 0.8, covers: ['money'] } },
    { when: { ask: 'answer', agent: 'gpt' }, text: 'A log-structured one.' },
    { when: { ask: 'answer', agent: 'claude' }, text: 'A cheap one.' },
  ],
  message: { text: question },
}

const failing: Story = {
  script: [
    propose('gpt', 0.9, false),
    { when: { ask: 'micro-proposal', agent: 'claude' }, fail: 'unavailable' },
    { when: { ask: 'answer', agent: 'gpt' }, fail: 'unavailable' },
    { when: { ask: 'answer', agent: 'claude' }, text: 'I step in.' },
  ],
  message: { text: question },
}

const wordsOf = (turn: number) => `turn ${turn}, ${'word after word, '.repeat(5)}done`

const session = (pace: Partial<Line> = {}): Story => ({
  script: [
    ['gpt', 'claude'],
    ['claude', 'gpt'],
    ['gpt', 'claude'],
    ['claude', 'gpt'],
  ].map(([agent, to], index) => ({
    when: { ask: 'turn', agent: agent!, round: index + 1 },
    reply: { message: wordsOf(index + 1), handoff: { to, task: `task ${index + 2}` } },
    ...pace,
  })),
  message: { text: 'Count to four', mode: 'collaborate', participants: ['gpt', 'claude'], max_rounds: 4 },
})

const autopilot: Story = {
  script: [{ when: { ask: 'turn' }, repeat: true, reply: { message: 'on' } }],
  message: { text: 'Go on', mode: 'autopilot', participants: ['gpt', 'claude'] },
  settings: { room: { autopilot: { tokens: 600, notice_every: 2 } } },
}

const said = (items: TranscriptItem[]) =>
  items.map(({ type, sender, target, text, round }) => [type, sender, target, text, round])

/** The story's room without a socket, so that hundreds of restarts take seconds. */
async function open(folder: string): Promise<App> {
  const app = await createApp(loadConfig({ folder, env: {} }), {})
  await app.engine.recover()
  return app
}

type Cut = { at: 'commit' | 'asked' | 'answered'; number: number }

/** Plays the story; after a cut nothing more is recorded, and another app continues from the files. */
async function play(story: Story, cuts: Cut[]) {
  const folder = temporaryFolder(projectFiles(story.script, { settings: story.settings }))
  let app = await open(folder)
  const { id } = await app.rooms.create({})
  let posted: Posted | undefined
  let asked = 0
  for (const cut of [...cuts, null]) {
    const over = cutOff(app, cut)
    posted ??= await app.rooms.post(id, story.message as { text: string })
    const ended = app.engine.result(posted.run).then(
      () => true,
      () => false,
    )
    const finished = await Promise.race([ended, over.then(() => false)])
    asked += countOf(app)
    if (finished || cut === null) break
    await app.close()
    app = await open(folder)
  }
  const items = await app.rooms.transcript(id)
  const events = await app.store.read({ run: posted!.run })
  const status = (await app.engine.get(posted!.run))?.status
  await app.close()
  return { items, events, status, asked, commits: commits.get(app) ?? 0 }
}

const commits = new WeakMap<App, number>()
const calls = new WeakMap<App, number>()
const countOf = (app: App) => calls.get(app) ?? 0

/** Releases every run at the given moment; resolves when that has happened. */
function cutOff(app: App, cut: Cut | null): Promise<void> {
  return new Promise((resolve) => {
    const letGo = () => {
      void app.engine.close()
      resolve()
    }
    // Events written in one transaction are published together: there is no moment between them to cut at.
    let telling = false
    app.store.subscribe(() => {
      if (telling) return
      telling = true
      queueMicrotask(() => {
        telling = false
      })
      const number = (commits.get(app) ?? 0) + 1
      commits.set(app, number)
      if (cut?.at === 'commit' && number === cut.number) letGo()
    })
    for (const name of app.agents.names()) {
      const agent = app.agents.get(name)
      const call = agent.call.bind(agent)
      agent.call = async (request, options) => {
        const number = countOf(app) + 1
        calls.set(app, number)
        if (cut?.at === 'asked' && number === cut.number) letGo()
        const reply = await call(request, options)
        if (cut?.at === 'answered' && number === cut.number) letGo()
        return reply
      }
    }
  })
}

/** Each ask is finished once and each reply posted once, whatever happened in between. */
function expectNothingTwice(events: StoredEvent[]): void {
  for (const type of ['ask.started', 'ask.finished', 'reply.posted']) {
    const asks = events.filter((event) => event.type === type).map(({ data }) => (data as { ask: string }).ask)
    expect([type, asks.length]).toEqual([type, new Set(asks).size])
  }
  for (const type of ['message.posted', 'round.resolved', 'session.started', 'session.ended'])
    expect(events.filter((event) => event.type === type).length).toBeLessThanOrEqual(1)
}

describe('interrupted at every moment', () => {
  const stories: [string, Story][] = [
    ['[RD7] a synthesis', synthesis()],
    ['[RD6] two answers at once', parallel],
    ['[RD8] an answer by a stand-in', failing],
    ['[TN6] a session of four turns', session()],
    ['[TN12] an autopilot', autopilot],
  ]
  for (const [name, story] of stories)
    it(`${name} ends the same`, async () => {
      const whole = await play(story, [])
      expect(whole.status).toBe('done')
      expect(whole.items.length).toBeGreaterThan(1)
      expect(whole.commits).toBeGreaterThan(3)
      const cuts: Cut[] = [
        ...Array.from({ length: whole.commits }, (_, index) => ({ at: 'commit' as const, number: index + 1 })),
        ...Array.from({ length: whole.asked }, (_, index) => ({ at: 'asked' as const, number: index + 1 })),
        ...Array.from({ length: whole.asked }, (_, index) => ({ at: 'answered' as const, number: index + 1 })),
      ]
      for (const cut of cuts) {
        const again = await play(story, [cut])
        expect({ cut, status: again.status, said: sorted(again.items) }).toEqual({
          cut,
          status: 'done',
          said: sorted(whole.items),
        })
        expectNothingTwice(again.events)
        expect(again.asked).toBeLessThanOrEqual(whole.asked + 2)
      }
    })

  it('[TN6] a session that is interrupted repeatedly, once in every turn', async () => {
    const cuts: Cut[] = [3, 2, 3, 2].map((number) => ({ at: 'commit', number }))
    const again = await play(session(), cuts)
    expect(said(again.items)).toEqual(said((await play(session(), [])).items))
    expectNothingTwice(again.events)
  })
})

/** Concurrent answers may arrive in any order. */
const sorted = (items: TranscriptItem[]) => said(items).map(String).sort()

interface Process {
  url: string
  token: string
  kill(): Promise<void>
  get<Body>(path: string): Promise<Body>
  post<Body>(path: string, body: unknown): Promise<Body>
}

async function serveProcess(folder: string): Promise<Process> {
  const started = start(['serve', '--port', '0', '--json'], { cwd: folder })
  const [line] = await started.says(/^\{.*"url".*\}$/m)
  const { url, token } = JSON.parse(line) as { url: string; token: string }
  const headers = { authorization: `Bearer ${token}`, accept: 'application/json' }
  return {
    url,
    token,
    kill: async () => {
      started.child.kill('SIGKILL')
      await started.finished
    },
    get: async (path) => (await fetch(url + path, { headers })).json() as never,
    post: async (path, body) =>
      (await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })).json() as never,
  }
}

interface Received {
  ids: number[]
  events: StoredEvent<Record<string, unknown>>[]
  deltas: { ask: string; attempt: number; offset: number; text: string }[]
}

/** Follows the stream until `enough` returns true or the connection is lost; resumes after the last event received. */
async function follow(process: Process, query: string, received: Received, enough: () => boolean): Promise<void> {
  const last = received.ids.at(-1)
  const over = new AbortController()
  try {
    const response = await fetch(`${process.url}/api/events?after=0&${query}`, {
      headers: {
        authorization: `Bearer ${process.token}`,
        accept: 'text/event-stream',
        ...(last === undefined ? {} : { 'last-event-id': String(last) }),
      },
      signal: over.signal,
    })
    for await (const { event, data, id } of readServerSentEvents(response.body!)) {
      if (event === 'delta') received.deltas.push(JSON.parse(data))
      else {
        received.ids.push(Number(id))
        received.events.push(JSON.parse(data))
      }
      if (enough()) break
    }
  } catch {
    // The process was killed during the read.
  } finally {
    over.abort()
  }
}

/**
 * Plays the story in one process after the other: each is killed as soon as its moment has come, the last one finishes
 * it.
 */
async function killed(
  story: Story,
  moments: ((received: Received) => boolean)[],
  isOver: (received: Received) => boolean,
) {
  const folder = temporaryFolder(projectFiles(story.script, { settings: story.settings }))
  const received: Received = { ids: [], events: [], deltas: [] }
  const deltas: Received['deltas'][] = []
  let process = await serveProcess(folder)
  const { id } = await process.post<{ id: string }>('/api/rooms', {})
  let posted: Promise<Posted> | undefined
  for (const now of [...moments, isOver]) {
    const listening = follow(process, `room=${id}`, received, () => now(received))
    posted ??= process.post<Posted>(`/api/rooms/${id}/messages`, story.message)
    await posted
    await listening
    deltas.push(received.deltas.splice(0))
    if (now === isOver) break
    await process.kill()
    process = await serveProcess(folder)
  }
  const { events } = await process.get<{ events: StoredEvent[] }>(`/api/events?room=${id}`)
  const { items } = await process.get<{ items: TranscriptItem[] }>(`/api/rooms/${id}/transcript`)
  await process.kill()
  return { received, events, items, deltas }
}

describe('killed in the middle', () => {
  const has =
    (type: string, facts: Record<string, unknown> = {}) =>
    (received: Received) =>
      received.events.some(
        (event) => event.type === type && Object.entries(facts).every(([key, value]) => event.data[key] === value),
      )

  it('[RD7] a synthesis, at proposals, at the first answer and between the two: both answers, once', async () => {
    const { items, received, events } = await killed(
      synthesis({ after_ms: 120 }),
      [
        has('ask.started', { kind: 'micro-proposal' }),
        has('ask.started', { kind: 'answer', agent: 'gpt' }),
        has('reply.posted', { agent: 'gpt' }),
      ],
      has('reply.posted', { agent: 'claude' }),
    )
    expect(said(items)).toEqual([
      ['human_message', 'you', 'router', question, undefined],
      ['agent_response', 'gpt', 'all', 'SQLite, in WAL mode.', undefined],
      ['agent_response', 'claude', 'all', 'And checkpoint often.', undefined],
    ])
    expect(received.ids).toEqual(events.map(({ seq }) => seq).slice(0, received.ids.length))
    expectNothingTwice(events)
  })

  it('[TN6] a session, while its second turn streams and in its fourth: four turns, each once, and no gap', async () => {
    const secondTurn = (received: Received) =>
      has('turn.started', { round: 2 })(received) && received.deltas.filter(({ offset }) => offset > 0).length >= 2
    const story = session({ stream_ms: 100 })
    // Long enough to be killed in the middle, however busy the machine is.
    story.script[1]!.stream_ms = 5000
    const { items, received, events, deltas } = await killed(
      story,
      [
        (received) => {
          // The first turn's stream is not checked.
          if (!has('turn.started', { round: 2 })(received)) received.deltas.length = 0
          return secondTurn(received)
        },
        has('turn.started', { round: 4 }),
      ],
      has('session.ended'),
    )
    const turns = items.filter(({ type }) => type === 'agent_response')
    expect(turns.map(({ sender, text, round }) => [sender, text, round])).toEqual(
      ['gpt', 'claude', 'gpt', 'claude'].map((sender, index) => [sender, wordsOf(index + 1), index + 1]),
    )
    expect(events.filter(({ type }) => type === 'turn.started')).toHaveLength(4)
    expect(received.ids).toEqual(events.map(({ seq }) => seq))
    expectNothingTwice(events)

    // The ask keeps its id; its attempt number rises, its stream restarts, and the pieces join up to the final text.
    const before = deltas[0]!.filter(({ ask }) => ask === turns[1]!.call_id)
    const after = deltas[1]!.filter(({ ask }) => ask === turns[1]!.call_id)
    const text = (pieces: Received['deltas']) => pieces.map(({ text }) => text).join('')
    expect(wordsOf(2).startsWith(text(before))).toBe(true)
    expect(text(before).length).toBeGreaterThan(0)
    expect(text(before)).not.toBe(wordsOf(2))
    expect(after[0]!.offset).toBe(0)
    expect(Math.min(...after.map(({ attempt }) => attempt))).toBeGreaterThan(before[0]!.attempt)
    expect(text(after)).toBe(wordsOf(2))
  })
})

describe('a configuration that has changed meanwhile', () => {
  it('[TN11] ends a session whose next speaker is gone, instead of waiting forever', async () => {
    const story = session({ after_ms: 30 })
    const folder = temporaryFolder(projectFiles(story.script))
    const first = await open(folder)
    const { id } = await first.rooms.create({})
    const over = cutOff(first, { at: 'commit', number: 4 })
    const { session_id, run } = await first.rooms.post(id, story.message as { text: string })
    await over
    await first.close()
    const alone = projectFiles(story.script, { agents: ['gpt'] })
    writeFileSync(join(folder, 'convene.yaml'), alone['convene.yaml'])
    const second = await open(folder)
    await second.engine.result(run)
    expect(await second.rooms.session(session_id!)).toMatchObject({ status: 'ended', end_reason: 'agent_failed' })
    expect(second.rooms.get(id).agents).toEqual(['gpt'])
    expect((await second.rooms.transcript(id)).at(-1)).toMatchObject({
      sender: 'router',
      text: expect.stringContaining("there is no agent 'claude'"),
    })
    await second.close()
  })
})
