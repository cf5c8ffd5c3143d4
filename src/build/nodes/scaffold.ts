/** The first place of the graph: the agent writes an interface, a contract suite, a test plan and, optionally, parts. VF1. */
import type { AgentMessage } from '../../kernel/agent.ts'
import type { StepContext } from '../../kernel/engine.ts'
import type { BackEdgeReason } from '../../rules/build/back-edge.ts'
import { type Exit, type ExitPayload, givenCommit } from '../../rules/build/exits.ts'
import { scaffoldProblems } from '../../rules/build/scaffold-complete.ts'
import type { ChildSpec } from '../../rules/build/spec.ts'
import type { Problem } from '../../rules/schema/problem.ts'
import { scaffoldAccepted } from '../events.ts'
import { eventHeader, type Node, subjectOf, suitesOf } from '../node.ts'
import { describeReason } from '../reasons.ts'
import { askUntilVerified, type CheckResult, isExit, type VerifiedReply } from '../work/ask-until-verified.ts'
import { keepCommit, landCommit, makeCommit } from '../work/commit-work.ts'
import { inspectWorktree } from '../work/inspect-worktree.ts'
import { behaviourChangedBy } from '../work/reviewed.ts'
import { factsAt, inRepository } from '../workspace.ts'

interface Scaffolded {
  commit: string
}

export async function scaffold(
  node: Node,
  reason: BackEdgeReason | undefined,
  spawned: readonly ChildSpec[],
): Promise<VerifiedReply<Scaffolded> | { exhausted: Problem[] }> {
  const { input, deps } = node
  const depthLeft = deps.settings.max_depth - (input.path.length - 1)
  const held = await askUntilVerified<Scaffolded>(node, {
    place: 'scaffold',
    kind: 'scaffold',
    role: 'scaffold',
    prompt: 'scaffold',
    values: {
      spec: node.state.spec,
      depthLeft,
      ...(input.parent ? { parent: await parentOf(node) } : {}),
      ...(reason ? { reason: describeReason(reason) } : {}),
    },
    thread: [],
    memory: 'scaffold',
    open: ['ClarificationNeeded'],
    from: node.state.startOf('scaffold'),
    check: (step, exit, tree) => checkScaffold(node, step, exit, tree!, spawned),
  })
  if ('exhausted' in held) return held
  if (isExit(held.exit, 'InitWork')) {
    const accepted = { ...held.exit.payload, childSpecs: withSpawned(held.exit.payload.childSpecs, spawned) }
    const spec = deps.prompts.render('spec', { spec: node.state.spec })
    // The others need the spec and what was settled, not the scaffolder's instructions.
    const shared: AgentMessage[] = [{ role: 'user', content: spec }, held.thread.messages.at(-1)!]
    node.state.scaffolded(held.found!.commit, accepted, shared)
  }
  return held
}

async function checkScaffold(
  node: Node,
  step: StepContext,
  exit: Exit,
  tree: string,
  spawned: readonly ChildSpec[],
): Promise<CheckResult<Scaffolded>> {
  if (!isExit(exit, 'InitWork')) return { problems: [] }
  const { workspace, deps, input } = node
  const { payload } = exit
  const { problems: touched, changes, putBack } = await inspectWorktree(node, 'scaffold', node.state.head, tree)
  const declared = [payload.interfaceFile, ...(payload.interfaces ?? []).map(({ path }) => path)]
  const named = [...new Set([...declared, ...suitesOf(payload)])]
  const files = await workspace.repository.readFiles(
    tree,
    named.map((path) => inRepository(workspace, path)),
  )
  const above = input.parent?.interfaces ?? []
  const problems = [
    ...touched,
    ...(await strangeCommit(node, payload.scaffoldCommit)),
    ...changedChildren(payload.childSpecs ?? [], spawned),
    ...scaffoldProblems(
      {
        spec: node.state.spec,
        path: input.path,
        reply: payload,
        existing: named.filter((path) => files.has(inRepository(workspace, path))),
        interfaces: await factsAt(workspace, tree, declared),
        changed: payload.testPlan.length > 0 ? [] : await behaviourChangedBy(node, changes, tree),
        ...(above.length === 0
          ? {}
          : {
              parentInterface: {
                before: await factsAt(workspace, node.state.head, above),
                after: await factsAt(workspace, tree, above),
              },
            }),
      },
      { depth: deps.settings.max_depth, children: deps.settings.max_children },
    ),
  ]
  if (problems.length > 0) {
    const isForeign = ({ path }: Problem) =>
      path !== undefined && above.includes(path) && path !== input.spec.targetPath
    const foreign = problems.filter(isForeign).map(({ path }) => inRepository(workspace, path!))
    return { problems, putBack: { ...putBack, paths: [...putBack.paths, ...foreign] } }
  }
  const agent = deps.agentFor('scaffold').name
  const request = { kind: 'scaffold', tree, from: node.state.head, agent, changes }
  const made = await makeCommit(node, request)
  const hasParts = spawned.length > 0 && made !== node.state.head
  const commit = hasParts ? await landCommit(node, step, made, node.state.head) : made
  if (commit === null) {
    const message = 'a part that was merged meanwhile changed the same lines; plan on top of it'
    return { problems: [{ rule: 'VF1', message }] }
  }
  await keepCommit(node, step, request, commit, hasParts ? null : node.branch)
  step.emit(accepted(node, payload))
  return { problems: [], found: { commit } }
}

function accepted(node: Node, { interfaceFile, contractSuite, testPlan, childSpecs }: ExitPayload<'InitWork'>) {
  const parts = childSpecs ?? []
  const children = parts.map(({ id }) => id)
  const dependencies = Object.fromEntries(parts.map(({ id, dependsOn }) => [id, dependsOn ?? []]))
  const suite = contractSuite ? { contractSuite } : {}
  const about = { ...subjectOf(node), interfaceFile, ...suite, testPlan, children, dependencies }
  return scaffoldAccepted.create(eventHeader(node), about)
}

/** GR10: refuses a commit hash that does not exist. */
export async function strangeCommit({ workspace }: Node, given: string | null | undefined): Promise<Problem[]> {
  const commit = givenCommit(given)
  if (commit === undefined || (await workspace.repository.exists(commit))) return []
  return [{ rule: 'GR10', message: `there is no commit ${commit}` }]
}

/** A part that has started keeps its spec. */
function changedChildren(asked: readonly ChildSpec[], spawned: readonly ChildSpec[]): Problem[] {
  return asked.flatMap((child, index) => {
    const started = spawned.find(({ id }) => id === child.id)
    if (!started || sameWork(started, child)) return []
    const message = `${child.id} is under way already; its criteria and paths can no longer change`
    return [{ rule: 'VF1', message, path: `childSpecs.${index}` }]
  })
}

function sameWork(one: ChildSpec, other: ChildSpec): boolean {
  const ids = (child: ChildSpec) => child.acceptanceCriteria.map(({ id }) => id).join('\n')
  return one.targetPath === other.targetPath && one.testPath === other.testPath && ids(one) === ids(other)
}

function withSpawned(asked: readonly ChildSpec[] | null | undefined, spawned: readonly ChildSpec[]): ChildSpec[] {
  const fresh = (asked ?? []).filter(({ id }) => !spawned.some((child) => child.id === id))
  return [...spawned, ...fresh]
}

/** In characters: the part may read the rest. */
const longestInterface = 6000

async function parentOf(node: Node) {
  const { workspace, input } = node
  const { spec, interfaces } = input.parent!
  const texts = await workspace.repository.readFiles(
    input.base,
    interfaces.map((path) => inRepository(workspace, path)),
  )
  const shown = interfaces.flatMap((path) => {
    const text = texts.get(inRepository(workspace, path))
    if (text === undefined) return []
    const shown = text.toString('utf8').slice(0, longestInterface)
    const cut = text.length > longestInterface ? '\n(The file is longer; read the rest.)' : ''
    return [`${path}:\n\`\`\`\n${shown}\n\`\`\`${cut}`]
  })
  return {
    id: spec.id,
    interface: shown.join('\n') || '(none)',
    assignedCriteria: node.state.spec.acceptanceCriteria.map(({ id }) => id).join(', '),
  }
}
