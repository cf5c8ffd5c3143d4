/** The workspace of a run, or the run parked until a person has repaired the repository. */
import type { Run } from '../../kernel/engine.ts'
import { faultOf } from '../../kernel/runs/patient-run.ts'
import type { BuildDeps } from '../deps.ts'
import type { ProjectWorkspace } from '../workspace.ts'

/** TR10: parks the run if the repository cannot be opened now. The step never ends, so a resumed run does not have it. */
export async function openedWorkspace(
  run: Run,
  deps: Pick<BuildDeps, 'workspace' | 'parking'>,
): Promise<ProjectWorkspace> {
  try {
    return await deps.workspace()
  } catch (error) {
    const fault = faultOf(error)
    if (fault === null) throw error
    // What comes after the first part of some messages is advice for another situation.
    const [happened] = (error as Error).message.split('; ')
    const message = `${happened}. ${fault.repair}, then resume the run`
    return run.step('open the repository', (step) => deps.parking.park(run, step, { code: 'surroundings', message }))
  }
}
