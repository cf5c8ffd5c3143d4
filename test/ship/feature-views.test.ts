/** Views cached on disk: continued from the log, and rebuilt when they do not match it. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { NewEvent } from '../../src/kernel/events.ts'
import type { EventQuery, Store } from '../../src/kernel/store.ts'
import { featureGreenlit, issueMoved, issueReviewed } from '../../src/ship/events.ts'
import { eventHeader } from '../../src/ship/feature-state.ts'
import { FeatureViews } from '../../src/ship/feature-views.ts'
import { openLog } from '../forge/outbox-fixture.ts'
import { temporaryFolder } from '../support/convene.ts'

const feature = 'shop'
const header = eventHeader(feature)
const greenlit = featureGreenlit.create(header, {
  feature,
  issues: [
    {
      number: 1,
      title: 'One',
      body: '',
      acceptance_criteria: [{ id: 'c', text: 'holds' }],
      depends_on: [],
      size: 'medium',
      business_value: 0,
      risk: 0,
    },
  ],
  main: 'main',
  synced: 0,
})
const there = issueMoved.create(header, { issue: 1, from: 'BACKLOG', to: 'READY', cause: 'greenlit', evidence: [] })
const back = issueMoved.create(header, { issue: 1, from: 'READY', to: 'BACKLOG', cause: 'shelved', evidence: [] })
const long: NewEvent[] = [greenlit, ...Array.from({ length: 1200 }, (_, index) => (index % 2 === 0 ? there : back))]

async function logWith(events: NewEvent[]): Promise<{ store: Store; read: () => number }> {
  const log = await openLog()
  onTestFinished(log.close)
  await log.store.append(events)
  let count = 0
  const store: Store = log.store
  const readAll = store.read.bind(store)
  store.read = async (query: EventQuery) => {
    const found = await readAll(query)
    count += found.length
    return found
  }
  return { store, read: () => count }
}

describe('a feature with many events', () => {
  it('[EV2] makes the next process read only newer events', async () => {
    const folder = temporaryFolder()
    const { store, read } = await logWith(long)
    const first = await new FeatureViews(store, folder).read(feature)
    const before = read()
    await store.append([there, issueReviewed.create(header, { issue: 1 })])

    const next = await new FeatureViews(store, folder).read(feature)

    expect(read() - before).toBe(3)
    expect(first.issues[0]).toMatchObject({ state: 'BACKLOG', reviewed: false })
    expect(next.issues[0]).toMatchObject({ state: 'READY', reviewed: true })
  })

  it('[EV2] is folded again for another log, or if the cache is damaged or has another format', async () => {
    const folder = temporaryFolder()
    const { store } = await logWith(long)
    const told = await new FeatureViews(store, folder).read(feature)
    const [file] = readdirSync(folder)
    const kept = readFileSync(join(folder, file!), 'utf8')
    for (const damaged of ['', kept.slice(0, 100), kept.replace(/"form":"\w+"/, '"form":"older"')]) {
      writeFileSync(join(folder, file!), damaged.replace('"BACKLOG"', '"DONE"'))
      expect(await new FeatureViews(store, folder).read(feature)).toEqual(told)
    }
    writeFileSync(join(folder, file!), kept)
    const other = await logWith([...long, there])
    expect((await new FeatureViews(other.store, folder).read(feature)).issues[0]!.state).toBe('READY')
  })

  it('[EV2] is still answered if nothing can be cached', async () => {
    const nowhere = join(temporaryFolder(), 'file')
    writeFileSync(nowhere, '')
    const { store } = await logWith(long)
    expect((await new FeatureViews(store, nowhere).read(feature)).issues).toHaveLength(1)
  })

  it('is not cached while short, and no name escapes the folder', async () => {
    const folder = temporaryFolder()
    const { store } = await logWith([greenlit, there])
    await new FeatureViews(store, folder).read(feature)
    await new FeatureViews(store, folder).read('../../etc/passwd')
    expect(readdirSync(folder)).toEqual([])
  })
})
