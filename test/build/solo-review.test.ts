/** What one agent builds alone is reviewed by another role before it is merged. */
import { expect, it } from 'vitest'
import {
  approved,
  asked,
  buildProject,
  code,
  expectExit,
  type Line,
  ofType,
  specOf,
  testFile,
  told,
} from './project.ts'

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

it('[VF5] [MG1] [GR3] sends a weak test back to the agent that wrote it, in the same conversation', async () => {
  const description = 'Let inc add one to values of every kind that the counters of this project and of others may have'
  const why =
    'Counters count texts too. Their values come from forms, so that a number may be a text:\n\n- a text is read as a number, and one that is no number gives NaN'
  const lines: Line[] = [
    { when: { ask: 'implement', agent: 'coder' }, files: weak, reply: passed },
    {
      when: { ask: 'review-impl', agent: 'critic', contains: 'assert.ok(inc(1) > 1)' },
      reply: { MoreTests: { critiques: [critique], additionalTests: [] } },
    },
    {
      when: { ask: 'implement', contains: 'any larger number passes → compare the exact result' },
      files: right,
      reply: {
        TestsPassed: { summary: `Add one to values of all kinds\n\n${why}`, objection: 'Not any larger one.' },
      },
    },
    { when: { ask: 'review-impl', agent: 'critic', contains: 'inc(5), 6' }, reply: approved },
  ]
  const agent = { provider: 'rehearsal', script: '../script.yaml' }
  const agents = { coder: agent, critic: agent }
  const project = buildProject({ spec: { ...spec, description }, lines, config: { agents } })
  const built = await project.build()
  expectExit(built, 0)
  expect(asked(await project.events())).toEqual([
    'implement inc',
    'review-impl inc',
    'implement inc',
    'review-impl inc',
  ])
  expect(project.read(built.report.commit!, 'src/inc.js')).toContain('value + 1')
  const reviews = (await project.events()).filter(({ type }) => type.startsWith('review.'))
  expect(reviews.map(({ type, data }) => [type, data])).toMatchObject([
    ['review.returned', { exit: 'MoreTests' }],
    ['review.approved', { node: 'inc', signOff: expect.any(String), covered: expect.any(Array) }],
  ])
  // Whoever watches sees why, and the commit says what and why.
  expect(built.stderr).toContain(
    'inc: the review asks for more: test/inc.test.js: any larger number passes → compare the exact result',
  )
  const message = project.git('log', '-1', '--format=%B', built.report.commit!).split('\n')
  expect(message.slice(0, 11)).toEqual([
    'Add one to values of all kinds',
    '',
    'Counters count texts too. Their values come from forms, so that a number',
    'may be a text:',
    '',
    '- a text is read as a number, and one that is no number gives NaN',
    '',
    '- inc-1 holds',
    '',
    `Convene-Run: ${built.report.run}`,
    'Convene-Node: inc',
  ])
  const [, second] = await told(project, 'review-impl')
  expect(second!.last).toContain('\nThe implementer objects: Not any larger one.\n')
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

it('[VF13] an approval traces an input that no test uses, and a wrong result there sends the work back', async () => {
  const text = 'For every n from 0 up, size(n) is the length of n bytes in base64, 4 characters for every 3 bytes begun'
  const padded = { ...specOf('size', ['AC1']), acceptanceCriteria: [{ id: 'AC1', text }] }
  const tests = (more = '') =>
    testFile('size', {
      'AC1 length': `assert.equal(size(0), 0); assert.equal(size(3), 4); assert.equal(size(30), 40)${more}`,
    })
  const traced = (input: string, expected: unknown, actual: unknown) => ({
    Approved: { ...approved.Approved, untested: { criterionId: 'AC1', input, expected, actual } },
  })
  const lines: Line[] = [
    {
      when: { ask: 'implement' },
      files: { 'src/size.js': code('size', 'Math.floor((value * 4) / 3)'), 'test/size.test.js': tests() },
      reply: passed,
    },
    {
      when: { ask: 'review-impl', contains: 'The tests use: `size(0)` `size(3)` `size(30)`' },
      reply: { Approved: { signOff: 'fine' } },
    },
    { when: { ask: 'review-impl', contains: 'AC1 speaks of all values' }, reply: traced('size(30)', 40, 40) },
    { when: { ask: 'review-impl', contains: 'use size(30) already' }, reply: traced('n = 4', 8, 5) },
    {
      when: { ask: 'implement', contains: 'AC1 does not hold for n = 4: it wants 8, the code gives 5' },
      files: {
        'src/size.js': code('size', 'Math.ceil(value / 3) * 4'),
        'test/size.test.js': tests('; assert.equal(size(4), 8)'),
      },
      reply: passed,
    },
    {
      when: {
        ask: 'review-impl',
        contains: 'The last review asked for this:\n- src/size.js: AC1 does not hold for n = 4',
      },
      reply: traced('n = 5', 8, '8'),
    },
  ]
  const project = buildProject({ spec: padded, lines })
  const built = await project.build('--strategy', 'solo')
  expectExit(built, 0)
  expect(project.read(built.report.commit!, 'src/size.js')).toContain('ceil')
})
