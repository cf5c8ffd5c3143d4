import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Run, Workflow } from '../engine.ts'
import type { NewEvent } from '../events.ts'
import { Database } from '../stores/database.ts'
import { SqliteStore } from '../stores/sqlite.ts'
import { SqliteEngine } from './sqlite.ts'

describe('a step that the run goes on from before it is on disk', () => {
  it('lets the next one begin at once, and both are written in their order', async () => {
    const { engine } = open()
    const onRecord: unknown[] = []
    const flow = workflow(async (run) => {
      const first = await run.step('first', () => 1, { ahead: true })
      const second = await run.step('second', async () => {
        onRecord.push(await namesOf(engine))
        return first + 1
      })
      onRecord.push(await namesOf(engine))
      return second
    })
    await engine.start(flow, undefined, { id: 'r' })
    expect(await engine.result('r')).toBe(2)
    expect(onRecord).toEqual([[], ['first', 'second']])
  })

  it('is on record by the time anybody hears of what was written after it', async () => {
    const { engine, store } = open()
    const heard: Promise<string[]>[] = []
    store.subscribe((event) => {
      if (event.type === 'thing.noted') heard.push(namesOf(engine))
    })
    const flow = workflow(async (run) => {
      await run.step('early', ({ emit }) => emit(note('emitted')), { ahead: true })
      await run.step('late', ({ append }) => append(note('appended')))
    })
    await engine.start(flow, undefined, { id: 'r' })
    await engine.result('r')
    expect(await Promise.all(heard)).toEqual([['early'], ['early']])
    expect((await store.read({ types: ['thing.noted'] })).map(({ data }) => data)).toEqual(['emitted', 'appended'])
  })

  it('fails the run’s code with what it threw, the first time and on every replay', async () => {
    const { engine } = open()
    const flow = workflow(async (run) => {
      const fails = () => {
        throw new Error('as it should')
      }
      return run.step('failing', fails, { ahead: true }).catch((error) => `${error.name}: ${error.message}`)
    })
    await engine.start(flow, undefined, { id: 'r' })
    expect(await engine.result('r')).toBe('StepFailed: as it should')
    await engine.fork('r', { fromStep: 1, id: 'again' })
    expect(await engine.result('again')).toBe('StepFailed: as it should')
  })

  it('that cannot be written keeps the run from ending: it is let go of, and others are not harmed', async () => {
    const { engine } = open()
    const unwritable = workflow(async (run) => {
      await run.step('early', ({ emit }) => emit(note(1n)), { ahead: true })
      return 'never seen'
    })
    const sound = workflow((run) => run.step('fine', () => 'seen', { ahead: true }), 'sound')
    await Promise.all([
      engine.start(unwritable, undefined, { id: 'r' }),
      engine.start(sound, undefined, { id: 'other' }),
    ])
    await expect(engine.result('r')).rejects.toThrow(/BigInt/)
    expect(await engine.result('other')).toBe('seen')
    expect(await engine.get('r')).toMatchObject({ status: 'running', steps: 0 })
  })
})

function open() {
  const folder = mkdtempSync(join(tmpdir(), 'convene-ahead-'))
  const database = new Database(join(folder, 'convene.db'))
  const store = new SqliteStore(database, { payloadFolder: join(folder, 'payloads') })
  const engine = new SqliteEngine({ database, store })
  onTestFinished(async () => {
    await engine.close()
    await store.close()
    rmSync(folder, { recursive: true })
  })
  return { engine, store }
}

function workflow<Output>(run: (run: Run) => Promise<Output>, name = 'flow'): Workflow<undefined, Output> {
  return { name, version: 1, run }
}

async function namesOf(engine: SqliteEngine): Promise<string[]> {
  return (await engine.steps('r')).map((step) => step.name)
}

function note(data: unknown): NewEvent {
  return { type: 'thing.noted', version: 1, stream: 'notes', data }
}
