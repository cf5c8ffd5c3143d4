/** Inspects the files an agent left: what changed, whether it was allowed, and whether a link leads outside (VF3, VF6). */
import { posix } from 'node:path'
import type { Critique } from '../../rules/build/exits.ts'
import { confineLink, isWithin } from '../../rules/build/path-confinement.ts'
import { looksLikeTest } from '../../rules/build/test-paths.ts'
import { type Author, touchProblems } from '../../rules/build/touched-paths.ts'
import type { Problem } from '../../rules/schema/problem.ts'
import { isPrivateTarget } from '../../rules/trust/private-target.ts'
import type { TreeChange } from '../../workspace/git/repository.ts'
import { languageOf } from '../../workspace/syntax/languages.ts'
import { changedByCommand, filesToRead } from '../../workspace/test-results/what-command-runs.ts'
import { interfacesOf, type Node, suitesOf, testsOf } from '../node.ts'
import { factsAt, inProject, inRepository, type ProjectWorkspace } from '../workspace.ts'
import { inspectTrust } from './inspect-trust.ts'
import type { PutBack } from './keep-files.ts'

export interface Inspection {
  problems: Problem[]
  changes: TreeChange[]
  /** Changed files, relative to the project. */
  paths: string[]
  /** Changed paths that this agent may not touch at all. */
  putBack: PutBack
}

/** `from` is the commit the agent started from, `tree` what it left. */
export async function inspectWorktree(
  node: Node,
  by: Author,
  from: string,
  tree: string,
  {
    testFiles = [],
    critiques = [],
  }: {
    /** The test files that a test author names. */
    testFiles?: readonly string[]
    /** What a review asked this agent for. */
    critiques?: readonly Critique[]
  } = {},
): Promise<Inspection> {
  const { workspace, input } = node
  const changes = await workspace.repository.changes(from, tree)
  const outside = changes.flatMap(({ path }) => (inProject(workspace, path) === null ? [leavesProject(path)] : []))
  const paths = changes.flatMap(({ path }) => inProject(workspace, path) ?? [])
  const interfaces = interfacesOf(node)
  const touchesInterface = interfaces.some((file) => paths.includes(file))
  const isTest = (path: string) => looksLikeTest(path) || isWithin(path, input.spec.testPath) || helpsTests.test(path)
  const trust = await inspectTrust(node, by, { from, tree, changes, isTest })
  // A file that decides how tests run is named once.
  const isTold = (path: string) => trust.paths.includes(inRepository(workspace, path))
  const { problems, forbidden, mayAllow } = touchProblems({
    by,
    paths,
    tests: testsOf(node),
    interfaces: touchesInterface
      ? { before: await factsAt(workspace, from, interfaces), after: await factsAt(workspace, tree, interfaces) }
      : { before: [], after: [] },
    targets: [input.spec.targetPath],
    reviewed: reviewedInterfaces(node, critiques),
    contracts: contractsOf(node),
    promised: node.state.promised,
    named: touchesInterface && by === 'impl' ? await wordsOfTests(node, from) : new Set(),
    sources: changes.flatMap(({ path, status }) => {
      const file = inProject(workspace, path)
      return file === null || isForTests(node, file, status === 'added', testFiles) ? [] : [file]
    }),
    commands: (await bentCommands(node, by, from, tree, changes)).filter((path) => !isTold(path)),
    allowed: node.state.allowed,
    privates: paths.filter(isPrivateTarget),
  })
  const links = await linkProblems(workspace, tree, changes)
  const unwanted = [...outside, ...links].flatMap(({ path }) => path ?? [])
  const putBack = [...unwanted, ...trust.paths, ...forbidden.map((path) => inRepository(workspace, path))]
  return {
    problems: [...outside, ...links, ...trust.problems, ...problems],
    changes,
    paths,
    putBack: { paths: [...new Set(putBack)], from, mayAllow },
  }
}

/** Of its tests and its contract suite. */
async function wordsOfTests({ workspace, state }: Node, commit: string): Promise<Set<string>> {
  const files = [...state.testFiles, ...suitesOf(state.scaffold)].map((path) => inRepository(workspace, path))
  const texts = [...(await workspace.repository.readFiles(commit, files)).values()]
  return new Set(texts.flatMap((text) => text.toString('utf8').match(/[\p{L}_$][\p{L}\p{N}_$]*/gu) ?? []))
}

/** Others rely on the interfaces of ancestors: no review of this node alone may change them. */
function reviewedInterfaces(node: Node, critiques: readonly Critique[]): string[] {
  // Without a line it is about what the code does, such as a counterexample.
  const named = critiques.filter(({ line }) => line > 0).map(({ file }) => posix.normalize(file))
  const ancestral = node.input.parent?.interfaces ?? []
  return interfacesOf(node).filter((file) => named.includes(file) && !ancestral.includes(file))
}

/** Contract suites the node may not change. A suite that contains the node's own tests is not one of them. */
function contractsOf({ input, state: { scaffold } }: Node): string[] {
  const contracts = [...suitesOf(scaffold), ...(input.parent?.tests ?? [])]
  return contracts.filter((contract) => !isWithin(input.spec.testPath, contract))
}

/** Tests and their support files: data, fixtures, and new files beside them. */
function isForTests(
  { input, state: { scaffold } }: Node,
  path: string,
  isNew: boolean,
  testFiles: readonly string[],
): boolean {
  const { targetPath, testPath } = input.spec
  if (isWithin(path, testPath)) return true
  const targets = [targetPath, ...(scaffold?.childSpecs ?? []).map((child) => child.targetPath)]
  if (targets.includes(path) || scaffold?.interfaceFile === path) return false
  if (looksLikeTest(path) || helpsTests.test(path) || languageOf(path).language === null) return true
  const folder = posix.dirname(testPath)
  return isNew && (testFiles.includes(path) || (folder !== '.' && isWithin(path, folder)))
}

const helpsTests = /(^|\/)(__\w+__|\w*(fixture|snapshot|mock|helper|support|testing|testdata|e2e)\w*|\w+[-_]tests?)\//i

/** Agents may not edit what the test command runs. A solo agent may add new configuration. */
async function bentCommands(node: Node, by: Author, from: string, tree: string, changes: readonly TreeChange[]) {
  const { workspace } = node
  const { test, contract } = workspace.project
  const found = changes.flatMap(({ path, status }) => {
    const file = inProject(workspace, path)
    return file === null || (by === 'solo' && status === 'added') ? [] : [file]
  })
  // Test files have checks of their own.
  const files = found.filter((path) => !looksLikeTest(path) && !isWithin(path, node.input.spec.testPath))
  if (files.length === 0 || by === 'scaffold' || by === 'rebaser') return []
  const wanted = filesToRead(files).map((path) => inRepository(workspace, path))
  const [before, after] = await Promise.all([from, tree].map((at) => workspace.repository.readFiles(at, wanted)))
  const textIn = (texts: typeof before) => (path: string) => texts?.get(inRepository(workspace, path))?.toString('utf8')
  const commands = contract === undefined ? [test] : [test, contract]
  return changedByCommand(commands, files, textIn(before), textIn(after))
}

/** A link out of the tree would let tests read, and later edits write, files outside the project. */
async function linkProblems(workspace: ProjectWorkspace, tree: string, changes: TreeChange[]): Promise<Problem[]> {
  const problems: Problem[] = []
  for (const { path, mode, oldMode } of changes) {
    if (mode === '160000' && oldMode !== '160000')
      problems.push({ rule: 'VF6', message: 'a repository inside the repository', path })
    if (mode !== '120000') continue
    const target = await workspace.repository.linkTarget(tree, path)
    const confinement = confineLink(path, target)
    if (confinement.inside) {
      if (!isPrivateTarget(confinement.path)) continue
      if ((await workspace.repository.listFiles(tree, [confinement.path])).length > 0) continue
      const message = `a link to ${confinement.path}, a private file outside the work`
      problems.push({ rule: 'VF6', message, path })
      continue
    }
    problems.push({ rule: 'VF6', message: `a link out of the worktree: its target ${target} ${confinement.why}`, path })
  }
  return problems
}

function leavesProject(path: string): Problem {
  return { rule: 'VF6', message: 'the file lies outside the project', path }
}
