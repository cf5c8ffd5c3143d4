/** Verifies a commit: builds it and runs its tests in a clean checkout of exactly that commit (VF4). */
import type { StepContext } from '../kernel/engine.ts'
import { configurationFault } from '../rules/build/configuration-fault.ts'
import { isWithin } from '../rules/build/path-confinement.ts'
import {
  findTests,
  isSameTest,
  type TestFacts,
  type TestNames,
  testIdentity,
  testKey,
} from '../rules/build/test-facts.ts'
import { isTypeTest } from '../rules/build/test-paths.ts'
import {
  type CheckRun,
  type ClaimVerdict,
  claimVerdict,
  isChecker,
  onlyChecksFailed,
} from '../rules/build/verification.ts'
import { type ExcusedTest, isRed } from '../rules/evidence/claimed-tests.ts'
import { failsUntouched } from '../rules/evidence/fails-untouched.ts'
import { isAboutCoverage, newOutsideFailures } from '../rules/evidence/outside-failures.ts'
import { withTypeTests } from '../rules/evidence/type-tests.ts'
import { rewritingProblem, type WrittenTests } from '../rules/trust/rewritten-tests.ts'
import type { FailedPart } from '../workspace/test-results/test-run.ts'
import { type CleanCheckout, describeTestRun, inCheckout, testsAt, type Verifier } from './clean-checkout.ts'
import { complaintsSince, failedParts, isSamePart, judgeTests, meansOneOf, testsAtBase } from './judge-tests.ts'
import type { TestResult } from './kept-test-results.ts'
import { typeTestsAt } from './test-files.ts'
import { inProject, inRepository } from './workspace.ts'

/** The results of verifying one tree. */
export interface Verified {
  tree: string
  runs: CheckRun[]
  verdict: ClaimVerdict
  /** All tests, if the runner names them. */
  tests: TestFacts[]
  names: TestNames
  contract: TestFacts[]
  /** Names of the work's own tests, and of other tests that it brings, that fail. */
  failing: string[]
  /** Names of tests that passed before the work and fail now. */
  broken: string[]
  /** Failing tests that do not refuse the work, by identity. */
  excused: ExcusedTest[]
  /** The failed command in words, with the cause from its output. */
  output: string
}

export interface ToVerify {
  commit: string
  purpose: string
  /** The commit that the work starts from: failing tests are compared with it. Without one, the exit code decides. */
  base?: string
  /** The node's own test files. */
  own: string[]
  criteria?: string[]
  /** Criteria that hold already. */
  keep?: readonly string[]
  ownTests: string[]
  /** Those of them that prove what is new: they are in the work's own files. */
  newTests?: readonly string[]
  /** Tests whose names were read from source text: they may run under others, but some test of these files must run. */
  hinted?: string[]
  /** The runner named these tests when they were red, so it must name them again. */
  named?: boolean
  /** The tests were planned and seen red, so they may not be skipped. */
  planned?: boolean
  contractSuite?: string
  /** The work is refused anyway: its own red tests are named too, without a second run. */
  once?: boolean
  /** Matches tests of dropped criteria, which may fail. */
  forgiven?: (test: TestFacts) => boolean
}

export async function verify(node: Verifier, step: StepContext, what: ToVerify): Promise<Verified> {
  const { commit, purpose } = what
  const { workspace, input } = node
  const runs: CheckRun[] = []
  for (;;) {
    const claim = new Claim(node, step, what, runs.length > 0)
    const { tree, seen } = await inCheckout(node, step, { commit, purpose, isBuilt: true }, async (checkout) => ({
      tree: checkout.tree,
      seen: await claim.verify(checkout),
    }))
    runs.push(seen.run)
    const verdict = claimVerdict(runs)
    if (verdict.verdict !== 'run-again') return { tree, runs, verdict, ...seen.result }
    // A result that was kept refuses nothing, and a test that was green before may be unreliable.
    const isSure = !seen.isKept && seen.result.broken.length === 0
    if (what.once && isSure) return { tree, runs, verdict: { verdict: 'failed', step: verdict.step }, ...seen.result }
    workspace.testResults.forget(input.build, tree)
  }
}

interface Seen {
  run: CheckRun
  /** The tests did not run for this claim. */
  isKept: boolean
  result: Omit<Verified, 'tree' | 'runs' | 'verdict'>
}

/** Why the tests of a run do not hold. */
interface Judged {
  checks?: number
  test: number
  output: string
  failing: string[]
  broken: string[]
  excused: ExcusedTest[]
}

/** A part of the test command that fails because of the work. */
interface WorsePart {
  part: FailedPart
  /** It fails without the work too, but not for this. */
  isOld: boolean
}

class Claim {
  readonly #node: Verifier
  readonly #step: StepContext
  readonly #what: ToVerify
  readonly #isLast: boolean
  /** Test files that were there before and are not the work's: a test of the same title there proves nothing new. */
  #foreign: ReadonlySet<string> = new Set()

  constructor(node: Verifier, step: StepContext, what: ToVerify, isLast: boolean) {
    this.#node = node
    this.#step = step
    this.#what = what
    this.#isLast = isLast
  }

  async verify(checkout: CleanCheckout): Promise<Seen> {
    const kept = checkout.kept({})
    const { failure, ...exitCodes } = kept ? {} : await checkout.prepare()
    const run: CheckRun = exitCodes
    const nothing = { tests: [], names: 'unknown' as const, contract: [], failing: [], broken: [], excused: [] }
    if (failure !== undefined) return { run, isKept: false, result: { ...nothing, output: failure } }
    const all = kept ?? (await checkout.run({}))
    this.#foreign = await this.#foreignFiles(all.tests)
    const own = await this.#ownRun(checkout, all)
    const tests = own ? joined(all.tests, own.tests) : all.tests
    const exitCode = all.exitCode || (own?.exitCode ?? 0)
    const isKept = kept !== undefined
    const judged = await this.#judge(checkout, { ...all, tests, exitCode, isKept }, own)
    // A red result that was kept never refuses: the command runs again first.
    if (judged.checks !== undefined && !(kept && !this.#isLast)) run.checks = judged.checks
    run.test = judged.test || (run.checks === undefined ? (judged.checks ?? 0) : 0)
    const contract = await this.#contract(checkout, judged.excused)
    if (contract) run.contract = contract.exitCode
    const isContractAlone = contract && contract.exitCode !== 0 && run.test === 0 && !run.checks
    const output = isContractAlone ? describeTestRun(contract.ran) : judged.output
    const { failing, broken, excused } = judged
    const { own: files, criteria = [], keep = [] } = this.#what
    const typed = exitCode === 0 ? await typeTestsAt(this.#node.workspace, this.#what, files) : []
    const shown = {
      tests: withTypeTests({ tests, exitCode }, typed, { criteria, keep }),
      names: all.names,
      contract: contract?.ran.tests ?? [],
    }
    return { run, isKept, result: { ...shown, failing, broken, excused, output } }
  }

  /** The node's own files alone, if the whole run does not show all of its tests. */
  async #ownRun(checkout: CleanCheckout, all: TestResult): Promise<TestResult | undefined> {
    const { own, ownTests, planned } = this.#what
    if (own.length === 0) return undefined
    const isShown = (name: string) => {
      const found = this.#ownOf(all.tests, name)
      return found.length > 0 && !(planned && found.some(isSkipped))
    }
    const isWhole = all.names === 'reported' && ownTests.every(isShown) && this.#hasRun(all.tests)
    return isWhole ? undefined : checkout.run({ paths: own })
  }

  async #judge(
    checkout: CleanCheckout,
    all: TestResult & { isKept: boolean },
    own: TestResult | undefined,
  ): Promise<Judged> {
    const rewriting = await this.#rewriting([all, own])
    if (rewriting !== null) return { test: 1, output: rewriting, failing: [], broken: [], excused: [] }
    const byName = all.names === 'reported' ? await this.#byName(checkout, all) : undefined
    const decisive = byName ? all : (own ?? (await this.#ownAlone(checkout)) ?? all)
    const judged =
      byName ?? ((await this.#hasNothingToRun(decisive)) ? nothingFails : byExitCode(decisive, this.#what.own))
    const isRefused = judged.test !== 0 || (!byName && judged.checks !== undefined)
    // A checker gets no second run.
    const isDecided = this.#isLast || (judged.test === 0 && !all.isKept && !this.#what.once)
    if (!byName && isRefused && isDecided) await this.#parkIfNeverGreen(checkout, decisive)
    if (isRefused) return judged
    const { named, planned, ownTests } = this.#what
    const unseen = named ? ownTests.filter((name) => this.#ownOf(all.tests, name).length === 0) : []
    // A manipulated test command may exit with 0 without running anything.
    if (unseen.length > 0) return { ...judged, test: 1, output: `These tests did not run: ${unseen.join(', ')}` }
    // The runner reported that the file could not run, so it must report now that it does.
    if (!this.#hasRun(all.tests) || (await this.#isMute(all)))
      return { ...judged, test: 1, output: `No test of these files ran: ${this.#what.own.join(', ')}` }
    const skipped = planned ? ownTests.filter((name) => this.#ownOf(all.tests, name).some(isSkipped)) : []
    if (skipped.length === 0) return judged
    // A skipped test does not pass.
    return { ...judged, test: 1, output: `These tests were skipped, and must pass: ${skipped.join(', ')}` }
  }

  /** VF9: neither the work nor the base has a test, so the exit code says nothing. Work on documents brings none (VF14). */
  async #hasNothingToRun(ran: TestResult): Promise<boolean> {
    const { base, own } = this.#what
    if (!ran.isEmpty || ran.failedPart || own.length > 0 || base === undefined) return false
    return (await testsAtBase(this.#node, this.#step, base)).isEmpty === true
  }

  /** VF4: without names, a command that fails on the base too says nothing about the work: the person has to repair it. */
  async #parkIfNeverGreen(checkout: CleanCheckout, { narrowed, ended }: TestResult): Promise<void> {
    const { base } = this.#what
    if (base === undefined || narrowed || ended !== 'exited') return
    const { names, exitCode, command, excerpt } = await testsAtBase(this.#node, this.#step, base)
    if (exitCode === 0 || names === 'reported') return
    const message = failsUntouched('build.test', { command, exitCode, excerpt })
    // Steps that wait for the worktree must end before the run can be parked.
    checkout.release()
    const { run, deps } = this.#node
    await deps.parking.park(run, this.#step, { code: configurationFault, message })
  }

  /** TR7: the tests did not run as they are committed. Convene checks the base only then. */
  async #rewriting(runs: readonly (TestResult | undefined)[]): Promise<string | null> {
    const found = writtenIn(runs)
    const { base } = this.#what
    const isClean = found.rewritten.length + found.putBack.length === 0
    if (isClean || base === undefined) return rewritingProblem(found, writtenIn([]))
    const untouched = { commit: base, purpose: 'before', isBuilt: true, isUntouched: true }
    const before = await testsAt(this.#node, this.#step, untouched, {}, { isFresh: true, isWatched: true })
    return rewritingProblem(found, writtenIn([before]))
  }

  async #ownAlone(checkout: CleanCheckout): Promise<TestResult | undefined> {
    const { own } = this.#what
    return own.length > 0 ? checkout.run({ paths: own }) : undefined
  }

  /** Undefined if the exit code has to decide: no test that failed explains it. */
  async #byName(checkout: CleanCheckout, all: TestResult): Promise<Judged | undefined> {
    const { forgiven, base } = this.#what
    // Code under test can set the exit code of the process that runs it: a test that failed counts all the same.
    if (all.exitCode === 0 && !all.tests.some(isRed))
      return { test: 0, failing: [], broken: [], excused: [], output: '' }
    const red = all.tests.filter((test) => isRed(test) && !forgiven?.(test))
    const isExplained = all.tests.some(isRed)
    const { ownTests, hinted = [] } = this.#what
    const own = new Set([...ownTests, ...hinted].flatMap((name) => this.#ownOf(all.tests, name)))
    const verdict =
      base === undefined
        ? this.#unreliableApart(red)
        : await judgeTests(this.#node, this.#step, {
            base,
            commit: this.#what.commit,
            tree: checkout.tree,
            tests: all.tests.filter((test) => !isRed(test) || red.includes(test)),
            isOwn: (test) => own.has(test),
            isLast: this.#isLast,
          })
    const blamed = [...verdict.failing, ...verdict.broken]
    const judged = {
      test: blamed.length > 0 ? all.exitCode || 1 : 0,
      failing: verdict.failing.map(testKey),
      broken: verdict.broken.map(testKey),
      excused: verdict.excused.map(({ test, why }) => ({ test: testIdentity(test), why })),
      output: describeTestRun(all, blamed, []),
    }
    if (all.exitCode === 0) return judged
    const outside = blamed.length === 0 ? await this.#outside(checkout, all) : undefined
    if (outside !== undefined) return { ...judged, test: all.exitCode, output: outside }
    const parts = failedParts(all)
    const worse = await this.#worseParts(checkout, parts)
    if (worse.length > 0) {
      const isCheck = ({ part, isOld }: WorsePart) => isOld || isChecker(part.command)
      const codeOf = ({ part }: WorsePart) => part.exitCode ?? all.exitCode
      const [checks] = worse.filter(isCheck).map(codeOf)
      const [test] = worse.filter((one) => !isCheck(one)).map(codeOf)
      const output = describeTestRun(
        all,
        blamed,
        worse.map(({ part }) => part),
      )
      const codes = {
        ...(checks === undefined ? {} : { checks }),
        ...(test === undefined ? {} : { test: judged.test || test }),
      }
      return { ...judged, ...codes, output }
    }
    if (isExplained || parts.length > 0) return judged
    return (await this.#failsAtBase(undefined)) ? judged : undefined
  }

  /** What fails beside the tests, in words: tests that are excused do not excuse it. */
  async #outside(checkout: CleanCheckout, all: TestResult): Promise<string | undefined> {
    const { base } = this.#what
    const red = all.tests.filter(isRed)
    if (red.length === 0) return undefined
    const before = all.outside && base !== undefined ? await testsAtBase(this.#node, this.#step, base) : undefined
    const lines = newOutsideFailures(all.outside ?? [], before?.outside ?? [])
    if (lines.length > 0) return `${describeTestRun(all, [])}\nThis failed beside the tests: ${lines.join('; ')}`
    // The work's own files can fail alone only if they hold none of the excused tests.
    const isApart = red.every(({ file }) => file !== undefined && !this.#what.own.some((path) => isWithin(file, path)))
    const own = isApart ? await this.#ownAlone(checkout) : undefined
    const coversLess = (own?.outside ?? []).some(isAboutCoverage)
    const isOutside = own?.names === 'reported' && own.narrowed && !own.failedPart && !own.isEmpty && !coversLess
    return isOutside && own.exitCode !== 0 && !own.tests.some(isRed) ? describeTestRun(own) : undefined
  }

  /** VF8: one refusal lists all parts that fail because of the work, with what is new in them. */
  async #worseParts(checkout: CleanCheckout, parts: readonly FailedPart[]): Promise<WorsePart[]> {
    const worse: WorsePart[] = []
    for (const part of parts) {
      const isOld = await this.#failsAtBase(part)
      const fresh = isOld ? await this.#newComplaints(checkout, part) : part
      if (fresh) worse.push({ part: fresh, isOld })
    }
    return worse
  }

  /** Whether the same part fails without the work, or the command although every test passes. */
  async #failsAtBase(part: FailedPart | undefined): Promise<boolean> {
    const { base } = this.#what
    if (base === undefined) return false
    const before = await testsAtBase(this.#node, this.#step, base)
    if (before.exitCode === 0) return false
    const parts = failedParts(before)
    if (part !== undefined) return parts.some((one) => isSamePart(one, part))
    return before.names === 'reported' && !before.tests.some(isRed) && parts.length === 0
  }

  /** What a linter that fails on the base too says about the work alone; undefined if that is nothing new. */
  async #newComplaints(checkout: CleanCheckout, part: FailedPart): Promise<FailedPart | undefined> {
    const { base } = this.#what
    if (base === undefined) return undefined
    const { workspace } = this.#node
    const changes = await workspace.repository.changes(base, checkout.tree)
    const paths = changes.flatMap(({ path }) => inProject(workspace, path) ?? [])
    const isChanged = meansOneOf(paths, part)
    const fresh = await complaintsSince(this.#node, this.#step, { base, part, isChanged })
    if (fresh.length === 0) return undefined
    const lines = fresh.slice(0, 30).map(({ shown }) => shown)
    return { ...part, excerpt: ['New complaints (it also fails without this work):', ...lines].join('\n') }
  }

  #unreliableApart(red: TestFacts[]) {
    const { workspace, input } = this.#node
    const isUnreliable = (test: TestFacts) => workspace.seenTests.isUnreliable(input.build, test)
    const excused = red.filter(isUnreliable).map((test) => ({ test, why: 'unreliable' as const }))
    return { failing: red.filter((test) => !isUnreliable(test)), broken: [], excused }
  }

  /** Tests that the runner names without the work, and none with it: nothing ran. */
  async #isMute({ names }: TestResult): Promise<boolean> {
    const { base, own } = this.#what
    if (names !== 'unknown' || own.length === 0 || base === undefined) return false
    const before = await testsAtBase(this.#node, this.#step, base)
    return before.names === 'reported' && before.tests.some(({ outcome }) => outcome === 'passed')
  }

  /** Where names are hints: whether some test ran in the node's own files, as far as files are known. */
  #hasRun(tests: readonly TestFacts[]): boolean {
    const { own, hinted = [] } = this.#what
    if (hinted.length === 0 || own.length === 0 || own.every(isTypeTest)) return true
    return tests.some(
      (test) => !test.hinted && (test.file === undefined || own.some((path) => isWithin(test.file!, path))),
    )
  }

  /** A test of this name in the node's own files is meant; another file may have one of the same name. */
  #ownOf(tests: readonly TestFacts[], name: string): TestFacts[] {
    const found = findTests(tests, name)
    const near = found.filter(({ file }) => file !== undefined && this.#what.own.some((path) => isWithin(file, path)))
    if (near.length > 0) return near
    return isNew(this.#what, name) ? found.filter(({ file }) => file === undefined || !this.#foreign.has(file)) : found
  }

  async #foreignFiles(tests: readonly TestFacts[]): Promise<Set<string>> {
    const { base, own, contractSuite } = this.#what
    if (base === undefined || own.length === 0) return new Set()
    const { workspace } = this.#node
    const mine = contractSuite === undefined ? own : [...own, contractSuite]
    const files = [...new Set(tests.flatMap(({ file }) => file ?? []))]
    const others = files.filter((file) => !mine.some((path) => isWithin(file, path)))
    if (others.length === 0) return new Set()
    const paths = others.map((file) => inRepository(workspace, file))
    const there = new Set(await workspace.repository.listFiles(base, paths))
    return new Set(others.filter((_, index) => there.has(paths[index]!)))
  }

  /** The suite may not be run alone: then its own tests count, and what fails beside them was judged already. */
  async #contract(
    checkout: CleanCheckout,
    excused: readonly ExcusedTest[],
  ): Promise<{ exitCode: number; ran: TestResult } | undefined> {
    const { contractSuite, forgiven, once } = this.#what
    if (contractSuite === undefined || once) return undefined
    // The linters of the test command are judged by its run over everything.
    const ran = await checkout.run({ suite: contractSuite, alone: true })
    const rewriting = await this.#rewriting([ran])
    if (rewriting !== null) return { exitCode: 1, ran: { ...ran, exitCode: 1, excerpt: rewriting } }
    const { workspace, input } = this.#node
    const isExcused = (test: TestFacts) =>
      forgiven?.(test) ||
      workspace.seenTests.isUnreliable(input.build, test) ||
      excused.some((one) => one.test === testIdentity(test)) ||
      (test.file !== undefined && !isWithin(test.file, contractSuite))
    const failing = ran.tests.filter(isRed)
    if (ran.names !== 'reported') return { exitCode: ran.exitCode, ran }
    if (failing.length === 0) return { exitCode: (await this.#failsBeside(ran)) ? 0 : ran.exitCode, ran }
    return { exitCode: failing.every(isExcused) ? 0 : ran.exitCode || 1, ran }
  }

  /** What failed are linters, which are judged by the run over everything, or parts that fail without the work. */
  async #failsBeside(ran: TestResult): Promise<boolean> {
    const parts = failedParts(ran)
    for (const part of parts) if (!isChecker(part.command) && !(await this.#failsAtBase(part))) return false
    return parts.length > 0
  }
}

function writtenIn(runs: readonly (TestResult | undefined)[]): WrittenTests {
  const all = (key: keyof WrittenTests) => [...new Set(runs.flatMap((run) => run?.[key] ?? []))]
  return { rewritten: all('rewritten'), putBack: all('putBack') }
}

const nothingFails: Judged = { test: 0, output: '', failing: [], broken: [], excused: [] }

/** Where names are unknown: if the suite is not green, the red tests may be others', so the node's own count. */
function byExitCode(ran: TestResult, own: readonly string[]): Judged {
  if (ran.isEmpty && own.length > 0)
    return { test: 1, output: `No test ran in ${own.join(', ')}.`, failing: [], broken: [], excused: [] }
  const failing = ran.tests.filter(isRed).map(testKey)
  const output = ran.exitCode === 0 ? '' : describeTestRun(ran)
  const codes = onlyChecksFailed(failedParts(ran), failing) ? { checks: ran.exitCode, test: 0 } : { test: ran.exitCode }
  return { ...codes, output, failing, broken: [], excused: [] }
}

function isNew({ newTests = [] }: ToVerify, name: string): boolean {
  return newTests.includes(name)
}

function joined(all: readonly TestFacts[], own: readonly TestFacts[]): TestFacts[] {
  const isKnown = (test: TestFacts) => all.some((other) => isSameTest(test, other))
  return [...all, ...own.filter((test) => !isKnown(test))]
}

function isSkipped({ outcome }: TestFacts): boolean {
  return outcome === 'skipped'
}
