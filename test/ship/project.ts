/** A repository with the issues of a feature, and a rehearsal that builds them. */
import { approved, type Built, buildProject, type Line, type Project, specOf } from '../build/project.ts'

export interface Issue {
  number: number
  depends_on?: number[]
  criteria?: number
  github?: number
}

export const functionOf = (number: number) => `f${number}`

/** One agent, one go: the function and its test. */
export function built(number: number, expression = 'value + 1'): Line {
  const name = functionOf(number)
  return {
    when: { ask: 'implement', node: `demo-${number}` },
    files: {
      [`src/${name}.js`]: `export const ${name} = (value) => ${expression}\n`,
      [`test/${name}.test.js`]: `import assert from 'node:assert'\nimport { test } from 'node:test'\nimport { ${name} } from '../src/${name}.js'\ntest('${name} adds one', () => assert.equal(${name}(1), 2))\n`,
    },
    reply: { TestsPassed: { iterations: 1, passedTests: [] } },
  }
}

/** The script lines of an issue that is built by the graph: scaffold, tests, code, review. */
export function grown(
  node: string,
  name: string,
  criteria: readonly string[],
  paths: { target: string; test: string },
): Line[] {
  const test = (title: string) => `test('${title}', () => assert.equal(${name}(1), 2))\n`
  const head = (depth: string) =>
    `import assert from 'node:assert'\nimport { test } from 'node:test'\nimport { ${name} } from '${depth}${paths.target}'\n`
  const contractSuite = `contract/${node}.test.js`
  const testPlan = criteria.map((criterionId) => ({ criterionId, plannedTestName: criterionId, approach: 'call it' }))
  return [
    {
      when: { ask: 'scaffold', node },
      files: {
        [paths.target]: `export function ${name}(value) {\n  throw new Error('not implemented')\n}\n`,
        [contractSuite]: `${head('../')}${test(`${node} contract`)}`,
      },
      reply: { InitWork: { interfaceFile: paths.target, contractSuite, testPlan } },
    },
    {
      when: { ask: 'write-tests', node },
      files: { [paths.test]: `${head('../')}${criteria.map(test).join('')}` },
      reply: { TestsReady: { testFiles: [paths.test], pendingCriteria: criteria } },
    },
    {
      when: { ask: 'implement', node },
      files: { [paths.target]: `export function ${name}(value) {\n  return value + 1\n}\n` },
      reply: { TestsPassed: { iterations: 1, passedTests: [] } },
    },
    {
      when: { ask: 'review-impl', node },
      reply: approved,
    },
  ]
}

const summary: Line = { when: { ask: 'summary' }, repeat: true, reply: { summary: 'It adds one, see SUMMARY-MARK.' } }

export function shipProject(
  issues: Issue[],
  lines: Line[],
  more: { files?: Record<string, string>; config?: object } = {},
): Project {
  const definitions = issues.map(({ number, depends_on = [], criteria = 1, github }) => ({
    number,
    title: `Function ${functionOf(number)}`,
    acceptance_criteria: Array.from({ length: criteria }, (_, index) => ({
      id: `c${number}-${index}`,
      text: 'it adds one',
    })),
    depends_on,
    target_path: `src/${functionOf(number)}.js`,
    test_path: `test/${functionOf(number)}.test.js`,
    ...(github === undefined ? {} : { github }),
  }))
  return buildProject({
    spec: specOf('unused'),
    lines: [...lines, summary],
    files: { 'issues.json': JSON.stringify({ feature: 'demo', issues: definitions }), ...more.files },
    config: more.config as Record<string, unknown>,
  })
}

export interface FeatureReport {
  feature: string
  synced: number
  reason?: string
  issues: {
    number: number
    title: string
    state: string
    reason?: string
    commit?: string
    reviewed?: boolean
    evidence: { kind: string; detail: string }[]
    elsewhere: { branch: string; commit: string }[]
    notices?: { change: string; by?: string; text?: string }[]
  }[]
}

/** The report that a command of the issue loop printed. */
export const reportOf = ({ report }: Built) => report as unknown as FeatureReport

export function lineOf({ issues }: FeatureReport, number: number): FeatureReport['issues'][number] {
  const found = issues.find((issue) => issue.number === number)
  if (!found) throw new Error(`there is no #${number} in ${JSON.stringify(issues)}`)
  return found
}

export const states = (report: object) =>
  (report as { issues: { number: number; state: string }[] }).issues.map(({ number, state }) => [number, state])
