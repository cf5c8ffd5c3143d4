/** Shutting down and restarting. */
import { describe, expect, it } from 'vitest'
import type { Run } from '../../../src/kernel/engine.ts'
import { benchForEach, eventually, latch, type OpenEngine, turns, workflow } from './bench.ts'

export function restartContract(open: OpenEngine): void {
  describe('shutting down', () => {
    const bench = benchForEach(open)

    it('leaves runs as they are, rejects waiting callers, and lets a later process resume them', async () => {
      const door = latch()
      const signals: AbortSignal[] = []
      const waiting = workflow('waiting', async (run: Run) => {
        await run.step('slow', async ({ signal }) => {
          signals.push(signal)
          if (signals.length === 1) await door.opened
        })
        return 'done'
      })
      const handle = await bench().engine.start(waiting, undefined, { id: 'r' })
      const result = handle.result().catch((error) => error)
      await eventually(() => expect(signals).toHaveLength(1))
      await bench().restart(waiting)
      expect(await result).toMatchObject({ code: 'closed' })
      expect(signals[0]!.aborted).toBe(true)
      door.open()
      expect(await bench().engine.result('r')).toBe('done')
      expect((await bench().engine.steps('r')).map((step) => step.name)).toEqual(['slow'])
    })

    it('drained before: records the step in flight, starts no further one, and repeats nothing later', async () => {
      const door = latch()
      const calls: string[] = []
      const calling = workflow('calling', async (run: Run) => {
        await run.step('first', async () => {
          calls.push('first')
          await door.opened
        })
        await run.step('second', () => {
          calls.push('second')
        })
        return 'done'
      })
      const handle = await bench().engine.start(calling, undefined, { id: 'r' })
      handle.result().catch(() => {})
      await eventually(() => expect(calls).toEqual(['first']))
      bench().engine.drain()
      expect(bench().engine.isAtRest('r')).toBe(false)
      door.open()
      await eventually(() => expect(bench().engine.isAtRest('r')).toBe(true))
      await turns(5)
      expect(calls).toEqual(['first'])
      await bench().restart(calling)
      expect(await bench().engine.result('r')).toBe('done')
      expect(calls).toEqual(['first', 'second'])
    })

    it('leaves runs that are not running until somebody resumes them', async () => {
      const waiting = workflow('waiting', (run: Run) => run.receive('go'))
      await bench().engine.start(waiting, undefined, { id: 'r' })
      expect(bench().engine.isUnderWay('r')).toBe(true)
      await bench().close()
      await bench().open(waiting)
      expect(bench().engine.isUnderWay('r')).toBe(false)
      const resumed = bench().engine.resume('r')
      expect(bench().engine.isUnderWay('r')).toBe(true)
      await resumed
      await bench().engine.send('r', 'go')
      await bench().engine.result('r')
      expect(bench().engine.isUnderWay('r')).toBe(false)
    })

    it('is invisible to a run: how it handles its children’s end depends only on that end', async () => {
      const heard: unknown[] = []
      const child = workflow('child', (run: Run) => run.receive('go'))
      const parent = workflow('parent', async (run: Run) => {
        const handle = await run.start(child, undefined, { id: 'c' })
        await run.receive('look')
        const result = await handle.result().catch((error) => heard.push(error))
        return run.step('after', () => result)
      })
      await bench().engine.start(parent, undefined, { id: 'r' })
      await bench().engine.send('r', 'look')
      await bench().steps('r', 2)
      await bench().restart(parent, child)
      await turns(5)
      await bench().engine.send('c', 'go', 'came back')
      expect(await bench().engine.result('r')).toBe('came back')
      expect(heard).toEqual([])
    })

    it('starts nothing after it is closed', async () => {
      let ran = 0
      const quick = workflow('quick', async () => ++ran)
      const { engine } = bench()
      await engine.start(quick, undefined, { id: 'r' })
      await engine.result('r')
      await engine.close()
      for (const refused of [
        () => engine.start(quick, undefined),
        () => engine.recover(),
        () => engine.resume('r'),
        () => engine.fork('r'),
      ]) {
        await expect(refused()).rejects.toMatchObject({ code: 'closed', status: 503 })
      }
      expect(ran).toBe(1)
      await engine.close()
    })

    it('resumes nothing until told to; a run that is started again is resumed with its children', async () => {
      const child = workflow('child', (run: Run) => run.receive('go'))
      const parent = workflow('parent', async (run: Run) => (await run.start(child, undefined, { id: 'c' })).result())
      const other = workflow('other', async (run: Run) => (await run.receive('go')) ?? 'went')
      await bench().engine.start(parent, undefined, { id: 'r' })
      await bench().engine.start(other, undefined, { id: 'o' })
      await bench().steps('r', 1)
      await bench().close()
      await bench().open(parent, child, other)
      await bench().engine.send('c', 'go', 'from before')
      await bench().engine.send('o', 'go')
      await turns(5)
      expect(await bench().status('c')).toBe('running')
      const handle = await bench().engine.start(parent, undefined, { id: 'r' })
      expect(await handle.result()).toBe('from before')
      expect(await bench().status('o')).toBe('running')
      expect(await bench().engine.resume('o')).toMatchObject({ id: 'o' })
      expect(await bench().engine.result('o')).toBe('went')
    })

    it('resumes one run and its children on request', async () => {
      const child = workflow('child', (run: Run) => run.receive('go'))
      const parent = workflow('parent', async (run: Run) => (await run.start(child, undefined, { id: 'c' })).result())
      await bench().engine.start(parent, undefined, { id: 'r' })
      await bench().steps('r', 1)
      await bench().close()
      await bench().open(parent, child)
      await bench().engine.resume('r')
      await bench().engine.send('c', 'go', 'went on')
      expect(await bench().engine.result('r')).toBe('went on')
      expect(await bench().types('run:c')).toEqual(['run.started', 'run.recovered', 'run.finished'])
    })

    it('resumes each run once, however often it is told to recover', async () => {
      let steps = 0
      const counting = workflow('counting', async (run: Run) => {
        await run.receive('go')
        return run.step('count', () => ++steps)
      })
      await bench().engine.start(counting, undefined, { id: 'r' })
      await turns(2)
      await bench().close()
      await bench().open(counting)
      await Promise.all([bench().engine.recover(), bench().engine.recover(), bench().engine.resume('r')])
      await bench().engine.recover()
      await bench().engine.send('r', 'go')
      expect(await bench().engine.result('r')).toBe(1)
      expect(await bench().types('run:r')).toEqual(['run.started', 'run.recovered', 'run.finished'])
    })

    it('recovers many runs at once', async () => {
      const waiting = workflow('waiting', async (run: Run, number: number) => {
        await run.step('one', () => number)
        return run.receive('go')
      })
      for (let number = 0; number < 200; number++) await bench().engine.start(waiting, number, { id: `r${number}` })
      await bench().restart(waiting)
      await Promise.all(Array.from({ length: 200 }, (_, number) => bench().engine.send(`r${number}`, 'go', number)))
      const results = await Promise.all(Array.from({ length: 200 }, (_, number) => bench().engine.result(`r${number}`)))
      expect(results).toEqual(Array.from({ length: 200 }, (_, number) => number))
    })
  })
}
