/** A linter in front of the tests: its own words reach the agent, and one that fails anyway excuses only what it said before. VF4, VF8. */
import { expect, it } from 'vitest'
import { buildProject, expectExit, type Line, ofType, specOf, testCommand, testFile } from './project.ts'

const spec = specOf('inc')
const linter = `status=0
for file in src/*.js; do
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
const again = (line: Line, contains: string): Line => ({ ...line, when: { ...line.when, attempt: 2, contains } })
const wrong = written('  var next = value + 1\n  return next // later\n')

const project = (lines: Line[], old = 'export const old = 1\n') =>
  buildProject({
    spec,
    lines,
    files: {
      'bin/eslint': linter,
      'src/old.js': old,
      'test/old.test.js': `import { test } from 'node:test'\n${Array.from({ length: 80 }, (_, n) => `test('old ${n}', () => {})\n`).join('')}`,
    },
    build: { test: `sh bin/eslint && ${testCommand}` },
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
  const right = again(written('  return value + 1 // later\n'), 'It fails without this work too, but not for this:')
  const built = project([wrong, right], 'export const old = 1 // later\n')
  expectExit(await built.build('--strategy', 'solo'), 0)
  const refused = ofType(await built.events(), 'reply.refused') as { problems: { message: string }[] }[]
  expect(refused).toHaveLength(1)
  expect(refused[0]!.problems[0]!.message).toContain('Unexpected var')
  expect(refused[0]!.problems[0]!.message).not.toContain('Unexpected note')
  expect(ofType(await built.events(), 'warning.given')).toContainEqual({
    text: expect.stringMatching(
      /`sh bin\/eslint` fails on the untouched tree .*: src\/old\.js:1:1: Unexpected note \(no-notes\)/,
    ),
  })
})
