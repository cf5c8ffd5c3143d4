/** Sleeps and timeouts: over restarts, for an hour, for no time at all. */
import { describe, expect, it } from 'vitest'
import type { Run } from '../../../src/kernel/engine.ts'
import { benchForEach, eventually, type OpenEngine, turns, workflow } from './bench.ts'

const hour = 3_600_000

export function timeContract(open: OpenEngine): void {
  describe('time', () => {
    const bench = benchForEach(open)

    const sleeper = workflow('sleeper', async (run: Run, milliseconds: number) => {
      await run.sleep(milliseconds)
      return run.now()
    })

    it('sleeps an hour, over a restart, and not longer', async () => {
      const begin = bench().clock.now()
      await bench().engine.start(sleeper, hour, { id: 'r' })
      expect(await bench().steps('r', 1)).toMatchObject([{ name: 'sleep', state: 'waiting' }])
      bench().clock.advance(hour / 2)
      await bench().restart(sleeper)
      await eventually(() => expect(bench().clock.pending).toBe(1))
      bench().clock.advance(hour / 2 - 1)
      await turns(5)
      expect(await bench().status('r')).toBe('running')
      bench().clock.advance(1)
      expect(await bench().engine.result('r')).toBe(begin + hour)
    })

    it('wakes at once if the time passed while no process was running', async () => {
      const begin = bench().clock.now()
      await bench().engine.start(sleeper, hour, { id: 'r' })
      await bench().steps('r', 1)
      await bench().close()
      bench().clock.jump(3 * hour)
      await bench().open(sleeper)
      await bench().engine.recover()
      expect(await bench().engine.result('r')).toBe(begin + 3 * hour)
    })

    it('does not repeat a finished sleep, even if the clock was set back', async () => {
      const begin = bench().clock.now()
      const twice = workflow('twice', async (run: Run) => {
        await run.sleep(hour)
        await run.receive('go')
        return run.now()
      })
      await bench().engine.start(twice, undefined, { id: 'r' })
      await bench().steps('r', 1)
      bench().clock.advance(hour)
      await eventually(async () => expect((await bench().engine.steps('r'))[0]!.state).toBe('done'))
      await bench().close()
      bench().clock.jump(-2 * hour)
      await bench().open(twice)
      await bench().engine.recover()
      await bench().engine.send('r', 'go')
      expect(await bench().engine.result('r')).toBe(begin - hour)
    })

    it.each([0, -1, -hour, Number.NEGATIVE_INFINITY, Number.NaN])('does not wait for %d milliseconds', async (time) => {
      const begin = bench().clock.now()
      expect(await bench().run(sleeper, time)).toBe(begin)
      const impatient = workflow('impatient', async (run: Run) => (await run.receive('x', { timeout: time })) ?? 'none')
      expect(await bench().run(impatient)).toBe('none')
      expect(bench().clock.pending).toBe(0)
    })

    it.each([2 ** 31, 2 ** 53, Number.MAX_VALUE, Number.POSITIVE_INFINITY])(
      'waits for %d milliseconds, over a restart too',
      async (time) => {
        const patient = workflow('patient', async (run: Run) => {
          const waiting = Promise.all([run.sleep(time), run.receive('x', { timeout: time })])
          await run.receive('go')
          return Promise.race([waiting, run.step('still', () => 'still waiting')])
        })
        await bench().engine.start(patient, undefined, { id: 'r' })
        await bench().steps('r', 2)
        await bench().restart(patient)
        await eventually(() => expect(bench().clock.pending).toBe(2))
        bench().clock.advance(hour)
        await bench().engine.send('r', 'go')
        expect(await bench().engine.result('r')).toBe('still waiting')
      },
    )

    it('stops waiting for a signal on timeout, over a restart', async () => {
      const waiting = workflow('waiting', async (run: Run) => [
        (await run.receive('item', { timeout: hour })) ?? 'time up',
        await run.now(),
      ])
      const begin = bench().clock.now()
      await bench().engine.start(waiting, undefined, { id: 'r' })
      expect(await bench().steps('r', 1)).toMatchObject([{ name: 'item', state: 'waiting' }])
      bench().clock.advance(hour - 1)
      await bench().restart(waiting)
      await eventually(() => expect(bench().clock.pending).toBe(1))
      bench().clock.advance(1)
      expect(await bench().engine.result('r')).toEqual(['time up', begin + hour])
      expect(await bench().engine.steps('r')).toMatchObject([{ name: 'item', state: 'done' }, { name: 'now' }])
    })

    it('leaves a signal that arrived after the timeout for the next receiver', async () => {
      const waiting = workflow('waiting', async (run: Run) => [
        (await run.receive('item', { timeout: hour })) ?? 'time up',
        await run.receive('item'),
      ])
      await bench().engine.start(waiting, undefined, { id: 'r' })
      await bench().steps('r', 1)
      bench().clock.advance(hour)
      await bench().engine.send('r', 'item', 'late')
      expect(await bench().engine.result('r')).toEqual(['time up', 'late'])
    })

    it('returns a queued signal even with a timeout of zero', async () => {
      const polling = workflow('polling', async (run: Run) => {
        await run.receive('go')
        return [await run.receive('item', { timeout: 0 }), await run.receive('item', { timeout: 0 })]
      })
      await bench().engine.start(polling, undefined, { id: 'r' })
      await bench().engine.send('r', 'item', 'here')
      await bench().engine.send('r', 'go')
      expect(await bench().engine.result('r')).toEqual(['here', null])
    })

    it('runs a step of an hour, and returns its record after a restart', async () => {
      let count = 0
      const long = workflow('long', async (run: Run) => {
        const took = await run.step('long', async () => {
          count++
          const began = bench().clock.now()
          await new Promise<void>((resolve) => bench().clock.after(hour, resolve))
          return bench().clock.now() - began
        })
        await run.receive('go')
        return took
      })
      await bench().engine.start(long, undefined, { id: 'r' })
      await eventually(() => expect(bench().clock.pending).toBe(1))
      bench().clock.advance(hour)
      await bench().steps('r', 1)
      await bench().restart(long)
      await bench().engine.send('r', 'go')
      expect(await bench().engine.result('r')).toBe(hour)
      expect(count).toBe(1)
    })

    it('records the time it returns', async () => {
      const times: number[] = []
      const telling = workflow('telling', async (run: Run) => {
        times.push(await run.now())
        await run.receive('go')
      })
      await bench().engine.start(telling, undefined, { id: 'r' })
      await bench().steps('r', 1)
      bench().clock.advance(hour)
      await bench().restart(telling)
      await bench().engine.send('r', 'go')
      await bench().engine.result('r')
      expect(times[1]).toBe(times[0])
    })
  })
}
