/** Queries about runs. */
import { describe, expect, it } from 'vitest'
import type { Run } from '../../../src/kernel/engine.ts'
import { benchForEach, type OpenEngine, workflow } from './bench.ts'

export function overviewContract(open: OpenEngine): void {
  describe('overview', () => {
    const bench = benchForEach(open)

    const waiting = workflow('waiting', async (run: Run) => {
      await run.step('one', () => ({ a: 1 }))
      return run.receive('go')
    })
    const quick = workflow('quick', async () => 'quick', 7)

    it('lists runs, newest first, by status, workflow and parent, up to a limit', async () => {
      const parent = workflow('parent', async (run: Run) =>
        (await run.start(quick, undefined, { id: 'child' })).result(),
      )
      await bench().engine.start(waiting, undefined, { id: 'a' })
      await bench().run(quick, undefined, 'b')
      await bench().run(parent, undefined, 'c')
      const ids = async (query?: Parameters<ReturnType<typeof bench>['engine']['list']>[0]) =>
        (await bench().engine.list(query)).map((run) => run.id)
      expect(await ids()).toEqual(['child', 'c', 'b', 'a'])
      expect(await ids({ status: 'running' })).toEqual(['a'])
      expect(await ids({ workflow: 'quick' })).toEqual(['child', 'b'])
      expect(await ids({ status: 'done', workflow: 'parent' })).toEqual(['c'])
      expect(await ids({ parent: 'c' })).toEqual(['child'])
      expect(await ids({ limit: 2 })).toEqual(['child', 'c'])
      expect(await ids({ status: 'failed' })).toEqual([])
    })

    it('describes one run', async () => {
      const created = bench().clock.now()
      await bench().engine.start(waiting, undefined, { id: 'r' })
      await bench().steps('r', 1)
      expect(await bench().engine.get('r')).toEqual({
        id: 'r',
        workflow: 'waiting',
        version: 1,
        status: 'running',
        createdAt: created,
        updatedAt: created,
        steps: 1,
      })
      bench().clock.jump(5)
      await bench().engine.send('r', 'go', { b: 2 })
      await bench().engine.result('r')
      expect(await bench().engine.get('r')).toMatchObject({
        status: 'done',
        updatedAt: created + 5,
        steps: 2,
        result: { b: 2 },
      })
      expect(await bench().engine.get('nobody')).toBeNull()
    })

    it('lists a run’s steps', async () => {
      const at = bench().clock.now()
      await bench().engine.start(waiting, undefined, { id: 'r' })
      await bench().steps('r', 1)
      await bench().engine.send('r', 'go', 'value')
      await bench().engine.result('r')
      expect(await bench().engine.steps('r')).toEqual([
        { position: 0, name: 'one', kind: 'step', state: 'done', value: { a: 1 }, at },
        { position: 1, name: 'go', kind: 'receive', state: 'done', value: 'value', at },
      ])
      await expect(bench().engine.steps('nobody')).rejects.toMatchObject({ code: 'unknown_run' })
    })

    it('reports an unknown run', async () => {
      await expect(bench().engine.result('nobody')).rejects.toMatchObject({ code: 'unknown_run', status: 404 })
    })

    it('resolves for everyone who waits for a run, also after its end', async () => {
      await bench().engine.start(waiting, undefined, { id: 'r' })
      const results = [bench().engine.result('r'), bench().engine.result('r')]
      await bench().engine.send('r', 'go', 'value')
      expect(await Promise.all([...results, bench().engine.result('r')])).toEqual(['value', 'value', 'value'])
      expect(await bench().engine.result('r')).toBe('value')
    })
  })
}
