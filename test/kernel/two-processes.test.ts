/** Two processes on one database: the second waits or says why it cannot; nothing gets mixed up. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Run, Workflow } from '../../src/kernel/engine.ts'
import { eventually, latch, turns } from '../contract/engine/bench.ts'
import { databaseFile, openLocalEngine } from './open-engine.ts'
import { nodeCommand, reportOf, runProgram } from './programs.ts'

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'convene-two-'))
})
afterEach(async () => {
  await rm(folder, { recursive: true, force: true })
})

/** A process that holds the write lock; resolves once it does. */
async function lockFor(milliseconds: number, ...more: string[]): Promise<{ ended: Promise<unknown> }> {
  const [command, ...args] = nodeCommand('locking-program.ts', [databaseFile(folder), String(milliseconds), ...more])
  const child = spawn(command!, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(child, 'exit')
  await once(child.stdout, 'data')
  return { ended }
}

describe('two processes on one database', () => {
  it('create it together, write concurrently, and lose nothing', async () => {
    const names = ['a', 'b', 'c', 'd']
    const reports = names.map((name) => reportOf(runProgram('appending-program.ts', [folder, name, '60'])))
    expect(await Promise.all(reports)).toEqual(names.map(() => ({ appended: 60 })))
    const { store, close } = openLocalEngine(folder)
    try {
      const events = await store.read({})
      expect(events.map((event) => event.seq)).toEqual(Array.from({ length: 240 }, (_, index) => index + 1))
      for (const name of names) {
        const own = events.filter((event) => event.stream === name).map((event) => event.data)
        expect(own).toEqual(Array.from({ length: 60 }, (_, index) => index))
      }
    } finally {
      await close()
    }
    const sqlite = new DatabaseSync(databaseFile(folder))
    expect(sqlite.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' })
    sqlite.close()
  })

  it('do not both create its tables', async () => {
    const { ended } = await lockFor(300, 'make')
    const { store, close } = openLocalEngine(folder, { busyTimeoutMs: 20_000 })
    await store.append([{ type: 'thing.noted', version: 1, stream: 's', data: {} }])
    expect(await store.lastSeq()).toBe(1)
    await ended
    await close()
  })

  it('wait for each other', async () => {
    const { store, close } = openLocalEngine(folder, { busyTimeoutMs: 20_000 })
    const { ended } = await lockFor(300)
    await store.append([{ type: 'thing.noted', version: 1, stream: 's', data: {} }])
    expect(await store.read({})).toHaveLength(1)
    await ended
    await close()
  })

  it('report that the other holds the lock too long; the run resumes once it is free', async () => {
    let tries = 0
    const door = latch()
    const stepping: Workflow<undefined, number> = {
      name: 'stepping',
      version: 1,
      run: (run: Run) => run.step('step', () => door.opened.then(() => ++tries)),
    }
    const local = openLocalEngine(folder, { busyTimeoutMs: 50 })
    const handle = await local.engine.start(stepping, undefined, { id: 'r' })
    const { ended } = await lockFor(1500)
    door.open()
    const appends = Array.from({ length: 20 }, () =>
      local.store.append([{ type: 'thing.noted', version: 1, stream: 's', data: {} }]).catch((error) => error.code),
    )
    await expect(handle.result()).rejects.toMatchObject({
      name: 'ConveneError',
      code: 'database_busy',
      message: expect.stringContaining(databaseFile(folder)),
    })
    expect(await Promise.all(appends)).toEqual(Array(20).fill('database_busy'))
    await ended
    await local.engine.recover()
    expect(await local.engine.result('r')).toBe(2)
    await local.close()
  })

  it('never record one run twice: the first record stands, the other process releases the run', async () => {
    const doors = { a: latch(), b: latch() }
    const ran: string[] = []
    const stepping = (name: 'a' | 'b'): Workflow<undefined, string> => ({
      name: 'stepping',
      version: 1,
      async run(run: Run) {
        const first = await run.step('first', ({ emit }) => {
          emit({ type: 'thing.noted', version: 1, stream: 's', data: name })
          return doors[name].opened.then(() => {
            ran.push(`${name} first`)
            return name
          })
        })
        return run.step('second', () => {
          ran.push(`${name} second`)
          return `${first}, finished by ${name}`
        })
      },
    })
    const one = openLocalEngine(folder)
    const other = openLocalEngine(folder)
    const handle = await one.engine.start(stepping('a'), undefined, { id: 'r' })
    other.engine.register(stepping('b'))
    await other.engine.recover()
    doors.a.open()
    expect(await handle.result()).toBe('a, finished by a')
    doors.b.open()
    await eventually(() => expect(ran).toContain('b first'))
    await turns(10)
    expect(await other.engine.result('r')).toBe('a, finished by a')
    expect(ran).toEqual(['a first', 'a second', 'b first'])
    expect((await one.store.read({ stream: 's' })).map((event) => event.data)).toEqual(['a'])
    expect((await one.engine.steps('r')).map((step) => step.value)).toEqual(['a', 'a, finished by a'])
    await one.close()
    await other.close()
  })
})
