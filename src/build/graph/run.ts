/** Runs a build from spec to branch: the graph or a single agent, then the result, the clean-up and the merge. */
import { type Run, RunCancelled, type Workflow } from '../../kernel/engine.ts'
import { patientRun } from '../../kernel/runs/patient-run.ts'
import { configurationFault } from '../../rules/build/configuration-fault.ts'
import { type BuildStrategy, type Spec, strategyForSpec, whyStrategy } from '../../rules/build/spec.ts'
import { buildRoles } from '../../rules/build/staffing.ts'
import { selectCodingContext } from '../../rules/context/coding-context.ts'
import { noSandbox } from '../../workspace/commands/command.ts'
import { GitFailed } from '../../workspace/git/git.ts'
import { usersOf } from '../../workspace/merge/move-branch.ts'
import { integrationBranch, nodeBranch, shortName } from '../branches.ts'
import type { BuildDeps } from '../deps.ts'
import {
  buildFinished,
  buildStarted,
  buildStream,
  mergeCompleted,
  nodeFinished,
  nodeStarted,
  warningGiven,
} from '../events.ts'
import { suitesOf } from '../node.ts'
import type { NodeInput, NodeOutcome } from '../node-input.ts'
import { mergeVerified } from '../nodes/merge-verified.ts'
import { buildSolo } from '../nodes/solo.ts'
import { projectFilesAt } from '../project-files.ts'
import { approveMerge } from '../trust/approve-merge.ts'
import { checkReader } from '../work/check-reader.ts'
import type { ProjectWorkspace } from '../workspace.ts'
import { buildNode } from './node-run.ts'
import { openedWorkspace } from './opened-workspace.ts'

export interface BuildInput {
  spec: Spec
  strategy: BuildStrategy
  merge: boolean
  /** The file that the spec was read from. */
  file?: string
  /** Set if the build implements one issue of a feature: it starts from the feature's branch and merges into it. */
  issue?: IssueBuild
}

export interface IssueBuild {
  feature: string
  /** `<feature>#<n>` */
  name: string
  title: string
  /** Whether a coordinator analyses every failure. */
  smart: boolean
  /** The commit to start the feature's branch from, if there is no branch yet. */
  start: string
  /** The branch that `start` is on: what was committed there since, such as a repair while the run was parked, counts too. */
  main: string
  /** How often the implementer may be asked. After that the issue loop handles the failure, not a person. */
  attempts: number
  /** The issue names no file: the code may go elsewhere than the spec's target. */
  isTargetGuessed?: boolean
  /** What the prompts say about the project and earlier issues. */
  knowledge: string
}

export interface BuildResult {
  status: 'done' | 'failed'
  reason?: string
  branch: string
  commit: string | null
  tree: string | null
  merged?: boolean
}

interface BuildStart {
  base: string
  /** The commit that the user had. */
  ground: string
  target: string | null
  strategy: 'graph' | 'solo'
  system: NodeInput['system']
}

export function buildWorkflow(
  deps: BuildDeps,
  nodes: Workflow<NodeInput, NodeOutcome>,
): Workflow<BuildInput, BuildResult> {
  return {
    name: 'build',
    version: 8,
    run: (run, input) => {
      const header = eventHeader(run, input.issue?.feature ?? input.spec.id)
      const patient = patientRun(run, { ...deps, header })
      return deps.activity.during(run.runId, () => build(patient, deps, nodes, input))
    },
  }
}

async function build(
  run: Run,
  deps: BuildDeps,
  nodes: Workflow<NodeInput, NodeOutcome>,
  input: BuildInput,
): Promise<BuildResult> {
  const workspace = await openedWorkspace(run, deps)
  const { issue } = input
  const feature = issue?.feature ?? input.spec.id
  const ref = integrationBranch(feature)
  const start = await prepareBuild(run, deps, workspace, input)
  const node: NodeInput = {
    build: run.runId,
    feature,
    spec: input.spec,
    path: [input.spec.id],
    base: start.base,
    ground: start.ground,
    into: ref,
    system: start.system,
    ...(issue
      ? {
          issue: {
            name: issue.name,
            title: issue.title,
            smart: issue.smart,
            ...(issue.isTargetGuessed ? { isTargetGuessed: true } : {}),
          },
          caps: { attempts: issue.attempts },
          unattended: true,
        }
      : {}),
  }
  try {
    const outcome =
      start.strategy === 'solo'
        ? await buildOneNode(run, deps, { ...node, ...(start.target === null ? {} : { target: start.target }) })
        : await buildNode(run, deps, node, nodes)
    const result = await resultOf(run, workspace, ref, outcome)
    await cleanUp(run, deps, workspace, feature)
    const suites = outcome.status === 'merged' && start.strategy === 'graph' ? suitesOf(outcome.again.scaffold) : []
    const merged =
      input.merge && result.status === 'done'
        ? await mergeApproved(run, deps, workspace, standingOn(node, outcome), start, result, suites)
        : result
    await run.append(buildFinished.create(eventHeader(run, feature), merged))
    workspace.seenTests.forget(run.runId)
    workspace.buildsUntouched.delete(run.runId)
    return merged
  } catch (error) {
    if (!(error instanceof RunCancelled)) await cleanUp(run, deps, workspace, feature)
    throw error
  } finally {
    // Before a parked build is resumed, a person may repair something outside the tree.
    workspace.testResults.forget(run.runId)
    workspace.seenTests.forgetRuns(run.runId)
  }
}

async function buildOneNode(run: Run, deps: BuildDeps, node: NodeInput): Promise<NodeOutcome> {
  const about = { node: node.spec.id, path: node.path }
  await run.append(
    nodeStarted.create(eventHeader(run, node.feature), {
      ...about,
      description: node.spec.description,
      criteria: node.spec.acceptanceCriteria,
      depends_on: [],
      branch: shortName(nodeBranch(node.feature, node.path)),
      base: node.base,
    }),
  )
  const outcome = await buildSolo(run, deps, node)
  const more = outcome.status === 'merged' ? { commit: outcome.commit } : { reason: outcome.reason }
  await run.append(nodeFinished.create(eventHeader(run, node.feature), { ...about, status: outcome.status, ...more }))
  return outcome
}

function prepareBuild(run: Run, deps: BuildDeps, workspace: ProjectWorkspace, input: BuildInput): Promise<BuildStart> {
  const { spec, issue } = input
  const feature = issue?.feature ?? spec.id
  return run.step('lay the ground', async (step) => {
    const { repository, project } = workspace
    await repository.excludeFromGit('.convene/')
    const ground = issue ? await groundOfIssue(workspace, issue) : await repository.head()
    const base = (issue && (await repository.resolve(integrationBranch(feature)))) ?? ground
    const target = await repository.currentBranch()
    const strategy = strategyForSpec(spec, input.strategy)
    const because = whyStrategy(spec, input.strategy)
    const warn = (text: string) => step.emit(warningGiven.create(eventHeader(run, feature), { text }))
    const inTheWay = issue ? null : await setAsideEarlierResult(workspace, base, integrationBranch(feature), warn)
    if (inTheWay) return deps.parking.park(run, step, { code: 'dirty_checkout', message: inTheWay })
    const { available, why, fix } = await workspace.commands.sandboxState()
    // TR9: nothing is asked of an agent whose work could not be checked.
    if (!available && deps.settings.sandbox !== 'off')
      return deps.parking.park(run, step, { code: configurationFault, message: noSandbox({ why, fix }) })
    // Append now: the checks below may take minutes.
    // Keyed by base: after a repair the run starts again from another commit.
    const started = { name: `started ${base}` }
    await step.append(
      buildStarted.create(eventHeader(run, feature), {
        spec: spec.id,
        description: spec.description,
        strategy,
        because,
        base,
        branch: shortName(integrationBranch(feature)),
        target,
        merge: input.merge,
        commands: project,
        rehearsal: buildRoles.some((role) => deps.agentFor(role).rehearsal),
        ...(input.file === undefined ? {} : { source: { file: input.file, spec } }),
        attempts: issue?.attempts ?? deps.settings.caps.attempts,
        caps: { ...deps.settings.caps, ...(issue ? { attempts: issue.attempts } : {}) },
      }),
      started,
    )
    const about = { build: run.runId, feature, path: [spec.id], spec, base, ground }
    const verifier = { run, workspace, deps, input: about }
    const failing = await checkReader(verifier, step, { commit: base, spec })
    const knowledge = issue?.knowledge ?? (await knowledgeAt(deps, workspace, base))
    return { base, ground, target, strategy, system: { commands: project, failing, knowledge } }
  })
}

async function groundOfIssue({ repository }: ProjectWorkspace, { start, main }: IssueBuild): Promise<string> {
  const now = await repository.resolve(`refs/heads/${main}`)
  return now !== null && (await repository.isAncestor(start, now)) ? now : start
}

/**
 * Keeps an earlier result of the same spec under another branch name. Returns an explanation if that result is checked out
 * somewhere: without its branch, the next commit there would start an unrelated history.
 */
async function setAsideEarlierResult(
  workspace: ProjectWorkspace,
  base: string,
  ref: string,
  warn: (text: string) => void,
): Promise<string | null> {
  const { repository } = workspace
  const earlier = await repository.resolve(ref)
  if (earlier === null) return null
  const [checkout] = await usersOf(repository, ref)
  if (checkout !== undefined) {
    if (earlier === base) return null
    return `${shortName(ref)} has an earlier result and is checked out in ${checkout}: switch to another branch there`
  }
  if (!(await repository.isAncestor(earlier, base))) {
    const kept = `${ref.replace(/\/main$/, '')}/previous-${earlier.slice(0, 10)}`
    await repository.setRef(kept, earlier)
    warn(`an earlier result of this spec is kept as ${shortName(kept)}`)
  }
  await repository.deleteRef(ref)
  return null
}

/** CX3: what the project is, and its rules for contributors. */
async function knowledgeAt(deps: BuildDeps, workspace: ProjectWorkspace, base: string): Promise<string> {
  const files = await projectFilesAt(workspace, base)
  return selectCodingContext({ files, modules: [], summaries: [], dependencies: [] }, deps.countTokens).text
}

function resultOf(run: Run, workspace: ProjectWorkspace, ref: string, outcome: NodeOutcome): Promise<BuildResult> {
  return run.step('result', async () => {
    const commit = await workspace.repository.resolve(ref)
    const tree = commit === null ? null : await workspace.repository.treeOf(commit)
    const branch = shortName(ref)
    if (outcome.status === 'merged') return { status: 'done', branch, commit, tree }
    return { status: 'failed', reason: outcome.reason, branch, commit, tree }
  })
}

function standingOn(node: NodeInput, outcome: NodeOutcome): NodeInput {
  const base = outcome.status === 'merged' ? outcome.movedOnto : undefined
  return base === undefined ? node : { ...node, base, ground: base }
}

async function mergeApproved(...args: Parameters<typeof mergeResult>): Promise<BuildResult> {
  const [run, deps, { repository }, { feature, base }, { target }, result] = args
  const work = { from: base, commit: result.commit!, target, header: eventHeader(run, feature) }
  const refused = await approveMerge(run, deps, repository, work)
  if (!refused) return mergeResult(...args)
  await run.append(warningGiven.create(eventHeader(run, feature), { text: `not merged: ${refused.detail}` }))
  return { ...result, status: 'failed', reason: refused.reason, merged: false }
}

/**
 * Moves the user's branch, only on request and only if none of the user's own changes are in the way. Otherwise parks the
 * run; `resume` tries the merge again.
 */
async function mergeResult(
  run: Run,
  deps: BuildDeps,
  workspace: ProjectWorkspace,
  input: NodeInput,
  { target }: BuildStart,
  result: BuildResult,
  suites: readonly string[],
): Promise<BuildResult> {
  const { feature, spec } = input
  const criteria = spec.acceptanceCriteria.map(({ id }) => id)
  const again = `convene resume ${run.runId}`
  const work = { commit: result.commit!, branch: result.branch, criteria, suites, again }
  for (;;) {
    let isTriedNow = false
    const done = await run.step('merge into target', async (step) => {
      isTriedNow = true
      const merged = await mergeVerified({ run, workspace, deps, input }, step, work, target)
      if (!merged.merged)
        step.emit(warningGiven.create(eventHeader(run, feature), { text: `not merged: ${merged.detail}` }))
      return merged
    })
    if (done.merged) return { ...result, merged: true }
    // Replayed from the journal: an earlier process was refused. The person who resumed the run wants a new attempt.
    await run.step('merge refused', (step) =>
      isTriedNow ? deps.parking.park(run, step, { code: done.reason, message: done.detail }) : undefined,
    )
  }
}

/** MG4: removes all worktrees, and the branches of nodes whose merge commits are in the result. */
function cleanUp(run: Run, deps: BuildDeps, workspace: ProjectWorkspace, feature: string): Promise<void> {
  return run.step('clean up', async (step) => {
    const { repository, worktrees } = workspace
    // Failing to remove a branch does not fail the build.
    const remove = (refs: string[]) =>
      repository.deleteRefs(refs).catch((error) => {
        if (!(error instanceof GitFailed)) throw error
        const text = `branches that are no longer needed could not be removed: ${error.complaint}`
        step.emit(warningGiven.create(eventHeader(run, feature), { text }))
      })
    await worktrees.removeRun(run.runId)
    const kept = await repository.listRefs(`refs/convene/${run.runId}/`)
    await remove(kept.map(({ ref }) => ref))
    const result = await repository.resolve(integrationBranch(feature))
    if (result === null) return
    const events = await deps.store.read({ stream: buildStream(run.runId), types: [mergeCompleted.type] })
    const merges = events.flatMap((event) => (mergeCompleted.is(event) ? [event.data] : []))
    const commits = merges.map(({ mergeCommit }) => mergeCommit)
    const isIn = await repository.reachable(commits, result)
    const done = merges.filter(({ mergeCommit }) => isIn.has(mergeCommit))
    const branches = [...new Set(done.map(({ path }) => nodeBranch(feature, path)))]
    const users = await Promise.all(branches.map((branch) => usersOf(repository, branch)))
    await remove(branches.filter((_, index) => users[index]!.length === 0))
  })
}

function eventHeader(run: Run, feature: string) {
  return { stream: buildStream(run.runId), run: run.runId, feature }
}
