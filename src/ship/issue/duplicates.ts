/** Checks whether an issue is implemented already: before every dispatch, and again under the claim. DU. */
import { integrationBranch } from '../../build/branches.ts'
import { inProject, inRepository, type ProjectWorkspace } from '../../build/workspace.ts'
import { criteriaOf, namesCriterion } from '../../rules/build/criterion-names.ts'
import { type Declaring, meantPaths } from '../../rules/build/goal-paths.ts'
import { isWithin } from '../../rules/build/path-confinement.ts'
import type { TestFacts } from '../../rules/build/test-facts.ts'
import { type DuplicateDecision, type DuplicateInput, decideDuplicate } from '../../rules/issues/duplicate.ts'
import { git } from '../../workspace/git/git.ts'
import type { TestRun } from '../../workspace/test-results/test-run.ts'
import type { ShipDeps } from '../deps.ts'
import { historyOf } from '../feature-state.ts'
import { mainCommitOf } from '../git-history.ts'
import type { FeatureView, IssueView } from '../view.ts'

export interface FoundWork extends DuplicateDecision {
  /** The commit that implements it. */
  commit?: string
  /** What was found in the tree; absent where a commit decided. */
  signs?: Pick<DuplicateInput, 'tests' | 'files'>
  /** The part of a suspect file that shows what it does. */
  excerpt?: string
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
  const looking = { deps, view, issue, run, signal, head: await headOf(deps, view) }
  const commit = history.done.find(({ number }) => number === issue.number)?.commit.hash
  const commits = history.commits.map(({ subject, body, hash, parents }) => ({
    subject,
    ...(body ? { body } : {}),
    ...(hash ? { hash } : {}),
    ...(parents ? { parents: [...parents] } : {}),
  }))
  // A commit decides alone; the tests then need not run.
  const signs = commit === undefined ? await signsInTree(looking) : {}
  const decision = decideDuplicate({ issue: issue.number, feature, commits, ...signs })
  const path = signs.files?.path
  const excerpt = decision.suspected && path !== undefined ? await excerptOf(looking, path) : undefined
  return { ...decision, ...(commit === undefined ? { signs } : { commit }), ...(excerpt ? { excerpt } : {}) }
}

interface Looking {
  deps: ShipDeps
  view: FeatureView
  issue: IssueView
  run: string
  signal: AbortSignal
  head: string
}

type Signs = Pick<DuplicateInput, 'tests' | 'files'>

/** What the tree shows: the tests and the file of the issue now, and at its greenlight. */
async function signsInTree(looking: Looking): Promise<Signs> {
  const { deps, view, issue, head } = looking
  const { testPath, targetPath } = await pathsOf(deps, view, issue)
  const workspace = await deps.workspace()
  const accounted = pathsOfOthers(view, issue)
  const now = await presentIn(workspace, head, [testPath, targetPath])
  const before = await treeAtGreenlight(workspace, issue)
  const then = before === null ? null : await presentIn(workspace, before, [testPath, targetPath])
  const isSign = async (path: string) =>
    now.has(path) && !accounted.has(path) && !(await isByOthers(looking, path, before))
  const fileThen = then === null ? 'unknown' : then.has(targetPath) ? 'present' : 'absent'
  const changed =
    fileThen === 'present' && before !== null ? await hasChanged(workspace, before, head, targetPath) : null
  return {
    tests: (await isSign(testPath))
      ? await testSigns(looking, testPath, then === null ? null : then.has(testPath) ? before : 'absent')
      : { exist: false, pass: false, at_greenlight: 'unknown', carry_criteria: false },
    files: {
      exist: await isSign(targetPath),
      path: targetPath,
      at_greenlight: fileThen,
      ...(changed === null ? {} : { changed }),
    },
  }
}

async function hasChanged(workspace: ProjectWorkspace, from: string, to: string, path: string): Promise<boolean> {
  const file = inRepository(workspace, path)
  const changes = await workspace.repository.changes(from, to)
  return changes.some((change) => change.path === file || change.path.startsWith(`${file}/`))
}

/** `before` is the commit at greenlight if the tests existed in it. Runs them there only if that can decide. */
async function testSigns(
  looking: Looking,
  path: string,
  before: string | 'absent' | null,
): Promise<NonNullable<Signs['tests']>> {
  const { head } = looking
  const base = { exist: true, path, carry_criteria: false }
  if (before === 'absent') return { ...base, pass: await testsPass(looking, head, path), at_greenlight: 'absent' }
  const unknown = { ...base, pass: false, at_greenlight: 'unknown' } as const
  if ((await carriesCriteria(looking, path)) && (await criteriaPass(looking, path)))
    return { ...unknown, pass: true, carry_criteria: true }
  // In an unchanged tree the tests are what they were: no need to run them.
  if (before === null || before === head) return unknown
  const failedThen = await testsAt(looking, before, path, (ran) => failedIn(ran, path))
  if (!failedThen) return { ...base, pass: true, at_greenlight: 'passed' }
  return { ...base, pass: await testsPass(looking, head, path), at_greenlight: 'failed' }
}

/** Files of the feature's finished issues, planned and really changed; they are no evidence for another issue. */
function pathsOfOthers(view: FeatureView, issue: IssueView): Set<string> {
  const finished = view.issues.filter(({ number, state }) => number !== issue.number && state === 'DONE')
  return new Set(
    finished.flatMap(({ target_path, test_path, files }) => [target_path ?? [], test_path ?? [], files].flat()),
  )
}

/** Null if the log does not have the commit, or git has lost it: then everything may have been there. */
async function treeAtGreenlight({ repository }: ProjectWorkspace, { greenlit_at }: IssueView): Promise<string | null> {
  return greenlit_at === undefined ? null : repository.resolve(greenlit_at)
}

async function presentIn(workspace: ProjectWorkspace, commit: string, paths: string[]): Promise<Set<string>> {
  const inGit = (path: string) => inRepository(workspace, path)
  const listed = await workspace.repository.listFiles(commit, paths.map(inGit))
  const exists = (path: string) => listed.some((file) => file === path || file.startsWith(`${path}/`))
  return new Set(paths.filter((path) => exists(inGit(path))))
}

/**
 * Whether the tests are this issue's own by name: the seed's file for it, or a file with all its criterion ids that no
 * other work of Convene touched. Ids such as `c1` occur in every plan.
 */
async function carriesCriteria({ deps, view, issue, head }: Looking, path: string): Promise<boolean> {
  if (isSeedsOwn({ view, issue }, path)) return true
  const workspace = await deps.workspace()
  const file = inRepository(workspace, path)
  const text = (await workspace.repository.readFiles(head, [file])).get(file)?.toString('utf8')
  if (text === undefined) return false
  // Whole lines for titles, and the names of test functions.
  const named = [...text.split('\n'), ...(text.match(/\b[Tt]est[\p{L}\p{N}_]*/gu) ?? [])]
  const criteria = issue.acceptance_criteria.map(({ id }) => id)
  if (!criteria.every((id) => named.some((name) => namesCriterion(name, id, criteria)))) return false
  return !(await isByOthers({ deps, view, issue, head }, path, null))
}

const isSeedsOwn = ({ view, issue }: Pick<Looking, 'view' | 'issue'>, path: string) =>
  path.startsWith(`tests/generated/${view.feature}/test_issue_${issue.number}.`)

/** Whether work of Convene for something else changed a file, since a commit or ever: it is no sign of this issue then. */
async function isByOthers(
  { deps, view, issue, head }: Pick<Looking, 'deps' | 'view' | 'issue' | 'head'>,
  path: string,
  since: string | null,
): Promise<boolean> {
  const workspace = await deps.workspace()
  const args = ['log', '--fixed-strings', '--grep=Convene-Run:', '--grep=Convene-Issue:', '--format=%B%x00']
  const range = since === null ? head : `${since}..${head}`
  const file = inRepository(workspace, path)
  const messages = await git([...args, range, '--', file], { folder: workspace.repository.root })
  const own = `Convene-Issue: ${view.feature}#${issue.number}`
  return messages
    .split('\0')
    .filter((message) => message.trim() !== '')
    .some((message) => !message.split('\n').some((line) => line.trim() === own))
}

const testsPass = (looking: Looking, commit: string, path: string) =>
  testsAt(looking, commit, path, (ran) => passesIn(ran, path))

/** The tests that carry the ids must be among those that pass: a comment, or a test that is skipped, proves nothing. */
const criteriaPass = (looking: Looking, path: string) =>
  testsAt(looking, looking.head, path, (ran) => {
    if (!passesIn(ran, path)) return false
    if (isSeedsOwn(looking, path) || ran.names !== 'reported') return true
    const criteria = looking.issue.acceptance_criteria.map(({ id }) => id)
    const passed = testsIn(ran, path).filter(({ outcome }) => outcome === 'passed')
    const covered = new Set(passed.flatMap((test) => criteriaOf(test, criteria)))
    return criteria.every((id) => covered.has(id))
  })

/** A file that no runner found, or whose tests are all skipped, proves nothing. */
function passesIn(ran: TestRun, path: string): boolean {
  if (ran.exitCode !== 0 || ran.isEmpty) return false
  return ran.names !== 'reported' || testsIn(ran, path).some(({ outcome }) => outcome === 'passed')
}

function testsIn({ tests }: TestRun, path: string): TestFacts[] {
  return tests.filter(({ file }) => file === undefined || isWithin(file, path))
}

/** Runs `build.test` with the path appended. */
async function testsAt(
  { deps, run, signal }: Looking,
  commit: string,
  path: string,
  read: (ran: TestRun) => boolean,
): Promise<boolean> {
  const workspace = await deps.workspace()
  const slot = await workspace.worktrees.acquire(run, commit)
  try {
    const ran = await workspace.tests.run({ folder: slot.project, paths: [path], signal })
    await ran.output.remove()
    return read(ran)
  } finally {
    workspace.worktrees.release(slot)
  }
}

/** Whether a test of that file failed. A command that runs more than the path may fail for another reason. */
function failedIn({ exitCode, tests, loadErrors, narrowed }: TestRun, path: string): boolean {
  if (exitCode === 0) return false
  const isIn = (file: string) => file === path || file.startsWith(`${path}/`)
  const own = tests.filter(({ file }) => file !== undefined && isIn(file))
  if (own.some(({ outcome }) => outcome !== 'passed' && outcome !== 'skipped')) return true
  if (loadErrors.some(({ file }) => isIn(file))) return true
  return own.length === 0 && narrowed
}

const excerptLines = 20

/** From the first declaration on: the head of a file is often a licence and imports. */
async function excerptOf({ deps, head }: Looking, path: string): Promise<string> {
  const workspace = await deps.workspace()
  const file = inRepository(workspace, path)
  const text = (await workspace.repository.readFiles(head, [file])).get(file)?.toString('utf8') ?? ''
  const lines = text.split('\n')
  const start = Math.max(
    0,
    lines.findIndex((line) => declaration.test(line)),
  )
  const shown = lines.slice(start, start + excerptLines).map((line) => line.slice(0, 200))
  const rest = lines.length - start - shown.length
  return [`${path}, from line ${start + 1}:`, ...shown, ...(rest > 0 ? [`[${rest} more lines]`] : [])].join('\n')
}

const declaration = /^\s*(?:export|pub|public|async|function|class|def|fn|func|interface|type|struct|module)\b/

/** The commit a feature starts from: the main branch. */
export async function startOf(deps: ShipDeps, { main }: Pick<FeatureView, 'main'>): Promise<string> {
  const { repository } = await deps.workspace()
  return (await mainCommitOf(repository, main)) ?? (await repository.head())
}

/** The head of the feature's work: its integration branch, or where it will start. */
export async function headOf(deps: ShipDeps, view: Pick<FeatureView, 'feature' | 'main'>): Promise<string> {
  const { repository } = await deps.workspace()
  return (await repository.resolve(integrationBranch(view.feature))) ?? (await startOf(deps, view))
}

export interface IssuePaths {
  targetPath: string
  testPath: string
  /** No file was named or meant: agents put the code where it belongs. */
  isGuess: boolean
}

/** The paths that an issue gives, that its words mean, or the usual ones for the project's language. */
export async function pathsOf(deps: ShipDeps, view: FeatureView, issue: IssueView): Promise<IssuePaths> {
  const { number, target_path, test_path } = issue
  if (target_path !== undefined && test_path !== undefined)
    return { targetPath: target_path, testPath: test_path, isGuess: false }
  const { feature } = view
  const workspace = await deps.workspace()
  const { repository } = workspace
  const files = (await repository.listFiles(await headOf(deps, view))).flatMap(
    (path) => inProject(workspace, path) ?? [],
  )
  const words = [issue.title, issue.body ?? '', ...issue.acceptance_criteria.map(({ text }) => text)].join('\n')
  const named = meantPaths(words, files)
  const meant =
    target_path === undefined && !named.targetPath ? meantPaths(words, files, await declaredIn(deps)) : named
  const generated = `tests/generated/${feature}/test_issue_${number}`
  const extension = /pytest|unittest/.test(workspace.project.test)
    ? 'py'
    : files.includes('tsconfig.json')
      ? 'ts'
      : 'js'
  return {
    targetPath: target_path ?? meant.targetPath ?? `src/${feature.replaceAll('-', '_')}_${number}.${extension}`,
    testPath:
      test_path ??
      files.find((file) => file.startsWith(`${generated}.`)) ??
      (target_path === undefined ? meant.testPath : undefined) ??
      `${generated}.${extension}`,
    isGuess: target_path === undefined && meant.targetPath === undefined,
  }
}

/** What the project's files declare; empty if agents may not see the source. */
async function declaredIn({ source }: ShipDeps): Promise<readonly Declaring[]> {
  const state = await source?.latest()
  return state?.ok ? (await state.source.symbols('')).files : []
}
