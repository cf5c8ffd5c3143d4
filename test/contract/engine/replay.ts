/** Steps run once and are identified by position and name. */
import { describe, expect, it } from 'vitest'
import { type Run, StepFailed } from '../../../src/kernel/engine.ts'
import { benchForEach, eventually, latch, type OpenEngine, seeded, turns, workflow } from './bench.ts'

export function replayContract(open: OpenEngine): void {
  describe('replay', () => {
    const bench = benchForEach(open)

    it('returns recorded steps after a restart without running them again', async () => {
      const done: string[] = []
      const noting = (name: string, value: number) => {
        done.push(name)
        return value
      }
      const chain = workflow('chain', async (run: Run, input: { by: number }) => {
        const first = await run.step('first', () => noting('first', input.by))
        const second = await run.step('second', () => noting('second', first + input.by))
        await run.receive('go')
        return run.step('third', () => noting('third', second + input.by))
      })
      await bench().engine.start(chain, { by: 2 }, { id: 'r' })
      await bench().steps('r', 2)
      await bench().restart(chain)
      await bench().engine.send('r', 'go')
      expect(await bench().engine.result('r')).toBe(6)
      expect(done).toEqual(['first', 'second', 'third'])
      expect((await bench().engine.steps('r')).map(({ position, name }) => `${position} ${name}`)).toEqual([
        '0 first',
        '1 second',
        '2 go',
        '3 third',
      ])
    })

    it('reruns the step that was in flight, says so, and uses the same key', async () => {
      const seen: { key: string; position: number; recovered: boolean }[] = []
      const door = latch()
      const oneStep = workflow('one-step', async (run: Run) => {
        await run.step('before', () => 1)
        return run.step('slow', async ({ key, position, recovered }) => {
          seen.push({ key, position, recovered })
          if (seen.length === 1) await door.opened
          return seen.length
        })
      })
      await bench().engine.start(oneStep, undefined, { id: 'r' })
      await eventually(() => expect(seen).toHaveLength(1))
      await bench().restart(oneStep)
      door.open()
      expect(await bench().engine.result('r')).toBe(2)
      expect(seen[0]).toEqual({ key: seen[1]!.key, position: 1, recovered: false })
      expect(seen[1]).toEqual({ key: seen[0]!.key, position: 1, recovered: true })
    })

    it('tells steps of the same name apart by their position', async () => {
      const replays: number[][] = []
      const loop = workflow('loop', async (run: Run) => {
        const values: number[] = []
        for (let round = 0; round < 5; round++) values.push(await run.step('again', () => Math.random()))
        replays.push(values)
        await run.receive('go')
        return values
      })
      await bench().engine.start(loop, undefined, { id: 'r' })
      await eventually(() => expect(replays).toHaveLength(1))
      await bench().restart(loop)
      await bench().engine.send('r', 'go')
      expect(await bench().engine.result('r')).toEqual(replays[0])
      expect(new Set(replays[0]).size).toBe(5)
      expect(replays).toHaveLength(2)
    })

    it('gives concurrent steps the same positions and results, in whatever order they end', async () => {
      const fan = (seed: number) => {
        const random = seeded(seed)
        return workflow('fan', async (run: Run) => {
          const parts = await Promise.all(
            Array.from({ length: 12 }, (_, part) =>
              run.step(`part-${part}`, async () => {
                await turns(Math.floor(random() * 12))
                return part * part
              }),
            ),
          )
          return run.step('sum', () => parts.reduce((sum, part) => sum + part, 0))
        })
      }
      for (let seed = 1; seed <= 12; seed++) {
        const shuffled = fan(seed)
        await bench().restart(shuffled)
        expect(await bench().run(shuffled, undefined, `r${seed}`)).toBe(506)
        const steps = await bench().engine.steps(`r${seed}`)
        expect(steps.map(({ name, value }) => [name, value])).toEqual([
          ...Array.from({ length: 12 }, (_, part) => [`part-${part}`, part * part]),
          ['sum', 506],
        ])
      }
    })

    it('runs only the missing ones of concurrent steps, in whatever order they end', async () => {
      for (let seed = 1; seed <= 8; seed++) {
        const counts = new Map<string, number>()
        let stuck: number | null = Math.floor(seeded(seed)() * 6)
        const random = seeded(seed * 100)
        const fan = workflow('fan', async (run: Run) => {
          const parts = Array.from({ length: 6 }, (_, part) =>
            run.step(`part-${part}`, async () => {
              counts.set(`part-${part}`, (counts.get(`part-${part}`) ?? 0) + 1)
              if (part === stuck) await new Promise(() => {})
              await turns(Math.floor(random() * 6))
              return part
            }),
          )
          return Promise.all(parts)
        })
        await bench().restart(fan)
        await bench().engine.start(fan, undefined, { id: `r${seed}` })
        await bench().steps(`r${seed}`, 5)
        const redone = `part-${stuck}`
        stuck = null
        await bench().restart(fan)
        expect(await bench().engine.result(`r${seed}`)).toEqual([0, 1, 2, 3, 4, 5])
        for (const [name, count] of counts) expect([name, count]).toEqual([name, name === redone ? 2 : 1])
      }
    })

    it('records a failure and throws it the same way on replay', async () => {
      const caught: StepFailed[] = []
      const failing = workflow('failing', async (run: Run) => {
        try {
          await run.step('break', () => {
            throw Object.assign(new RangeError('too far'), { code: 'E_FAR' })
          })
        } catch (error) {
          caught.push(error as StepFailed)
        }
        await run.receive('go')
        return 'went on'
      })
      await bench().engine.start(failing, undefined, { id: 'r' })
      await eventually(() => expect(caught).toHaveLength(1))
      await bench().restart(failing)
      await bench().engine.send('r', 'go')
      expect(await bench().engine.result('r')).toBe('went on')
      expect(caught).toHaveLength(2)
      for (const error of caught) {
        expect(error).toBeInstanceOf(StepFailed)
        const { name, message, step, errorName, code } = error
        expect({ name, message, step, errorName, code }).toEqual({
          name: 'StepFailed',
          message: 'too far',
          step: 'break',
          errorName: 'RangeError',
          code: 'E_FAR',
        })
      }
      expect((await bench().engine.steps('r'))[0]).toMatchObject({ name: 'break', state: 'failed' })
    })

    it('describes whatever is thrown, the same on replay', async () => {
      const thrown: unknown[] = [
        'a text',
        undefined,
        null,
        42,
        { message: 'an object', code: 'X' },
        { odd: true },
        Object.create(null),
        Symbol('s'),
        Object.assign(new Error('numeric'), { code: 7 }),
        new Error(''),
        new DOMException('gone', 'AbortError'),
        Object.defineProperty(new Error(), 'message', {
          get() {
            throw new Error('no message for you')
          },
        }),
      ]
      const rounds: string[][] = []
      const throwing = workflow('throwing', async (run: Run) => {
        const words: string[] = []
        for (const value of thrown) {
          const error = await run
            .step('throw', () => {
              throw value
            })
            .catch((error) => error)
          expect(error).toBeInstanceOf(StepFailed)
          words.push(`${error.errorName}: ${error.message} ${error.code}`)
        }
        rounds.push(words)
        await run.receive('go')
      })
      await bench().engine.start(throwing, undefined, { id: 'r' })
      await eventually(() => expect(rounds).toHaveLength(1))
      await bench().restart(throwing)
      await bench().engine.send('r', 'go')
      await bench().engine.result('r')
      expect(rounds[1]).toEqual(rounds[0])
      expect(rounds[0]!.slice(0, 6)).toEqual([
        'Error: a text undefined',
        'Error: undefined undefined',
        'Error: null undefined',
        'Error: 42 undefined',
        'Error: an object X',
        'Error: {"odd":true} undefined',
      ])
    })

    it('retries as often as configured, with growing pauses', async () => {
      const times: number[] = []
      const flaky = workflow('flaky', (run: Run) =>
        run.step(
          'flaky',
          ({ attempt }) => {
            times.push(bench().clock.now())
            if (attempt < 4) throw new Error(`try ${attempt}`)
            return attempt
          },
          { retries: 3, retryDelayMs: 1000 },
        ),
      )
      const begin = bench().clock.now()
      const handle = await bench().engine.start(flaky, undefined)
      for (const pause of [1000, 2000, 4000]) {
        await eventually(() => expect(bench().clock.pending).toBe(1))
        bench().clock.advance(pause)
      }
      expect(await handle.result()).toBe(4)
      expect(times.map((time) => time - begin)).toEqual([0, 1000, 3000, 7000])
    })

    it('fails with the last error after the last attempt', async () => {
      const flaky = workflow('flaky', (run: Run) =>
        run.step(
          'flaky',
          ({ attempt }) => {
            throw new Error(`try ${attempt}`)
          },
          { retries: 2, retryDelayMs: 0 },
        ),
      )
      await bench().engine.start(flaky, undefined, { id: 'r' })
      expect(await bench().failure('r')).toMatchObject({ name: 'RunFailed', status: 'failed', message: 'try 3' })
    })

    it('tolerates a failing step that is awaited later', async () => {
      const late = workflow('late', async (run: Run) => {
        const failing = run.step('failing', () => {
          throw new Error('early')
        })
        const child = await run.start(
          workflow('failing-child', async () => {
            throw new Error('child')
          }),
          undefined,
        )
        const result = child.result()
        await run.step('slow', () => turns(20))
        return [await failing.catch((error) => error.message), await result.catch((error) => error.message)]
      })
      expect(await bench().run(late)).toEqual(['early', 'child'])
    })

    it('returns ids that are globally unique and the same on replay', async () => {
      const rounds: string[][] = []
      const naming = workflow('naming', async (run: Run) => {
        const ids = [run.id(), run.id()]
        await run.step('between', () => 0)
        ids.push(run.id())
        rounds.push(ids)
        await run.receive('go')
        return ids
      })
      await bench().engine.start(naming, undefined, { id: 'a' })
      await bench().engine.start(naming, undefined, { id: 'b' })
      await eventually(() => expect(rounds).toHaveLength(2))
      await bench().restart(naming)
      await eventually(() => expect(rounds).toHaveLength(4))
      expect(new Set(rounds.flat()).size).toBe(6)
      expect(rounds.slice(2)).toEqual(rounds.slice(0, 2))
      for (const id of rounds.flat()) expect(id).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
    })

    it('runs a thousand runs at once', async () => {
      const busy = workflow('busy', async (run: Run, number: number) => {
        let sum = number
        for (let step = 0; step < 5; step++) sum += await run.step('add', () => step)
        await run.append({ type: 'sum.noted', version: 1, stream: 'sums', data: { number, sum } })
        return sum
      })
      const numbers = Array.from({ length: 1000 }, (_, number) => number)
      const handles = await Promise.all(numbers.map((number) => bench().engine.start(busy, number)))
      const results = await Promise.all(handles.map((handle) => handle.result()))
      expect(results).toEqual(numbers.map((number) => number + 10))
      expect(await bench().engine.list({ status: 'done' })).toHaveLength(1000)
      expect(new Set((await bench().events('sums')).map((event) => event.run)).size).toBe(1000)
    })
  })
}
