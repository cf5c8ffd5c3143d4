/**
 * State changes become queued forge updates: each once, including those of an earlier process, without folding
 * repeatedly.
 */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { forgeChanged, forgeStream } from '../../src/forge/events.ts'
import type { NewEvent } from '../../src/kernel/events.ts'
import type { EventQuery, Store } from '../../src/kernel/store.ts'
import type { IssueState, MoveCause } from '../../src/rules/issues/issue-states.ts'
import { featureGreenlit, type IssueDefinition, issueDone, issueMoved, summaryWritten } from '../../src/ship/events.ts'
import { eventHeader } from '../../src/ship/feature-state.ts'
import { FeatureViews } from '../../src/ship/feature-views.ts'
import { Tracker } from '../../src/ship/tracker/tracker.ts'
import { type OpenedLog, openLog, repo, WatchedForge } from '../forge/outbox-fixture.ts'
import { temporaryFolder } from '../support/convene.ts'

let log: OpenedLog
let forge: WatchedForge
let trackers: Tracker[]

beforeEach(async () => {
  log = await openLog()
  forge = new WatchedForge()
  trackers = []
})
afterEach(async () => {
  for (const tracker of trackers) await tracker.stop()
  await log.close()
})

async function open(store: Store = log.store): Promise<Tracker> {
  const tracker = new Tracker({
    store,
    outbox: log.outbox(forge),
    views: new FeatureViews(store, temporaryFolder()),
    retries: 3,
  })
  trackers.push(tracker)
  await tracker.start()
  return tracker
}

const header = eventHeader('shop')
const definition = (number: number, github?: number): IssueDefinition => ({
  number,
  title: `Issue ${number}`,
  body: '',
  acceptance_criteria: [{ id: 'c', text: 'x' }],
  depends_on: [],
  size: 'medium',
  business_value: 0,
  risk: 0,
  ...(github === undefined ? {} : { github }),
})
const greenlit = (...issues: IssueDefinition[]) =>
  featureGreenlit.create(header, { feature: 'shop', issues, main: 'main', synced: 0 })
const moved = (issue: number, from: IssueState, to: IssueState, cause: MoveCause, reason?: string): NewEvent =>
  issueMoved.create(header, { issue, from, to, cause, evidence: [], ...(reason ? { reason } : {}) })
const queued = async () => (await log.events()).filter(({ type }) => type === 'forge.queued').map(({ data }) => data)

describe('the tracker', () => {
  it('[GH3] queues what an earlier process missed in one batch, and nothing twice', async () => {
    const [one, two] = [forge.addIssue({ title: 'A' }), forge.addIssue({ title: 'B' })]
    await log.store.append([
      greenlit(definition(1, one), definition(2, two), definition(3)),
      ...[1, 2, 3].map((number) => moved(number, 'BACKLOG', 'READY', 'greenlit')),
      moved(1, 'READY', 'IN_PROGRESS', 'started'),
    ])
    await (await open()).flush()
    expect(await queued()).toMatchObject([
      { number: 2, want: { state: 'READY' } },
      // The comment is from the last move that has one.
      { number: 1, want: { state: 'IN_PROGRESS', comment: expect.stringContaining('Ready') } },
    ])
    expect((await forge.getIssue(one)).labels).toEqual(['swarm:in-progress'])
    await (await open()).flush()
    expect(await queued()).toHaveLength(2)
  })

  it('[GH2] reports the end twice: at once, and again once the purpose of each file is known', async () => {
    const one = forge.addIssue({ title: 'A' })
    const tracker = await open()
    await log.store.append([greenlit(definition(1, one)), moved(1, 'BACKLOG', 'READY', 'greenlit')])
    const commit = 'a'.repeat(40)
    await log.store.append([
      moved(1, 'READY', 'DONE', 'verified'),
      issueDone.create(header, { issue: 1, commit, files: ['src/a.js'], tests: 3 }),
    ])
    await tracker.flush()
    expect(await forge.getIssue(one)).toMatchObject({ state: 'closed', labels: ['swarm:done'] })
    expect(forge.commentsOf(one)[0]!.body).toContain(commit)
    const module = { path: 'src/a.js', symbols: ['a'], purpose: 'Adds one', change: 'created' as const }
    const summary = { issue: 1, summary: 'x', by: 'rule' as const, key_files: [], modules: [module] }
    await log.store.append([summaryWritten.create(header, summary)])
    await tracker.flush()
    expect(forge.commentsOf(one).map(({ body }) => body)).toEqual([
      expect.stringContaining('`src/a.js` (created) — Adds one'),
    ])
  })

  it('[GH1] reports an issue that only now has a forge number, and corrects its label', async () => {
    const tracker = await open()
    await log.store.append([greenlit(definition(1)), moved(1, 'BACKLOG', 'READY', 'greenlit')])
    await log.store.append([moved(1, 'READY', 'BLOCKED', 'retries_spent', 'too hard')])
    await tracker.flush()
    expect(await queued()).toEqual([])
    const one = forge.addIssue({ title: 'A', labels: ['mine'] })
    await log.store.append([greenlit(definition(1, one))])
    await tracker.flush()
    expect((await forge.getIssue(one)).labels).toEqual(['mine', 'swarm:blocked'])
    await forge.setLabels(one, ['mine', 'swarm:done'])
    const about = { repo, feature: 'shop', number: 1, issue: one }
    await log.store.append([
      forgeChanged.create(
        { stream: forgeStream, feature: 'shop' },
        { ...about, change: 'label_added', label: 'swarm:done' },
      ),
    ])
    await tracker.flush()
    expect((await forge.getIssue(one)).labels).toEqual(['mine', 'swarm:blocked'])
  })

  it('[GH3] reads hundreds of moves of one feature once', async () => {
    const reads: EventQuery[] = []
    const store = new Proxy(log.store, {
      get(target, key) {
        if (key === 'read')
          return (query: EventQuery) => {
            reads.push(query)
            return target.read(query)
          }
        const value = Reflect.get(target, key)
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
    const issues = Array.from({ length: 300 }, (_, index) => definition(index + 1, forge.addIssue({ title: 'A' })))
    const tracker = await open(store)
    await store.append([
      greenlit(...issues),
      ...issues.map(({ number }) => moved(number, 'BACKLOG', 'READY', 'greenlit')),
    ])
    await tracker.flush(60_000)
    expect(await queued()).toHaveLength(300)
    expect(reads.filter(({ feature }) => feature === 'shop').length).toBeLessThan(5)
  })
})
