/** Where a run stands in its tree: a run and the runs it started. */
import type { Engine, RunSummary } from './engine.ts'
import { isStopped } from './run-events.ts'

/** The run at the top of the tree, which may be the run itself. Null when there is no such run. */
export async function topOf(engine: Engine, id: string): Promise<RunSummary | null> {
  let run = await engine.get(id)
  while (run?.parent !== undefined) {
    const parent = await engine.get(run.parent)
    if (!parent) return run
    run = parent
  }
  return run
}

/** Why this run, or the run at the top of its tree, is parked or ended badly; null when neither is. */
export async function whyNotRunning(engine: Engine, id: string): Promise<string | null> {
  const run = await engine.get(id)
  const top = run && (await topOf(engine, id))
  const halted = [top, run].find((one) => one && one.status !== 'running' && one.status !== 'done')
  if (!halted) return null
  return isStopped(halted) ? 'the work was stopped' : `the work was interrupted: ${halted.reason ?? halted.status}`
}
