/** A repository with the issues of a feature, and a rehearsal that builds them. */
import { buildProject, type Line, type Project, specOf } from '../build/project.ts'

export interface Issue {
  number: number
  depends_on?: number[]
  criteria?: number
  github?: number
}

const functionOf = (number: number) => `f${number}`

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

export const states = (report: object) =>
  (report as { issues: { number: number; state: string }[] }).issues.map(({ number, state }) => [number, state])
