/** A full disk and folders without permission: a clear error, nothing half-written, and the run resumes afterwards. */
import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import type { Workflow } from '../../src/kernel/engine.ts'
import { SimulatedClock } from '../contract/simulated-clock.ts'
import { filling, fillingSteps, root } from './filling-workflows.ts'
import { databaseFile, type LocalEngine, openLocalEngine } from './open-engine.ts'
import { nodeCommand, reportOf, runCommand, runProgram } from './programs.ts'

interface FillingReport {
  value?: number
  error?: { name: string; code: string; message: string }
  payload: string
}

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'convene-limits-'))
})
afterEach(async () => {
  await rm(folder, { recursive: true, force: true })
})

describe('a disk that accepts no more', () => {
  const payloadBytes = '4000000'
  const effects = () => readFileSync(join(folder, 'effects'), 'utf8').trim().split('\n').map(Number)

  /** Recorded steps ran once, the step in flight at most twice. */
  function expectEffects(recorded: number): void {
    const counts = new Map<number, number>()
    for (const step of effects()) counts.set(step, (counts.get(step) ?? 0) + 1)
    expect(counts.size).toBe(fillingSteps)
    for (const [step, count] of counts) expect([step, count]).toEqual([step, step === recorded ? 2 : 1])
  }

  /** Nothing half-written: as many facts as steps. Then the run completes. */
  async function expectResumesIn(work: string): Promise<void> {
    const local = openLocalEngine(work)
    try {
      const recorded = (await local.engine.steps('filling')).length
      expect(recorded).toBeGreaterThan(5)
      expect(recorded).toBeLessThan(fillingSteps)
      expect(await local.store.read({ stream: 'filled' })).toHaveLength(recorded)
      const child = filling((step) => writeFileSync(join(folder, 'effects'), `${step}\n`, { flag: 'a' }))
      local.engine.register(child)
      local.engine.register(root(child))
      await local.engine.recover()
      expect(await local.engine.result('root')).toBe(fillingSteps * 20_000)
      expectEffects(recorded)
    } finally {
      await local.close()
    }
  }

  it('because a file may not grow: reports it, keeps finished work, and resumes later', async () => {
    const work = join(folder, 'work')
    const limited = ['sh', '-c', 'ulimit -f 1500; exec "$@"', 'sh']
    const report = await reportOf<FillingReport>(
      runProgram('filling-program.ts', [work, join(folder, 'effects'), payloadBytes], limited),
    )
    expect(report.error).toMatchObject({ name: 'ConveneError', code: 'disk_error' })
    expect(report.error!.message).toContain(databaseFile(work))
    expect(report.error!.message).toContain('finished work is safe')
    expect(report.payload).toBe('disk_error')
    await expectResumesIn(work)
  })

  it('because it is full: reports it, keeps finished work, and resumes once there is room', async () => {
    const work = join(folder, 'work')
    mkdirSync(work)
    const args = [work, join(folder, 'effects'), payloadBytes]
    const wrapper = ownMounts(work)
    if (wrapper) {
      // A separate disk for the two programs: first with a file that leaves little room, then without.
      const script = `mount -t tmpfs -o size=24m tmpfs "$0" && head -c 22000000 /dev/zero > "$0/ballast" && "$@" && rm "$0/ballast" && "$@"`
      const ended = await runCommand([...wrapper, 'sh', '-c', script, work, ...nodeCommand('filling-program.ts', args)])
      expect(ended.stderr).toBe('')
      const [full, freed] = ended.stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as FillingReport)
      expect(full!.error).toMatchObject({ name: 'ConveneError', code: 'disk_full' })
      expect(full!.error!.message).toContain(`the disk is full: nothing more can be written to ${databaseFile(work)}`)
      expect(full!.payload).toBe('disk_full')
      expect(freed).toEqual({ value: fillingSteps * 20_000, payload: 'kept' })
      expectEffects(effects().find((step, index, all) => all.indexOf(step) !== index)!)
      return
    }
    // If no disk can be mounted, SQLite itself gets a page limit: the error is the same.
    const full = await reportOf<FillingReport>(runProgram('filling-program.ts', [...args, '150']))
    expect(full.error).toMatchObject({ name: 'ConveneError', code: 'disk_full' })
    await expectResumesIn(work)
  })

  it('accepts small writes once there is room again, in the same process', async () => {
    const local = openLocalEngine(folder)
    try {
      const child = filling(() => {})
      const pages = (count: number) => local.database.prepare(`PRAGMA max_page_count = ${count}`).get()
      local.engine.register(child)
      pages(100)
      const handle = await local.engine.start(root(child), undefined, { id: 'root' })
      await expect(handle.result()).rejects.toMatchObject({ code: 'disk_full' })
      // Later callers get the error too: nothing in this process is working on the run.
      await expect(local.engine.result('filling')).rejects.toMatchObject({ code: 'disk_full' })
      await expect(handle.result()).rejects.toMatchObject({ code: 'disk_full' })
      expect(await local.engine.get('root')).toMatchObject({ status: 'running' })
      pages(1_000_000)
      await local.engine.recover()
      expect(await local.engine.result('root')).toBe(fillingSteps * 20_000)
    } finally {
      await local.close()
    }
  })
})

describe('a run that cannot be recorded', () => {
  /** An engine whose database can be full, and whose time passes only when told. */
  function limited() {
    const clock = new SimulatedClock()
    const local = openLocalEngine(folder, { clock })
    onTestFinished(() => local.close())
    const pages = (count: number) => local.database.prepare(`PRAGMA max_page_count = ${count}`).get()
    return { ...local, clock, pages }
  }
  const parkedIn = (engine: LocalEngine['engine'], run: string) =>
    expect.poll(async () => (await engine.get(run))?.status)

  it('[TR10] is released with the run that waits for its signal, and both are parked once there is room', async () => {
    const { engine, clock, pages } = limited()
    const child = filling(() => {})
    const sender: Workflow<undefined, void> = {
      name: 'sender',
      version: 1,
      async run(run) {
        const filled = await (await run.start(child, undefined, { id: 'filling' })).result()
        await run.send('waiter', 'filled', filled)
      },
    }
    const waiter: Workflow<undefined, number | undefined> = {
      name: 'waiter',
      version: 1,
      async run(run) {
        await run.start(sender, undefined, { id: 'sender' })
        return run.receive<number>('filled')
      },
    }
    engine.register(child)
    engine.register(sender)
    pages(100)
    await engine.start(waiter, undefined, { id: 'waiter' })
    for (const run of ['filling', 'sender', 'waiter'])
      await expect.poll(() => engine.releasedBy(run)).toMatchObject({ code: 'disk_full' })
    pages(1_000_000)
    clock.advance(2000)
    for (const run of ['filling', 'sender', 'waiter']) await parkedIn(engine, run).toBe('needs-attention')
    expect(await engine.get('waiter')).toMatchObject({
      code: 'disk_full',
      reason: expect.stringContaining('Free some'),
    })
    await engine.resume('waiter')
    expect(await engine.result('waiter')).toBe(fillingSteps * 20_000)
  })

  it('[TR10] is parked with its own reason once there is room, if parking it failed', async () => {
    const { engine, clock, pages } = limited()
    const waiting: Workflow<undefined, unknown> = { name: 'waiting', version: 1, run: (run) => run.receive('go') }
    const { id } = await engine.start(waiting, undefined, { id: 'waiting' })
    pages(1)
    const reason = `a long story ${'x'.repeat(1_000_000)}`
    await expect(engine.pause(id, reason, 'surroundings')).rejects.toMatchObject({ code: 'disk_full' })
    expect(engine.releasedBy(id)).toMatchObject({ code: 'disk_full' })
    // Still full: tried again later.
    clock.advance(2000)
    await expect.poll(() => clock.pending).toBe(1)
    pages(1_000_000)
    clock.advance(2000)
    await parkedIn(engine, id).toBe('needs-attention')
    expect(await engine.get(id)).toMatchObject({ code: 'surroundings', reason })
    await expect.poll(() => engine.releasedBy(id)).toBeUndefined()
  })
})

describe('a folder without permission to write', () => {
  it('is rejected with the path and what to do', async () => {
    const place = (name: string, mode: number) => {
      const path = join(folder, name)
      mkdirSync(path)
      return { path, lock: () => chmodSync(path, mode) }
    }
    chmodSync(folder, 0o755)
    const empty = place('empty', 0o555)
    const used = place('used', 0o555)
    await openLocalEngine(used.path).close()
    chmodSync(databaseFile(used.path), 0o444)
    const readOnlyFile = place('read-only-file', 0o777)
    await openLocalEngine(readOnlyFile.path).close()
    chmodSync(databaseFile(readOnlyFile.path), 0o444)
    const hidden = place('hidden', 0o777)
    await openLocalEngine(hidden.path).close()
    chmodSync(databaseFile(hidden.path), 0o000)
    const payloads = place('payloads', 0o777)
    mkdirSync(join(payloads.path, 'payloads'), { mode: 0o555 })
    for (const { lock } of [empty, used, readOnlyFile, hidden, payloads]) lock()

    const missing = join(empty.path, 'missing')
    const refused = [empty.path, used.path, readOnlyFile.path, hidden.path, missing]
    const outcomes = await reportOf<{ name: string; code: string; message: string; payload?: string }[]>(
      runProgram('unprivileged-program.ts', [...refused, payloads.path]),
    )
    for (const [index, path] of refused.entries()) {
      const { name, code, message } = outcomes[index]!
      expect({ path, name, code }).toEqual({ path, name: 'ConveneError', code: 'not_writable' })
      expect(message).toContain(`cannot write to ${path}`)
      expect(message).toContain('Give this user write permission there')
    }
    expect(outcomes.at(-1)).toEqual({ payload: 'not_writable' })
    expect(existsSync(missing)).toBe(false)
    for (const path of [empty.path, used.path, hidden.path]) chmodSync(path, 0o777)
  })
})

/** How to run a command that may mount its own disk over `folder`, as root or through a user namespace. */
function ownMounts(folder: string): string[] | undefined {
  const wrappers = [
    ['unshare', '-m'],
    ['unshare', '-Urm'],
  ]
  return wrappers.find(
    ([command, flags]) =>
      spawnSync(command!, [flags!, 'sh', '-c', 'mount -t tmpfs -o size=64k tmpfs "$0"', folder]).status === 0,
  )
}
