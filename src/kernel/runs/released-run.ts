/** TR10: a run of which nothing can be recorded now, not even that it is parked. */
import type { Engine, RunSummary } from '../engine.ts'
import { ConveneError } from '../errors.ts'

/** Why this process released a run that the journal still calls running; null if it did not. */
export function releasedRun(engine: Engine, run: RunSummary): { reason: string; code: string } | null {
  const error = run.status === 'running' ? engine.releasedBy(run.id) : undefined
  if (!(error instanceof ConveneError)) return null
  return { reason: `${error.message} Then: convene resume ${run.id}`, code: error.code }
}
