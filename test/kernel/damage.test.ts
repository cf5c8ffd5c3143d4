/** Truncated, overwritten and invalid database files: what can be recovered is recovered, and the rest is reported. */
import { copyFileSync, existsSync, mkdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Run, Workflow } from '../../src/kernel/engine.ts'
import type { ConveneError } from '../../src/kernel/errors.ts'
import { Database } from '../../src/kernel/stores/database.ts'
import { eventually, seeded } from '../contract/engine/bench.ts'
import { databaseFile, type LocalEngine, openLocalEngine } from './open-engine.ts'

const stepCount = 60

/** Each step emits one fact in its transaction, so steps and facts must always agree. */
const counting: Workflow<undefined, number> = {
  name: 'counting',
  version: 1,
  async run(run: Run) {
    let sum = 0
    for (let step = 0; step < stepCount; step++) {
      sum += await run.step(`step-${step}`, ({ emit }) => {
        // Some are longer than a page of the file.
        const text = 'x'.repeat(step % 5 === 4 ? 9000 : 700)
        emit({ type: 'step.counted', version: 1, stream: 'counted', data: { step, text } })
        return step
      })
    }
    await run.receive('go', { timeout: 3_600_000 })
    return sum
  },
}
const sum = (stepCount * (stepCount - 1)) / 2

let folder: string
let opened: LocalEngine[]

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'convene-damage-'))
  opened = []
})
afterEach(async () => {
  for (const engine of opened) await engine.close()
  await rm(folder, { recursive: true, force: true })
})

function openIn(place: string): LocalEngine {
  const engine = openLocalEngine(place)
  opened.push(engine)
  engine.engine.register(counting)
  return engine
}

/** A folder with a run that has done all its steps and waits. Still open: the files are as after a power cut. */
async function workedIn(place: string): Promise<LocalEngine> {
  const local = openIn(place)
  await local.engine.start(counting, undefined, { id: 'r' })
  await eventually(async () => expect(await local.engine.steps('r')).toHaveLength(stepCount + 1))
  return local
}

function copyOfDisk(from: string, name: string): string {
  const to = join(folder, name)
  mkdirSync(to)
  for (const suffix of ['', '-wal'])
    if (existsSync(databaseFile(from) + suffix)) copyFileSync(databaseFile(from) + suffix, databaseFile(to) + suffix)
  return to
}

/** Steps and facts agree, the log has no gaps, and new facts come after the old ones. Returns the number of steps. */
async function expectSoundPrefix(local: LocalEngine): Promise<number> {
  const events = await local.store.read({})
  expect(events.map((event) => event.seq)).toEqual(events.map((_, index) => index + 1))
  expect(await local.store.lastSeq()).toBe(events.length)
  const counted = events
    .filter((event) => event.stream === 'counted')
    .map((event) => (event.data as { step: number }).step)
  expect(counted).toEqual(counted.map((_, index) => index))
  const [next] = await local.store.append([{ type: 'thing.noted', version: 1, stream: 'after', data: {} }])
  expect(next!.seq).toBe(events.length + 1)
  if ((await local.engine.get('r')) === null) return 0
  const steps = (await local.engine.steps('r')).filter((step) => step.kind === 'step')
  expect(steps.map((step) => step.name)).toEqual(steps.map((_, index) => `step-${index}`))
  expect(steps).toHaveLength(counted.length)
  return steps.length
}

async function expectResumes(local: LocalEngine): Promise<void> {
  const handle = await local.engine.start(counting, undefined, { id: 'r' })
  await local.engine.send('r', 'go')
  expect(await handle.result()).toBe(sum)
  expect(await local.store.read({ stream: 'counted' })).toHaveLength(stepCount)
}

describe('a write-ahead log', () => {
  it('loses nothing to garbage after the last commit', async () => {
    await workedIn(join(folder, 'work'))
    const random = seeded(7)
    for (const length of [1, 23, 24, 4096, 4120, 50_000]) {
      const copy = copyOfDisk(join(folder, 'work'), `garbage-${length}`)
      const garbage = Buffer.from(Array.from({ length }, () => Math.floor(random() * 256)))
      writeFileSync(`${databaseFile(copy)}-wal`, garbage, { flag: 'a' })
      const local = openIn(copy)
      expect(local.database.salvaged).toBeNull()
      expect(await expectSoundPrefix(local)).toBe(stepCount)
      await local.engine.recover()
      await expectResumes(local)
    }
  })

  it('truncated at any byte, opens with what came before and continues from there', async () => {
    await workedIn(join(folder, 'work'))
    const length = statSync(`${databaseFile(join(folder, 'work'))}-wal`).size
    expect(length).toBeGreaterThan(300_000)
    const random = seeded(11)
    const cuts = [
      0,
      1,
      31,
      32,
      33,
      4096,
      length - 1,
      ...Array.from({ length: 24 }, () => Math.floor(random() * length)),
    ]
    const kept = new Set<number>()
    for (const [index, cut] of cuts.entries()) {
      const copy = copyOfDisk(join(folder, 'work'), `cut-${index}`)
      truncateSync(`${databaseFile(copy)}-wal`, cut)
      const local = openIn(copy)
      kept.add(await expectSoundPrefix(local))
      await local.engine.recover()
      await expectResumes(local)
      await local.close()
    }
    expect(kept.size).toBeGreaterThan(10)
    expect(Math.max(...kept)).toBeGreaterThanOrEqual(stepCount - 1)
  })
})

describe('a truncated database', () => {
  it('opens with what is readable, keeps the damaged file, reports the last seq, and parks running work', async () => {
    const work = await workedIn(join(folder, 'work'))
    const done: Workflow<undefined, string> = { name: 'done', version: 1, run: async () => 'done' }
    await (await work.engine.start(done, undefined, { id: 'finished' })).result()
    const before = await work.store.read({})
    await work.close()
    const length = statSync(databaseFile(join(folder, 'work'))).size
    const kept = new Set<number>()
    for (const share of [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99, 0.999]) {
      const copy = copyOfDisk(join(folder, 'work'), `cut-${share}`)
      const file = databaseFile(copy)
      truncateSync(file, Math.floor(length * share))
      const damaged = readFileSync(file)
      const local = openIn(copy)
      const { salvaged } = local.database
      expect(salvaged).toEqual({
        damagedFile: `${file}.damaged`,
        lastSeq: expect.any(Number),
        parkedRuns: expect.any(Number),
      })
      expect(readFileSync(salvaged!.damagedFile).equals(damaged)).toBe(true)
      const events = await local.store.read({})
      expect(events.slice(0, salvaged!.lastSeq)).toEqual(before.slice(0, salvaged!.lastSeq))
      kept.add(salvaged!.lastSeq)
      expect(salvaged!.lastSeq).toBeLessThanOrEqual(before.length)
      const parked = events.slice(salvaged!.lastSeq)
      expect(parked.map((event) => event.type)).toEqual(Array(salvaged!.parkedRuns).fill('run.parked'))
      expect(await local.engine.list({ status: 'running' })).toEqual([])
      const run = await local.engine.get('r')
      if (run) {
        expect(run).toMatchObject({ status: 'needs-attention', reason: expect.stringContaining('database truncated') })
        expect(parked.map((event) => event.run)).toEqual(['r'])
      }
      await local.engine.recover()
      expect(await local.engine.list({ status: 'running' })).toEqual([])
      const [next] = await local.store.append([{ type: 'thing.noted', version: 1, stream: 'after', data: {} }])
      expect(next!.seq).toBe(events.length + 1)
      expect(integrityOf(file)).toBe('ok')
      await local.close()
      const again = openIn(copy)
      expect(again.database.salvaged).toBeNull()
      expect(await again.store.lastSeq()).toBe(next!.seq)
      if (run) {
        expect(await again.engine.resume('r')).toMatchObject({ status: 'running' })
        await again.engine.send('r', 'go')
        expect(await again.engine.result('r')).toBe(sum)
      }
    }
    expect(Math.max(...kept)).toBeGreaterThan(Math.min(...kept))
  })

  it('gives the steps of a lost run to no other run', async () => {
    await (await workedIn(join(folder, 'work'))).close()
    loseRuns(databaseFile(join(folder, 'work')), 'r')
    const local = openIn(join(folder, 'work'))
    expect(local.database.salvaged).not.toBeNull()
    expect(await local.engine.get('r')).toBeNull()
    expect(local.database.all('SELECT run FROM steps')).toEqual([])
    const handle = await local.engine.start(counting, undefined, { id: 'next' })
    await local.engine.send('next', 'go')
    expect(await handle.result()).toBe(sum)
    const steps = (await local.store.read({ run: 'next' })).filter(({ type }) => type === 'step.counted')
    expect(steps).toHaveLength(stepCount)
  })

  it('restarts a lost child, and keeps no child whose parent is lost', async () => {
    const child: Workflow<undefined, number> = {
      name: 'child',
      version: 1,
      run: async (run) => (await run.receive<number>('number')) ?? 0,
    }
    const parent: Workflow<undefined, number> = {
      name: 'parent',
      version: 1,
      async run(run) {
        await run.step('before', () => 1)
        return (await run.start(child, undefined, { id: `${run.runId}/child` })).result()
      },
    }
    const open = () => {
      const local = openIn(join(folder, 'work'))
      for (const workflow of [child, parent]) local.engine.register(workflow)
      return local
    }
    const work = open()
    for (const id of ['one', 'two']) {
      await work.engine.start(parent, undefined, { id })
      await eventually(async () => expect(await work.engine.get(`${id}/child`)).not.toBeNull())
    }
    await work.close()
    loseRuns(databaseFile(join(folder, 'work')), 'one/child', 'two')

    const local = open()
    expect((await local.engine.list({})).map(({ id }) => id)).toEqual(['one'])
    await local.engine.resume('one')
    await eventually(async () => expect(await local.engine.get('one/child')).not.toBeNull())
    await local.engine.send('one/child', 'number', 7)
    expect(await local.engine.result('one')).toBe(7)
  })

  it('can be repaired repeatedly, and keeps each damaged file', async () => {
    await (await workedIn(join(folder, 'work'))).close()
    const file = databaseFile(join(folder, 'work'))
    for (const name of ['.damaged', '.damaged-2', '.damaged-3']) {
      truncateSync(file, statSync(file).size - 5000)
      const local = openIn(join(folder, 'work'))
      expect(local.database.salvaged?.damagedFile).toBe(file + name)
      await local.close()
    }
  })

  it('has lost nothing if its write-ahead log holds the rest, as after a crash during a checkpoint', async () => {
    const work = await workedIn(join(folder, 'work'))
    const copy = copyOfDisk(join(folder, 'work'), 'cut')
    work.database.prepare('PRAGMA wal_checkpoint(PASSIVE)').get()
    copyFileSync(databaseFile(join(folder, 'work')), databaseFile(copy))
    truncateSync(databaseFile(copy), Math.floor(statSync(databaseFile(copy)).size * 0.6))
    const local = openIn(copy)
    expect(local.database.salvaged).toBeNull()
    expect(await expectSoundPrefix(local)).toBe(stepCount)
    await local.engine.recover()
    await expectResumes(local)
  })

  it('takes from its write-ahead log what belongs to the recovered part, and keeps the log', async () => {
    await (await workedIn(join(folder, 'work'))).close()
    const work = openIn(join(folder, 'work'))
    await work.store.append([{ type: 'thing.noted', version: 1, stream: 'late', data: {} }])
    const before = await work.store.read({})
    const copy = copyOfDisk(join(folder, 'work'), 'cut')
    const file = databaseFile(copy)
    truncateSync(file, Math.floor(statSync(file).size * 0.6))
    const files = [readFileSync(file), readFileSync(`${file}-wal`)]
    const { database, store } = openIn(copy)
    expect(database.salvaged!.lastSeq).toBeLessThan(before.length)
    expect((await store.read({})).slice(0, database.salvaged!.lastSeq)).toEqual(
      before.slice(0, database.salvaged!.lastSeq),
    )
    expect(readFileSync(`${file}.damaged`).equals(files[0]!)).toBe(true)
    expect(readFileSync(`${file}.damaged-wal`).equals(files[1]!)).toBe(true)
    expect(integrityOf(file)).toBe('ok')
  })

  it('is left alone if nothing can be read, and the error says what to do', async () => {
    await (await workedIn(join(folder, 'work'))).close()
    for (const length of [100, 600, 4095]) {
      const copy = copyOfDisk(join(folder, 'work'), `cut-${length}`)
      truncateSync(databaseFile(copy), length)
      const error = errorOf(() => new Database(databaseFile(copy)))
      expect(error).toMatchObject({ name: 'ConveneError', code: 'database_corrupt', exitCode: 2 })
      expect(error.message).toContain(databaseFile(copy))
      expect(error.message).toContain('Move it away and start again')
      expect(statSync(databaseFile(copy)).size).toBe(length)
      expect(existsSync(`${databaseFile(copy)}.damaged`)).toBe(false)
      expect(existsSync(`${databaseFile(copy)}.salvaged`)).toBe(false)
    }
  })
})

describe('a file that is not a database', () => {
  it.each([
    ['a text', 'this is not a database, it is a note\n'.repeat(200)],
    ['a single letter', 'x'],
    ['less than a header', 'SQLite format 3\0'],
    ['zeros', '\0'.repeat(8192)],
  ])('is rejected and left unchanged: %s', (_, content) => {
    const file = databaseFile(folder)
    writeFileSync(file, content)
    const error = errorOf(() => new Database(file))
    expect(error).toMatchObject({ name: 'ConveneError', code: 'database_corrupt', exitCode: 2 })
    expect(error.message).toContain(file)
    expect(error.message).toContain('Move it away and start again')
    expect(readFileSync(file, 'utf8')).toBe(content)
  })

  it('is rejected: a folder', () => {
    mkdirSync(databaseFile(folder))
    expect(errorOf(() => new Database(databaseFile(folder)))).toMatchObject({ code: 'database_corrupt' })
  })

  it('is treated as a new database if empty', async () => {
    writeFileSync(databaseFile(folder), '')
    expect(await openIn(folder).store.lastSeq()).toBe(0)
  })
})

describe('a database that was emptied', () => {
  it('is rejected while its write-ahead log has content, and both are left unchanged', async () => {
    await workedIn(join(folder, 'work'))
    const copy = copyOfDisk(join(folder, 'work'), 'emptied')
    truncateSync(databaseFile(copy), 0)
    const log = readFileSync(`${databaseFile(copy)}-wal`)
    expect(errorOf(() => new Database(databaseFile(copy)))).toMatchObject({ code: 'database_corrupt' })
    expect(readFileSync(`${databaseFile(copy)}-wal`).equals(log)).toBe(true)
  })
})

describe('a database with overwritten pages', () => {
  it('is rejected, or reported when read', async () => {
    await (await workedIn(folder)).close()
    const file = databaseFile(folder)
    const bytes = readFileSync(file)
    bytes.fill(0x5a, 4096)
    writeFileSync(file, bytes)
    const error = await (async () => {
      const local = openIn(folder)
      await local.store.read({})
    })().catch((error) => error)
    expect(error).toMatchObject({ name: 'ConveneError', code: 'database_corrupt' })
    expect(error.message).toContain(file)
    expect(readFileSync(file).equals(bytes)).toBe(true)
  })

  it('fails writes that reach them, and keeps the process running', async () => {
    const work = await workedIn(join(folder, 'work'))
    await work.close()
    const copy = copyOfDisk(join(folder, 'work'), 'bad')
    const bytes = readFileSync(databaseFile(copy))
    bytes.fill(0x5a, 8 * 4096)
    writeFileSync(databaseFile(copy), bytes)
    const outcome = await (async () => {
      const local = openIn(copy)
      const handle = await local.engine.start(counting, undefined, { id: 'new' })
      await local.engine.send('new', 'go')
      return handle.result()
    })().catch((error) => error)
    expect(outcome).toMatchObject({ code: 'database_corrupt' })
  })
})

describe('a database from a newer version', () => {
  it('is rejected and left unchanged, even if truncated', async () => {
    await (await workedIn(folder)).close()
    const file = databaseFile(folder)
    const sqlite = new DatabaseSync(file)
    sqlite.exec('PRAGMA user_version = 99')
    sqlite.close()
    const error = errorOf(() => new Database(file))
    expect(error).toMatchObject({ name: 'ConveneError', code: 'database_too_new', exitCode: 2 })
    expect(error.message).toContain('format 99')
    expect(error.message).toContain('Update Convene')
    truncateSync(file, statSync(file).size - 4096)
    expect(errorOf(() => new Database(file))).toMatchObject({ code: 'database_too_new' })
    expect(existsSync(`${file}.damaged`)).toBe(false)
  })
})

function errorOf(fn: () => unknown): ConveneError {
  try {
    fn()
  } catch (error) {
    return error as ConveneError
  }
  throw new Error('nothing was thrown')
}

function integrityOf(file: string): unknown {
  const sqlite = new DatabaseSync(file)
  try {
    return sqlite.prepare('PRAGMA integrity_check').get()?.integrity_check
  } finally {
    sqlite.close()
  }
}

/** These rows are gone, and so is the end of the file. */
function loseRuns(file: string, ...ids: string[]): void {
  const database = new DatabaseSync(file)
  for (const id of ids) database.prepare('DELETE FROM runs WHERE id = ?').run(id)
  const insert = database.prepare(
    `INSERT INTO events (id, ts, type, version, stream, data) VALUES (?, '2026-01-01T00:00:00.000Z', 'thing.noted', 1, 'end', ?)`,
  )
  for (let number = 0; number < 100; number++) insert.run(`end-${number}`, JSON.stringify('x'.repeat(3000)))
  database.close()
  truncateSync(file, statSync(file).size - 100_000)
}
