/** The lifecycle that every floor shares, on the real engine: what state a run reports, and how a stop parks it. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import type { Workflow } from '../../src/kernel/engine.ts'
import { ConveneError } from '../../src/kernel/errors.ts'
import { askPerson, Questions } from '../../src/kernel/runs/questions.ts'
import { RunActivity } from '../../src/kernel/runs/run-activity.ts'
import { WorkLifecycle } from '../../src/kernel/runs/work-lifecycle.ts'
import { openLocalEngine } from './open-engine.ts'

async function asking() {
  const folder = mkdtempSync(join(tmpdir(), 'convene-lifecycle-'))
  const { engine, store, close } = openLocalEngine(folder)
  onTestFinished(async () => {
    await close()
    rmSync(folder, { recursive: true, force: true })
  })
  const questions = new Questions(store, engine)
  const activity = new RunActivity()
  const workflow: Workflow<null, { status: string }> = {
    name: 'asking',
    version: 1,
    run: (run) =>
      activity.during(run.runId, async () => {
        const asked = { text: '?', context: {} }
        const answer = await activity.whileWaiting(run.runId, () => askPerson(run, { stream: 'work' }, asked))
        return { status: answer.text ?? '' }
      }),
  }
  engine.register(workflow)
  const unknown = (id: string) => new ConveneError('unknown_work', id)
  const lifecycle = new WorkLifecycle({ engine, questions, activity, workflow, unknown })
  const state = async () => lifecycle.stateOf(await lifecycle.find('one'))
  await engine.start(workflow, null, { id: 'one' })
  await expect.poll(async () => (await state()).status).toBe('waiting')
  return { engine, questions, lifecycle, state }
}

it('waits while a question is open, stops, and continues to its result', async () => {
  const { engine, questions, lifecycle, state } = await asking()
  const [question] = await questions.open()
  expect(await state()).toEqual({ status: 'waiting', questions: [question] })
  await lifecycle.stop('one')
  expect(await state()).toEqual({ status: 'stopped', reason: 'stopped', questions: [question] })
  expect(await engine.get('one')).toMatchObject({ status: 'needs-attention', code: 'stopped' })
  await engine.resume('one')
  await questions.answer(question!.id, { text: 'yes' })
  await engine.result('one')
  expect(await state()).toEqual({ status: 'done', result: { status: 'yes' } })
})

it('reports the code of a used-up budget as the reason, and the reason itself for every other end', async () => {
  const { engine, state } = await asking()
  await engine.pause('one', 'no minutes left', 'out_of_time')
  expect(await state()).toEqual({ status: 'failed', reason: 'out_of_time', code: 'out_of_time' })
  await engine.resume('one')
  await engine.pause('one', 'npm ci failed', 'setup_failed')
  expect(await state()).toEqual({ status: 'failed', reason: 'npm ci failed', code: 'setup_failed' })
})

it('knows only the runs of its own workflow', async () => {
  const { engine, lifecycle } = await asking()
  const other: Workflow<null, null> = { name: 'other', version: 1, run: async () => null }
  engine.register(other)
  await engine.start(other, null, { id: 'two' })
  await expect(lifecycle.find('two')).rejects.toThrow('two')
  expect((await lifecycle.list()).map(({ id }) => id)).toEqual(['one'])
})
