/** `convene compare`: one spec, built by one agent alone and by the graph, side by side. */
import { describe, expect, it } from 'vitest'
import type { ComparisonReport } from '../../src/ship/compare/comparisons.ts'
import { approved, asked, buildProject, expectExit, type Line, ofType, specOf } from '../build/project.ts'
import { start } from '../support/convene.ts'
import { grown } from './project.ts'

const whole = { timeout: 240_000 }
const spec = {
  ...specOf('add'),
  acceptanceCriteria: [{ id: 'adds-one', text: 'add(1) is 2' }],
  targetPath: 'src/add.js',
  testPath: 'test/add.test.js',
}

const alone = (expression = 'value + 1'): Line => ({
  when: { ask: 'implement', node: 'add-solo' },
  repeat: true,
  files: {
    'src/add.js': `export const add = (value) => ${expression}\n`,
    'test/add.test.js': `import assert from 'node:assert'\nimport { test } from 'node:test'\nimport { add } from '../src/add.js'\ntest('adds-one', () => assert.equal(add(1), 2))\n`,
  },
  reply: { TestsPassed: { iterations: 1, passedTests: [] } },
})
const review: Line = { when: { ask: 'review-impl', node: 'add-solo' }, repeat: true, reply: approved }
const graph = grown('add-graph', 'add', ['adds-one'], { target: 'src/add.js', test: 'test/add.test.js' })

describe('convene compare', () => {
  it('builds both ways from the same commit, measures each, and prints them side by side', whole, async () => {
    const project = buildProject({ spec, lines: [alone(), review, ...graph] })
    const ended = await project.convene('compare', 'spec.json')
    expectExit(ended, 0)
    const report = ended.report as unknown as ComparisonReport
    const [solo, full] = report.sides
    expect(report).toMatchObject({ status: 'done', spec: 'add' })
    expect(solo).toMatchObject({ strategy: 'solo', status: 'done', branch: 'convene/add-solo/main' })
    expect(full).toMatchObject({ strategy: 'graph', status: 'done', branch: 'convene/add-graph/main' })
    for (const side of report.sides) {
      expect(project.git('rev-parse', side.branch!)).toBe(side.commit)
      expect(side.tests).toMatchObject({ failed: 0 })
      expect(side.tests!.passed).toBeGreaterThan(0)
      expect(side.evidence.commands).toBeGreaterThan(0)
      expect(project.git('diff', '--shortstat', 'main', side.branch!)).toContain(`${side.diff.added} insertion`)
    }
    const calls = asked(await project.events())
    expect(solo!.cost.asks + full!.cost.asks).toBe(calls.length)
    expect(full!.cost.asks).toBeGreaterThan(solo!.cost.asks)
    expect(ofType(await project.events(), 'comparison.finished')).toMatchObject([{ sides: [{}, {}] }])
    expect(project.git('log', '-1', '--format=%s', 'main')).toBe('first')
  })

  it('shows a side that fails beside the one that does not, with exit code 1', whole, async () => {
    const lines = [alone('value'), ...graph]
    const project = buildProject({ spec, lines, build: { caps: { attempts: 1 } } })
    const waiting = await project.convene('compare', 'spec.json')
    expectExit(waiting, 3)
    const [question] = waiting.report.questions!
    expectExit(await project.convene('answer', question!.id, 'give up'), 0)
    const args = ['resume', waiting.report.run]
    const { code, stdout, stderr } = await start(args, { cwd: project.folder }).finished
    expect(code, stderr).toBe(1)
    expect(stdout).toMatch(/^ +solo +graph$/m)
    expect(stdout).toMatch(/^result +failed +done$/m)
    expect(stdout).toMatch(/^asks +\d+ +4$/m)
    expect(stdout).toMatch(/^branch +convene\/add-solo\/main +convene\/add-graph\/main$/m)
    expect(stdout).toMatch(/^solo: ./m)
  })
})
