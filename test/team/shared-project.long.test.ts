/** Commands in several folders, as on several machines, share one project through Postgres. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeSample } from '../../scripts/sample-project.ts'
import type { StoredEvent } from '../../src/kernel/events.ts'
import { lastJson, run, start, temporaryFolder } from '../support/convene.ts'
import { serve } from './serve.ts'
import { type RunningPostgres, startPostgres } from './start-postgres.ts'
import { log, team as teamOn } from './team-project.ts'

let server: RunningPostgres

beforeAll(async () => {
  server = await startPostgres()
})
afterAll(() => server?.stop())

const team = (size: number) => teamOn(server, size)

describe('a project in Postgres', () => {
  it('is the same for commands in every folder, and leaves no local database', async () => {
    const { folders, env } = team(2)
    const [here, there] = folders as [string, string]
    const asked = await run(['ask', 'Where is the log?', '--to', 'gpt', '--json'], { cwd: here, env })
    expect([asked.code, asked.stderr]).toEqual([0, expect.not.stringContaining('only-for-tests')])
    const runs = lastJson<{ runs: { id: string; status: string }[] }>(
      await run(['runs', '--json'], { cwd: there, env }),
    )
    expect(runs.runs).toMatchObject([{ status: 'done' }])
    const events = await log(there, env)
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1))
    expect(events.filter(({ type }) => type === 'reply.posted')).toHaveLength(1)
    await run(['ask', 'And now?', '--to', 'gpt'], { cwd: there, env })
    expect((await log(here, env)).filter(({ type }) => type === 'reply.posted')).toHaveLength(2)
    expect(existsSync(join(here, '.convene/convene.db'))).toBe(false)
  })

  it('ships a goal through room, plan, builds and merge, and every command reads of it', async () => {
    const folder = join(temporaryFolder(), 'sample')
    await makeSample(folder, { pace: 0 })
    const env = { CONVENE_DATABASE_URL: await server.createDatabase() }
    const goal = 'Export orders as a CSV file that opens cleanly in any spreadsheet'
    const shipped = await run(['ship', goal, '--mode', 'rapid', '--yes', '--merge'], { cwd: folder, env })
    expect([shipped.code, shipped.stdout]).toEqual([0, expect.stringMatching(/shipped +4 of 4 issues/)])
    expect((await run(['status'], { cwd: folder, env })).stdout).toContain('4 of 4 done')
    const runs = lastJson<{ runs: { status: string }[] }>(await run(['runs', '--json'], { cwd: folder, env }))
    expect(new Set(runs.runs.map(({ status }) => status))).toEqual(new Set(['done']))
  })

  it('is served by any number of processes, in one folder too', async () => {
    const { folders, env } = team(1)
    const one = await serve(folders[0]!, env)
    const other = await serve(folders[0]!, env)
    expect(other.url).not.toBe(one.url)
    const { id } = await one.call<{ id: string }>('POST', '/api/rooms', { name: 'both' })
    await other.call('POST', `/api/rooms/${id}/messages`, { text: 'Who serves?', target: 'gpt' })
    await expect
      .poll(async () => (await one.call<{ items: { text: string }[] }>('GET', `/api/rooms/${id}/transcript`)).items)
      .toMatchObject([{ text: 'Who serves?' }, {}, { text: 'it is shared' }])
  })

  it('[TM1] goes on elsewhere when a process is paused, and what it does on waking changes nothing', async () => {
    const { folders, env } = team(2)
    const paused = await serve(folders[0]!, env)
    const other = await serve(folders[1]!, env)
    const { id } = await paused.call<{ id: string }>('POST', '/api/rooms', { name: 'taken over' })
    await paused.call('POST', `/api/rooms/${id}/messages`, { text: 'Think slowly', target: 'gpt' })
    const types = async () => {
      const { events } = await other.call<{ events: StoredEvent[] }>('GET', '/api/events')
      return events.map(({ type }) => type)
    }
    await expect.poll(types).toContain('message.posted')
    paused.process.child.kill('SIGSTOP')
    await expect.poll(types).toContain('run.recovered')
    await expect.poll(types).toContain('reply.posted')
    await expect.poll(types).toContain('run.finished')
    const before = await types()
    paused.process.child.kill('SIGCONT')
    await paused.process.notes(/others have taken over its runs; joining again/)
    // It serves at the same address, as a new process of the project.
    const alive = async () => {
      const { workers } = await paused.call<{ workers: { pid: number; alive: boolean }[] }>('GET', '/api/workers')
      return workers.map((worker) => [worker.pid === paused.process.child.pid, worker.alive])
    }
    await expect
      .poll(() => alive().catch(() => []))
      .toEqual([
        [true, true],
        [false, true],
        [true, false],
      ])
    expect(await types()).toEqual(before)
    expect(before.filter((type) => type === 'reply.posted')).toHaveLength(1)
    expect(before.filter((type) => type === 'run.finished')).toHaveLength(1)
  })

  it('[TM1] goes on elsewhere when a process is killed, without repeating a finished step', async () => {
    const { folders, env } = team(2)
    const killed = await serve(folders[0]!, env)
    const other = await serve(folders[1]!, env)
    const { id } = await killed.call<{ id: string }>('POST', '/api/rooms', { name: 'killed' })
    await killed.call('POST', `/api/rooms/${id}/messages`, { text: 'Think slowly', target: 'gpt' })
    killed.process.child.kill('SIGKILL')
    await expect
      .poll(async () => (await other.call<{ items: { text: string }[] }>('GET', `/api/rooms/${id}/transcript`)).items)
      .toMatchObject([{ text: 'Think slowly' }, {}, { text: 'after a while' }])
    const { events } = await other.call<{ events: StoredEvent[] }>('GET', '/api/events')
    expect(events.filter(({ type }) => type === 'message.posted')).toHaveLength(1)
  })
})

describe('convene worker', () => {
  it('[TM2] takes what a server without work of its own was asked, of its floors alone', async () => {
    const { folders, env } = team(3)
    const front = await serve(folders[0]!, env, '--no-work')
    const builder = start(['worker', '--floors', 'build', '--json'], { cwd: folders[1]!, env })
    await builder.says(/capacity/)
    const { id } = await front.call<{ id: string }>('POST', '/api/rooms', { name: 'worked on' })
    await front.call('POST', `/api/rooms/${id}/messages`, { text: 'Who works?', target: 'gpt' })
    const worker = start(['worker', '--capacity', '2', '--floors', 'room', '--json'], { cwd: folders[2]!, env })
    await expect
      .poll(async () => (await front.call<{ items: { text: string }[] }>('GET', `/api/rooms/${id}/transcript`)).items)
      .toMatchObject([{ text: 'Who works?' }, {}, { text: 'it is shared' }])
    const { workers } = await front.call<{ workers: { capacity: number | null; pid: number; alive: boolean }[] }>(
      'GET',
      '/api/workers',
    )
    expect(workers.map(({ capacity, alive }) => [capacity, alive])).toEqual([
      [2, true],
      [4, true],
      [0, true],
    ])
    worker.child.kill('SIGTERM')
    expect((await worker.finished).code).toBe(130)
    const alone = await run(['worker', '--json'], { cwd: folders[0]! })
    expect([alone.code, lastJson(alone)]).toMatchObject([2, { error: { code: 'no_database' } }])
  })
})

describe('convene migrate', () => {
  it('copies what is local, refuses to do so twice, and the copy is continued from there', async () => {
    const { folders, env } = team(2)
    const [here, there] = folders as [string, string]
    const asked = await run(['ask', 'Before the move', '--to', 'gpt'], { cwd: here })
    expect(asked.code).toBe(0)
    const local = await log(here, {})
    const migrated = await run(['migrate', '--to', server.url, '--json'], { cwd: here })
    expect([migrated.code, migrated.stderr]).toEqual([0, expect.not.stringContaining('only-for-tests')])
    expect(lastJson(migrated)).toMatchObject({ events: local.length, runs: 1, unfinished: 0 })
    expect(await log(there, env)).toEqual(local)
    expect(await log(here, {})).toEqual(local)
    const again = await run(['migrate', '--to', server.url, '--json'], { cwd: here })
    expect([again.code, lastJson(again)]).toMatchObject([2, { error: { code: 'project_exists' } }])
    await run(['ask', 'After the move', '--to', 'gpt'], { cwd: there, env })
    const replies = (await log(here, env)).filter(({ type }) => type === 'reply.posted')
    expect(replies.map(({ seq }) => seq)).toEqual([expect.any(Number), expect.any(Number)])
    expect(replies[1]!.seq).toBeGreaterThan(local.length)
  })
})
