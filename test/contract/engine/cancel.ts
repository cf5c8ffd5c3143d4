/** Cancelling: nothing is recorded afterwards. */
import { describe, expect, it } from 'vitest'
import { type Run, RunCancelled } from '../../../src/kernel/engine.ts'
import { benchForEach, eventually, fact, latch, type OpenEngine, turns, workflow } from './bench.ts'

export function cancelContract(open: OpenEngine): void {
  describe('cancel', () => {
    const bench = benchForEach(open)

    it('ends the run at once; its next call throws, and nothing more is recorded', async () => {
      const door = latch()
      const errors: unknown[] = []
      const signals: AbortSignal[] = []
      let late: Promise<void> | undefined
      const busy = workflow('busy', async (run: Run) => {
        await run.step('first', () => 1)
        const note = (error: unknown) => void errors.push(error)
        await run
          .step('slow', async ({ signal, append, emit }) => {
            signals.push(signal)
            await door.opened
            emit(fact('s'))
            late = append(fact('s'))
            late.catch(() => {})
            return 'late'
          })
          .catch(note)
        await run.step('after', () => errors.push('ran')).catch(note)
        await run.append(fact('s')).catch(note)
        await run.send('r', 'topic').catch(note)
        await run.sleep(0).catch(note)
        await run.receive('x', { timeout: 0 }).catch(note)
        await run.start(busy, undefined).catch(note)
        await run.stopRequested().catch(note)
        await run.now().catch(note)
      })
      await bench().engine.start(busy, undefined, { id: 'r' })
      await eventually(() => expect(signals).toHaveLength(1))
      await bench().engine.cancel('r')
      expect(await bench().failure('r')).toMatchObject({ name: 'RunFailed', status: 'cancelled' })
      expect(signals[0]!.aborted).toBe(true)
      door.open()
      await eventually(() => expect(errors).toHaveLength(9))
      for (const error of errors) expect(error).toBeInstanceOf(RunCancelled)
      await expect(late).rejects.toBeInstanceOf(RunCancelled)
      expect((await bench().engine.steps('r')).map((step) => step.name)).toEqual(['first'])
      expect(await bench().events('s')).toEqual([])
      expect(await bench().types('run:r')).toEqual(['run.started', 'run.finished'])
      expect(await bench().engine.list()).toHaveLength(1)
    })

    it('keeps a record in flight completely or not at all', async () => {
      const child = workflow('child', async () => 1)
      const other = workflow('other', async (run: Run) => (await run.receive('topic', { timeout: 1000 })) ?? 'nothing')
      const outcomes = new Set<number>()
      for (let turn = 0; turn < 5; turn++) {
        const ids = { run: `r${turn}`, child: `c${turn}`, other: `o${turn}`, stream: `s${turn}` }
        const writing = workflow(`writing${turn}`, async (run: Run) => {
          await run.receive('go')
          await Promise.all([
            run.append(fact(ids.stream)),
            run.step('emit', ({ emit }) => emit(fact(ids.stream))),
            run.start(child, undefined, { id: ids.child }),
            run.send(ids.other, 'topic', 'sent'),
          ])
          return run.receive('never')
        })
        await bench().engine.start(other, undefined, { id: ids.other })
        await bench().engine.start(writing, undefined, { id: ids.run })
        const sending = bench().engine.send(ids.run, 'go')
        if (turn < 4) await turns(turn)
        else await bench().steps(ids.run, 5)
        await Promise.all([sending, bench().engine.cancel(ids.run)])
        await turns(5)
        const steps = (await bench().engine.steps(ids.run)).length
        const events = (await bench().events(ids.stream)).length
        bench().clock.advance(1000)
        const seen = { events, child: await bench().status(ids.child), other: await bench().engine.result(ids.other) }
        outcomes.add(steps)
        if (steps < 2) expect(seen).toEqual({ events: 0, child: undefined, other: 'nothing' })
        else expect(seen).toEqual({ events: 2, child: expect.any(String), other: 'sent' })
      }
      expect([...outcomes].some((steps) => steps < 2)).toBe(true)
      expect([...outcomes].some((steps) => steps === 5)).toBe(true)
    })

    it('keeps nothing that comes after it, its children included, however soon', async () => {
      const door = latch()
      const stepping = async (run: Run) => {
        await run.step('slow', ({ emit }) => {
          emit(fact('s'))
          return door.opened
        })
      }
      const child = workflow('child', stepping)
      const parent = workflow('parent', async (run: Run) => {
        await run.start(child, undefined, { id: 'c' })
        await stepping(run)
      })
      await bench().engine.start(parent, undefined, { id: 'r' })
      await bench().steps('r', 1)
      const cancelling = bench().engine.cancel('r')
      door.open()
      await cancelling
      await turns(3)
      expect((await bench().engine.steps('r')).map((step) => step.name)).toEqual(['child'])
      expect(await bench().engine.steps('c')).toEqual([])
      expect(await bench().events('s')).toEqual([])
    })

    it('throws in a waiting run, so that it can release its resources', async () => {
      const thrown: string[] = []
      const waits: [string, (run: Run) => Promise<unknown>][] = [
        ['receive', (run) => run.receive('x')],
        ['timed', (run) => run.receive('x', { timeout: 1000 })],
        ['sleep', (run) => run.sleep(1000)],
        ['stoppable', (run) => run.step('s', () => new Promise(() => {}), { stoppable: true })],
      ]
      for (const [id, wait] of waits) {
        const waiting = workflow(id, (run: Run) => wait(run).catch((error) => thrown.push(`${id} ${error.name}`)))
        await bench().engine.start(waiting, undefined, { id })
        await turns(3)
        await bench().engine.cancel(id)
        await turns(3)
        expect(await bench().status(id)).toBe('cancelled')
      }
      expect(thrown).toEqual(waits.map(([id]) => `${id} RunCancelled`))
      expect(bench().clock.pending).toBe(0)
    })

    it('ends all descendants too, in one transaction', async () => {
      const leaf = workflow('leaf', (run: Run) => run.receive('never'))
      const middle = workflow('middle', async (run: Run) => (await run.start(leaf, undefined, { id: 'leaf' })).result())
      const root = workflow('root', async (run: Run) => (await run.start(middle, undefined, { id: 'middle' })).result())
      await bench().engine.start(root, undefined, { id: 'r' })
      await eventually(async () => expect(await bench().engine.get('leaf')).not.toBeNull())
      const cancelling = bench().engine.cancel('r')
      await bench()
        .close()
        .catch(() => {})
      await cancelling
      await bench().open(root, middle, leaf)
      await bench().engine.recover()
      for (const id of ['r', 'middle', 'leaf']) expect([id, await bench().status(id)]).toEqual([id, 'cancelled'])
    })

    it('reports to a parent that is not cancelled itself', async () => {
      const child = workflow('child', (run: Run) => run.receive('never'))
      const parent = workflow('parent', async (run: Run) =>
        (await run.start(child, undefined, { id: 'c' })).result().catch((error) => error.status),
      )
      await bench().engine.start(parent, undefined, { id: 'r' })
      await eventually(async () => expect(await bench().engine.get('c')).not.toBeNull())
      await bench().engine.cancel('c')
      expect(await bench().engine.result('r')).toBe('cancelled')
    })

    it('stays cancelled after a restart', async () => {
      const waiting = workflow('waiting', (run: Run) => run.receive('go'))
      await bench().engine.start(waiting, undefined, { id: 'r' })
      await bench().engine.cancel('r')
      await bench().restart(waiting)
      await bench().engine.send('r', 'go')
      await turns(5)
      expect(await bench().status('r')).toBe('cancelled')
      expect(await bench().engine.steps('r')).toEqual([])
    })

    it('does not change a run that has ended, and ends a parked one', async () => {
      const of = (step: string) =>
        workflow('w', async (run: Run, wait: boolean) => {
          await run.step(step, () => 0)
          return wait ? run.receive('go') : 'done'
        })
      expect(await bench().run(of('a'), false, 'ended')).toBe('done')
      await bench().engine.cancel('ended')
      expect(await bench().engine.result('ended')).toBe('done')
      await bench().restart(of('a'))
      await bench().engine.start(of('a'), true, { id: 'parked' })
      await bench().steps('parked', 1)
      await bench().restart(of('b'))
      expect((await bench().failure('parked')).status).toBe('needs-attention')
      await bench().engine.cancel('parked')
      expect((await bench().failure('parked')).status).toBe('cancelled')
      await expect(bench().engine.cancel('nobody')).rejects.toMatchObject({ code: 'unknown_run' })
    })
  })
}
