/** Runs that runs start. */
import { describe, expect, it } from 'vitest'
import { type Run, RunFailed } from '../../../src/kernel/engine.ts'
import { benchForEach, eventually, latch, type OpenEngine, seeded, turns, workflow } from './bench.ts'

export function childrenContract(open: OpenEngine): void {
  describe('children', () => {
    const bench = benchForEach(open)

    it("returns a child's result, even if the parent is replayed after the child has ended", async () => {
      let childSteps = 0
      const child = workflow('child', (run: Run, input: number) =>
        run.step('double', () => {
          childSteps++
          return input * 2
        }),
      )
      const parent = workflow('parent', async (run: Run) => {
        const handle = await run.start(child, 21)
        const result = await handle.result()
        await run.receive('go')
        return { id: handle.id, result }
      })
      await bench().engine.start(parent, undefined, { id: 'r' })
      await eventually(async () => expect(await bench().engine.list({ status: 'done' })).toHaveLength(1))
      await bench().restart(parent, child)
      await bench().engine.send('r', 'go')
      const [childRun] = await bench().engine.list({ workflow: 'child' })
      expect(await bench().engine.result('r')).toEqual({ id: childRun!.id, result: 42 })
      expect(childSteps).toBe(1)
      expect(childRun).toMatchObject({ parent: 'r', status: 'done' })
    })

    it('returns the same run for the same id, however often and by whomever it is started', async () => {
      let starts = 0
      const child = workflow('child', async (run: Run, input: string) => {
        await run.step('count', () => void starts++)
        return input
      })
      const parent = workflow('parent', async (run: Run) => {
        const first = await run.start(child, 'first', { id: 'shared' })
        const second = await run.start(child, 'second', { id: 'shared' })
        return [await first.result(), await second.result()]
      })
      expect(await bench().run(parent)).toEqual(['first', 'first'])
      expect(await bench().run(parent)).toEqual(['first', 'first'])
      const handles = await Promise.all([1, 2, 3].map(() => bench().engine.start(child, 'outside', { id: 'shared' })))
      for (const handle of handles) expect(await handle.result()).toBe('first')
      expect(starts).toBe(1)
      expect(await bench().types('run:shared')).toEqual(['run.started', 'run.finished'])
    })

    it('starts a run once if it is started several times at the same moment', async () => {
      let starts = 0
      const once = workflow('once', (run: Run) => run.step('count', () => ++starts))
      const handles = await Promise.all([1, 2, 3, 4].map(() => bench().engine.start(once, undefined, { id: 'r' })))
      for (const handle of handles) expect(await handle.result()).toBe(1)
    })

    it('refuses the id of a run of another workflow', async () => {
      const one = workflow('one', async () => 1)
      const two = workflow('two', async () => 2)
      const parent = workflow('parent', async (run: Run) => {
        const error = await run.start(two, undefined, { id: 'r' }).catch((error) => error)
        return error.code
      })
      await bench().engine.start(one, undefined, { id: 'r' })
      await expect(bench().engine.start(two, undefined, { id: 'r' })).rejects.toMatchObject({ code: 'run_exists' })
      expect(await bench().run(parent)).toBe('run_exists')
      expect(await bench().engine.result('r')).toBe(1)
    })

    it('propagates a child’s failure with its code, the same on replay', async () => {
      const errors: RunFailed[] = []
      const child = workflow('child', async (run: Run) => {
        await run.step('break', () => {
          throw Object.assign(new Error('no luck'), { code: 'E_LUCK' })
        })
      })
      const parent = workflow('parent', async (run: Run) => {
        const handle = await run.start(child, undefined, { id: 'c' })
        errors.push(await handle.result().catch((error) => error))
        await run.receive('go')
        throw errors[0]
      })
      await bench().engine.start(parent, undefined, { id: 'r' })
      await eventually(() => expect(errors).toHaveLength(1))
      await bench().restart(parent, child)
      await bench().engine.send('r', 'go')
      expect(await bench().failure('r')).toMatchObject({ status: 'failed', message: 'no luck', code: 'E_LUCK' })
      expect(errors).toHaveLength(2)
      for (const error of errors) {
        expect(error).toBeInstanceOf(RunFailed)
        expect(error).toMatchObject({ runId: 'c', status: 'failed', message: 'no luck', code: 'E_LUCK' })
      }
    })

    it('runs branches of several steps concurrently, with the same outcome however long each takes', async () => {
      for (let seed = 1; seed <= 6; seed++) {
        const random = seeded(seed)
        const branch = workflow('branch', async (run: Run, part: number) => {
          let value = part
          for (let step = 0; step < 3; step++) {
            value = await run.step(`step-${step}`, async () => {
              await turns(Math.floor(random() * 8))
              return value * 2
            })
          }
          return value
        })
        const fan = workflow('fan', async (run: Run) => {
          const children = await Promise.all([1, 2, 3, 4].map((part) => run.start(branch, part)))
          const results = await Promise.all(children.map((child) => child.result()))
          return run.step('join', () => results.join())
        })
        await bench().restart(fan, branch)
        await bench().engine.start(fan, undefined, { id: `r${seed}` })
        await turns(Math.floor(random() * 12))
        await bench().restart(fan, branch)
        expect(await bench().engine.result(`r${seed}`)).toBe('8,16,24,32')
        expect((await bench().engine.steps(`r${seed}`)).map((step) => step.name)).toEqual([
          ...Array(4).fill('branch'),
          'join',
        ])
      }
    })

    it('lets a parent wait while its child is parked, and continue once the child does', async () => {
      const childOf = (step: string) =>
        workflow('child', async (run: Run) => {
          await run.step(step, () => 0)
          await run.receive('go')
          return 'child done'
        })
      const parent = workflow('parent', async (run: Run) =>
        (await run.start(childOf('a'), undefined, { id: 'c' })).result(),
      )
      await bench().engine.start(parent, undefined, { id: 'r' })
      await eventually(async () => expect(await bench().engine.steps('c')).toHaveLength(1))
      await bench().restart(parent, childOf('renamed'))
      await eventually(async () => expect(await bench().status('c')).toBe('needs-attention'))
      await turns(5)
      expect(await bench().status('r')).toBe('running')
      await bench().restart(parent, childOf('a'))
      expect(await bench().status('c')).toBe('needs-attention')
      await bench().engine.resume('c')
      await bench().engine.send('c', 'go')
      expect(await bench().engine.result('r')).toBe('child done')
    })

    it('continues children that their parent no longer waits for', async () => {
      const door = latch()
      const child = workflow('child', (run: Run) => run.step('wait', () => door.opened.then(() => 'done alone')))
      const parent = workflow('parent', async (run: Run) => (await run.start(child, undefined, { id: 'c' })).id)
      expect(await bench().run(parent)).toBe('c')
      door.open()
      expect(await bench().engine.result('c')).toBe('done alone')
    })

    it('nests to any depth', async () => {
      const nested = workflow('nested', async (run: Run, depth: number): Promise<number> => {
        if (depth === 0) return 0
        return 1 + (await (await run.start(nested, depth - 1)).result())
      })
      expect(await bench().run(nested, 20)).toBe(20)
    })
  })
}
