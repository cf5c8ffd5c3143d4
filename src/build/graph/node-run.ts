/** The durable run of one node, from its branch to its merge; reports the outcome to the parent's run. SPEC.md § GR. */
import { type Run, RunCancelled, Stopped, type Workflow } from '../../kernel/engine.ts'
import { ConveneError, ScriptExhausted } from '../../kernel/errors.ts'
import { patientRun } from '../../kernel/runs/patient-run.ts'
import { shortName } from '../branches.ts'
import type { BuildDeps } from '../deps.ts'
import { buildStream, nodeFinished, nodeStarted } from '../events.ts'
import { eventHeader, type Node, openNode, subjectOf } from '../node.ts'
import type { NodeInput, NodeOutcome } from '../node-input.ts'
import { type ChildNote, Children, childTopic } from '../nodes/children.ts'
import { leaveForecast } from '../work/forecast.ts'
import { NodeGraph } from './node-graph.ts'
import { openedWorkspace } from './opened-workspace.ts'

export function nodeWorkflow(deps: BuildDeps): Workflow<NodeInput, NodeOutcome> {
  const workflow: Workflow<NodeInput, NodeOutcome> = {
    name: 'build.node',
    version: 6,
    run: (ownRun, input) =>
      deps.activity.during(ownRun.runId, async () => {
        const run = patientRun(ownRun, {
          ...deps,
          header: { stream: buildStream(input.build), feature: input.feature },
        })
        try {
          const outcome = await buildNode(run, deps, input, workflow)
          await tellParent(run, input, { child: input.spec.id, outcome })
          return outcome
        } catch (error) {
          if (error instanceof RunCancelled || error instanceof Stopped) throw error
          await tellParent(run, input, { child: input.spec.id, fatal: fatal(error) })
          throw error
        }
      }),
  }
  return workflow
}

async function tellParent(run: Run, { parent }: NodeInput, note: ChildNote): Promise<void> {
  if (parent) await run.send(parent.run, childTopic, note)
}

function fatal(error: unknown): NonNullable<ChildNote['fatal']> {
  const message = error instanceof Error ? error.message : String(error)
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'internal'
  const exitCode =
    error instanceof ScriptExhausted || code === 'script_exhausted'
      ? 2
      : error instanceof ConveneError
        ? error.exitCode
        : 1
  return { code, message, exitCode }
}

export async function buildNode(
  run: Run,
  deps: BuildDeps,
  input: NodeInput,
  childWorkflow: Workflow<NodeInput, NodeOutcome>,
): Promise<NodeOutcome> {
  const workspace = await openedWorkspace(run, deps)
  const node = openNode(run, deps, workspace, input)
  const children = new Children(node, async (child, id) => {
    await run.start(childWorkflow, child, { id, apart: deps.isSpread })
  })
  const leaveSlots = workspace.worktrees.join(input.build)
  try {
    await begin(node)
    const outcome = await runGraph(node, children)
    const { status } = outcome
    const more = status === 'merged' ? { commit: outcome.commit } : { reason: outcome.reason }
    leaveForecast(node)
    await run.append(nodeFinished.create(eventHeader(node), { ...subjectOf(node), status, ...more }))
    return outcome
  } finally {
    leaveSlots()
  }
}

/** Dismisses the node's parts if it fails. */
async function runGraph(node: Node, children: Children): Promise<NodeOutcome> {
  try {
    const outcome = await new NodeGraph(node, children).run()
    if (outcome.status === 'failed') await children.dismiss()
    return outcome
  } catch (error) {
    if (!(error instanceof RunCancelled) && !(error instanceof Stopped)) await children.dismiss(error)
    throw error
  }
}

async function begin(node: Node): Promise<void> {
  const { run, input, workspace } = node
  await run.step('begin', async (step) => {
    await workspace.repository.setRef(node.branch, node.state.head)
    step.emit(
      nodeStarted.create(eventHeader(node), {
        ...subjectOf(node),
        description: input.spec.description,
        criteria: input.spec.acceptanceCriteria,
        depends_on: input.dependsOn ?? [],
        branch: shortName(node.branch),
        base: input.base,
      }),
    )
  })
}
