/** What one agent builds alone is reviewed by another role before it is merged. */
import { expect, it } from 'vitest'
import { approved, asked, buildProject, code, expectExit, type Line, ofType, specOf, testFile } from './project.ts'

const spec = specOf('inc')
const passed = { TestsPassed: { iterations: 1, passedTests: [] } }
const weak = {
  'src/inc.js': code('inc', 'value === 1 ? 2 : value'),
  'test/inc.test.js': testFile('inc', { 'inc: inc-1': 'assert.ok(inc(1) > 1)' }),
}
const right = {
  'src/inc.js': code('inc'),
  'test/inc.test.js': testFile('inc', { 'inc: inc-1': 'assert.equal(inc(1), 2); assert.equal(inc(5), 6)' }),
}
const critique = {
  file: 'test/inc.test.js',
  line: 4,
  issue: 'any larger number passes',
  requiredFix: 'compare the exact result',
}

it('[VF5] sends a weak test back to the agent that wrote it, in the same conversation', async () => {
  const lines: Line[] = [
    { when: { ask: 'implement', agent: 'coder' }, files: weak, reply: passed },
    {
      when: { ask: 'review-impl', agent: 'critic', contains: 'assert.ok(inc(1) > 1)' },
      reply: { MoreTests: { critiques: [critique], additionalTests: [] } },
    },
    {
      when: { ask: 'implement', contains: 'any larger number passes → compare the exact result' },
      files: right,
      reply: passed,
    },
    { when: { ask: 'review-impl', agent: 'critic', contains: 'inc(5), 6' }, reply: approved },
  ]
  const agent = { provider: 'rehearsal', script: '../script.yaml' }
  const project = buildProject({ spec, lines, config: { agents: { coder: agent, critic: agent } } })
  const built = await project.build()
  expectExit(built, 0)
  expect(asked(await project.events())).toEqual([
    'implement inc',
    'review-impl inc',
    'implement inc',
    'review-impl inc',
  ])
  expect(project.read(built.report.commit!, 'src/inc.js')).toContain('value + 1')
})

it('[GR4] the third request for more goes to a person, and so does a rejection', async () => {
  const lines: Line[] = [
    { when: { ask: 'implement' }, files: right, reply: passed, repeat: true },
    {
      when: { ask: 'review-impl' },
      reply: { MoreTests: { critiques: [critique], additionalTests: [] } },
      repeat: true,
    },
  ]
  const project = buildProject({ spec, lines })
  const built = await project.build()
  expectExit(built, 3)
  expect(built.report.questions![0]!.text).toContain('cap: reviews')
  expect(ofType(await project.events(), 'merge.completed')).toEqual([])

  const rejecting = {
    when: { ask: 'review-impl' },
    reply: { Reject: { reason: 'not what was asked', missingCriteria: [] } },
  }
  const other = buildProject({ spec, lines: [lines[0]!, rejecting] })
  const rejected = await other.build()
  expectExit(rejected, 3)
  expect(rejected.report.questions![0]!.text).toContain('not what was asked')
})
