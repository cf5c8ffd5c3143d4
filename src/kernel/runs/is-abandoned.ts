/** Whether a process that is gone left a run unfinished. */
import type { Engine } from '../engine.ts'
import { isWithin } from '../run-events.ts'
import type { Questions } from './questions.ts'

/** A run that waits for a person's answer is not abandoned. */
export async function isAbandoned(engine: Engine, questions: Questions, id: string): Promise<boolean> {
  if ((await engine.executed())(id) || (await engine.get(id))?.status !== 'running') return false
  return (await questions.open()).every(({ run }) => !isWithin(run, id))
}
