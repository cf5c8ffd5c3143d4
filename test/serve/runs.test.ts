/** Runs over HTTP: the list, the overview of a run, and filtered parts of its log. */
import { expect, it } from 'vitest'
import type { StoredEvent } from '../../src/kernel/events.ts'
import { foldEvents } from '../../src/kernel/fold.ts'
import { openOverview, type RunOverview, runOverview } from '../../src/runs/overview.ts'
import { rehearsalProject } from '../support/convene.ts'
import { listen, type Served, serve } from '../support/server.ts'

const project = rehearsalProject(`
- when: { ask: turn, agent: gpt }
  reply: { message: I begin, handoff: { to: claude, task: end it }, final: false }
- when: { ask: turn, agent: claude }
  reply: { message: I end, final: true }
- when: { ask: answer }
  repeat: true
  text: hello
`)

interface Posted {
  run: string
}

async function talked(): Promise<{ served: Served; session: string; answer: string }> {
  const served = await serve(project)
  const { body: room } = await served.call('POST', '/api/rooms', { name: 'first' })
  const messages = `/api/rooms/${(room as { id: string }).id}/messages`
  const collaboration = { text: 'A goal for two', mode: 'collaborate', participants: ['gpt', 'claude'] }
  const { run: session } = (await served.call('POST', messages, collaboration)).body as Posted
  await served.app.engine.result(session)
  const { run: answer } = (await served.call('POST', messages, { text: 'Hello there', target: 'gpt' })).body as Posted
  await served.app.engine.result(answer)
  return { served, session, answer }
}

const eventsOf = async (served: Served, query: string) =>
  ((await served.call('GET', `/api/events?${query}`)).body as { events: StoredEvent[]; next: number | null }).events

it('lists runs with their titles and costs', async () => {
  const { served, session, answer } = await talked()
  const { runs } = (await served.call('GET', '/api/runs')).body as { runs: { id: string }[] }
  const found = (id: string) => runs.find((run) => run.id === id)
  expect(found(session)).toMatchObject({ kind: 'room.session', title: 'A goal for two', cost: { asks: 2, usd: 0 } })
  expect(found(answer)).toMatchObject({
    kind: 'room.answer',
    title: 'Hello there',
    cost: { asks: 1 },
    room: expect.any(String),
  })
})

it('returns the overview of a run as of its seq, and events after it bring it up to date', async () => {
  const served = await serve(project)
  await served.app.store.append([{ type: 'thing.noted', version: 1, stream: 's', run: 'other', data: {} }])
  const { body: room } = await served.call('POST', '/api/rooms', {})
  const { run } = (
    await served.call('POST', `/api/rooms/${(room as { id: string }).id}/messages`, { text: 'Hi', target: 'gpt' })
  ).body as Posted
  await served.app.engine.result(run)
  const path = `/api/runs/${run}/overview`
  const first = (await served.call('GET', path)).body as RunOverview
  const log = await eventsOf(served, `run=${run}`)
  expect(first).toMatchObject({ run, events: log.length, agents: [{ name: 'gpt' }] })
  expect(first.seq).toBeGreaterThanOrEqual(log.at(-1)!.seq)
  expect(first.lanes.map(({ kind, agent }) => [kind, agent])).toEqual([['ask', 'gpt']])
  const below = { version: 1, stream: 's', run: `${run}/below` }
  await served.app.store.append([
    { ...below, type: 'run.started', data: { workflow: 'room.answer', version: 1, parent: run } },
    { ...below, type: 'warning.given', data: { text: 'late' } },
    { ...below, type: 'warning.given', run: 'elsewhere', data: { text: 'not here' } },
  ])
  const later = (await served.call('GET', path)).body as RunOverview
  expect(later).toMatchObject({ events: log.length + 2, runs: [{ id: run }, { id: `${run}/below`, parent: run }] })
  expect(later.types).toContainEqual({ name: 'warning.given', value: 1 })
  const received = await listen(served, `?after=${first.seq}&run=${run}`, ({ events }) => events.length === 2)
  const onPage = foldOn(first, received.events)
  const atOnce = foldEvents(runOverview(run), [...log, ...received.events]).view
  expect(comparable(onPage)).toEqual(comparable(later))
  expect(comparable(atOnce)).toEqual(comparable(later))
})

const foldOn = (view: RunOverview, events: StoredEvent[]) =>
  events.reduce(runOverview(view.run).evolve, openOverview(structuredClone(view))).view

/** Drops what depends on how it was folded: the seq, and the order of the types. */
function comparable({ seq: _, types, ...view }: RunOverview): object {
  return JSON.parse(
    JSON.stringify({ ...view, types: types.toSorted((a, b) => a.name.localeCompare(b.name)) }),
  ) as object
}

it('answers 404 for a run that does not exist', async () => {
  const served = await serve(project)
  const { status, body } = await served.call('GET', '/api/runs/nothing/overview')
  expect([status, (body as { error: { code: string } }).error.code]).toEqual([404, 'unknown_run'])
})

it('filters the log by type, agent and text, and pages backwards', async () => {
  const { served, session } = await talked()
  const all = await eventsOf(served, `run=${session}`)
  const types = (events: StoredEvent[]) => [...new Set(events.map(({ type }) => type))]
  expect(types(await eventsOf(served, `run=${session}&types=ask.finished,turn.started`)).toSorted()).toEqual([
    'ask.finished',
    'turn.started',
  ])
  const byClaude = await eventsOf(served, `run=${session}&actor=claude`)
  expect(byClaude.length).toBeGreaterThan(0)
  expect(byClaude).toEqual(all.filter(({ actor }) => actor === 'claude'))
  const said = await eventsOf(served, `run=${session}&text=${encodeURIComponent('i END')}`)
  expect(said.some(({ type }) => type === 'reply.posted')).toBe(true)
  expect(said.every(({ data }) => JSON.stringify(data).includes('I end'))).toBe(true)
  const place = all[3]!.seq
  expect(await eventsOf(served, `run=${session}&before=${place}&last=2`)).toEqual(all.slice(1, 3))
  expect((await served.call('GET', `/api/events?text=${'x'.repeat(501)}`)).status).toBe(400)
})

it('filters an event stream by type', async () => {
  const { served, session } = await talked()
  const wanted = (await eventsOf(served, `run=${session}&types=turn.started`)).length
  const { events } = await listen(
    served,
    `?after=0&run=${session}&types=turn.started`,
    (received) => received.events.length === wanted,
  )
  expect(events.every(({ type }) => type === 'turn.started')).toBe(true)
  expect(wanted).toBe(2)
})
