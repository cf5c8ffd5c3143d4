/** Code that no longer matches a run's record parks the run and says what differs; it never guesses. */
import { describe, expect, it } from 'vitest'
import type { Run } from '../../../src/kernel/engine.ts'
import { type AnyWorkflow, benchForEach, eventually, type OpenEngine, turns, workflow } from './bench.ts'

export function changedCodeContract(open: OpenEngine): void {
  describe('changed code', () => {
    const bench = benchForEach(open)
    let counts: Record<string, number>

    type Op = (run: Run) => Promise<unknown>
    const count = (name: string) => {
      counts[name] = (counts[name] ?? 0) + 1
    }
    const step =
      (name: string): Op =>
      (run) =>
        run.step(name, () => count(name))
    const wait: Op = (run) => run.receive('go')
    const story = (ops: Op[], version = 1) =>
      workflow(
        'story',
        async (run: Run) => {
          for (const op of ops) await op(run)
          return 'done'
        },
        version,
      )

    /** Starts a run with steps a and b, then a wait; restarts with other code. */
    async function changeTo(...code: AnyWorkflow[]): Promise<string | undefined> {
      counts = {}
      const original = story([step('a'), step('b'), wait, step('c')])
      await bench().engine.start(original, undefined, { id: 'r' })
      await bench().steps('r', 2)
      await bench().restart(...code)
      await eventually(async () => expect(await bench().status('r')).toBe('needs-attention'))
      return (await bench().engine.get('r'))!.reason
    }

    async function expectGoesOnWithTheRightCode(): Promise<void> {
      const right = story([step('a'), step('b'), wait, step('c')])
      await bench().restart(right)
      expect(await bench().status('r')).toBe('needs-attention')
      const resumed = await bench().engine.resume('r')
      expect(resumed).toMatchObject({ id: 'r', status: 'running' })
      expect(resumed.reason).toBeUndefined()
      await bench().engine.send('r', 'go')
      expect(await bench().engine.result('r')).toBe('done')
      expect(counts).toEqual({ a: 1, b: 1, c: 1 })
    }

    it('parks the run if a step was renamed', async () => {
      const reason = await changeTo(story([step('a'), step('other'), wait]))
      expect(reason).toBe(
        "step 1 was recorded as step 'b', but the code now has step 'other' there. Fork the run to start again from that step",
      )
      expect(counts).toEqual({ a: 1, b: 1 })
      expect((await bench().failure('r')).status).toBe('needs-attention')
      await expectGoesOnWithTheRightCode()
    })

    it('parks the run if a step was removed', async () => {
      const reason = await changeTo(story([step('b'), wait, step('c')]))
      expect(reason).toContain("step 0 was recorded as step 'a', but the code now has step 'b' there")
      await expectGoesOnWithTheRightCode()
    })

    it('parks the run if a step was added among the recorded ones', async () => {
      const reason = await changeTo(story([step('a'), step('new'), step('b'), wait]))
      expect(reason).toContain("step 1 was recorded as step 'b', but the code now has step 'new' there")
      expect(counts).not.toHaveProperty('new')
      await expectGoesOnWithTheRightCode()
    })

    it('parks the run if a step has another kind', async () => {
      const reason = await changeTo(story([step('a'), (run) => run.receive('b'), wait]))
      expect(reason).toContain("recorded as step 'b', but the code now has receive 'b'")
      await expectGoesOnWithTheRightCode()
    })

    it('parks the run if the code ends before the record does, with a result or an error', async () => {
      expect(await changeTo(story([step('a')]))).toBe("the code ended after 1 steps, but step 1 ('b') is recorded")
      await expectGoesOnWithTheRightCode()
      const failing = story([step('a'), () => Promise.reject(new Error('new check'))])
      await bench().restart()
      await bench()
        .engine.cancel('r')
        .catch(() => {})
      counts = {}
      await bench().engine.start(story([step('a'), step('b'), wait]), undefined, { id: 'r2' })
      await bench().steps('r2', 2)
      await bench().restart(failing)
      expect(await bench().failure('r2')).toMatchObject({ status: 'needs-attention' })
    })

    it('parks the run if the version differs', async () => {
      const reason = await changeTo(story([step('a'), step('b'), wait, step('c')], 2))
      expect(reason).toBe(
        "the run was started with version 1 of 'story'; this is version 2. Resume it to continue from its finished steps with this version",
      )
      await expectGoesOnWithTheRightCode()
    })

    it('parks the run if the workflow is unknown', async () => {
      expect(await changeTo()).toContain("no workflow 'story'")
      expect(await bench().engine.resume('r')).toMatchObject({ status: 'needs-attention' })
      await expectGoesOnWithTheRightCode()
    })

    it('continues with the new version if a person says so, and remembers that', async () => {
      await changeTo(story([step('a'), step('b'), wait, step('d')], 2))
      expect(await bench().engine.resume('r')).toMatchObject({ status: 'running', version: 2 })
      await bench().restart(story([step('a'), step('b'), wait, step('d')], 2))
      await bench().engine.send('r', 'go')
      expect(await bench().engine.result('r')).toBe('done')
      expect(counts).toEqual({ a: 1, b: 1, d: 1 })
    })

    it('parks the run again if the code still does not match', async () => {
      await changeTo(story([step('a'), step('other'), wait]))
      await bench().engine.resume('r')
      await eventually(async () => expect(await bench().status('r')).toBe('needs-attention'))
      expect(counts).toEqual({ a: 1, b: 1 })
    })

    it('resumes a parked run once, even if two resume it at once', async () => {
      await changeTo(story([step('x'), wait]))
      const right = story([step('a'), step('b'), wait, step('c')])
      await bench().restart(right)
      await Promise.all([bench().engine.resume('r'), bench().engine.resume('r'), bench().engine.recover()])
      await bench().engine.send('r', 'go')
      expect(await bench().engine.result('r')).toBe('done')
      expect(counts.c).toBe(1)
      expect(await bench().types('run:r')).toEqual([
        'run.started',
        'run.recovered',
        'run.parked',
        'run.recovered',
        'run.finished',
      ])
    })

    it('allows changes to code that the run has not reached', async () => {
      counts = {}
      await bench().engine.start(story([step('a'), wait, step('c')]), undefined, { id: 'r' })
      await bench().steps('r', 1)
      await bench().restart(story([step('a'), wait, step('added'), step('c')]))
      await bench().engine.send('r', 'go')
      expect(await bench().engine.result('r')).toBe('done')
      expect(counts).toEqual({ a: 1, added: 1, c: 1 })
    })

    it('allows a changed duration: the recorded one stands', async () => {
      counts = {}
      const waiting = (time: number) =>
        workflow('waiting', async (run: Run) => {
          await run.sleep(time)
          return run.receive('x', { timeout: time })
        })
      await bench().engine.start(waiting(1000), undefined, { id: 'r' })
      await bench().steps('r', 1)
      await bench().restart(waiting(9000))
      await eventually(() => expect(bench().clock.pending).toBe(1))
      bench().clock.advance(1000)
      await bench().steps('r', 2)
      bench().clock.advance(9000)
      expect(await bench().engine.result('r')).toBeUndefined()
    })

    it('does not change a run that is running or has ended', async () => {
      const waiting = workflow('waiting', async (run: Run) => {
        await run.step('once', () => 1)
        return run.receive('go')
      })
      await bench().engine.start(waiting, undefined, { id: 'r' })
      expect(await bench().engine.resume('r')).toMatchObject({ status: 'running' })
      await turns(3)
      await bench().engine.send('r', 'go', 'ended')
      expect(await bench().engine.result('r')).toBe('ended')
      expect(await bench().engine.resume('r')).toMatchObject({ status: 'done' })
      expect(await bench().types('run:r')).toEqual(['run.started', 'run.finished'])
      await expect(bench().engine.resume('nobody')).rejects.toMatchObject({ code: 'unknown_run' })
    })

    it('refuses two workflows with one name', () => {
      bench().engine.register(story([]))
      expect(() => bench().engine.register(story([]))).toThrow("two workflows are named 'story'")
    })
  })
}
