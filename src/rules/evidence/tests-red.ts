/** Checks tests on the code as it is: those for new criteria fail for the missing code, those for `keep` pass. SPEC.md § VF2. */

import type { PlannedTest } from '../build/exits.ts'
import { isWithin } from '../build/path-confinement.ts'
import type { SyntaxFacts } from '../build/syntax-facts.ts'
import { type TestFacts, testIdentity, testKey } from '../build/test-facts.ts'
import { isTypeTest } from '../build/test-paths.ts'
import type { Problem } from '../schema/problem.ts'
import { failsForMissingCode, isThrownOnPurpose, missingNames } from './missing-code.ts'
import { renumberedCases } from './new-tests.ts'
import { type FinalNames, type FoundTests, findPlanned, withFoundNames } from './planned-tests.ts'

export interface RedTests<Test extends Planned = Planned> {
  planned: readonly Test[]
  /** The test run on the scaffold with the new tests. */
  ran: readonly TestFacts[]
  /** Files that the implementer has yet to write: a test may fail because of them. */
  toBeWritten: readonly string[]
  /** Facts of those files that already exist, if a test misses an export in them. */
  there?: readonly SyntaxFacts[]
  /** Interfaces of the nodes above, whose exports may not change (VF3). */
  fixed?: readonly string[]
  /** Files with stubs: an error that is thrown there comes from code that is not written yet. */
  stubs?: readonly string[]
  /** Criteria that hold already. */
  keep?: readonly string[]
  /** Criteria of which another test was seen red in an earlier round. */
  seen?: readonly string[]
  /** The names that the author gave its tests. */
  final?: FinalNames
  /** The test files that the author wrote. */
  files?: readonly string[]
  /** The tests of its files as they were, on the base. */
  before?: readonly TestFacts[]
  /** All files that it changed, helpers too. */
  changed?: readonly string[]
  /** The same tests on the base, if some pass on the scaffold: what the scaffold itself brings may be tested too. */
  onBase?: readonly TestFacts[]
}

type Planned = Pick<PlannedTest, 'criterionId' | 'plannedTestName'>

export interface RedVerdict<Test extends Planned = Planned> {
  problems: Problem[]
  /** Tests that are red for an unknown reason: accepted, and named. */
  unexplained: string[]
  /** Tests of new criteria that pass on the scaffold, and may: others of their criterion are red, or they fail on the base. */
  passedBefore: string[]
  /** Some pass on the scaffold and may not, unless they fail on the base. */
  isTooGreen: boolean
  /** The plan with the names under which the tests ran. */
  found: Test[]
  /** Names among them that were read from the source of a file that could not run: the tests may run under others. */
  hinted: string[]
  /** Exports that tests need and that do not exist yet: the implementer may add them. */
  promised: { file: string; name: string }[]
}

export function testsRed<Test extends Planned>(facts: RedTests<Test>): RedVerdict<Test> {
  const problems: Problem[] = []
  const unexplained = new Set<string>()
  const { final = [], files } = facts
  const isOld = oldCases(facts)
  const found = findPlanned(facts.planned, facts.ran, { final, ...(files ? { files } : {}) }).map((entry) =>
    // A file that could not run may hold it under a name that its source does not show.
    entry.tests.length > 0
      ? withoutOld(ownOf(entry, facts.keep), isOld, facts.keep)
      : { ...entry, tests: unloadedIn(files, facts.ran) },
  )
  const shown = shownMissing(found, facts)
  for (const { planned, tests } of found) {
    const { criterionId, plannedTestName } = planned
    const about = `${plannedTestName} (for ${criterionId})`
    if (tests.length === 0) problems.push(problem(`${about} did not run${otherNames(found, facts)}`))
    const isKept = facts.keep?.includes(criterionId) ?? false
    // Rows of one table may be for what is new and for what is to be kept: the red ones are for the first.
    const isForNew = (test: TestFacts) => found.some((other) => isNew(other, facts) && other.tests.includes(test))
    const hasGreen = tests.some(isGreen)
    const reasons = tests.flatMap((test) => {
      if (!isKept && isGreen(test) && mayBeGreen(test, planned, shown, facts)) return []
      if (isKept && hasGreen && !isGreen(test) && isForNew(test)) return []
      const why = isKept ? notKept(test, criterionId, facts.ran) : notRed(test, criterionId, facts)
      const isOneOfMany = tests.length > 1 && !test.hinted && test.name !== plannedTestName
      return why === undefined ? [] : [isOneOfMany ? why.replace(/$|\n/, (end) => `: ${test.name}${end}`) : why]
    })
    problems.push(...[...new Set(reasons)].map((why) => problem(`${about} ${why}`)))
    if (tests.some(({ outcome }) => outcome === 'failed')) unexplained.add(plannedTestName)
  }
  const green = found
    .filter((entry) => isNew(entry, facts))
    .flatMap(({ planned, tests }) =>
      tests.filter(isGreen).map((test) => ({ test, mayBe: mayBeGreen(test, planned, shown, facts) })),
    )
  return {
    problems,
    unexplained: [...unexplained],
    passedBefore: [...new Set(green.flatMap(({ test, mayBe }) => (mayBe ? [test.name] : [])))],
    isTooGreen: green.some(({ mayBe }) => !mayBe),
    found: found.flatMap((entry) => (isHint(entry) ? [hinted(entry)] : withFoundNames([entry]))),
    hinted: [...new Set(found.filter(isHint).map((entry) => hinted(entry).plannedTestName))],
    promised: promisedExports(facts),
  }
}

/** It guards what holds already beside a test that shows what is new, or the scaffold itself brings what it checks. */
function mayBeGreen(test: TestFacts, { criterionId }: Planned, shown: ReadonlySet<string>, facts: RedTests): boolean {
  if (shown.has(criterionId) || facts.seen?.includes(criterionId)) return true
  // By an assertion: that something does not exist there would be as true of a test that only expects the stub to throw.
  return (facts.onBase ?? []).some(
    (other) => testIdentity(other) === testIdentity(test) && !other.hinted && other.outcome === 'assertion',
  )
}

/** What ran in the author's files and was planned under no name: one of these may be the test. */
function otherNames(found: readonly FoundTests<Planned>[], { ran, files, before = [] }: RedTests): string {
  const known = new Set([...found.flatMap(({ tests }) => tests), ...before].map(testIdentity))
  const isOwn = ({ file }: TestFacts) => file !== undefined && files?.some((path) => isWithin(file, path))
  const others = ran.filter((test) => !test.hinted && isOwn(test) && !known.has(testIdentity(test)))
  if (others.length === 0) return ''
  const names = others.slice(0, mostNamed).map(({ name }) => `\`${name}\``)
  return `; if it is one of these, say so in your reply with "tests": [{"criterionId", "testName"}]: ${names.join(', ')}`
}

const mostNamed = 5

function isNew({ planned }: FoundTests<Planned>, { keep = [] }: RedTests): boolean {
  return !keep.includes(planned.criterionId)
}

/** New criteria of which a test is red that is not another new criterion's too: others of theirs may guard what holds already. */
function shownMissing(found: readonly FoundTests<Planned>[], facts: RedTests): Set<string> {
  const fresh = found.filter((entry) => isNew(entry, facts))
  const isRed = (test: TestFacts, id: string) => !isGreen(test) && notRed(test, id, facts) === undefined
  const isShared = (test: TestFacts, id: string) =>
    fresh.some(({ planned, tests }) => planned.criterionId !== id && tests.includes(test))
  const shows = ({ planned: { criterionId }, tests }: FoundTests<Planned>) =>
    tests.some((test) => isRed(test, criterionId) && !isShared(test, criterionId))
  return new Set(fresh.filter(shows).map(({ planned }) => planned.criterionId))
}

/** Cases that were there before, also under another number, and still pass. */
function oldCases({ ran, before = [] }: RedTests): (test: TestFacts) => boolean {
  const known = new Set([...before.filter(isGreen), ...renumberedCases(ran, before).old].map(testIdentity))
  return (test) => isGreen(test) && known.has(testIdentity(test))
}

function isGreen({ outcome }: TestFacts): boolean {
  return outcome === 'passed'
}

/** Cases that were added to an existing test are the planned ones, if there are any. */
function withoutOld<Test extends Planned>(
  entry: FoundTests<Test>,
  isOld: (test: TestFacts) => boolean,
  keep: readonly string[] = [],
): FoundTests<Test> {
  const fresh = keep.includes(entry.planned.criterionId) ? [] : entry.tests.filter((test) => !isOld(test))
  return fresh.length === 0 ? entry : { ...entry, tests: fresh }
}

/** Other suites may have a test of the same title. If one of them is red, those that pass elsewhere are not the planned one. */
function ownOf<Test extends Planned>(entry: FoundTests<Test>, keep: readonly string[] = []): FoundTests<Test> {
  const { planned, tests } = entry
  const red = new Set(tests.filter(({ outcome }) => outcome !== 'passed').map(suiteOf))
  if (red.size === 0 || keep.includes(planned.criterionId)) return entry
  return { ...entry, tests: tests.filter((test) => red.has(suiteOf(test))) }
}

function suiteOf({ file, name, fullName = name, suite }: TestFacts): string {
  return [file, ...(suite ?? [fullName.slice(0, Math.max(0, fullName.lastIndexOf(name)))])].join('\n')
}

function isHint({ tests }: FoundTests): boolean {
  return tests.some((test) => test.hinted)
}

/** A hint may name a single test; where it stands for a whole file, the plan's own name is kept. */
function hinted<Test extends Planned>({ planned, tests }: FoundTests<Test>): Test {
  const [only, ...more] = tests
  const isNamed = only?.suite !== undefined && more.length === 0
  return isNamed ? { ...planned, plannedTestName: testKey(only) } : planned
}

function unloadedIn(files: readonly string[] | undefined, ran: readonly TestFacts[]): TestFacts[] {
  return ran.filter(
    (test) => isUnloaded(test) && (files === undefined || files.some((path) => isWithin(test.file!, path))),
  )
}

/** A type test that names criteria runs, and is a test of those alone. */
function isUnloaded({ hinted, file, name }: TestFacts): boolean {
  return hinted === true && file !== undefined && (!isTypeTest(file) || name === file)
}

/** The choice that the author of a green test for a new criterion has, on a line of its own: it is not for the person. */
export function greenTooEarly(criterionId: string): string {
  return (
    `passes before anything is implemented\nIf ${criterionId} holds already, say so in your reply with ` +
    `"keep": [{"criterionId": "${criterionId}", "reason": why it holds}]; if not, make the test check what is missing`
  )
}

function notRed(test: TestFacts, criterionId: string, facts: RedTests): string | undefined {
  switch (test.outcome) {
    case 'assertion':
    case 'not-implemented':
    case 'failed':
      return undefined
    case 'import-error': {
      const what = brokenImport(test, facts)
      return what === undefined ? undefined : `fails because of its own import${what}`
    }
    case 'passed':
      return greenTooEarly(criterionId)
    case 'skipped':
      return skipped(test)
    case 'error':
      if (failsForMissingCode(test, [...facts.toBeWritten, ...(facts.stubs ?? [])])) return undefined
      if (facts.changed && isThrownOnPurpose(test, facts.changed)) return undefined
      return `fails because of its own error, not an assertion${test.message ? `: ${firstLine(test.message)}` : ''}`
    default:
      return test.outcome satisfies never
  }
}

function skipped({ message }: Pick<TestFacts, 'message'>): string {
  return message === undefined ? 'is skipped' : `is skipped: '${firstLine(message)}'`
}

/** What Node says of the tests behind one that hangs, or that threw beside its own call. */
const isCancelled = /Promise resolution is still pending but the event loop has already resolved/

/** Tests for new criteria in the same file may keep it from loading, or end it early; then nothing can be seen of the others. */
function notKept(test: TestFacts, criterionId: string, ran: readonly TestFacts[]): string | undefined {
  const { outcome, message, file } = test
  if (outcome === 'passed' || outcome === 'import-error') return undefined
  if (outcome === 'skipped') return skipped({ message })
  const others = ran.slice(0, Math.max(0, ran.indexOf(test))).filter((other) => other.file === file)
  if (isCancelled.test(message ?? '') && others.some((other) => !['passed', 'skipped'].includes(other.outcome)))
    return undefined
  const said = message ? `: ${firstLine(message)}` : ''
  return `fails on the code as it is, but ${criterionId} is to be kept, so it must pass before and after${said}`
}

/** Undefined if the implementer can add what is missing: a file that does not exist yet, or an export of it. */
function brokenImport({ missing, missingName }: TestFacts, facts: RedTests): string | undefined {
  const { toBeWritten, there = [], fixed = [] } = facts
  if (missing === undefined) return missingName === undefined ? '' : undefined
  if (!toBeWritten.some((path) => isWithin(missing, path))) return `: ${missing}`
  const file = there.find((one) => one.file === missing)
  if (!file?.parsed) return undefined
  if (missingName === undefined) return `: ${missing} exists, but not where the test looks for it`
  if (!fixed.includes(missing)) return undefined
  const exported = file.symbols.filter((symbol) => symbol.exported)
  const mayHave = exported.some(
    ({ name, kind }) => name.startsWith('* from ') || (name === missingName && kind !== 'type'),
  )
  if (mayHave) return undefined
  const names = [...new Set(exported.map(({ name }) => name).filter((name) => !name.includes('.')))]
  const told = names.length === 0 ? 'nothing' : names.join(', ')
  return `: ${missing} does not export ${missingName}, and as an interface it may export only: ${told}`
}

function promisedExports({ ran, toBeWritten, fixed = [] }: RedTests): RedVerdict['promised'] {
  const imported = ran.flatMap(({ missing, missingName }) => {
    if (missing === undefined || missingName === undefined || fixed.includes(missing)) return []
    return toBeWritten.some((path) => isWithin(missing, path)) ? [{ file: missing, name: missingName }] : []
  })
  const open = toBeWritten.filter((file) => !fixed.includes(file))
  const called = ran.flatMap(({ outcome, message }) =>
    outcome === 'passed' || outcome === 'skipped' ? [] : missingNames(message ?? ''),
  )
  return [...imported, ...[...new Set(called)].flatMap((name) => open.map((file) => ({ file, name })))]
}

function firstLine(text: string): string {
  return text.trim().split('\n')[0]!
}

function problem(message: string): Problem {
  return { rule: 'VF2', message }
}
