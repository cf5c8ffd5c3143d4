/** Changes to code that exists: working interfaces, default exports, criteria that hold already, tests in existing files. */
import { expect, it } from 'vitest'
import { approved, buildProject, expectExit, type Line, ofType, type SpecFile, testCommand } from './project.ts'

const before = `export default function inc(value) {
  return value + 1
}
`
const after = `${before.replace('value + 1', "typeof value === 'string' ? Number(value) + 1 : value + 1")}export function dec(value) {
  return value - 1
}
`
const oldTests = `import assert from 'node:assert'
import { test } from 'node:test'
import inc from '../src/inc.js'
test('old thing', () => { assert.equal(inc(1), 2) })
`
const newTests = `${oldTests.replace('import inc from', 'import inc, { dec } from')}test('reads numbers from text', () => { assert.equal(inc('1'), 2) })
test('decrements', () => { assert.equal(dec(2), 1) })
test('numbers are still incremented', () => { assert.equal(inc(2), 3) })
`
const spec: SpecFile & { acceptanceCriteria: { kind?: 'keep' }[] } = {
  id: 'text',
  description: 'Increment text too',
  acceptanceCriteria: [
    { id: 'AC1', text: 'inc reads numbers from text' },
    { id: 'AC2', text: 'dec subtracts one' },
    { id: 'AC3', text: 'inc still increments numbers', kind: 'keep' },
  ],
  targetPath: 'src/inc.js',
  testPath: 'test/inc.test.js',
}
const files = { 'src/inc.js': before, 'test/inc.test.js': oldTests }
const planned = (criterionId: string, plannedTestName: string) => ({
  criterionId,
  plannedTestName,
  approach: 'call it',
})

it('[VF1] [VF2] builds on working code: no stub, no contract suite, a default export, a renamed test, a criterion to keep', async () => {
  const lines: Line[] = [
    {
      when: { ask: 'scaffold' },
      reply: {
        InitWork: {
          interfaceFile: 'src/inc.js',
          interfaces: [{ path: 'src/inc.js', exports: ['default'] }],
          testPlan: [
            planned('AC1', 'inc > Reads numbers from text.'),
            planned('AC2', 'subtracts'),
            planned('AC3', 'numbers are still incremented'),
          ],
        },
      },
    },
    {
      when: { ask: 'write-tests' },
      files: { 'test/inc.test.js': newTests },
      reply: {
        TestsReady: {
          testFiles: ['test/inc.test.js'],
          pendingCriteria: [],
          tests: [{ criterionId: 'AC2', testName: 'decrements' }],
        },
      },
    },
    {
      when: { ask: 'implement' },
      files: { 'src/inc.js': after },
      reply: { TestsPassed: { iterations: 1, passedTests: [] } },
    },
    { when: { ask: 'review-impl' }, reply: approved },
  ]
  const project = buildProject({ spec, lines, files })
  for (const subject of ['feat: add a', 'fix(core): mend b', 'chore: drop c'])
    project.git('commit', '--quiet', '--allow-empty', `--message=${subject}`)
  const built = await project.build('--strategy', 'graph')
  expectExit(built, 0)
  expect(ofType(await project.events(), 'reply.refused')).toEqual([])
  const [subject, ...body] = project.git('log', '-1', '--format=%B', built.report.commit!).split('\n')
  expect(subject).toBe('feat: increment text too')
  expect(body.slice(0, 5)).toEqual([
    '',
    '- inc reads numbers from text',
    '- dec subtracts one',
    '- inc still increments numbers',
    '',
  ])
  expect(project.git('diff', '--name-only', 'main', built.report.commit!).split('\n')).toEqual([
    'src/inc.js',
    'test/inc.test.js',
  ])
})

it('[VF2] a green test of a new criterion comes back with the choice to keep it, and the reviewer sees the reason', async () => {
  const more = [
    { id: 'AC4', text: 'inc of 2 is 3' },
    { id: 'AC5', text: 'inc of 3 is 4' },
  ]
  const one = { ...spec, acceptanceCriteria: [spec.acceptanceCriteria[0]!, ...more] }
  const tests = `${oldTests}test('AC1', () => { assert.equal(inc('1'), 2) })
test('AC4', () => { assert.equal(inc(2), 3) })
test('AC5', () => { assert.equal(inc(3), 4) })
`
  const ready = { testFiles: ['test/inc.test.js'], pendingCriteria: [] }
  const lines: Line[] = [
    {
      when: { ask: 'scaffold' },
      reply: {
        InitWork: {
          interfaceFile: 'src/inc.js',
          testPlan: ['AC1', 'AC4', 'AC5'].map((id) => planned(id, id)),
          keep: [{ criterionId: 'AC5', reason: 'seen in the code' }],
        },
      },
    },
    { when: { ask: 'write-tests' }, files: { 'test/inc.test.js': tests }, reply: { TestsReady: ready } },
    {
      when: { ask: 'write-tests', attempt: 2, contains: '"keep": [{"criterionId": "AC4"' },
      reply: { TestsReady: { ...ready, keep: [{ criterionId: 'AC4', reason: 'inc adds one already' }] } },
    },
    {
      when: { ask: 'implement' },
      files: { 'src/inc.js': after.split('export function dec')[0]! },
      reply: { TestsPassed: { iterations: 1, passedTests: [] } },
    },
    {
      when: { ask: 'review-impl', contains: '- AC5: seen in the code\n- AC4: inc adds one already' },
      reply: approved,
    },
  ]
  const project = buildProject({ spec: one, lines, files })
  expectExit(await project.build('--strategy', 'graph'), 0)
})

it('[VF2] a guard of what holds already stands beside a red test of its criterion, and the reviewer is told', async () => {
  const one = { ...spec, acceptanceCriteria: [spec.acceptanceCriteria[0]!] }
  const tests = `${oldTests}test('reads numbers from text', () => { assert.equal(inc('1'), 2) })
test('leaves numbers as they are', () => { assert.equal(inc(4), 5) })
`
  const testPlan = ['reads numbers from text', 'leaves numbers as they are'].map((name) => planned('AC1', name))
  const told = 'failed, or the scaffold brings what they check: `leaves numbers as they are`\n'
  const project = buildProject({
    spec: one,
    files,
    lines: [
      { when: { ask: 'scaffold' }, reply: { InitWork: { interfaceFile: 'src/inc.js', testPlan } } },
      {
        when: { ask: 'write-tests' },
        files: { 'test/inc.test.js': tests },
        reply: { TestsReady: { testFiles: ['test/inc.test.js'], pendingCriteria: [] } },
      },
      {
        when: { ask: 'implement' },
        files: { 'src/inc.js': after.split('export function dec')[0]! },
        reply: { TestsPassed: { iterations: 1, passedTests: [] } },
      },
      { when: { ask: 'review-impl', contains: told }, reply: approved },
    ],
  })
  expectExit(await project.build('--strategy', 'graph'), 0)
  expect(ofType(await project.events(), 'reply.refused')).toEqual([])
})

it('[VF2] what the scaffold itself brings may be tested: on the base the test fails', async () => {
  const version = { id: 'AC9', text: 'inc.version is 2' }
  const one = { ...spec, acceptanceCriteria: [spec.acceptanceCriteria[0]!, version] }
  const testPlan = [planned('AC1', 'reads numbers from text'), planned('AC9', 'has a version')]
  const tests = `${oldTests}test('reads numbers from text', () => { assert.equal(inc('1'), 2) })
test('has a version', () => { assert.equal(inc.version, 2) })
`
  const project = buildProject({
    spec: one,
    files,
    lines: [
      {
        when: { ask: 'scaffold' },
        files: { 'src/inc.js': `${before}inc.version = 2\n` },
        reply: { InitWork: { interfaceFile: 'src/inc.js', testPlan } },
      },
      {
        when: { ask: 'write-tests' },
        files: { 'test/inc.test.js': tests },
        reply: { TestsReady: { testFiles: ['test/inc.test.js'], pendingCriteria: [] } },
      },
      {
        when: { ask: 'implement' },
        files: { 'src/inc.js': `${after.split('export function dec')[0]!}inc.version = 2\n` },
        reply: { TestsPassed: { iterations: 1, passedTests: [] } },
      },
      {
        when: { ask: 'review-impl', contains: 'failed, or the scaffold brings what they check: `has a version`' },
        reply: approved,
      },
    ],
  })
  expectExit(await project.build('--strategy', 'graph'), 0)
  expect(ofType(await project.events(), 'reply.refused')).toEqual([])
})

it('[VF2] tests that the base had are never new ones, also where a path does not narrow the command', async () => {
  const lines: Line[] = [
    {
      when: { ask: 'implement' },
      files: {
        'src/inc.js': after,
        'test/text.test.js': newTests
          .replace(/test\('old thing'.*\n/, '')
          .replace("'reads", "'AC1 reads")
          .replace("'decrements", "'AC2 decrements")
          .replace("'numbers", "'AC3 numbers"),
      },
      reply: { TestsPassed: { keep: [{ criterionId: 'AC3', reason: 'it was there' }] } },
    },
    { when: { ask: 'review-impl', contains: '- AC3: it was there' }, reply: approved },
  ]
  const acceptanceCriteria = spec.acceptanceCriteria.map(({ id, text }) => ({ id, text }))
  const project = buildProject({
    spec: { ...spec, acceptanceCriteria, testPath: 'test/text.test.js' },
    lines,
    files,
    build: { test: `${testCommand} "test/**/*.test.js"` },
  })
  const built = await project.build('--strategy', 'solo')
  expectExit(built, 0)
  expect(ofType(await project.events(), 'reply.refused')).toEqual([])
})
