/** Where a run stands in the tree of those that started each other. */
import type { Engine, RunSummary } from './engine.ts'
import { isStopped } from './run-events.ts'

/** The run at the top, which may be the run itself. Null where there is no such run. */
export async function topOf(engine: Engine, id: string): Promise<RunSummary | null> {
  let run = await engine.get(id)
  while (run?.parent !== undefined) {
    const parent = await engine.get(run.parent)
    if (!parent) return run
    run = parent
  }
  return run
}

/** Why a run stands still that was parked, alone or with the whole that it is part of, or has ended badly. */
export async function whyLaidDown(engine: Engine, id: string): Promise<string | null> {
  const run = await engine.get(id)
  const top = run && (await topOf(engine, id))
  const still = [top, run].find((one) => one && one.status !== 'running' && one.status !== 'done')
  if (!still) return null
  return isStopped(still) ? 'the work was stopped' : `the work was broken off: ${still.reason ?? still.status}`
}
