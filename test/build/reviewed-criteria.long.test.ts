/** Criteria that no test can check: the reviewer does, and says so. */
import { expect, it } from 'vitest'
import {
  approved,
  buildProject,
  code,
  expectExit,
  type Line,
  ofType,
  type SpecFile,
  stub,
  testFile,
} from './project.ts'

type Reviewed = SpecFile & { acceptanceCriteria: { kind?: 'review' }[] }

const spec: Reviewed = {
  id: 'inc',
  description: 'Add one',
  acceptanceCriteria: [
    { id: 'adds', text: 'inc adds one' },
    { id: 'docs', text: 'The README documents inc', kind: 'review' },
  ],
  targetPath: 'src/inc.js',
  testPath: 'test/inc.test.js',
}
const files = { 'README.md': '# project\n' }
const documented = { 'README.md': '# project\n\n`inc(value)` adds one.\n' }
const tests = { 'test/inc.test.js': testFile('inc', { 'adds one': 'assert.equal(inc(1), 2)' }) }
const plan = [{ criterionId: 'adds', plannedTestName: 'adds one', approach: 'call it' }]
const passed = { TestsPassed: { iterations: 1, passedTests: [] } }
const seen = (...ids: string[]) => ({
  Approved: { signOff: 'fine', checked: ids.map((criterionId) => ({ criterionId, finding: 'README.md:3' })) },
})
const refusals = async (project: ReturnType<typeof buildProject>) =>
  ofType(await project.events(), 'reply.refused').flatMap(({ kind, problems }) =>
    (problems as { rule: string; message: string }[]).map(({ rule, message }) => `${kind} ${rule} ${message}`),
  )

it('[VF14] the reviewer checks what no test can, and an approval that says nothing of it is sent back', async () => {
  const left = { criterionId: 'types', reason: 'a comment, which no test reads' }
  const withTypes = { id: 'types', text: 'A comment declares the type of value' }
  const lines: Line[] = [
    {
      when: { ask: 'scaffold', contains: '- docs (review): The README documents inc' },
      files: { 'src/inc.js': stub('inc') },
      reply: { InitWork: { interfaceFile: 'src/inc.js', testPlan: plan, review: [left] } },
    },
    { when: { ask: 'write-tests' }, files: tests, reply: { TestsReady: { testFiles: ['test/inc.test.js'] } } },
    { when: { ask: 'implement' }, files: { ...documented, 'src/inc.js': code('inc') }, reply: passed },
    {
      when: {
        ask: 'review-impl',
        attempt: 1,
        contains:
          '- You check this one: docs: The README documents inc\n- You check this one: types: A comment declares the type of value (a comment, which no test reads)',
      },
      reply: seen('types'),
    },
    {
      when: { ask: 'review-impl', attempt: 2, contains: 'Approved does not say that you checked docs' },
      reply: seen('docs', 'types'),
    },
  ]
  const one = { ...spec, acceptanceCriteria: [...spec.acceptanceCriteria, withTypes] }
  const project = buildProject({ spec: one, lines, files })
  expectExit(await project.build('--strategy', 'graph'), 0)
  expect(await refusals(project)).toEqual([expect.stringMatching(/^review-impl VF14 Approved does not say .* docs /)])
})

it('[VF14] work on code needs a test: a scaffold that leaves everything to the reviewer is refused', async () => {
  const review = [{ criterionId: 'adds', reason: 'plain to see' }]
  const lines: Line[] = [
    {
      when: { ask: 'scaffold', attempt: 1 },
      files: { 'src/inc.js': stub('inc') },
      reply: { InitWork: { interfaceFile: 'src/inc.js', testPlan: [], review } },
    },
    {
      when: { ask: 'scaffold', attempt: 2, contains: 'the work changes what src/inc.js does' },
      reply: { InitWork: { interfaceFile: 'src/inc.js', testPlan: plan } },
    },
    {
      when: { ask: 'write-tests', attempt: 1 },
      files: tests,
      reply: { TestsReady: { testFiles: ['test/inc.test.js'], review } },
    },
    {
      when: { ask: 'write-tests', attempt: 2, contains: 'the work changes what src/inc.js does' },
      reply: { TestsReady: { testFiles: ['test/inc.test.js'] } },
    },
    { when: { ask: 'implement' }, files: { ...documented, 'src/inc.js': code('inc') }, reply: passed },
    { when: { ask: 'review-impl' }, reply: seen('docs') },
  ]
  const project = buildProject({ spec, lines, files })
  expectExit(await project.build('--strategy', 'graph'), 0)
  expect(await refusals(project)).toEqual([
    expect.stringMatching(/^scaffold VF14 every criterion/),
    expect.stringMatching(/^write-tests VF14 every criterion/),
  ])
})

it('[VF14] code that appears after scaffold and tests is sent back for a test of the first criterion', async () => {
  const acceptanceCriteria = [{ id: 'docs', text: 'The README documents inc', kind: 'review' as const }]
  const lines: Line[] = [
    { when: { ask: 'scaffold' }, reply: { InitWork: { interfaceFile: 'src/inc.js', testPlan: [] } } },
    { when: { ask: 'write-tests', attempt: 1 }, reply: { TestsReady: { testFiles: [] } } },
    { when: { ask: 'implement' }, files: { ...documented, 'src/inc.js': code('inc') }, reply: passed },
    { when: { ask: 'review-impl' }, reply: seen('docs') },
    {
      when: { ask: 'write-tests', contains: 'the work changes what src/inc.js does' },
      files: { 'test/inc.test.js': testFile('inc', { 'docs holds': 'assert.equal(inc(1), 2)' }) },
      reply: { TestsReady: { testFiles: ['test/inc.test.js'] } },
    },
    { when: { ask: 'implement' }, reply: passed },
    { when: { ask: 'review-impl' }, reply: seen('docs') },
  ]
  const there = { ...files, 'src/inc.js': code('inc', 'value') }
  const project = buildProject({ spec: { ...spec, acceptanceCriteria }, lines, files: there })
  expectExit(await project.build('--strategy', 'graph'), 0)
  expect(await refusals(project)).toEqual([expect.stringMatching(/^review-impl VF14 every criterion \(docs\)/)])
})

it('[VF14] documentation alone is built without a test, in the graph and by one agent', async () => {
  const acceptanceCriteria = [{ id: 'docs', text: 'The README documents inc' }]
  const review = [{ criterionId: 'docs', reason: 'prose' }]
  const one = { ...spec, acceptanceCriteria, targetPath: 'README.md' }
  const there = { ...files, ...tests, 'src/inc.js': code('inc') }
  const graph: Line[] = [
    { when: { ask: 'scaffold' }, reply: { InitWork: { interfaceFile: 'README.md', testPlan: [], review } } },
    {
      when: { ask: 'write-tests', contains: 'none: every criterion is given to a part or to the reviewer' },
      reply: { TestsReady: { testFiles: [] } },
    },
    { when: { ask: 'implement' }, files: documented, reply: passed },
    { when: { ask: 'review-impl', contains: 'You check this one: docs' }, reply: seen('docs') },
  ]
  const alone: Line[] = [
    {
      when: { ask: 'implement', attempt: 1 },
      files: { ...documented, 'src/inc.js': code('inc', 'value + 2 - 1') },
      reply: { TestsPassed: { review } },
    },
    {
      when: { ask: 'implement', attempt: 2, contains: 'the work changes what src/inc.js does' },
      files: { 'src/inc.js': code('inc') },
      reply: { TestsPassed: { review } },
    },
    { when: { ask: 'review-impl', attempt: 1, contains: 'You check this one: docs' }, reply: approved },
    { when: { ask: 'review-impl', attempt: 2, contains: 'does not say that you checked docs' }, reply: seen('docs') },
  ]
  const project = buildProject({ spec: one, lines: graph, files: there })
  expectExit(await project.build('--strategy', 'graph'), 0)
  expect(await refusals(project)).toEqual([])
  const small = buildProject({ spec: one, lines: alone, files: there })
  expectExit(await small.build('--strategy', 'solo'), 0)
  expect((await refusals(small)).map((line) => line.split(' ', 2).join(' '))).toEqual([
    'implement VF14',
    'review-impl VF14',
  ])
})

it('[VF14] one agent that leaves everything to the reviewer has no test in an old test file that it edits', async () => {
  const acceptanceCriteria = [{ id: 'adds', text: 'inc adds one' }]
  const review = [{ criterionId: 'adds', reason: 'plain to see' }]
  const old = testFile('inc', { 'is a function': "assert.equal(typeof inc, 'function')" })
  const wanted = 'the work changes what src/inc.js does'
  const lines: Line[] = [
    {
      when: { ask: 'implement', attempt: 1 },
      files: { 'src/inc.js': code('inc'), 'test/old.test.js': `${old}\n// Tests of inc.\n` },
      reply: { TestsPassed: { review } },
    },
    { when: { ask: 'implement', attempt: 2, contains: wanted }, files: tests, reply: { TestsPassed: { review } } },
    // The work does not change the README.
    { when: { ask: 'review-impl', attempt: 1 }, reply: seen('adds') },
    {
      when: { ask: 'review-impl', attempt: 2, contains: 'is met in README.md, which the work does not change' },
      reply: {
        Approved: { signOff: 'fine', checked: [{ criterionId: 'adds', finding: 'src/inc.js returns value + 1' }] },
      },
    },
  ]
  const there = { ...files, 'src/inc.js': code('inc', 'value + 2'), 'test/old.test.js': old }
  const project = buildProject({ spec: { ...spec, acceptanceCriteria }, lines, files: there })
  expectExit(await project.build('--strategy', 'solo'), 0)
  expect(await refusals(project)).toEqual([
    expect.stringMatching(/^implement VF14 every criterion \(adds\)/),
    expect.stringMatching(/^review-impl VF14 .*which the work does not change/),
  ])
})

it('[VF9] [VF14] documentation is built in a project without tests, whose runner fails when it finds none', async () => {
  const acceptanceCriteria = [{ id: 'docs', text: 'The README documents inc', kind: 'review' as const }]
  const one = { ...spec, acceptanceCriteria, targetPath: 'README.md' }
  const found = 'ls test >/dev/null 2>&1 || { echo "No test files found, exiting with code 1"; exit 1; }\n'
  const there = { ...files, 'src/inc.js': code('inc'), 'check.sh': found }
  const build = { test: 'sh check.sh' }
  const review = { when: { ask: 'review-impl' }, reply: seen('docs') }
  const graph: Line[] = [
    { when: { ask: 'scaffold' }, reply: { InitWork: { interfaceFile: 'README.md', testPlan: [] } } },
    { when: { ask: 'write-tests' }, reply: { TestsReady: { testFiles: [] } } },
    { when: { ask: 'implement' }, files: documented, reply: passed },
    review,
  ]
  const alone: Line[] = [{ when: { ask: 'implement' }, files: documented, reply: passed }, review]
  for (const [strategy, lines] of Object.entries({ graph, solo: alone })) {
    const project = buildProject({ spec: one, lines, files: there, build })
    expectExit(await project.build('--strategy', strategy), 0)
    expect(await refusals(project)).toEqual([])
  }
})
