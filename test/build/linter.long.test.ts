/** A linter in front of the tests: its own words reach the agent, and one that fails anyway excuses only what it said before. VF4, VF8. */
import { expect, it } from 'vitest'
import {
  approved,
  buildProject,
  expectExit,
  honest,
  type Line,
  ofType,
  type SpecFile,
  specOf,
  testCommand,
  testFile,
} from './project.ts'

const spec = specOf('inc')
const linter = `status=0
for file in src/*.js test/*.js; do
  grep -q 'var ' $file && { echo "$file:1:1: Unexpected var (no-var)"; status=1; }
  grep -q 'later' $file && { echo "$file:1:1: Unexpected note (no-notes)"; status=1; }
done
exit $status
`
const written = (body: string): Line => ({
  when: { ask: 'implement', node: 'inc' },
  files: {
    'src/inc.js': `export function inc(value) {\n${body}}\n`,
    'test/inc.test.js': testFile('inc', { 'inc: inc-1': 'assert.equal(inc(1), 2)' }),
  },
  reply: { TestsPassed: {} },
})
const inPackage = (folder: string, line: Line): Line => ({
  ...line,
  files: Object.fromEntries(Object.entries(line.files ?? {}).map(([path, text]) => [`${folder}/${path}`, text])),
})
const wrongIn = (folder: string) => inPackage(folder, written('  var next = value + 1\n  return next\n'))
const rightIn = (folder: string) => again(inPackage(folder, written('  return value + 1\n')), 'Unexpected var (no-var)')
const again = (line: Line, contains: string): Line => ({ ...line, when: { ...line.when, attempt: 2, contains } })
const wrong = written('  var next = value + 1\n  return next // later\n')

interface Linted {
  old?: string
  tsd?: string
  eslint?: string
  files?: Record<string, string>
  spec?: SpecFile
  build?: Record<string, unknown>
}

const project = (
  lines: Line[],
  { old = 'export const old = 1\n', tsd = 'exit 0\n', eslint = linter, files = {}, build, ...more }: Linted = {},
) =>
  buildProject({
    spec,
    ...more,
    lines,
    files: {
      'bin/eslint': eslint,
      'bin/tsd': tsd,
      'src/old.js': old,
      'test/old.test.js': `import { test } from 'node:test'\n${Array.from({ length: 80 }, (_, n) => `test('old ${n}', () => {})\n`).join('')}`,
      ...files,
    },
    build: build ?? { test: `sh bin/eslint && ${testCommand}` },
  })

it("[VF8] the linter's words reach the log, the terminal and the agent, although many tests run behind it", async () => {
  const right = again(written('  return value + 1\n'), 'src/inc.js:1:1: Unexpected var (no-var)')
  const built = project([wrong, right])
  const ended = await built.build('--strategy', 'solo')
  expectExit(ended, 0)
  const [refused] = ofType(await built.events(), 'reply.refused') as { problems: { message: string }[] }[]
  expect(refused!.problems[0]!.message).toMatch(
    /^a check of the test command fails[\s\S]*In it, `sh bin\/eslint` fails with exit code 1\.[\s\S]*Unexpected var \(no-var\)/,
  )
  expect(ended.stderr).toMatch(
    /implement, attempt 1, refused: a check .*: src\/inc\.js:1:1: Unexpected var \(no-var\)$/m,
  )
})

it('[VF4] a linter that fails before the work excuses what it said before, and nothing else', async () => {
  const noted = again(written('  return value + 1 // later\n'), 'New complaints (it also fails without this work):')
  const right = { ...written('  return value + 1\n'), when: { ask: 'implement', node: 'inc', attempt: 3 } }
  const told = 'This fails before any work'
  const review = { when: { ask: 'review-impl', contains: told }, reply: approved }
  const untold = { when: { ask: 'review-impl' }, reply: { Reject: { reason: 'not told', missingCriteria: ['inc-1'] } } }
  const built = project([{ ...wrong, when: { ...wrong.when, contains: told } }, noted, right, review, untold], {
    old: 'export const old = 1 // later\n',
  })
  expectExit(await built.build('--strategy', 'solo'), 0)
  const refused = ofType(await built.events(), 'reply.refused') as { problems: { message: string }[] }[]
  expect(refused.map(({ problems }) => problems[0]!.message)).toEqual([
    expect.stringContaining('src/inc.js:1:1: Unexpected var (no-var)'),
    expect.stringContaining('src/inc.js:1:1: Unexpected note (no-notes)'),
  ])
  expect(refused[1]!.problems[0]!.message).not.toContain('src/old.js')
  const warnings = ofType(await built.events(), 'warning.given').map(({ text }) => String(text))
  expect(warnings).toContainEqual(
    expect.stringMatching(
      /`sh bin\/eslint` fails on the untouched tree .*: src\/old\.js:1:1: Unexpected note \(no-notes\)/,
    ),
  )
  expect(warnings.join()).not.toContain('No agent can repair')
})

it('[VF4] [VF9] every part that fails before the work is named, and another one that fails because of it is refused', async () => {
  const tsd = "grep -q 'unknown' src/*.js && { echo 'src/types.js:1:1: no type'; exit 1; }\nexit 0\n"
  const untyped = written('  return value + 1 // unknown\n')
  const right = again(written('  return value + 1\n'), 'In it, `sh bin/tsd` fails with exit code 1.')
  const chain = { build: { test: `sh bin/eslint && ${testCommand} && sh bin/tsd` }, tsd }
  const one = project([untyped, right], { old: 'export const old = 1 // later\n', ...chain })
  expectExit(await one.build('--strategy', 'solo'), 0)
  expect(ofType(await one.events(), 'reply.refused')).toHaveLength(1)
  const both = project([written('  return value + 1\n')], { old: 'export const old = 1 // later unknown\n', ...chain })
  expectExit(await both.build('--strategy', 'solo'), 0)
  expect(ofType(await both.events(), 'warning.given')).toContainEqual({
    text: expect.stringMatching(/`sh bin\/eslint` fails on the untouched tree.*; so does `sh bin\/tsd`: src\/types/),
  })
})

it('[VF2] [VF9] a test author answers for new complaints about the tests, also where the linter fails already', async () => {
  const { scaffold, tests, code, review } = honest(spec)
  const files = (body: string) => ({ 'test/inc.test.js': testFile('inc', { 'inc: inc-1': body }) })
  const careless = { ...tests, files: files('var next = inc(1); assert.equal(next, 2)') }
  const complaint = '`sh bin/eslint` complains about the tests: test/inc.test.js:1:1: Unexpected var (no-var)'
  const careful = { ...tests, ...again({ ...tests, files: files('assert.equal(inc(1), 2)') }, complaint) }
  const built = project([scaffold, careless, careful, code, review], { old: 'export var old = 1\n' })
  expectExit(await built.build('--strategy', 'graph'), 0)
  expect(ofType(await built.events(), 'reply.refused')).toMatchObject([{ kind: 'write-tests' }])
})

it('[VF2] [VF9] a test author answers for a second linter too', async () => {
  const { scaffold, tests, code, review } = honest(spec)
  const tsd =
    "grep -q 'loose' test/inc.test.js 2>/dev/null && { echo 'test/inc.test.js:1:1: loose type'; exit 1; }\nexit 0\n"
  const files = (body: string) => ({ 'test/inc.test.js': testFile('inc', { 'inc: inc-1': body }) })
  const careless = { ...tests, files: files('assert.equal(inc(1), 2) // loose') }
  const careful = {
    ...tests,
    ...again({ ...tests, files: files('assert.equal(inc(1), 2)') }, '`sh bin/tsd` complains about the tests'),
  }
  const built = project([scaffold, careless, careful, code, review], {
    old: 'export var old = 1\n',
    tsd,
    build: { test: `sh bin/eslint && sh bin/tsd && ${testCommand}` },
  })
  expectExit(await built.build('--strategy', 'graph'), 0)
  expect(ofType(await built.events(), 'reply.refused')).toMatchObject([{ kind: 'write-tests' }])
})

it('[VF4] [VF8] names files from the project, whatever worktree they were in, and every linter that complains', async () => {
  const whole = `status=0
for file in src/*.js; do
  found=$(grep -n 'var ' $file) && { echo "$PWD/$file"; echo "  1:1  error  Unexpected var  no-var"; status=1; }
done
exit $status
`
  const tsd = "grep -q 'unknown' src/inc.js 2>/dev/null && { echo 'src/inc.js:1:1: no type'; exit 1; }\nexit 0\n"
  const both = written('  var next = value + 1\n  return next // unknown\n')
  const right = again(written('  return value + 1\n'), 'src/inc.js:1 Unexpected var (no-var)')
  const built = project([both, right], {
    old: 'export var old = 1\n',
    tsd,
    eslint: whole,
    build: { test: `sh bin/eslint && sh bin/tsd && ${testCommand}` },
  })
  expectExit(await built.build('--strategy', 'solo'), 0)
  const [refused, ...more] = ofType(await built.events(), 'reply.refused') as { problems: { message: string }[] }[]
  expect(more).toEqual([])
  const { message } = refused!.problems[0]!
  expect(message).toContain('src/inc.js:1 Unexpected var (no-var)')
  expect(message).toContain('In it, `sh bin/tsd` fails with exit code 1.')
  expect(message).not.toMatch(/src\/old\.js|\/src\/inc\.js/)
})

it('[VF4] one package of a workspace excuses nothing in another', async () => {
  const checked = (name: string) =>
    JSON.stringify({ name, version: '1.0.0', scripts: { test: `sh bin/eslint && ${testCommand}` } })
  const one = project([wrongIn('packages/b'), rightIn('packages/b')], {
    files: {
      'package.json': JSON.stringify({ private: true, workspaces: ['packages/*'] }),
      ...Object.fromEntries(
        ['a', 'b'].flatMap((name) => [
          [`packages/${name}/package.json`, checked(name)],
          [`packages/${name}/bin/eslint`, linter],
          [`packages/${name}/src/old.js`, name === 'a' ? 'export var old = 1\n' : 'export const old = 1\n'],
          [`packages/${name}/test/old.test.js`, "import { test } from 'node:test'\ntest('old', () => {})\n"],
        ]),
      ),
    },
    spec: { ...spec, targetPath: 'packages/b/src/inc.js', testPath: 'packages/b/test/inc.test.js' },
    build: { test: 'npm test --workspaces' },
  })
  expectExit(await one.build('--strategy', 'solo'), 0)
  const refused = ofType(await one.events(), 'reply.refused') as { problems: { message: string }[] }[]
  expect(refused.map(({ problems }) => problems[0]!.message)).toEqual([
    expect.stringMatching(
      /In it, `sh bin\/eslint` in packages\/b fails[\s\S]*src\/inc\.js:1:1: Unexpected var \(no-var\)/,
    ),
  ])
})
