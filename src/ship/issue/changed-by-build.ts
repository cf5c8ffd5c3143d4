/** What the last attempt of a build changed, compared with the commit the build started from. */
import { buildStarted, evidenceRecorded, workCommitted } from '../../build/events.ts'
import { inProject } from '../../build/workspace.ts'
import type { ShipDeps } from '../deps.ts'
import type { IssueView } from '../view.ts'

export async function changedByBuild(deps: ShipDeps, build: string): Promise<NonNullable<IssueView['changed']>> {
  const types = [buildStarted.type, evidenceRecorded.type, workCommitted.type]
  const events = await deps.store.read({ run: build, types })
  const started = events.findLast((event) => buildStarted.is(event))
  const last = events.findLast(
    (event) => workCommitted.is(event) || (evidenceRecorded.is(event) && event.data.purpose === 'claim'),
  )
  if (!started || !last) return []
  const workspace = await deps.workspace()
  const { tree } = last.data as { tree: string }
  try {
    const changes = await workspace.repository.changes((started.data as { base: string }).base, tree)
    return changes.map(({ path, status }) => ({ path: inProject(workspace, path) ?? path, change: changeOf(status) }))
  } catch {
    // Nothing refers to the tree of a refused attempt; git may have removed it.
    return []
  }
}

function changeOf(status: string): 'created' | 'modified' | 'deleted' {
  if (status === 'added') return 'created'
  return status === 'deleted' ? 'deleted' : 'modified'
}
