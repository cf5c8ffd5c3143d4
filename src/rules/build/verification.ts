/** Decides whether TestsPassed and an approval hold. SPEC.md § VF4, VF5. */
import type { Problem } from '../schema/problem.ts'
import { oneLine } from '../text/one-line.ts'
import { stubsIn } from './stub-markers.ts'
import { factsByFile, type SyntaxFacts } from './syntax-facts.ts'
import { findTests, type TestFacts } from './test-facts.ts'
import { unsafeEvaluation } from './unsafe-imports.ts'

export const checkSteps = ['setup', 'build', 'checks', 'test', 'contract'] as const
export type CheckStep = (typeof checkSteps)[number]

/** Exit codes of one run in a clean tree of the commit; absent for a step that is not configured or was not reached. */
export type CheckRun = Partial<Record<CheckStep, number>>

export type ClaimVerdict =
  | { verdict: 'passed'; flaky: boolean }
  | { verdict: 'failed'; step: CheckStep }
  /** Red once: run the tests again. */
  | { verdict: 'run-again'; step: CheckStep }
  | { verdict: 'not-run' }

/** TestsPassed counts only if Convene saw it. Tests get a second run; setup, build and checks such as a linter do not. */
export function claimVerdict(runs: readonly CheckRun[]): ClaimVerdict {
  const [first, second] = runs
  if (!first || Object.keys(first).length === 0) return { verdict: 'not-run' }
  const failed = failedStep(first)
  if (!failed) return { verdict: 'passed', flaky: false }
  if (failed !== 'test' && failed !== 'contract') return { verdict: 'failed', step: failed }
  if (!second) return { verdict: 'run-again', step: failed }
  const failedAgain = failedStep(second)
  return failedAgain ? { verdict: 'failed', step: failedAgain } : { verdict: 'passed', flaky: true }
}

/** Linters, type checkers and the like: they say the same every time, so they get no second run. */
export function isChecker(command: string): boolean {
  return new RegExp(checkers).test(command) || /(?:^|[\s/])tsc(?=$|\s)/.test(command)
}

/** [VF4] Nothing but checkers failed, which says nothing about the tests, whether they ran or not. */
export function onlyChecksFailed(parts: readonly { command: string }[], failing: readonly string[]): boolean {
  return failing.length === 0 && parts.length > 0 && parts.every(({ command }) => isChecker(command))
}

/** Checkers that change nothing, so that the tests behind them in a chain can run although they fail. */
export const checkers =
  '(?:^|[\\s/])(?:xo|eslint|standard|semistandard|ts-standard|biome|prettier|oxlint|oxfmt|tslint|stylelint|dprint|tsd|vue-tsc|attw|publint|knip|depcheck|markdownlint(?:-cli2)?|cspell|ruff|flake8|mypy|pyright|pylint|black|isort|golangci-lint|gofmt|staticcheck|go\\svet|eclint|editorconfig-checker|jshint|ls-lint|lockfile-lint|textlint|secretlint|yamllint|pycodestyle|pydocstyle|basedpyright|actionlint|shellcheck|clippy|fmt|rubocop|ts(?:c|go)(?=\\s.*--noEmit))(?=$|\\s)'

export interface ApprovalFacts {
  criteria: readonly string[]
  /** The tests of each criterion: from the plan and from reviews. */
  coverage: readonly { criterionId: string; testName: string }[]
  ran: readonly TestFacts[]
  /** Criteria that the approval itself names as untested. */
  missing?: readonly string[]
  /** Facts of the files that this node wrote, without tests, after and before. */
  after: readonly SyntaxFacts[]
  before: readonly SyntaxFacts[]
}

type Coverage = Pick<ApprovalFacts, 'criteria' | 'coverage' | 'ran'>

/** The problems of an approval; it holds if there are none. */
export function approvalProblems(facts: ApprovalFacts): Problem[] {
  const before = factsByFile(facts.before)
  const uncovered = uncoveredCriteria(facts).map((id) =>
    problem(`no test that ran and passed covers ${id}${whyNot(id, facts)}`),
  )
  const admitted = [...new Set(facts.missing ?? [])].map((id) => problem(`the approval itself names ${id} as untested`))
  const stubs = facts.after.flatMap(stubsIn)
  const evaluated = facts.after.flatMap((one) =>
    unsafeEvaluation(one, before.get(one.file)).map((way) => ({ file: one.file, way })),
  )
  return [
    ...uncovered,
    ...admitted,
    ...stubs.map(({ file, symbol }) => problem(`${symbol} is still a stub`, file)),
    ...evaluated.map(({ file, way }) => problem(`${way} runs text as code, which is unsafe`, file)),
  ]
}

/** Criteria without a test that ran and passed. A test that is red anywhere under that name does not count. */
export function uncoveredCriteria({ criteria, coverage, ran }: Coverage) {
  const passes = (testName: string) => {
    const tests = findTests(ran, testName)
    return tests.length > 0 && tests.every(({ outcome }) => outcome === 'passed')
  }
  const covered = new Set(coverage.filter(({ testName }) => passes(testName)).map(({ criterionId }) => criterionId))
  return criteria.filter((id) => !covered.has(id))
}

/** Criteria whose tests are skipped: what else fails does not explain why they are uncovered. */
export function skippedCriteria(facts: Coverage): Problem[] {
  const isSkipped = (id: string) => testsOf(id, facts).some(({ outcome }) => outcome === 'skipped')
  const skipped = uncoveredCriteria(facts).filter(isSkipped)
  return approvalProblems({ ...facts, criteria: skipped, before: [], after: [] })
}

function whyNot(id: string, facts: Coverage): string {
  const reasons = testsOf(id, facts).flatMap((test) => {
    const { outcome, message } = test
    if (outcome === 'passed') return []
    if (outcome !== 'skipped') return [`${test.name} fails`]
    return [`${test.name} was skipped${message === undefined ? '' : `: '${oneLine(message, 120)}'`}`]
  })
  return reasons.length === 0 ? '' : `: ${[...new Set(reasons)].slice(0, 3).join('; ')}`
}

function testsOf(id: string, { coverage, ran }: Coverage): TestFacts[] {
  return coverage.filter(({ criterionId }) => criterionId === id).flatMap(({ testName }) => findTests(ran, testName))
}

function failedStep(run: CheckRun): CheckStep | undefined {
  return checkSteps.find((step) => run[step] !== undefined && run[step] !== 0)
}

function problem(message: string, path?: string): Problem {
  return { rule: 'VF5', message, ...(path ? { path } : {}) }
}
