/** A fork copies the first steps of another run and continues independently. */
import { describe, expect, it } from 'vitest'
import type { Run } from '../../../src/kernel/engine.ts'
import { benchForEach, eventually, fact, type OpenEngine, workflow } from './bench.ts'

export function forkContract(open: OpenEngine): void {
  describe('fork', () => {
    const bench = benchForEach(open)
    let counts: Record<string, number>
    const count = (name: string): number => {
      counts[name] = (counts[name] ?? 0) + 1
      return counts[name]
    }

    const counting = (names: string[], version = 1) =>
      workflow(
        'counting',
        async (run: Run, input: string) => {
          const seen: string[] = [input]
          for (const name of names) seen.push(await run.step(name, () => `${name}${count(name)}`))
          return seen.join(' ')
        },
        version,
      )

    it('keeps the first steps of a finished run and runs the others', async () => {
      counts = {}
      expect(await bench().run(counting(['a', 'b', 'c']), 'in', 'r')).toBe('in a1 b1 c1')
      const fork = await bench().engine.fork('r', { fromStep: 1 })
      expect(await fork.result()).toBe('in a1 b2 c2')
      expect(fork.id).not.toBe('r')
      expect(await bench().engine.result('r')).toBe('in a1 b1 c1')
      const [forked] = await bench().events(`run:${fork.id}`)
      expect(forked).toMatchObject({ type: 'run.forked', run: fork.id, data: { from: 'r', fromStep: 1 } })
    })

    it('may begin at the first step and after the last', async () => {
      counts = {}
      await bench().run(counting(['a', 'b']), 'in', 'r')
      expect(await (await bench().engine.fork('r', { fromStep: 0 })).result()).toBe('in a2 b2')
      expect(await (await bench().engine.fork('r', { fromStep: 2 })).result()).toBe('in a1 b1')
      expect(await (await bench().engine.fork('r')).result()).toBe('in a1 b1')
    })

    it.each([-1, 4, 1.5, Number.NaN, Number.POSITIVE_INFINITY])('refuses to begin at step %d', async (fromStep) => {
      counts = {}
      await bench().run(counting(['a', 'b', 'c']), 'in', 'r')
      await expect(bench().engine.fork('r', { fromStep })).rejects.toMatchObject({
        code: 'invalid_input',
        message: `run r has 3 steps; it cannot be forked from step ${fromStep}`,
        expected: '0 to 3',
      })
      expect(await bench().engine.list()).toHaveLength(1)
    })

    it('continues from the last good step of a run that the code no longer matches', async () => {
      counts = {}
      const waiting = (names: string[], version: number) =>
        workflow(
          'waiting',
          async (run: Run) => {
            for (const name of names) await run.step(name, () => count(name))
            return run.receive('go', { timeout: 10 })
          },
          version,
        )
      await bench().engine.start(waiting(['a', 'b', 'c'], 1), undefined, { id: 'r' })
      await bench().steps('r', 4)
      await bench().restart(waiting(['a', 'x', 'c'], 1))
      await eventually(async () => expect(await bench().status('r')).toBe('needs-attention'))
      const fork = await bench().engine.fork('r', { id: 'f' })
      await bench().steps('f', 4)
      bench().clock.advance(10)
      await fork.result()
      expect(counts).toEqual({ a: 1, b: 1, c: 2, x: 1 })
      expect(await bench().status('r')).toBe('needs-attention')
    })

    it('continues from the failed step of a failed run', async () => {
      counts = {}
      let broken = true
      const failing = workflow('failing', async (run: Run) => {
        const first = await run.step('first', () => count('first'))
        const second = await run.step('second', () => {
          if (broken) throw new Error('broken')
          return 'mended'
        })
        return `${first} ${second}`
      })
      await bench().engine.start(failing, undefined, { id: 'r' })
      expect((await bench().failure('r')).message).toBe('broken')
      broken = false
      expect(await (await bench().engine.fork('r')).result()).toBe('1 mended')
    })

    it('is the same run if forked again with the same id, and takes no other run’s', async () => {
      counts = {}
      const code = counting(['a', 'b'])
      await bench().run(code, 'in', 'r')
      await bench().run(code, 'other', 'taken')
      const one = await bench().engine.fork('r', { fromStep: 1, id: 'f' })
      const two = await bench().engine.fork('r', { fromStep: 0, id: 'f' })
      expect([await one.result(), await two.result()]).toEqual(['in a1 b3', 'in a1 b3'])
      await expect(bench().engine.fork('r', { id: 'taken' })).rejects.toMatchObject({ code: 'run_exists' })
      expect(await bench().types('run:f')).toEqual(['run.forked', 'run.finished'])
      expect(await bench().types('run:taken')).toEqual(['run.started', 'run.finished'])
    })

    it('keeps the ids that kept steps used, and creates new ones after', async () => {
      const naming = workflow('naming', async (run: Run) => {
        const before = run.id()
        const used = await run.step('use', () => before)
        const after = run.id()
        await run.step('more', () => after)
        return { before, used, after, last: run.id() }
      })
      await bench().engine.start(naming, undefined, { id: 'r' })
      const original = await bench().engine.result<Record<string, string>>('r')
      const fork = await bench().engine.fork('r', { fromStep: 1, id: 'f' })
      const forked = (await fork.result()) as Record<string, string>
      expect(forked.before).toBe(forked.used)
      expect(forked.before).toBe(original.before)
      expect(forked.after).not.toBe(original.after)
      const second = await bench().engine.fork('f', { fromStep: 2, id: 'g' })
      const forkedTwice = (await second.result()) as Record<string, string>
      expect(forkedTwice).toMatchObject({ before: original.before, after: forked.after })
      expect(forkedTwice.last).not.toBe(forked.last)
      await bench().restart(naming)
      expect(await bench().engine.result('g')).toEqual(forkedTwice)
    })

    it('does not repeat kept facts, signals and children, and continues after a restart', async () => {
      counts = {}
      const child = workflow('child', (run: Run) => run.step('count', () => count('child')))
      const mixed = workflow('mixed', async (run: Run) => {
        const got = await run.receive('item')
        await run.append(fact('s'))
        const made = await (await run.start(child, undefined)).result()
        await run.receive('go')
        return [got, made]
      })
      await bench().engine.start(mixed, undefined, { id: 'r' })
      await bench().engine.send('r', 'item', 'signal')
      await bench().engine.send('r', 'go')
      expect(await bench().engine.result('r')).toEqual(['signal', 1])
      await bench().engine.fork('r', { fromStep: 3, id: 'f' })
      await bench().restart(mixed, child)
      await bench().engine.send('f', 'go')
      expect(await bench().engine.result('f')).toEqual(['signal', 1])
      expect(counts.child).toBe(1)
      expect(await bench().events('s')).toHaveLength(1)
    })

    it('uses the original input and the current version of the code', async () => {
      counts = {}
      await bench().run(counting(['a']), 'in', 'r')
      await bench().restart(counting(['a', 'b'], 3))
      expect(await (await bench().engine.fork('r', { id: 'f' })).result()).toBe('in a1 b1')
      expect(await bench().engine.get('f')).toMatchObject({ version: 3, workflow: 'counting', status: 'done' })
    })

    it('reports an unknown run or workflow', async () => {
      await expect(bench().engine.fork('nobody')).rejects.toMatchObject({ code: 'unknown_run' })
      counts = {}
      await bench().run(counting(['a']), 'in', 'r')
      await bench().restart()
      await expect(bench().engine.fork('r')).rejects.toMatchObject({ code: 'unknown_workflow' })
    })
  })
}
