/** Where a run stands in the tree of those that started each other. */
import type { Engine, RunSummary } from './engine.ts'

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
