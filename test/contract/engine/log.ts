/** Facts that runs write to the log: once, and in one transaction with their step. */
import { describe, expect, it } from 'vitest'
import type { Run } from '../../../src/kernel/engine.ts'
import type { StoredEvent } from '../../../src/kernel/events.ts'
import { benchForEach, eventually, fact, latch, type OpenEngine, turns, workflow } from './bench.ts'

export function logContract(open: OpenEngine): void {
  describe('log', () => {
    const bench = benchForEach(open)

    it('[EV1] writes what a run appends once, on replay too', async () => {
      const telling = workflow('telling', async (run: Run) => {
        await run.append(fact('s', 1), fact('s', 2))
        await run.append()
        await run.append(fact('s', 3))
        await run.receive('go')
        await run.append(fact('s', 4))
      })
      await bench().engine.start(telling, undefined, { id: 'r' })
      await bench().steps('r', 3)
      await bench().restart(telling)
      await bench().engine.send('r', 'go')
      await bench().engine.result('r')
      const events = await bench().events('s')
      expect(events.map((event) => event.data)).toEqual([1, 2, 3, 4])
      for (const event of events) expect(event).toMatchObject({ type: 'thing.noted', version: 1, run: 'r' })
    })

    it('[EV1] writes what a step appends at once, and not again if the step runs again', async () => {
      const door = latch()
      let tries = 0
      const telling = workflow('telling', (run: Run) =>
        run.step('tell', async ({ append }) => {
          tries++
          await append(fact('s', 'first'))
          await append(fact('s', 'second'))
          if (tries === 1) await door.opened
          await append(fact('s', 'third'))
          return tries
        }),
      )
      await bench().engine.start(telling, undefined, { id: 'r' })
      await eventually(async () => expect(await bench().events('s')).toHaveLength(2))
      expect(await bench().engine.steps('r')).toEqual([])
      await bench().restart(telling)
      expect(await bench().engine.result('r')).toBe(2)
      expect((await bench().events('s')).map((event) => event.data)).toEqual(['first', 'second', 'third'])
    })

    it('[EV1] writes what a step appends once if it is retried', async () => {
      const flaky = workflow('flaky', (run: Run) =>
        run.step(
          'flaky',
          async ({ append, attempt }) => {
            await append(fact('s', 'begun'))
            if (attempt < 3) throw new Error('again')
            await append(fact('s', 'worked'))
          },
          { retries: 2, retryDelayMs: 0 },
        ),
      )
      await bench().run(flaky)
      expect((await bench().events('s')).map((event) => event.data)).toEqual(['begun', 'worked'])
    })

    it('writes what a step emits together with its record: both or neither', async () => {
      const door = latch()
      let tries = 0
      const telling = workflow('telling', async (run: Run) => {
        await run.step('tell', async ({ emit }) => {
          emit(fact('s', `try ${++tries}`))
          emit(fact('s', 'second'))
          if (tries === 1) await door.opened
        })
        await run.receive('go')
      })
      await bench().engine.start(telling, undefined, { id: 'r' })
      await turns(5)
      expect(await bench().events('s')).toEqual([])
      await bench().restart(telling)
      await bench().steps('r', 1)
      expect((await bench().events('s')).map((event) => event.data)).toEqual(['try 2', 'second'])
      await bench().restart(telling)
      await bench().engine.send('r', 'go')
      await bench().engine.result('r')
      expect(await bench().events('s')).toHaveLength(2)
    })

    it('keeps what the last attempt emitted, and nothing from earlier attempts', async () => {
      const flaky = workflow('flaky', (run: Run, lastFails: boolean) =>
        run
          .step(
            'flaky',
            ({ emit, attempt }) => {
              emit(fact('s', `try ${attempt}`))
              if (attempt < 3 || lastFails) throw new Error('again')
            },
            { retries: 2, retryDelayMs: 0 },
          )
          .catch(() => {}),
      )
      await bench().run(flaky, false)
      await bench().run(flaky, true)
      expect((await bench().events('s')).map((event) => event.data)).toEqual(['try 3', 'try 3'])
    })

    it('writes step and facts in one transaction: a fact that cannot be written rolls back the others', async () => {
      const wrong = workflow('wrong', (run: Run) =>
        run
          .step('wrong', ({ emit }) => {
            emit(fact('s', 'good'))
            emit({ ...fact('s', 'bad'), type: undefined as unknown as string })
            return 'done'
          })
          .catch((error) => error.name),
      )
      const innocent = workflow('innocent', (run: Run) => run.append(fact('s', 'innocent')))
      const [first, second] = await Promise.all([
        bench().engine.start(wrong, undefined, { id: 'r' }),
        bench().engine.start(innocent, undefined, { id: 'i' }),
      ])
      expect(await first.result()).toBe('StepFailed')
      await second.result()
      expect((await bench().engine.steps('r'))[0]).toMatchObject({ name: 'wrong', state: 'failed' })
      expect((await bench().events('s')).map((event) => event.data)).toEqual(['innocent'])
    })

    it('notifies listeners of a run’s facts in the order of the log', async () => {
      const told: StoredEvent[] = []
      bench().store.subscribe((event) => told.push(event))
      const telling = workflow('telling', async (run: Run, number: number) => {
        await run.append(fact('s', number))
        await run.step('emit', ({ emit }) => emit(fact('s', number)))
      })
      const handles = await Promise.all([1, 2, 3, 4, 5].map((number) => bench().engine.start(telling, number)))
      await Promise.all(handles.map((handle) => handle.result()))
      expect(told).toEqual(await bench().store.read({}))
      expect(told).toHaveLength(20)
    })

    it('writes a run and the facts of its start together, once', async () => {
      const quick = workflow('quick', async () => 'done')
      await bench().engine.start(quick, undefined, { id: 'r', events: [fact('s', 'posted')] })
      await bench().engine.start(quick, undefined, { id: 'r', events: [fact('s', 'posted again')] })
      expect((await bench().events('s')).map((event) => event.data)).toEqual(['posted'])
      const bad = { ...fact('s'), type: undefined as unknown as string }
      await expect(bench().engine.start(quick, undefined, { id: 'bad', events: [bad] })).rejects.toThrow()
      expect(await bench().engine.get('bad')).toBeNull()
    })

    it('records the lifecycle of a run', async () => {
      const failing = workflow('failing', async (run: Run) => {
        await run.receive('go')
        throw new Error('no')
      })
      await bench().engine.start(failing, undefined, { id: 'r' })
      await bench().restart(failing)
      await bench().engine.send('r', 'go')
      await bench().failure('r')
      const events = await bench().events('run:r')
      expect(events.map(({ type, run, data }) => ({ type, run, data }))).toEqual([
        { type: 'run.started', run: 'r', data: { workflow: 'failing', version: 1 } },
        { type: 'run.recovered', run: 'r', data: { steps: 0 } },
        { type: 'run.finished', run: 'r', data: { status: 'failed', reason: 'no' } },
      ])
    })
  })
}
