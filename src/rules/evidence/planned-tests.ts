/** Finds planned tests among those that ran, by meaning and not by spelling. SPEC.md § VF2. */
import { criteriaOf, wordsOf } from '../build/criterion-names.ts'
import type { PlannedTest } from '../build/exits.ts'
import { isWithin } from '../build/path-confinement.ts'
import { findTests, type TestFacts, testKey } from '../build/test-facts.ts'

type Planned = Pick<PlannedTest, 'criterionId' | 'plannedTestName'>

export interface FoundTests<Test extends Planned = Planned> {
  planned: Test
  tests: TestFacts[]
}

/** The names that the author gave in the end, by criterion. */
export type FinalNames = readonly { criterionId: string; testName: string }[]

/** The least share of common words that makes a test the planned one if nothing else does. */
const leastSimilarity = 0.5

export interface WhereToFind {
  final?: FinalNames
  /** The test files that the author wrote. A test whose file is unknown may be in them. */
  files?: readonly string[]
}

/**
 * In the author's files first, and in this order: under its final or planned name, under that name with other separators or
 * another suite, by the criterion's id in a test's name, and by the most similar name that no other planned test has. In
 * other files a test is found by its name alone: the criteria of other work may have the same ids.
 */
export function findPlanned<Test extends Planned>(
  planned: readonly Test[],
  ran: readonly TestFacts[],
  { final = [], files }: WhereToFind = {},
): FoundTests<Test>[] {
  const isNear = ({ file }: TestFacts) =>
    files === undefined || file === undefined || files.some((path) => isWithin(file, path))
  const found = byMeaning(planned, ran.filter(isNear), final)
  const far = ran.filter((test) => !isNear(test))
  return found.map((entry) =>
    entry.tests.length > 0 ? entry : { ...entry, tests: byName(far, namesOf(entry.planned, planned, final)) },
  )
}

function byMeaning<Test extends Planned>(
  planned: readonly Test[],
  ran: readonly TestFacts[],
  final: FinalNames,
): FoundTests<Test>[] {
  const found = planned.map((one) => ({ planned: one, tests: byName(ran, namesOf(one, planned, final)) }))
  const taken = new Set(found.flatMap(({ tests }) => tests))
  const free = () => ran.filter((test) => !taken.has(test))
  const lend = (entry: FoundTests<Test>, tests: TestFacts[]) => {
    entry.tests = tests
    for (const test of tests) taken.add(test)
  }
  const criteria = planned.map(({ criterionId }) => criterionId)
  for (const entry of found.filter(({ tests }) => tests.length === 0))
    lend(
      entry,
      free().filter((test) => criteriaOf(test, criteria).includes(entry.planned.criterionId)),
    )
  for (const entry of found.filter(({ tests }) => tests.length === 0))
    lend(entry, mostSimilar(entry.planned.plannedTestName, free()))
  return found
}

export interface EarlierRound<Test extends Planned> {
  /** Planned tests that were written in earlier rounds. */
  earlier: readonly Test[]
  /** What ran when they were last verified; empty if they never were. */
  before: readonly TestFacts[]
  /** The test files of earlier rounds. */
  testFiles: readonly string[]
  /** Those that the author wrote now, and everything that ran in them. */
  files: readonly string[]
  ran: readonly TestFacts[]
}

/** Tests of earlier rounds that the author has replaced or removed: a later check must not ask for them. */
export function droppedTests<Test extends Planned>(round: EarlierRound<Test>): Test[] {
  const { earlier, before, testFiles, files, ran } = round
  const isWritten = (file: string) => files.some((path) => isWithin(file, path))
  const wasHere = (name: string) =>
    before.length === 0
      ? testFiles.every(isWritten)
      : byName(before, [name]).some(({ file }) => file !== undefined && isWritten(file))
  return earlier.filter(
    ({ plannedTestName }) => byName(ran, [plannedTestName]).length === 0 && wasHere(plannedTestName),
  )
}

/** Names of planned tests of which a new plan says something else than the one before: they are to be written again. */
export function plannedAnew(before: readonly PlannedTest[], now: readonly PlannedTest[]): string[] {
  const isSameTest = (one: PlannedTest, other: PlannedTest) =>
    one.criterionId === other.criterionId && one.plannedTestName === other.plannedTestName
  const changed = now.filter((test) =>
    before.some((old) => isSameTest(old, test) && old.approach.trim() !== test.approach.trim()),
  )
  return changed.map(({ plannedTestName }) => plannedTestName)
}

/** Those of the planned tests, by name, all of whose cases passed. */
export function passedAtOnce(planned: readonly Planned[], ran: readonly TestFacts[]): string[] {
  const names = [...new Set(planned.map(({ plannedTestName }) => plannedTestName))]
  return names.filter((name) => {
    const tests = findTests(ran, name)
    return tests.length > 0 && tests.every(({ outcome }) => outcome === 'passed')
  })
}

/** The plan with the names under which the tests ran. */
export function withFoundNames<Test extends Planned>(found: readonly FoundTests<Test>[]): Test[] {
  return found.flatMap(({ planned, tests }) => {
    const known = findTests(tests, planned.plannedTestName)
    if (known.length === tests.length) return [planned]
    return tests.map((test) => ({ ...planned, plannedTestName: testKey(test) }))
  })
}

/** If the author gave as many names as the criterion has planned tests, they are meant in this order. */
function namesOf(one: Planned, planned: readonly Planned[], final: FinalNames): string[] {
  const own = final.filter(({ criterionId }) => criterionId === one.criterionId).map(({ testName }) => testName)
  const siblings = planned.filter(({ criterionId }) => criterionId === one.criterionId)
  const paired = own.length === siblings.length ? [own[siblings.indexOf(one)]!] : own
  return [...paired, one.plannedTestName]
}

function byName(ran: readonly TestFacts[], names: readonly string[]): TestFacts[] {
  for (const name of names) {
    const exact = findTests(ran, name)
    if (exact.length > 0) return exact
    const loose = ran.filter((test) => titlesOf(test).some((title) => isSameTitle(title, name)))
    if (loose.length > 0) return loose
  }
  return []
}

/** Equal apart from punctuation and case, or one is the other with its suite in front. */
function isSameTitle(title: string, name: string): boolean {
  const [words, wanted] = [wordsOf(title), wordsOf(name)]
  if (words.length === 0 || wanted.length === 0) return false
  const [short, long] = words.length <= wanted.length ? [words, wanted] : [wanted, words]
  if (short.length < 2 && long.length > short.length) return false
  return short.every((word, index) => long[long.length - short.length + index] === word)
}

function mostSimilar(name: string, ran: readonly TestFacts[]): TestFacts[] {
  const scored = ran
    .map((test) => ({ test, score: Math.max(...titlesOf(test).map((title) => similarity(title, name))) }))
    .filter(({ score }) => score >= leastSimilarity)
    .sort((one, other) => other.score - one.score)
  const [best, next] = scored
  return best && best.score > (next?.score ?? 0) ? [best.test] : []
}

function similarity(one: string, other: string): number {
  const [a, b] = [new Set(wordsOf(one)), new Set(wordsOf(other))]
  const common = [...a].filter((word) => b.has(word)).length
  return common === 0 ? 0 : common / (a.size + b.size - common)
}

function titlesOf({ name, fullName, suite = [] }: TestFacts): string[] {
  return [
    name,
    ...(fullName === undefined ? [] : [fullName]),
    ...(suite.length === 0 ? [] : [[...suite, name].join(' ')]),
  ]
}
