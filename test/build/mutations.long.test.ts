/** Small changes of new code that its tests do not notice are shown to the reviewer. */
import { expect, it } from 'vitest'
import {
  approved,
  buildProject,
  code,
  expectExit,
  held,
  honest,
  type Line,
  leaf,
  ofType,
  specOf,
  testCommand,
  testFile,
} from './project.ts'

const spec = specOf('greet')
const passed = { TestsPassed: { iterations: 1, passedTests: [] } }
const source = { 'src/greet.js': code('greet', "'Hello, ' + value + '!'") }
const weak = testFile('greet', { 'greet: greet-1': "assert.ok(greet('Ada').startsWith('Hello'))" })
const exact = testFile('greet', { 'greet: greet-1': "assert.equal(greet('Ada'), 'Hello, Ada!')" })
const unnoticed = "src/greet.js:2: the result is `'Hello, '` instead of `'Hello, ' + value + '!'`"
const critique = {
  file: 'test/greet.test.js',
  line: 4,
  issue: 'only the beginning counts',
  requiredFix: 'compare all of it',
}

it('[VF12] shows the reviewer what a test of the beginning alone does not notice, and nothing once it is exact', async () => {
  const lines: Line[] = [
    {
      when: { ask: 'implement', attempt: 1 },
      files: { ...source, 'test/greet.test.js': weak },
      reply: passed,
    },
    {
      when: {
        ask: 'review-impl',
        contains: `The tests are weak: they noticed none of the changes, and pass with each of them. Ask for tests that fail on these, unless no criterion is about that code:\n- ${unnoticed}`,
      },
      reply: { MoreTests: { critiques: [critique], additionalTests: [] } },
    },
    {
      when: { ask: 'implement', contains: 'only the beginning counts' },
      files: { 'test/greet.test.js': exact },
      reply: passed,
    },
  ]
  const project = buildProject({ spec, lines, build: { mutations: 4 } })
  const built = await project.build()
  expectExit(built, 0)
  const trials = ofType(await project.events(), 'mutations.tried')
  expect(trials).toMatchObject([
    { node: 'greet', tried: [{ file: 'src/greet.js', line: 2, outcome: 'unnoticed', exit_code: 0 }] },
    { node: 'greet', tried: [{ file: 'src/greet.js', line: 2, outcome: 'noticed', ended: 'exited' }] },
  ])
  // What was tried is in no branch.
  expect(project.read(built.report.commit!, 'src/greet.js')).toBe(source['src/greet.js'].trim())
})

it('[VF12] tries code also where a test was red before, or its tests alone do not reach the coverage that is demanded', async () => {
  const other = "export function other() {\n  return 'other'\n}\n"
  const files = {
    'src/greet.js': other,
    'test/other.test.js': testFile('other', { other: "assert.equal(other(), 'other')" }).replace(
      'other.js',
      'greet.js',
    ),
  }
  const slow = "test('red before', () => { throw new Error('slow') })\n"
  const work = { 'src/greet.js': `${other}${source['src/greet.js']}`, 'test/greet.test.js': `${weak}${slow}` }
  const project = buildProject({
    spec,
    files: { ...files, 'test/greet.test.js': `import { test } from 'node:test'\n${slow}` },
    lines: [
      { when: { ask: 'implement' }, files: work, reply: passed },
      { when: { ask: 'review-impl', contains: unnoticed.replace(':2:', ':5:') }, reply: approved },
    ],
    build: { mutations: 4, test: `${testCommand} --experimental-test-coverage --test-coverage-lines=100` },
  })
  expectExit(await project.build(), 0)
  const [trial] = ofType(await project.events(), 'mutations.tried')
  expect(trial).toMatchObject({ tried: [{ outcome: 'unnoticed', exit_code: 1 }] })
})

it('[VF12] tries the code of a graph too, and nothing where the test command runs everything', async () => {
  const one = specOf('inc')
  const graph = buildProject({ spec: one, lines: leaf(one), build: { mutations: 4 } })
  expectExit(await graph.build('--strategy', 'graph'), 0)
  expect(ofType(await graph.events(), 'mutations.tried')).toMatchObject([{ tried: [{ outcome: 'noticed' }] }])

  const whole = buildProject({
    spec: one,
    lines: [
      {
        when: { ask: 'implement' },
        files: {
          'src/inc.js': code('inc'),
          'test/inc.test.js': testFile('inc', { 'inc: inc-1': 'assert.equal(inc(1), 2)' }),
        },
        reply: passed,
      },
      { when: { ask: 'review-impl' }, reply: approved },
    ],
    files: { 'run-tests.sh': `${JSON.stringify(process.execPath)} --test\n` },
    build: { mutations: 4, test: 'sh run-tests.sh 2>&1' },
  })
  expectExit(await whole.build(), 0)
  expect(ofType(await whole.events(), 'mutations.tried')).toMatchObject([
    { tried: [], because: 'the test command runs everything' },
  ])
})

it('[VF12] [RB1] tries no code of a sibling that was merged while the work was under way', async () => {
  const top = specOf('calc', ['one', 'two', 'kept'])
  const parts = [specOf('left', ['one']), specOf('right', ['two'])]
  const whole = honest(top)
  const testPlan = whole.scaffold.reply.InitWork.testPlan.filter(({ criterionId }) => criterionId === 'kept')
  const lines: Line[] = [
    { ...whole.scaffold, reply: { InitWork: { ...whole.scaffold.reply.InitWork, testPlan, childSpecs: parts } } },
    { ...whole.tests, files: { [top.testPath]: testFile('calc', { 'calc: kept': 'assert.equal(calc(1), 2)' }) } },
    whole.code,
    whole.review,
    ...parts.flatMap((part) => [
      ...leaf(part).map((line) => (part.id === 'right' && line.when.ask === 'implement' ? { ...line, ...held } : line)),
      honest(part).judged('calc'),
    ]),
  ]
  const project = buildProject({ spec: top, lines, build: { mutations: 4 } })
  const building = project.build('--strategy', 'graph')
  await project.until((events) => ofType(events, 'merge.completed').some(({ node }) => node === 'left'))
  project.release()
  expectExit(await building, 0)
  const events = await project.events()
  expect(ofType(events, 'rebase.finished').map(({ node }) => node)).toContain('right')
  const tried = ofType(events, 'mutations.tried').flatMap((one) =>
    (one.tried as { file: string }[]).map(({ file }) => `${one.node} ${file}`),
  )
  expect(tried.sort()).toEqual(['calc src/calc.js', 'left src/left.js', 'right src/right.js'])
})
