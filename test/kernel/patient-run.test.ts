/** TR10 on the real engine: what a step writes after a repair is in the log, also when another process finishes it. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import type { Workflow } from '../../src/kernel/engine.ts'
import type { NewEvent } from '../../src/kernel/events.ts'
import { patientRun } from '../../src/kernel/runs/patient-run.ts'
import { RunActivity } from '../../src/kernel/runs/run-activity.ts'
import { type LocalEngine, openLocalEngine } from './open-engine.ts'

const fact = (type: string) => ({ type, version: 1, stream: 's', data: {} }) as NewEvent

/** Notes that it begins, works, and notes that it has finished. */
function working({ store }: LocalEngine, work: () => void): Workflow<void, string> {
  return {
    name: 'working',
    version: 1,
    run: (run) =>
      patientRun(run, { store, activity: new RunActivity(), header: { stream: 's' } }).step('work', async (step) => {
        work()
        await step.append(fact('work.begun'))
        await step.append(fact('work.finished'))
        return 'done'
      }),
  }
}

it('[TR10] loses no fact of a step whose repair was asked about in an earlier process', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'convene-patient-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const types = async ({ store }: LocalEngine) => (await store.read({ stream: 's' })).map(({ type }) => type)

  const broken = openLocalEngine(folder)
  const fails = () => {
    throw Object.assign(new Error('no space left'), { code: 'ENOSPC', syscall: 'write' })
  }
  const started = await broken.engine.start(working(broken, fails), undefined, { id: 'work' })
  started.result().catch(() => {})
  await expect.poll(() => types(broken)).toEqual(['question.asked'])
  await broken.close()

  const repaired = openLocalEngine(folder)
  onTestFinished(() => repaired.close())
  repaired.engine.register(working(repaired, () => {}))
  await repaired.engine.resume('work')
  expect(await repaired.engine.result('work')).toBe('done')
  expect(await types(repaired)).toEqual(['question.asked', 'work.begun', 'work.finished', 'question.answered'])
})
