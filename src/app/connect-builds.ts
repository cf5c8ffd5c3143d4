/** Connects the build floor: its workflows, and the workspace they share. */

import { machineMemoryMb } from '../agents/acp/machine-memory.ts'
import { memoryOf } from '../agents/acp/presets.ts'
import type { BuildDeps } from '../build/deps.ts'
import { Builds } from '../build/graph/builds.ts'
import { nodeWorkflow } from '../build/graph/node-run.ts'
import { buildWorkflow } from '../build/graph/run.ts'
import { MergeQueues } from '../build/merge-queues.ts'
import type { ProjectWorkspace } from '../build/workspace.ts'
import { countTokens } from '../kernel/ask/count-tokens.ts'
import type { Config } from '../kernel/config/load.ts'
import type { Engine } from '../kernel/engine.ts'
import { Semaphore } from '../kernel/semaphore.ts'
import { agentsAtOnce } from '../rules/agents/process-limit.ts'
import { buildRoles, staffing } from '../rules/build/staffing.ts'
import type { FloorParts } from './floor-parts.ts'

export type ConnectedBuilds = ReturnType<typeof connectBuilds>

export function connectBuilds({
  project,
  env,
  stateFolder,
  store,
  engine,
  agents,
  prompts,
  askDeps,
  questions,
  activity,
  mayAct,
}: FloorParts) {
  const { roles, build, repository, engine: database } = project.config
  let opening: Promise<ProjectWorkspace> | undefined
  const open = async () =>
    (await import('../build/open-workspace.ts')).openWorkspace(project, stateFolder, env, { mayAct })
  const deps: BuildDeps = {
    ...askDeps,
    prompts,
    agentFor: (role) => agents.get(staffing(role, roles, agents.members()).agent),
    groundsFor: (role) => staffing(role, roles, agents.members()).grounds,
    settings: build,
    workspace() {
      opening ??= open().catch((error) => {
        // Not a repository, or no test command: try again on the next use, when the user may have fixed it.
        opening = undefined
        throw error
      })
      return opening
    },
    isSpread: repository !== undefined && database.url !== undefined,
    semaphore: new Semaphore(
      agentsAtOnce({
        wanted: build.max_parallel,
        machineMb: machineMemoryMb(),
        agentMb: largestAgentMb(project.config),
      }),
    ),
    queues: new MergeQueues(),
    activity,
    async endParts(run) {
      for (const { id, status } of await engine.list({ parent: run })) {
        if (status !== 'running' && status !== 'needs-attention') continue
        await engine.cancel(id)
        deps.queues.forget(id)
        deps.activity.forget(id)
      }
    },
    countTokens,
  }
  const removals = new Set<Promise<void>>()
  const nodes = nodeWorkflow(deps)
  const workflow = buildWorkflow(deps, nodes)
  engine.register(nodes)
  engine.register(workflow)
  const roleAgents = [...buildRoles, 'reviewer' as const, 'tdd:review' as const].map((role) => deps.agentFor(role).name)
  return {
    deps,
    /** The agents that a build asks. */
    agents: [...new Set(roleAgents)],
    workflow,
    builds: new Builds({ store, engine, questions, deps, workflow }),
    /** Frees the merge queues and worktrees of a parked tree of runs, which may stay parked for long. */
    releaseTree(top: string): Promise<void> {
      deps.queues.forget(top)
      const removing = removeWorktrees(engine, top, opening).catch(() => {})
      removals.add(removing)
      return removing.finally(() => removals.delete(removing))
    },
    async close() {
      await Promise.all(removals)
      await (await opening)?.worktrees.close()
    },
  }
}

/** Removes the worktrees of a run and of all runs below it. */
async function removeWorktrees(
  engine: Engine,
  top: string,
  opening: Promise<ProjectWorkspace> | undefined,
): Promise<void> {
  const below = (await engine.list({ parent: top })).map(({ id }) => removeWorktrees(engine, id, opening))
  const workspace = await opening
  await Promise.all([workspace?.worktrees.removeRun(top), ...below])
}

/** Null if the project has no coding agent. */
function largestAgentMb({ agents }: Config): number | null {
  const sizes = Object.values(agents).flatMap((each) => (each.provider === 'acp' ? [memoryOf(each.agent)] : []))
  return sizes.length > 0 ? Math.max(...sizes) : null
}
