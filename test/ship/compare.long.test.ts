/** `convene compare "<goal>" --build`: a goal becomes the smallest spec, and both sides build it. */
import { expect, it } from 'vitest'
import type { ComparisonReport } from '../../src/ship/compare/comparisons.ts'
import { approved, buildProject, expectExit, type Line, ofType, specOf } from '../build/project.ts'
import { grown } from './project.ts'

const goal = 'Let add in src/add.js add one'
const paths = { target: 'src/add.js', test: 'test/add.test.js' }

it('[GR12] builds a goal by one agent alone and by the graph, in the file that it names', async () => {
  const graph = grown('add', 'add', ['goal'], paths).map(
    ({ when: { ask }, ...line }): Line => ({ ...line, when: { ask } }),
  )
  const [scaffold, tests, code] = graph
  const alone: Line = {
    when: { ask: 'implement' },
    files: { ...tests!.files, ...code!.files },
    reply: { TestsPassed: { iterations: 1, passedTests: [] } },
  }
  const review: Line = { when: { ask: 'review-impl' }, reply: approved }
  const project = buildProject({
    spec: specOf('unused'),
    lines: [alone, review, scaffold!, tests!, code!, review],
    files: { 'src/add.js': 'export const one = 1\n' },
  })
  const ended = await project.convene('compare', goal, '--build')
  expectExit(ended, 0)
  const { sides } = ended.report as unknown as ComparisonReport
  expect(sides).toMatchObject([
    { strategy: 'solo', status: 'done' },
    { strategy: 'graph', status: 'done' },
  ])
  for (const { branch } of sides) expect(project.read(branch!, 'src/add.js')).toContain('value + 1')
  const started = ofType(await project.events(), 'node.started')
  expect(started).toHaveLength(2)
  for (const { description, criteria } of started)
    expect([description, criteria]).toEqual([goal, [expect.objectContaining({ id: 'goal', text: goal })]])
})
