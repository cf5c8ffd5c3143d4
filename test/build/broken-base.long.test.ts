/** Commands that fail on the untouched tree are the person's to repair: no agent is asked, and none is blamed. AS3, VF4, VF9. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import {
  asked,
  buildProject,
  code,
  expectExit,
  type Line,
  leaf,
  ofType,
  specOf,
  testCommand,
  testFile,
} from './project.ts'

const spec = specOf('inc')
const alone: Line = {
  when: { ask: 'implement', node: 'inc' },
  files: {
    'src/inc.js': code('inc'),
    'test/inc.test.js': testFile('inc', { 'inc: inc-1': 'assert.equal(inc(1), 2)' }),
  },
  reply: { TestsPassed: {} },
}
const broken = "console.error('build.js:1:1: error: no entry'); process.exit(4)\n"
const node = JSON.stringify(process.execPath)
const old = { 'test/old.test.js': "import { test } from 'node:test'\ntest('old', () => {})\n" }

it('[VF4] [VF9] parks before any ask if the build command fails on the untouched tree, and resumes on the repair', async () => {
  const project = buildProject({
    spec,
    lines: [alone],
    files: { ...old, 'build.js': broken },
    build: { build: `${node} build.js` },
  })
  const parked = await project.build('--strategy', 'solo')
  expectExit(parked, 2)
  expect(asked(await project.events())).toEqual([])
  expect(parked.report.reason).toMatch(
    /^build\.build: .* fails on the untouched tree with exit code 4: build\.js:1:1: error: no entry\. This is not counted as an attempt\. Fix it and commit, or change build\.build in convene\.yaml/,
  )
  project.write({ 'build.js': '' })
  project.git('commit', '--quiet', '--all', '--message=repair the build')
  const resumed = await project.convene('resume', parked.report.run)
  expectExit(resumed, 0)
  expect(ofType(await project.events(), 'reply.refused')).toEqual([])
  // It stands on the repair.
  expect(project.read(resumed.report.commit!, 'build.js')).toBe('')

  // A later build notices a new fault before it asks anybody.
  project.write({ 'build.js': broken })
  project.git('commit', '--quiet', '--all', '--message=break the build')
  const before = asked(await project.events()).length
  expectExit(await project.build('--strategy', 'solo'), 2)
  expect(asked(await project.events())).toHaveLength(before)
})

it('[VF4] a repair that is committed while the build is parked after an ask is taken, and nobody is asked again', async () => {
  const project = buildProject({
    spec,
    lines: [alone],
    files: { 'check.sh': "echo 'TypeError: no runner'; exit 3\n" },
    build: { test: 'true | sh check.sh' },
  })
  const parked = await project.build('--strategy', 'solo')
  expectExit(parked, 2)
  expect(parked.report.reason).toContain('fails on the untouched tree with exit code 3: TypeError: no runner')
  expect(asked(await project.events())).toEqual(['implement inc'])
  // What was committed meanwhile repairs nothing: the build is parked again.
  project.git('commit', '--quiet', '--allow-empty', '--message=something else')
  expectExit(await project.convene('resume', parked.report.run), 2)
  // Nor is anything taken from another branch that is checked out.
  project.git('switch', '--quiet', '--create', 'elsewhere')
  project.write({ 'check.sh': 'true\n' })
  project.git('commit', '--quiet', '--all', '--message=work of another kind')
  expectExit(await project.convene('resume', parked.report.run), 2)
  project.git('switch', '--quiet', 'main')
  // The person's own scripts are no change of the work.
  project.write({
    'package.json': '{"name":"project","type":"module","scripts":{"prepare":"true"}}\n',
    'check.sh': `${node} -e "import('./src/inc.js').then(({ inc }) => process.exit(inc(1) - 2))"
`,
  })
  project.git('commit', '--quiet', '--all', '--message=repair the tests')
  const resumed = await project.convene('resume', parked.report.run)
  expectExit(resumed, 0)
  expect(asked(await project.events())).toEqual(['implement inc', 'review-impl inc'])
  expect(project.read(resumed.report.commit!, 'check.sh')).toContain('inc(1) - 2')
  const events = await project.events()
  expect(ofType(events, 'build.moved').at(-1)).toEqual({ base: project.git('rev-parse', 'main') })
  expect(ofType(events, 'evidence.recorded').flatMap(({ sensitive }) => sensitive ?? [])).toEqual([])
  expect(project.git('diff', '--name-only', 'main', resumed.report.commit!).split('\n')).toEqual([
    'src/inc.js',
    'test/inc.test.js',
  ])
})

it('[VF4] [VF8] work that breaks the build is refused, with the words of the build', async () => {
  const check = "import('./src/inc.js').catch((error) => { console.error(String(error)); process.exit(1) })\n"
  const wrong = { ...alone, files: { ...alone.files, 'src/inc.js': "import './gone.js'\n" } }
  const right = { ...alone, when: { ...alone.when, attempt: 2, contains: "Cannot find module '" } }
  const project = buildProject({
    spec,
    lines: [wrong, right],
    files: { ...old, 'build.js': check, 'src/inc.js': 'export {}\n' },
    build: { build: `${node} build.js` },
  })
  expectExit(await project.build('--strategy', 'solo'), 0)
  const [refused] = ofType(await project.events(), 'reply.refused') as { problems: { message: string }[] }[]
  expect(refused!.problems.map(({ message }) => message).join()).toContain('it does not build in a clean checkout')
})

it('[VF9] parks before any ask if the tests fail on the untouched tree and cannot be read', async () => {
  const command = `${node} check.js`
  const project = buildProject({
    spec,
    lines: leaf(spec),
    files: { ...old, 'check.js': "console.log('TypeError: no runner'); process.exit(3)\n" },
    build: { test: command },
  })
  const parked = await project.build('--strategy', 'graph')
  expectExit(parked, 2)
  expect(asked(await project.events())).toEqual([])
  expect(parked.report.reason).toContain('exit code 3: TypeError: no runner. No agent was asked: make the tests pass')
})

const finding = (exitCode: number) =>
  `console.log('No test files found, exiting with code ${exitCode}'); process.exit(${exitCode})\n`

it('[VF9] parks before any ask if the test command finds none of the tests that are there, and builds where there are none', async () => {
  const files = { ...old, 'check.js': finding(1) }
  const project = buildProject({ spec, lines: leaf(spec), files, build: { test: `${node} check.js` } })
  for (const _ of ['first', 'second']) {
    const parked = await project.build('--strategy', 'graph')
    expectExit(parked, 2)
    expect(asked(await project.events())).toEqual([])
    expect(parked.report.reason).toMatch(
      /^build\.test: before any work, `.* check\.js` finds no test and ends with exit code 1: No test files found, exiting with code 1; test\/old\.test\.js has tests\. No agent was asked: write build: \{test: <command>\} into convene\.yaml that runs it/,
    )
  }
  const elsewhere = { 'e2e/old.test.js': old['test/old.test.js'], 'check.js': finding(1) }
  const first = buildProject({ spec, lines: leaf(spec), files: elsewhere, build: { test: `${node} check.js` } })
  await first.build('--strategy', 'graph')
  expect(asked(await first.events())).toContain('write-tests inc')
  expect(ofType(await first.events(), 'reply.refused')).toMatchObject([
    { problems: [{ message: 'no test ran: the test command does not find them in test/inc.test.js' }] },
  ])
})

it.each([
  ['none at all', `${node} check.js`, 'with the new tests: No test files found, exiting with code 0. This'],
  ['only others', `${node} --test unit/one.test.js`, 'with the new tests. This'],
])('[VF2] nobody is blamed if the test command runs no test that was there before: %s', async (_, script, why) => {
  const one = { 'unit/one.test.js': old['test/old.test.js'].replace('old', 'one') }
  const project = buildProject({
    spec,
    lines: leaf(spec),
    files: { ...old, ...one, 'check.sh': `${script}\n`, 'check.js': finding(0) },
    build: { test: 'sh check.sh' },
  })
  const parked = await project.build('--strategy', 'graph')
  expectExit(parked, 2)
  expect(asked(await project.events())).toEqual(['scaffold inc', 'write-tests inc'])
  expect(ofType(await project.events(), 'reply.refused')).toEqual([])
  expect(parked.report.reason).toContain(
    `build.test: \`sh check.sh\` runs no test of test/old.test.js, neither on the untouched tree nor ${why} is not counted`,
  )
  const config = readFileSync(join(project.folder, 'convene.yaml'), 'utf8')
  project.write({ 'convene.yaml': config.replace('sh check.sh', testCommand.replaceAll('"', '\\"')) })
  expectExit(await project.convene('resume', parked.report.run), 0)
  expect(asked(await project.events()).filter((ask) => ask.startsWith('write-tests'))).toHaveLength(1)
})

it('[VF9] tests that wait for the code are no fault of the project', async () => {
  const project = buildProject({
    spec,
    lines: [{ ...alone, files: { 'src/inc.js': code('inc'), 'test/more.test.js': alone.files!['test/inc.test.js']! } }],
    files: { 'test/inc.test.js': testFile('inc', { 'waits for inc': 'assert.equal(inc(1), 2)' }) },
  })
  expectExit(await project.build('--strategy', 'solo'), 0)
})
