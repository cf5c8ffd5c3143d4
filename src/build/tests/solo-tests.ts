/** Checks the tests that a solo agent wrote for its own code. VF2, VF3, VF5. */
import { posix } from 'node:path'
import type { StepContext } from '../../kernel/engine.ts'
import { coverageByName, criteriaOf } from '../../rules/build/criterion-names.ts'
import { isWithin } from '../../rules/build/path-confinement.ts'
import { type TestFacts, testIdentity, testKey } from '../../rules/build/test-facts.ts'
import { looksLikeTest } from '../../rules/build/test-paths.ts'
import { approvalProblems, skippedCriteria } from '../../rules/build/verification.ts'
import { mockedTarget } from '../../rules/evidence/mocked-target.ts'
import { newTests, renumberedCases, type TestSource } from '../../rules/evidence/new-tests.ts'
import { isMeant, type OutdatedTest } from '../../rules/evidence/outdated-tests.ts'
import { redByExitCode } from '../../rules/evidence/red-by-exit-code.ts'
import { isForKeptOnly, redWithoutCode } from '../../rules/evidence/red-without-code.ts'
import { statedTests } from '../../rules/evidence/stated-tests.ts'
import { withTypeTests } from '../../rules/evidence/type-tests.ts'
import type { Problem } from '../../rules/schema/problem.ts'
import type { TreeChange } from '../../workspace/git/repository.ts'
import { titlesInSource } from '../../workspace/test-results/titles-in-source.ts'
import { describeTestRun, testsAt } from '../clean-checkout.ts'
import { warningGiven } from '../events.ts'
import type { TestResult } from '../kept-test-results.ts'
import { eventHeader, type Node } from '../node.ts'
import { typeTestsAt } from '../test-files.ts'
import type { Verified } from '../verify.ts'
import { inProject, inRepository } from '../workspace.ts'
import { type Lost, noLongerGreen } from './baseline-tests.ts'
import { judgedTestsAt } from './judged-tests-at.ts'
import { withFilesOf } from './with-files-of.ts'

/** Tests that prove nothing: they are red only because an import is missing, and pass with any code. */
export async function idleTests(
  { workspace, input, state: { base } }: Node,
  tree: string,
  testFiles: readonly string[],
): Promise<Problem[]> {
  const paths = testFiles.map((path) => inRepository(workspace, path))
  const [before, after] = await Promise.all([base, tree].map((at) => workspace.repository.readFiles(at, paths)))
  const texts = testFiles.map((path) => ({ path, text: after?.get(inRepository(workspace, path))?.toString() ?? '' }))
  const mocked = mockedTarget(texts, input.spec.targetPath).map((path) => ({
    rule: 'VF2',
    message: `it replaces ${input.spec.targetPath}, the code that it has to check, by a mock`,
    path,
  }))
  const idle = testFiles.flatMap((path) => {
    const [was, is] = [before, after].map((files) => files?.get(inRepository(workspace, path)) ?? '')
    const old = [...workspace.syntax.emptyTests(path, was!), ...workspace.syntax.idleTests(path, was!)]
    const empty = workspace.syntax.emptyTests(path, is!)
    const idle = workspace.syntax.idleTests(path, is!).filter((title) => !empty.includes(title))
    const known = workspace.syntax.invertedTests(path, was!)
    const inverted = workspace.syntax.invertedTests(path, is!).filter((title) => !known.includes(title))
    const problem = (title: string, why: string) => ({ rule: 'VF2', message: `the test "${title}" ${why}`, path })
    return [
      ...empty.filter((title) => !old.includes(title)).map((title) => problem(title, 'is empty')),
      ...idle.filter((title) => !old.includes(title)).map((title) => problem(title, 'checks nothing')),
      ...inverted.map((title) => problem(title, 'passes only if its check fails')),
    ]
  })
  return [...idle, ...mocked]
}

interface Untested {
  problems: Problem[]
  skipped: Problem[]
  /** The new tests, if the runner names them. */
  tests: string[]
  /** Whether the work brings a test. */
  isTested: boolean
}

/** VF5 without a test plan: test names say which criteria they cover. */
export async function untested(
  node: Node,
  step: StepContext,
  {
    tree,
    testFiles,
    criteria,
    newAmong,
  }: {
    tree: string
    testFiles: string[]
    /** Those that need a test. */
    criteria: readonly string[]
    /** The tests that are new. */
    newAmong: RedAlone['newAmong']
  },
  verified: Verified,
): Promise<Untested> {
  const { spec, base } = node.state
  const isNamedByRunner = verified.names === 'reported'
  const inSource = isNamedByRunner ? [] : await testsInSource(node, tree, testFiles, criteria)
  const before = isNamedByRunner ? [] : await testsInSource(node, base, testFiles, criteria)
  const fresh = isNamedByRunner ? newAmong(verified.tests) : []
  const isTested = fresh.length > 0 || inSource.some(({ name }) => !before.some((test) => test.name === name))
  const ran = isNamedByRunner ? (fresh.length > 0 ? fresh : verified.tests) : inSource
  // What the spec says holds already rests on the tests that were there, if there are any.
  const isNear = ({ file }: TestFacts) =>
    file === undefined || [spec.testPath, ...testFiles].some((path) => isWithin(file, path) || areBeside(file, path))
  const isOldTest = (test: TestFacts) => test.outcome === 'passed' && !fresh.includes(test) && isNear(test)
  const hasOld = isNamedByRunner && verified.tests.some(isOldTest)
  const isOld = (id: string) => spec.acceptanceCriteria.some((one) => one.id === id && one.kind === 'keep')
  const wanted = hasOld ? criteria.filter((id) => !isOld(id)) : criteria
  const coverage = coverageByName(criteria, ran)
  const problems = approvalProblems({ criteria: wanted, coverage, ran, before: [], after: [] })
  const isNamed = ran.some((test) => criteriaOf(test, criteria).length > 0)
  if (problems.length === 0 && !isNamed && criteria.length > 1) {
    const text = `no test of ${spec.id} names its criterion: ${ran.length === 1 ? '1 test is' : `${ran.length} tests are`} taken for ${criteria.length} criteria`
    step.emit(warningGiven.create(eventHeader(node), { text }))
  }
  return {
    problems,
    skipped: skippedCriteria({ criteria: wanted, coverage, ran }),
    tests: fresh.map(testKey),
    isTested,
  }
}

function areBeside(one: string, other: string): boolean {
  return posix.dirname(one) === posix.dirname(other)
}

/** If the runner names no tests, the titles in the source count as passed; without titles, its checks or lines do. */
async function testsInSource(
  { workspace, state: { base } }: Node,
  tree: string,
  testFiles: string[],
  criteria: readonly string[],
): Promise<TestFacts[]> {
  const typed = await typeTestsAt(workspace, { commit: tree, base }, testFiles)
  const untitled = testFiles.filter((path) => !typed.some((file) => file.path === path))
  const texts = await workspace.repository.readFiles(
    tree,
    untitled.map((path) => inRepository(workspace, path)),
  )
  const tests = untitled.flatMap((path) => {
    const text = texts.get(inRepository(workspace, path)) ?? ''
    const titles = workspace.syntax.testTitles(path, text)
    const names = titles.length > 0 ? titles : statedTests(text.toString('utf8'))
    return names.map((name): TestFacts => ({ name, outcome: 'passed' }))
  })
  return withTypeTests({ tests, exitCode: 0 }, typed, { criteria })
}

interface RedAlone {
  problems: Problem[]
  /** The new tests that the runner named. */
  names: string[]
  /** The new tests whose names were read from the source of a file that could not run. */
  hinted: string[]
  /** Those of a run that are new. */
  newAmong(tests: readonly TestFacts[]): TestFacts[]
  seen: string
}

/**
 * VF2 without a scaffold: the new tests must fail on the old tree. `criteria` are those that need a test, and `keep` those
 * that hold already.
 */
export async function soloRed(
  node: Node,
  step: StepContext,
  commit: string,
  written: { testFiles: string[]; support: string[]; keep: readonly string[]; criteria: readonly string[] },
): Promise<RedAlone> {
  const { testFiles, support } = written
  if (testFiles.length === 0) return { problems: [], names: [], hinted: [], newAmong: () => [], seen: '' }
  const alone = await withFilesOf(node, node.state.base, commit, support)
  return judgedTestsAt(node, step, { commit: alone, purpose: 'red' }, testFiles, (ran) =>
    judgeAlone(node, step, commit, { ...written, ran }),
  )
}

async function judgeAlone(
  node: Node,
  step: StepContext,
  commit: string,
  { testFiles, keep, criteria, ran }: Parameters<typeof soloRed>[3] & { ran: TestResult },
): Promise<RedAlone> {
  const { workspace } = node
  const seen = `Without your code:\n${describeTestRun(ran)}`
  const areAllKept = criteria.every((id) => keep.includes(id))
  if (ran.names !== 'reported') {
    const { exitCode, isEmpty = false, failedPart } = ran
    const unnamed = { exitCode, isEmpty, areAllKept, failedPart, files: testFiles, seen }
    const problems = criteria.length === 0 ? [] : redByExitCode(unnamed)
    return { problems, names: [], hinted: [], newAmong: () => [], seen }
  }
  const sources = await sourcesOf(node, commit, testFiles)
  const before = await testsOfBase(node, step, testFiles)
  const renumbered = renumberedCases(ran.tests, before, (test) => isForKeptOnly(test, criteria, keep))
  const [fresher, older] = [renumbered.fresh, renumbered.old].map((tests) => new Set(tests.map(testIdentity)))
  const newAmong = (tests: readonly TestFacts[], narrowed = false) => {
    const found = new Set(newTests(tests, sources, { narrowed, before }))
    const isNew = (test: TestFacts) => found.has(test) && !older!.has(testIdentity(test))
    return tests.filter((test) => isNew(test) || fresher!.has(testIdentity(test)))
  }
  const typed = await typeTestsAt(workspace, { commit, base: node.state.base }, testFiles)
  const fresh = newAmong(withTypeTests(ran, typed, { criteria, keep }), ran.narrowed)
  const problems = redWithoutCode({ criteria, keep, fresh })
  if (fresh.length === 0 && ran.exitCode === 0 && !areAllKept)
    problems.push({ rule: 'VF2', message: 'no new test ran; the tests pass without the code' })
  const names = (isHinted: boolean) => fresh.filter(({ hinted }) => (hinted === true) === isHinted).map(testKey)
  return { problems, names: names(false), hinted: names(true), newAmong, seen }
}

/** The tests that the files had before, where they existed and their names can be known. */
export async function testsOfBase(
  node: Node,
  step: StepContext,
  testFiles: readonly string[],
): Promise<TestFacts[] | undefined> {
  const { workspace, state } = node
  const inTree = testFiles.map((path) => inRepository(workspace, path))
  const there = await workspace.repository.listFiles(state.base, inTree)
  const paths = testFiles.filter((_, index) => there.includes(inTree[index]!))
  if (paths.length === 0) return []
  const base = { commit: state.base, purpose: 'before', isBuilt: true, isUntouched: true }
  const { names, tests } = await testsAt(node, step, base, { paths })
  return names === 'reported' ? tests : undefined
}

/** The titles in the test files, and those that were there before. */
export async function sourcesOf(
  { workspace, state }: Node,
  commit: string,
  testFiles: string[],
): Promise<TestSource[]> {
  const paths = testFiles.map((path) => inRepository(workspace, path))
  const [before, after] = await Promise.all([state.base, commit].map((at) => workspace.repository.readFiles(at, paths)))
  const titles = (texts: typeof before, path: string) => {
    const text = texts?.get(inRepository(workspace, path)) ?? ''
    const read = workspace.syntax.testTitles(path, text)
    return read.length > 0 ? read : titlesInSource(text.toString('utf8'), path).map(({ name }) => name)
  }
  return testFiles.map((path) => ({ path, titles: titles(after, path), before: titles(before, path) }))
}

/** VF3 without a test author: the tests whose old version, in the files that the agent changed, does not pass any more. */
export async function bentTests(
  node: Node,
  step: StepContext,
  commit: string,
  { changes, outdated }: { changes: readonly TreeChange[]; outdated: readonly OutdatedTest[] },
): Promise<Lost> {
  const { workspace, input } = node
  const isTest = (path: string) => looksLikeTest(path) || isWithin(path, input.spec.testPath)
  const old = changes
    .filter(({ status }) => status !== 'added')
    .flatMap(({ path }) => inProject(workspace, path) ?? [])
    .filter(isTest)
  if (old.length === 0) return { tests: [] }
  const restored = await withFilesOf(node, commit, node.state.base, old)
  return noLongerGreen(node, step, {
    commit: restored,
    purpose: 'old-tests',
    paths: old,
    expected: (test) => outdated.some(({ test: name }) => isMeant(test, name)),
  })
}
