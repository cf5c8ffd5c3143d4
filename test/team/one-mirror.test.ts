/** Several processes of one folder follow a shared log: the files that mirror it have each line once. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { Database } from '../../src/kernel/stores/database.ts'
import { SqliteStore } from '../../src/kernel/stores/sqlite.ts'
import { keepMirrorAlone } from '../../src/ship/tracker/mirror.ts'
import { temporaryFolder } from '../support/convene.ts'

it('[EV1] is written by one of them, and by another when that one has ended', async () => {
  const folder = temporaryFolder()
  const events = join(folder, 'shared', 'events')
  const store = new SqliteStore(new Database(join(folder, 'log.db')), { payloadFolder: join(folder, 'payloads') })
  const started = (issue: number) =>
    store.append([{ type: 'issue.started', version: 1, stream: 'feature:demo', feature: 'demo', data: { issue } }])
  const issues = () => {
    const file = join(events, 'demo.jsonl')
    if (!existsSync(file)) return []
    return readFileSync(file, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).issue)
  }
  const stops = [await keepMirrorAlone(store, events), await keepMirrorAlone(store, events)]
  await started(1)
  await started(2)
  expect(issues()).toEqual([1, 2])
  stops[0]!()
  await started(3)
  await expect.poll(issues).toEqual([1, 2, 3])
  await started(4)
  expect(issues()).toEqual([1, 2, 3, 4])
  stops[1]!()
  await store.close()
})
