/** Turns the coordinator's list into buildable issues with valid numbers, paths and criteria. */

import { type Spec, specSchema } from '../../rules/build/spec.ts'
import { graphFaults } from '../../rules/issues/issue-graph.ts'
import { builderContexts } from '../../rules/plan/builder-context.ts'
import type { Contradiction } from '../../rules/plan/consistency.ts'
import { joinDocumentation } from '../../rules/plan/documentation-issues.ts'
import type { KeyDecision } from '../../rules/plan/phase-summary.ts'
import type { ProjectFacts } from '../project-facts.ts'
import type { PlannedIssue } from '../replies.ts'

export interface SoundIssue
  extends Omit<PlannedIssue, 'number' | 'target_path' | 'test_path' | 'files' | 'interface' | 'tests' | 'decisions'> {
  number: number
  target_path: string
  test_path: string
  /** What the plan hands to the builder, and the ids of the decisions in it (PH6). */
  context?: string
  decisions?: string[]
}

/** `mended`: flags for what had to be corrected. `decided`: the decisions of the plan, in order. `open`: its contradictions. */
export function soundIssues(
  given: readonly PlannedIssue[],
  feature: string,
  facts: Pick<ProjectFacts, 'languages'>,
  decided: readonly KeyDecision[],
  open: readonly Contradiction[] = [],
): { issues: SoundIssue[]; mended: string[] } {
  const { issues: planned, joined } = joinDocumentation(given)
  const { contexts, unknown } = builderContexts(planned, decided, open)
  const plain = planned.map(
    ({ files: _files, interface: _interface, tests: _tests, decisions: _ids, ...issue }, index) => {
      const { text, decisions } = contexts[index]!
      return { ...issue, ...(text === '' ? {} : { context: text }), ...(decisions.length === 0 ? {} : { decisions }) }
    },
  )
  const { issues: numbered, mended: numbers } = withNumbers(plain)
  const { issues: ordered, mended: dependencies } = withDependencies(numbered)
  const issues = ordered.map((issue) => withPaths(withCriteria(issue), feature, facts))
  const moved = issues.some((issue, index) => {
    const { target_path, test_path } = ordered[index]!
    return (
      (target_path ?? issue.target_path) !== issue.target_path || (test_path ?? issue.test_path) !== issue.test_path
    )
  })
  const mended = [
    ...(numbers ? ['numbers_mended'] : []),
    ...(dependencies ? ['dependencies_mended'] : []),
    ...(moved ? ['paths_mended'] : []),
    ...(joined.length > 0 ? ['documentation_joined'] : []),
    ...(unknown.length > 0 ? ['unknown_reference'] : []),
  ]
  return { issues, mended }
}

export function specOf(feature: string, issue: SoundIssue): Spec {
  return {
    id: `${feature}-${issue.number}`,
    description: `${issue.title}${issue.body ? `\n\n${issue.body}` : ''}`,
    acceptanceCriteria: issue.acceptance_criteria,
    targetPath: issue.target_path,
    testPath: issue.test_path,
    ...(issue.context === undefined ? {} : { context: issue.context }),
  }
}

/** Without a coordinator: a single issue for the whole request. */
export function byRule(goal: string): PlannedIssue[] {
  const words = goal.replace(/\s+/g, ' ').trim()
  return [
    {
      number: 1,
      title: words.slice(0, 80),
      body: goal,
      acceptance_criteria: [{ id: 'c1', text: words.slice(0, 500) }],
      depends_on: [],
      size: 'medium',
      business_value: 0,
      risk: 0,
    },
  ]
}

type Plain = Omit<SoundIssue, 'number' | 'target_path' | 'test_path'> &
  Pick<PlannedIssue, 'number' | 'target_path' | 'test_path'>
type Numbered = Plain & { number: number }

/** Renumbers duplicates; a dependency may then point to another issue than intended. */
function withNumbers(issues: readonly Plain[]): { issues: Numbered[]; mended: boolean } {
  const given = issues.map(({ number }) => number)
  const isSound = given.every((number) => number !== undefined) && new Set(given).size === given.length
  const numbered = issues.map((issue, index) => ({ ...issue, number: isSound ? issue.number! : index + 1 }))
  return { issues: numbered, mended: !isSound && given.some((number) => number !== undefined) }
}

/** Removes dependencies on missing issues and cycles, which would wait for ever. */
function withDependencies(issues: Numbered[]): { issues: Numbered[]; mended: boolean } {
  const numbers = new Set(issues.map(({ number }) => number))
  const known = issues.map((issue) => ({
    ...issue,
    depends_on: [...new Set(issue.depends_on)].filter((one) => numbers.has(one) && one !== issue.number),
  }))
  const lost = known.some((issue, index) => issue.depends_on.length < new Set(issues[index]!.depends_on).size)
  const circular = graphFaults(known.map(({ number, depends_on }) => ({ number, depends_on }))).errors.length > 0
  if (!circular) return { issues: known, mended: lost }
  const forward = known.map((issue) => ({
    ...issue,
    depends_on: issue.depends_on.filter((one) => one < issue.number),
  }))
  return { issues: forward, mended: true }
}

/** Ids name tests and appear in commit trailers: one line each, unique. */
function withCriteria(issue: Numbered): Numbered {
  const taken = new Set<string>()
  const acceptance_criteria = issue.acceptance_criteria.map(({ id, text, kind }, index) => {
    const plain = id.replace(/[\p{Cc}\s\u2028\u2029]+/gu, '-').slice(0, 100)
    const own = plain === '' || plain === '-' || taken.has(plain) ? `c${index + 1}` : plain
    const unique = taken.has(own) ? `${own}-${index + 1}` : own
    taken.add(unique)
    return { id: unique, text, ...(kind === undefined ? {} : { kind }) }
  })
  return { ...issue, acceptance_criteria }
}

/** Rejects paths outside the project, and targets among the tests, which would fail the build. */
function withPaths(issue: Numbered, feature: string, facts: Pick<ProjectFacts, 'languages'>): SoundIssue {
  const usual = usualPaths(`${feature}-${issue.number}`, facts)
  const { target_path: target = usual.target_path, test_path: test = usual.test_path, ...rest } = issue
  const candidates = [
    { target_path: target, test_path: test },
    { target_path: target, test_path: usual.test_path },
    usual,
  ]
  const paths = candidates
    .filter(({ target_path, test_path }) => !isOurs(target_path) && !isOurs(test_path))
    .find((one) => specSchema.safeParse(specOf(feature, { ...rest, ...one })).success)
  return { ...rest, ...(paths ?? usual) }
}

/** Convene's own folder is not part of the project. */
function isOurs(path: string): boolean {
  const [first = ''] = path.split('/').filter((segment) => segment !== '' && segment !== '.')
  return first.toLowerCase().replace(/[. ]+$/, '') === '.convene'
}

const extensions: Readonly<Record<string, string>> = {
  Python: 'py',
  JavaScript: 'js',
  Go: 'go',
  Rust: 'rs',
  Java: 'java',
  Ruby: 'rb',
}

/** The usual paths in the project's main language. */
function usualPaths(name: string, { languages }: Pick<ProjectFacts, 'languages'>) {
  const extension = extensions[languages[0]?.name ?? ''] ?? 'ts'
  const plain = name.replaceAll('-', '_')
  const tests: Record<string, string> = {
    py: `tests/test_${plain}.py`,
    go: `${plain}_test.go`,
    rs: `tests/${plain}.rs`,
    java: `src/test/java/${plain}_test.java`,
    rb: `test/${plain}_test.rb`,
  }
  const targets: Record<string, string> = {
    py: `src/${plain}.py`,
    go: `${plain}.go`,
    java: `src/main/java/${plain}.java`,
  }
  return {
    target_path: targets[extension] ?? `src/${name}.${extension}`,
    test_path: tests[extension] ?? `test/${name}.test.${extension}`,
  }
}
