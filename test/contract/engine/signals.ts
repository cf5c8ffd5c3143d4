/** Signals are queued until received, in the order they were sent, and are received once. */
import { describe, expect, it } from 'vitest'
import type { Run } from '../../../src/kernel/engine.ts'
import { benchForEach, latch, type OpenEngine, turns, workflow } from './bench.ts'

export function signalsContract(open: OpenEngine): void {
  describe('signals', () => {
    const bench = benchForEach(open)

    const collecting = (count: number, topic = 'item') =>
      workflow('collecting', async (run: Run) => {
        await run.step('first', () => 0)
        const items: unknown[] = []
        for (let index = 0; index < count; index++) items.push(await run.receive(topic))
        return items
      })

    it('receives what was sent before and after it waits, in the order sent', async () => {
      const door = latch()
      const late = workflow('late', async (run: Run) => {
        await run.step('wait', () => door.opened)
        return [await run.receive('item'), await run.receive('item'), await run.receive('item')]
      })
      await bench().engine.start(late, undefined, { id: 'r' })
      await bench().engine.send('r', 'item', 1)
      await bench().engine.send('r', 'item', 2)
      door.open()
      await bench().steps('r', 3)
      await bench().engine.send('r', 'item', 3)
      expect(await bench().engine.result('r')).toEqual([1, 2, 3])
    })

    it('keeps the order of signals sent at once, by runs and from outside', async () => {
      const receiver = collecting(30)
      const sender = workflow('sender', (run: Run, item: number) => run.send('r', 'item', item))
      await bench().engine.start(receiver, undefined, { id: 'r' })
      const sending: Promise<unknown>[] = []
      for (let item = 0; item < 30; item += 2) {
        sending.push(bench().engine.start(sender, item))
        sending.push(bench().engine.send('r', 'item', item + 1))
      }
      await Promise.all(sending)
      const received = (await bench().engine.result('r')) as number[]
      expect([...received].sort((a, b) => a - b)).toEqual(Array.from({ length: 30 }, (_, item) => item))
      const odd = received.filter((item) => item % 2 === 1)
      expect(odd).toEqual([...odd].sort((a, b) => a - b))
    })

    it('separates topics', async () => {
      const picky = workflow('picky', async (run: Run) => [await run.receive('b'), await run.receive('a')])
      await bench().engine.start(picky, undefined, { id: 'r' })
      await bench().engine.send('r', 'a', 1)
      await bench().engine.send('r', 'b', 2)
      expect(await bench().engine.result('r')).toEqual([2, 1])
    })

    it('keeps signals over restarts and delivers none twice', async () => {
      const receiver = collecting(6)
      await bench().engine.start(receiver, undefined, { id: 'r' })
      for (let item = 0; item < 6; item++) {
        await bench().engine.send('r', 'item', item)
        if (item % 2 === 0) await bench().restart(receiver)
      }
      expect(await bench().engine.result('r')).toEqual([0, 1, 2, 3, 4, 5])
    })

    it('delivers a signal once if it arrives while runs are being resumed', async () => {
      const receiver = collecting(2)
      await bench().engine.start(receiver, undefined, { id: 'r' })
      await bench().steps('r', 1)
      await bench().close()
      await bench().open(receiver)
      const sending = bench().engine.send('r', 'item', 'first')
      await Promise.all([bench().engine.recover(), sending])
      await bench().steps('r', 2)
      await turns(5)
      expect(await bench().engine.steps('r')).toHaveLength(2)
      await bench().engine.send('r', 'item', 'second')
      expect(await bench().engine.result('r')).toEqual(['first', 'second'])
    })

    it('delivers a signal once if a run sends it to a run that has just been started', async () => {
      const receiver = workflow('receiver', async (run: Run) => [
        (await run.receive('item', { timeout: 1000 })) ?? 'none',
        (await run.receive('item', { timeout: 1000 })) ?? 'none',
      ])
      const sender = workflow('sender', async (run: Run) => {
        await Promise.all([run.start(receiver, undefined, { id: 'r' }), run.send('r', 'item', 'once')])
      })
      await bench().run(sender)
      await bench().steps('r', 2)
      bench().clock.advance(1000)
      expect(await bench().engine.result('r')).toEqual(['once', 'none'])
    })

    it('fails the step of a run that sends to an unknown run, the same on replay', async () => {
      const rounds: string[] = []
      const lost = workflow('lost', async (run: Run) => {
        await run.send('nobody', 'item', 1).catch((error) => rounds.push(`${error.name} ${error.code}`))
        await run.receive('go')
        return 'went on'
      })
      const late = workflow('late', async (run: Run) => (await run.receive('item', { timeout: 0 })) ?? 'nothing')
      await bench().engine.start(lost, undefined, { id: 'r' })
      await bench().steps('r', 1)
      await bench().restart(lost)
      await bench().engine.send('r', 'go')
      expect(await bench().engine.result('r')).toBe('went on')
      expect(rounds).toEqual(['StepFailed unknown_run', 'StepFailed unknown_run'])
      expect(await bench().run(late, undefined, 'nobody')).toBe('nothing')
    })

    it('accepts a signal with the same key once per run', async () => {
      const receiver = collecting(2)
      await bench().engine.start(receiver, undefined, { id: 'r' })
      await bench().engine.start(receiver, undefined, { id: 'other' })
      await bench().engine.send('r', 'item', 'a', { key: 'k' })
      await bench().engine.send('r', 'item', 'changed', { key: 'k' })
      await bench().engine.send('other', 'item', 'its own', { key: 'k' })
      await bench().restart(receiver)
      await bench().engine.send('r', 'item', 'once more', { key: 'k' })
      await bench().engine.send('r', 'item', 'b', { key: 'k2' })
      await bench().engine.send('other', 'item', 'b', { key: 'k2' })
      expect(await bench().engine.result('r')).toEqual(['a', 'b'])
      expect(await bench().engine.result('other')).toEqual(['its own', 'b'])
    })

    it('sends from a run once, even if the run is replayed', async () => {
      const receiver = collecting(2)
      const sender = workflow('sender', async (run: Run) => {
        await run.send('r', 'item', 'from the run')
        await run.receive('go')
        await run.send('r', 'item', 'and again')
      })
      await bench().engine.start(receiver, undefined, { id: 'r' })
      await bench().engine.start(sender, undefined, { id: 's' })
      await bench().steps('s', 1)
      await bench().restart(receiver, sender)
      await bench().restart(receiver, sender)
      await bench().engine.send('s', 'go')
      expect(await bench().engine.result('r')).toEqual(['from the run', 'and again'])
    })

    it('lets several wait for one topic, first come, first served', async () => {
      const shared = workflow('shared', (run: Run) =>
        Promise.all([run.receive('item'), run.receive('item', { timeout: 500 }), run.receive('item')]),
      )
      await bench().engine.start(shared, undefined, { id: 'r' })
      await bench().steps('r', 1)
      await bench().engine.send('r', 'item', 1)
      bench().clock.advance(500)
      await bench().engine.send('r', 'item', 2)
      expect(await bench().engine.result('r')).toEqual([1, null, 2])
    })

    it('reports an unknown run, and that a stop cannot be sent as a signal', async () => {
      await expect(bench().engine.send('nobody', 'item')).rejects.toMatchObject({ code: 'unknown_run', status: 404 })
      await bench().engine.start(collecting(1), undefined, { id: 'r' })
      await expect(bench().engine.send('r', '$stop')).rejects.toMatchObject({ code: 'invalid_input' })
      expect(await bench().types('run:r')).toEqual(['run.started'])
    })
  })
}
