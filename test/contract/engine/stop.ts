/** A stop is a signal that the run handles: it aborts stoppable steps and waits, and the run cleans up. */
import { describe, expect, it } from 'vitest'
import { type Run, Stopped } from '../../../src/kernel/engine.ts'
import { benchForEach, eventually, fact, latch, type OpenEngine, turns, workflow } from './bench.ts'

export function stopContract(open: OpenEngine): void {
  describe('stop', () => {
    const bench = benchForEach(open)

    /** Does `work` until it is stopped, then cleans up in an ordinary step. */
    const handling = (work: (run: Run) => Promise<unknown>) =>
      workflow('handling', async (run: Run) => {
        try {
          return await work(run)
        } catch (error) {
          if (!(error instanceof Stopped)) throw error
          await run.sleep(10)
          return run.step('clean up', () => `cleaned up, ${error.message}`)
        }
      })

    async function finishedCleaning(id: string): Promise<unknown> {
      await eventually(() => expect(bench().clock.pending).toBe(1))
      bench().clock.advance(10)
      return bench().engine.result(id)
    }

    it('aborts a stoppable step at once, discards its late result, and lets the run clean up', async () => {
      const door = latch()
      const reasons: unknown[] = []
      let late: Promise<unknown> = Promise.resolve()
      const stoppable = handling((run) =>
        run.step(
          'slow',
          ({ signal, emit, append }) => {
            emit(fact('s', 'emitted before the stop'))
            signal.addEventListener('abort', () => reasons.push(signal.reason))
            late = door.opened.then(async () => {
              emit(fact('s', 'emitted late'))
              await append(fact('s', 'appended late'))
            })
            return late.then(() => 'late result')
          },
          { stoppable: true, retries: 5, retryDelayMs: 0 },
        ),
      )
      await bench().engine.start(stoppable, undefined, { id: 'r' })
      await turns(3)
      await bench().engine.stop('r')
      expect(await finishedCleaning('r')).toBe("cleaned up, stopped at step 'slow'")
      expect(reasons).toHaveLength(1)
      expect(reasons[0]).toBeInstanceOf(Stopped)
      door.open()
      await expect(late).rejects.toBeInstanceOf(Stopped)
      await turns(3)
      expect((await bench().engine.steps('r')).map(({ name, state }) => `${name} ${state}`)).toEqual([
        'slow failed',
        'sleep done',
        'clean up done',
      ])
      expect(await bench().events('s')).toEqual([])
    })

    it('does not abort the signal of a step that succeeded', async () => {
      let aborted = 0
      const calm = workflow('calm', async (run: Run) => {
        await run.step('quick', ({ signal }) => signal.addEventListener('abort', () => aborted++), { stoppable: true })
        await run.step('next', () => turns(3))
        return aborted
      })
      expect(await bench().run(calm)).toBe(0)
    })

    it('does not start a stoppable step, or another attempt of one, after the stop', async () => {
      const door = latch()
      let begun = 0
      let tries = 0
      const late = handling(async (run) => {
        await run.step('not stoppable', () => door.opened)
        await run.step('never', () => void begun++, { stoppable: true })
      })
      const retrying = workflow('retrying', (run: Run) =>
        run.step(
          'flaky',
          () => {
            tries++
            throw new Error('again')
          },
          { stoppable: true, retries: 10, retryDelayMs: 1000 },
        ),
      )
      await bench().engine.start(late, undefined, { id: 'r' })
      await bench().engine.start(retrying, undefined, { id: 'retrying' })
      await eventually(() => expect(bench().clock.pending).toBe(1))
      await bench().engine.stop('r')
      await bench().engine.stop('retrying')
      expect(await bench().failure('retrying')).toMatchObject({ code: 'stopped', message: "stopped at step 'flaky'" })
      door.open()
      expect(await finishedCleaning('r')).toBe("cleaned up, stopped at step 'never'")
      expect(begun).toBe(0)
      expect(tries).toBe(1)
    })

    it('ends waits that would have taken no time', async () => {
      const door = latch()
      const hasty = workflow('hasty', async (run: Run) => {
        await run.step('first', () => door.opened)
        return Promise.all([
          run.sleep(0, { stoppable: true }).catch((error) => error.name),
          run.receive('item', { timeout: 0, stoppable: true }).catch((error) => error.name),
        ])
      })
      await bench().engine.start(hasty, undefined, { id: 'r' })
      await bench().engine.stop('r')
      door.open()
      expect(await bench().engine.result('r')).toEqual(['Stopped', 'Stopped'])
    })

    it('lets a non-stoppable step finish, and keeps its result', async () => {
      const door = latch()
      const firm = workflow('firm', async (run: Run) => {
        const value = await run.step('firm', ({ signal }) => door.opened.then(() => signal.aborted))
        return [value, await run.stopRequested()]
      })
      await bench().engine.start(firm, undefined, { id: 'r' })
      await bench().engine.stop('r')
      door.open()
      expect(await bench().engine.result('r')).toEqual([false, true])
    })

    it.each([
      ['receiving', (run: Run) => run.receive('item', { stoppable: true }), 'item'],
      ['receiving for a time', (run: Run) => run.receive('item', { stoppable: true, timeout: 5000 }), 'item'],
      ['sleeping', (run: Run) => run.sleep(5000, { stoppable: true }), 'sleep'],
    ] as const)('ends %s, whether it is stopped before, as it begins, or later', async (_, wait, step) => {
      const door = latch()
      const before = handling(async (run) => {
        await run.step('first', () => door.opened)
        await wait(run)
      })
      await bench().engine.start(before, undefined, { id: 'before' })
      await bench().engine.stop('before')
      door.open()
      expect(await finishedCleaning('before')).toBe(`cleaned up, stopped at step '${step}'`)

      await bench().restart()
      const waiting = handling(wait)
      await bench().engine.start(waiting, undefined, { id: 'beginning' })
      await bench().engine.stop('beginning')
      expect(await finishedCleaning('beginning')).toBe(`cleaned up, stopped at step '${step}'`)

      await bench().engine.start(waiting, undefined, { id: 'later' })
      await turns(5)
      await bench().engine.stop('later')
      expect(await finishedCleaning('later')).toBe(`cleaned up, stopped at step '${step}'`)
    })

    it('reaches waits and steps that were in flight before a restart', async () => {
      const waits: [string, (run: Run) => Promise<unknown>][] = [
        ['sleep', (run) => run.sleep(5000, { stoppable: true })],
        ['item', (run) => run.receive('item', { stoppable: true, timeout: 5000 })],
        ['forever', (run) => run.receive('forever', { stoppable: true })],
        ['slow', (run) => run.step('slow', () => new Promise(() => {}), { stoppable: true })],
      ]
      for (const [step, wait] of waits) {
        const waiting = handling(wait)
        await bench().restart(waiting)
        await bench().engine.start(waiting, undefined, { id: step })
        await turns(5)
        await bench().close()
        await bench().open(waiting)
        await bench().engine.stop(step)
        await bench().restart(waiting)
        expect(await finishedCleaning(step)).toBe(`cleaned up, stopped at step '${step}'`)
      }
    })

    it('replays the same results for what ended before the stop and what it ended', async () => {
      const rounds: string[] = []
      const mixed = workflow('mixed', async (run: Run) => {
        const seen: unknown[] = [await run.stopRequested()]
        await run.sleep(1000, { stoppable: true })
        seen.push(await run.step('quick', () => 'quick', { stoppable: true }))
        seen.push(await run.receive('item', { stoppable: true }))
        seen.push(await run.receive('item', { stoppable: true }).catch((error) => error.name))
        seen.push(await run.stopRequested())
        rounds.push(JSON.stringify(seen))
        await run.receive('go')
      })
      await bench().engine.start(mixed, undefined, { id: 'r' })
      await bench().steps('r', 2)
      bench().clock.advance(1000)
      await bench().engine.send('r', 'item', 'got')
      await bench().steps('r', 4)
      await bench().engine.stop('r')
      await eventually(() => expect(rounds).toHaveLength(1))
      await bench().restart(mixed)
      await eventually(() => expect(rounds).toHaveLength(2))
      expect(rounds[0]).toBe('[false,"quick","got","Stopped",true]')
      expect(rounds[1]).toBe(rounds[0])
      expect(await bench().status('r')).toBe('running')
    })

    it('is recorded once, however often it is requested', async () => {
      const waiting = handling((run) => run.receive('item', { stoppable: true }))
      await bench().engine.start(waiting, undefined, { id: 'r' })
      await Promise.all([bench().engine.stop('r'), bench().engine.stop('r')])
      await bench().engine.stop('r')
      await finishedCleaning('r')
      await bench().engine.stop('r')
      expect(await bench().types('run:r')).toEqual(['run.started', 'run.stop-requested', 'run.finished'])
    })

    it('reaches all descendants, but none that are started to clean up', async () => {
      const stopped: string[] = []
      const leaf = workflow('leaf', async (run: Run) => {
        await run.receive('never', { stoppable: true }).catch((error) => stopped.push(`${run.runId} ${error.name}`))
        return 'leaf ended'
      })
      const cleaner = workflow('cleaner', (run: Run) => run.step('clean', () => 'clean', { stoppable: true }))
      const middle = workflow('middle', async (run: Run) => (await run.start(leaf, undefined, { id: 'leaf' })).result())
      const root = workflow('root', async (run: Run) => {
        const ended = await (await run.start(middle, undefined, { id: 'middle' })).result()
        const cleaned = await (await run.start(cleaner, undefined, { id: 'cleaner' })).result()
        return [ended, cleaned, await run.stopRequested()]
      })
      await bench().engine.start(root, undefined, { id: 'r' })
      await eventually(async () => expect(await bench().engine.get('leaf')).not.toBeNull())
      await bench().engine.stop('r')
      expect(await bench().engine.result('r')).toEqual(['leaf ended', 'clean', true])
      expect(stopped).toEqual(['leaf Stopped'])
    })

    it('fails a run that does not handle it, with its own code', async () => {
      const plain = workflow('plain', (run: Run) => run.receive('item', { stoppable: true }))
      await bench().engine.start(plain, undefined, { id: 'r' })
      await bench().engine.stop('r')
      expect(await bench().failure('r')).toMatchObject({
        status: 'failed',
        code: 'stopped',
        message: "stopped at step 'item'",
      })
    })

    it('does not change a run that has ended', async () => {
      const quick = workflow('quick', async () => 'done')
      await bench().run(quick, undefined, 'r')
      const before = await bench().engine.get('r')
      await bench().engine.stop('r')
      expect(await bench().engine.get('r')).toEqual(before)
      expect(await bench().types('run:r')).toEqual(['run.started', 'run.finished'])
    })

    it('does not reach children that an ended run left behind; cancel does', async () => {
      const child = workflow('child', (run: Run) => run.receive('go', { stoppable: true }))
      const parent = workflow('parent', async (run: Run) => (await run.start(child, undefined, { id: 'c' })).id)
      await bench().run(parent, undefined, 'r')
      await bench().engine.stop('r')
      await turns(3)
      expect(await bench().status('c')).toBe('running')
      await bench().engine.cancel('r')
      expect([await bench().status('r'), await bench().status('c')]).toEqual(['done', 'cancelled'])
    })

    it('ends a parked run, which cannot handle it, and stops its children', async () => {
      const child = workflow('child', (run: Run) =>
        run.receive('x', { stoppable: true }).catch((error) => `child ${error.name}`),
      )
      const parentOf = (name: string) =>
        workflow('parent', async (run: Run) => {
          await run.step(name, () => 0)
          return (await run.start(child, undefined, { id: 'c' })).result()
        })
      await bench().engine.start(parentOf('a'), undefined, { id: 'r' })
      await eventually(async () => expect(await bench().engine.get('c')).not.toBeNull())
      await bench().restart(parentOf('b'), child)
      await eventually(async () => expect(await bench().status('r')).toBe('needs-attention'))
      await bench().engine.stop('r')
      expect(await bench().status('r')).toBe('cancelled')
      expect(await bench().engine.result('c')).toBe('child Stopped')
    })

    it('reports an unknown run', async () => {
      await expect(bench().engine.stop('nobody')).rejects.toMatchObject({ code: 'unknown_run' })
    })
  })
}
