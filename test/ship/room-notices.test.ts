/**
 * A room's notices about a ship follow from the log alone: each once, in order, even if the process was killed before
 * posting.
 */
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { StoredEvent } from '../../src/kernel/events.ts'
import { runFinished, runParked, runStream } from '../../src/kernel/run-events.ts'
import { questionAsked } from '../../src/kernel/runs/question-events.ts'
import { Database } from '../../src/kernel/stores/database.ts'
import { SqliteStore } from '../../src/kernel/stores/sqlite.ts'
import { planFinished } from '../../src/plan/events.ts'
import { noticePosted } from '../../src/room/events.ts'
import { HostedWork } from '../../src/room/hosted-work.ts'
import { featureGreenlit, issueMoved, shipFinished, shipStarted } from '../../src/ship/events.ts'
import { RoomNotices } from '../../src/ship/ship/room-notices.ts'
import { temporaryFolder } from '../support/convene.ts'

const run = 'ship-1'
const feature = 'export-1'
const header = (below = '') => ({ stream: `feature:${feature}`, feature, run: `${run}${below}` })
const issue = (number: number) => ({
  number,
  title: `Part ${number}`,
  body: '',
  acceptance_criteria: [{ id: 'a', text: 'a' }],
  depends_on: [],
  size: 'small' as const,
  business_value: 0,
  risk: 0,
})
const greenlit = featureGreenlit.create(
  { stream: `feature:${feature}`, feature },
  { feature, issues: [issue(1), issue(2)], main: 'main', synced: 0 },
)
const started = (room?: string) =>
  shipStarted.create(header(), {
    goal: 'Export',
    mode: 'rapid',
    plan: feature,
    feature,
    merge: false,
    ...(room === undefined ? {} : { room, message_id: 'm1' }),
  })
const moved = (number: number, to: 'DONE' | 'BLOCKED', reason?: string) =>
  issueMoved.create(header(`/run/issue-${number}`), {
    issue: number,
    from: 'BACKLOG',
    to,
    cause: to === 'DONE' ? 'verified' : 'retries_spent',
    evidence: [],
    ...(reason === undefined ? {} : { reason }),
  })
const finished = shipFinished.create(header(), {
  status: 'failed',
  reason: 'blocked: #2: the tests do not pass\nmore',
  done: [1],
  blocked: [2],
  branch: `convene/${feature}/main`,
  cost: { asks: 10, calls: 12, tokens: 34_567, usd: 0.5 },
  seconds: 75,
})

function openLog() {
  const folder = temporaryFolder()
  const database = new Database(join(folder, 'convene.db'))
  const store = new SqliteStore(database, { payloadFolder: join(folder, 'payloads'), redact: (value) => value })
  onTestFinished(() => store.close())
  const rooms = new HostedWork({ store, talk: null as never, room: () => {} })
  const said = async () => (await store.read({ stream: 'room:r1' })) as StoredEvent<{ text: string; links: object[] }>[]
  return { store, rooms, said, notices: () => new RoomNotices(store, rooms) }
}

const expected = [
  'Done (1 of 2): #1 Part 1',
  'A question waits for you: Really?',
  'Blocked: #2 Part 2: the tests do not pass',
  'Not shipped: blocked: #2: the tests do not pass. 1 of 2 issues are done. Waiting: #2 blocked. Spent: 10 asks with 12 requests, 34,567 tokens, $0.50, 1 min 15 s.',
]
const question = questionAsked.create(header('/plan'), { id: 'q', run: `${run}/plan`, text: 'Really?', context: {} })
const story = [greenlit, moved(1, 'DONE'), question, moved(2, 'BLOCKED', 'the tests do not pass\nat all'), finished]

describe('notices of a ship', () => {
  it('are posted as things happen, and not again by the next process', async () => {
    const { store, said, notices } = openLog()
    const first = notices()
    await first.start()
    await store.append([started('r1')])
    for (const event of story) await store.append([event])
    await first.stop()
    expect((await said()).map(({ data }) => data.text)).toEqual(expected)
    expect((await said()).every((event) => noticePosted.is(event) && event.run === run)).toBe(true)
    expect((await said())[1]!.data.links).toEqual([{ label: 'Answer', address: '/plans/ship-1%2Fplan' }])
    const second = notices()
    await second.start()
    await second.stop()
    expect(await said()).toHaveLength(expected.length)
  })

  it('[PH6] name the questions that the plan leaves open', async () => {
    const { store, said, notices } = openLog()
    const ended = { status: 'done' as const, degraded: false, issues: 1, assumptions: 0 }
    const open_questions = ['Q2-1: A patch or a minor release?']
    await store.append([started('r1'), planFinished.create(header('/plan'), { ...ended, open_questions })])
    const one = notices()
    await one.start()
    await one.stop()
    const [notice] = (await said()).map(({ data }) => data.text)
    expect(notice).toBe('The plan is ready: 1 issue. Open: Q2-1: A patch or a minor release?')
  })

  it('[IS1] are posted once for a move that was recorded twice', async () => {
    const { store, said, notices } = openLog()
    await store.append([started('r1'), greenlit, moved(1, 'DONE'), moved(1, 'DONE'), moved(1, 'BLOCKED')])
    const one = notices()
    await one.start()
    await one.stop()
    expect((await said()).map(({ data }) => data.text)).toEqual(['Done (1 of 2): #1 Part 1'])
  })

  it('are posted later if the process died first, with the counts of their own time', async () => {
    const { store, said, notices } = openLog()
    await store.append([started('r1'), ...story])
    // Two processes at once post no more than one.
    const both = [notices(), notices()]
    await Promise.all(both.map((one) => one.start()))
    await Promise.all(both.map((one) => one.stop()))
    expect((await said()).map(({ data }) => data.text)).toEqual(expected)
  })

  it('report a stop or an early end, and nothing about ships without a room', async () => {
    const { store, said, notices } = openLog()
    const own = { stream: runStream(run), run }
    await store.append([
      started('r1'),
      runParked.create(own, { reason: 'stopped' }),
      runParked.create({ stream: 'run:ship-1/plan', run: `${run}/plan` }, { reason: 'stopped' }),
      runFinished.create(own, { status: 'failed', reason: 'no line left' }),
    ])
    const one = notices()
    await one.start()
    await one.stop()
    expect((await said()).map(({ data }) => data.text)).toEqual([
      'Stopped. Nothing is lost; resume it to continue.',
      'Not shipped: no line left.',
    ])
    const other = openLog()
    await other.store.append([started(), ...story])
    const silent = other.notices()
    await silent.start()
    await silent.stop()
    expect((await other.store.read({})).filter(({ type }) => type === noticePosted.type)).toEqual([])
  })
})
