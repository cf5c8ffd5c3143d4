/** Checks whether an issue is implemented already: before every dispatch, and again under the lock. DU. */
import { integrationBranch } from '../../build/branches.ts'
import { inRepository } from '../../build/workspace.ts'
import { type DuplicateDecision, decideDuplicate } from '../../rules/issues/duplicate.ts'
import type { ShipDeps } from '../deps.ts'
import { historyOf } from '../feature-state.ts'
import { mainCommitOf } from '../git-history.ts'
import type { FeatureView, IssueView } from '../view.ts'

export interface FoundWork extends DuplicateDecision {
  /** The commit that implements it. */
  commit?: string
}

export async function lookForWork(
  deps: ShipDeps,
  view: FeatureView,
  issue: IssueView,
  run: string,
  signal: AbortSignal,
): Promise<FoundWork> {
  const { feature } = view
  const history = await historyOf(deps, feature, view)
  const workspace = await deps.workspace()
  const head = (await workspace.repository.resolve(integrationBranch(feature))) ?? (await startOf(deps, view))
  const { testPath, targetPath } = await pathsOf(deps, view, issue)
  const [test, target] = [inRepository(workspace, testPath), inRepository(workspace, targetPath)]
  const listed = await workspace.repository.listFiles(head, [test, target])
  const exists = (path: string) => listed.some((file) => file === path || file.startsWith(`${path}/`))
  const accounted = pathsOfOthers(view, issue)
  const commit = history.done.find(({ number }) => number === issue.number)?.commit.hash
  const decision = decideDuplicate({
    issue: issue.number,
    feature,
    commits: history.commits.map(({ subject, body, hash, parents }) => ({
      subject,
      ...(body ? { body } : {}),
      ...(hash ? { hash } : {}),
      ...(parents ? { parents: [...parents] } : {}),
    })),
    tests:
      exists(test) && !accounted.has(testPath)
        ? { exist: true, pass: await testsPass(deps, run, head, testPath, signal) }
        : { exist: false, pass: false },
    files: { exist: exists(target) && !accounted.has(targetPath) },
  })
  return { ...decision, ...(commit === undefined ? {} : { commit }) }
}

/** Files of the feature's finished issues; they are no evidence for another issue. */
function pathsOfOthers(view: FeatureView, issue: IssueView): Set<string> {
  const finished = view.issues.filter(({ number, state }) => number !== issue.number && state === 'DONE')
  return new Set(finished.flatMap(({ target_path, test_path }) => [target_path ?? [], test_path ?? []].flat()))
}

/** Runs `build.test` with the path appended; the exit code decides. */
async function testsPass(
  deps: ShipDeps,
  run: string,
  commit: string,
  path: string,
  signal: AbortSignal,
): Promise<boolean> {
  const workspace = await deps.workspace()
  const slot = await workspace.worktrees.acquire(run, commit)
  try {
    const ran = await workspace.tests.run({ folder: slot.project, paths: [path], signal })
    await ran.output.remove()
    return ran.exitCode === 0
  } finally {
    workspace.worktrees.release(slot)
  }
}

/** The commit a feature starts from: the main branch. */
export async function startOf(deps: ShipDeps, { main }: FeatureView): Promise<string> {
  const { repository } = await deps.workspace()
  return (await mainCommitOf(repository, main)) ?? (await repository.head())
}

/** The paths an issue names, or the usual ones for the project's language. */
export async function pathsOf(
  deps: ShipDeps,
  view: FeatureView,
  { number, target_path, test_path }: IssueView,
): Promise<{ targetPath: string; testPath: string }> {
  if (target_path !== undefined && test_path !== undefined) return { targetPath: target_path, testPath: test_path }
  const { feature } = view
  const workspace = await deps.workspace()
  const head = (await workspace.repository.resolve(integrationBranch(feature))) ?? (await startOf(deps, view))
  const folder = inRepository(workspace, `tests/generated/${feature}`)
  const files = await workspace.repository.listFiles(head, [folder, inRepository(workspace, 'tsconfig.json')])
  const there = files.find((file) => file.startsWith(`${folder}/test_issue_${number}.`))
  const extension = /pytest|unittest/.test(workspace.project.test)
    ? 'py'
    : files.some((file) => file.endsWith('tsconfig.json'))
      ? 'ts'
      : 'js'
  return {
    targetPath: target_path ?? `src/${feature.replaceAll('-', '_')}_${number}.${extension}`,
    testPath:
      test_path ??
      there?.slice(workspace.repository.prefix.length) ??
      `tests/generated/${feature}/test_issue_${number}.${extension}`,
  }
}
