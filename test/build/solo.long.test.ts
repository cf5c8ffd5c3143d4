/** One agent for a small spec: interface, tests and code in one go, held to the same evidence as the graph. */
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../support/convene.ts'
import {
  approved,
  asked,
  buildProject,
  code,
  expectExit,
  type Line,
  ofType,
  type Project,
  type SpecFile,
  specOf,
  testCommand,
  testFile,
} from './project.ts'

const spec = specOf('inc')
const slow = 240_000

const checks = { 'inc: inc-1': 'assert.equal(inc(1), 2)' }
const honestFiles = { 'src/inc.js': code('inc'), 'test/inc.test.js': testFile('inc', checks) }
const passed = { TestsPassed: { iterations: 1, passedTests: ['inc: inc-1'] } }
const stub = "export function later() {\n  throw new Error('not implemented')\n}\n"
const implement = (line: Partial<Line> = {}, contains?: string): Line => ({
  when: { ask: 'implement', node: 'inc', ...(contains ? { contains } : {}) },
  files: honestFiles,
  reply: passed,
  ...line,
})

const base = {
  'src/base.js': 'export const base = 1\n',
  'test/base.test.js': `import assert from 'node:assert'
import { test } from 'node:test'
import { base } from '../src/base.js'
test('base is one', () => { assert.equal(base, 1) })
`,
}

async function refused(project: Project) {
  const found = ofType(await project.events(), 'reply.refused')
  return found.map(({ attempt, problems }) => {
    const [first] = problems as { rule: string; message: string }[]
    return `${attempt} [${first!.rule}] ${first!.message.split('\n')[0]}`
  })
}

describe('which way a spec is built', () => {
  it.each<[string, SpecFile, string[], string, string]>([
    ['three criteria', specOf('inc', ['a', 'b', 'c']), ['--strategy', 'auto'], 'solo', '3 criteria'],
    [
      'constraints',
      specOf('inc', ['a'], { complexityConstraints: { time: 'O(1)' } }),
      [],
      'graph',
      '1 criterion with constraints',
    ],
    ['solo asked for', specOf('inc', ['a', 'b', 'c', 'd']), ['--strategy', 'solo'], 'solo', 'as asked'],
  ])('%s', async (_, given, options, strategy, because) => {
    // The script is empty: the first ask that fails shows which way was chosen.
    const project = buildProject({ spec: given, lines: [] })
    const built = await project.build(...options)
    expectExit(built, 2)
    const [started] = ofType(await project.events(), 'build.started')
    expect(started).toMatchObject({ strategy, because })
    expect(built.report.reason).toContain(strategy === 'solo' ? 'ask "implement"' : 'ask "scaffold"')
  })
})

describe('one agent alone', () => {
  it('[VF3] changes an old test that a new criterion contradicts, if it says so, and its reviewer is told', {
    timeout: slow,
  }, async () => {
    const files = {
      ...honestFiles,
      'src/base.js': 'export const base = 2\n',
      'test/base.test.js': base['test/base.test.js'].replace('base, 1', 'base, 2'),
    }
    const outdated = [{ criterionId: 'inc-1', test: 'base is one', reason: 'the criterion makes base two' }]
    const project = buildProject({
      spec,
      lines: [
        implement({ files, reply: passed }),
        implement(
          { files: {}, reply: { TestsPassed: { ...passed.TestsPassed, outdated } } },
          '"outdated": [{"criterionId"',
        ),
        {
          when: { ask: 'review-impl', contains: '- base is one (inc-1): the criterion makes base two' },
          reply: { MoreTests: { critiques: [{ file: 'src/inc.js', line: 1, issue: 'terse', requiredFix: 'say it' }] } },
        },
        // What was said once holds: the reply need not list it again.
        implement({ files: { 'src/inc.js': `// Adds one.\n${code('inc')}` }, reply: passed }, 'terse'),
        {
          when: { ask: 'review-impl', contains: '- base is one (inc-1): the criterion makes base two' },
          reply: approved,
        },
      ],
      files: base,
    })
    const built = await project.build()
    expect(await refused(project)).toEqual([expect.stringContaining('[VF3] the test "base is one" was there before')])
    expectExit(built, 0)
    // What is said to fail is not tried again: two runs refused the first claim, and one was enough for each later tree.
    const commands = ofType(await project.events(), 'command.started')
    expect(commands.filter(({ purpose }) => purpose === 'old-tests')).toHaveLength(3)
  })

  it('[VF2] [VF3] [VF4] [VF5] is asked once, and its claims are held to evidence', { timeout: slow }, async () => {
    const bent = base['test/base.test.js'].replace('base, 1', 'base, 2')
    const vague = base['test/base.test.js'].replace('equal(base, 1)', 'ok(base < 9)')
    const lies: [string, Line['files'], unknown?][] = [
      [
        '[VF2] the tests pass without the code: each passes before anything is implemented',
        { 'src/inc.js': code('inc'), 'test/inc.test.js': emptyTest },
      ],
      [
        '[VF2] another passes without the code: it passes before anything is implemented',
        { ...honestFiles, 'test/inc.test.js': sly },
      ],
      [
        '[VF2] the test "inc: inc-1" is empty',
        { ...honestFiles, 'test/inc.test.js': testFile('inc', { 'inc: inc-1': '' }) },
      ],
      [
        '[VF4] the tests do not pass in a clean checkout (inc: inc-1):',
        { ...honestFiles, 'src/inc.js': code('inc', 'value') },
      ],
      ['[VF5] later is still a stub', { ...honestFiles, 'src/inc.js': code('inc') + stub }],
      [
        '[VF5] no test was written; they go to test/inc.test.js',
        { 'src/inc.js': code('inc'), 'test/inc.test.js': null },
      ],
      [
        '[VF3] the test "base is one" was there before, and its old version fails now',
        { ...honestFiles, 'src/base.js': 'export const base = 2\n', 'test/base.test.js': bent },
      ],
      [
        '[VF3] the test "base is one" was there before and says less now',
        { ...honestFiles, 'src/base.js': 'export const base = 1\n', 'test/base.test.js': vague },
      ],
      [
        '[GR10] there is no commit 0123456',
        honestFiles,
        { TestsPassed: { ...passed.TestsPassed, commitHash: '0123456' } },
      ],
      ['[VF6] the path "../out.js" has a .. segment', { '../out.js': '' }],
    ]
    const wordsOf = ([named]: (typeof lies)[number]) => named.replace(/^\S+ /, '')
    const lines = lies.map(([, files, reply = passed], index) =>
      implement({ files, reply }, index === 0 ? undefined : wordsOf(lies[index - 1]!)),
    )
    const project = buildProject({
      spec,
      lines: [...lines, implement({ files: { ...honestFiles, ...base } }, wordsOf(lies.at(-1)!))],
      files: base,
      build: { caps: { attempts: 12 } },
    })
    const built = await project.build()
    const found = await refused(project)
    expect(found).toEqual(lies.map(([words], index) => expect.stringContaining(`${index + 1} ${words}`)))
    expectExit(built, 0)
    const events = await project.events()
    expect(asked(events).filter((ask) => ask !== 'implement inc')).toEqual(['review-impl inc'])
    const { commit } = built.report
    expect(project.git('diff', '--name-only', 'main', commit!).split('\n')).toEqual(['src/inc.js', 'test/inc.test.js'])
    expect(project.git('rev-list', '--count', `main..${commit}`)).toBe('1')
    expect(project.git('log', '-1', '--format=%(trailers)', commit!)).toMatch(/Convene-Node: inc\nConvene-Spec: inc/)
    const evidence = ofType(events, 'evidence.recorded')
    expect(evidence.filter(({ purpose }) => purpose === 'claim').at(-1)).toMatchObject({ exit_code: 0 })
    expect(evidence.filter(({ purpose }) => purpose === 'red').at(-1)).toMatchObject({ exit_code: 1 })
    expect(ofType(events, 'merge.completed')).toMatchObject([{ node: 'inc', mergeCommit: commit, author: 'inc' }])
  })

  it('[VF4] is caught bending the test command to run nothing', { timeout: slow }, async () => {
    const how = (command: string) => `run() { ${command}; }\n`
    const runs = { 'how.sh': how(`${testCommand} --test-reporter=tap "$@"`) }
    const wrong = { ...honestFiles, 'src/inc.js': code('inc', 'value'), 'how.sh': how('true') }
    const project = buildProject({
      spec,
      files: { 'run.sh': '. ./how.sh\nrun "$@"\n', ...runs },
      lines: [
        implement({ files: wrong }),
        implement({ files: { ...honestFiles, ...runs } }, 'No test of these files ran: test/inc.test.js'),
      ],
      build: { test: 'sh run.sh' },
    })
    expectExit(await project.build(), 0)
    expect(await refused(project)).toEqual([expect.stringContaining('1 [VF4] the tests do not pass')])
  })

  it.each([
    ['allow', 0],
    ['refuse', 1],
  ])('[VF5] asks once about an unsafe import: %s', { timeout: slow }, async (answer, refusals) => {
    const unsafe = { ...honestFiles, 'src/inc.js': `import 'node:child_process'\n${code('inc')}` }
    const lines = [implement({ files: unsafe }), implement({ files: honestFiles }, 'child_process is an unsafe import')]
    const project = buildProject({ spec, lines: lines.slice(0, refusals + 1) })
    const waiting = await project.build()
    expectExit(waiting, 3)
    const [question] = waiting.report.questions!
    expect(question).toMatchObject({
      text: expect.stringContaining('child_process in src/inc.js'),
      choices: ['allow', 'refuse'],
    })
    expectExit(await project.convene('answer', question!.id, answer), 0)
    expectExit(await project.convene('resume', waiting.report.run), 0)
    const asked = ofType(await project.events(), 'ask.started').filter(({ kind }) => kind === 'implement')
    expect(asked).toHaveLength(refusals + 1)
  })

  it('[VF5] may import what build.allowed_imports lists', { timeout: slow }, async () => {
    const files = { ...honestFiles, 'src/inc.js': `import 'node:child_process'\n${code('inc')}` }
    const project = buildProject({ spec, lines: [implement({ files })], build: { allowed_imports: ['child_process'] } })
    expectExit(await project.build(), 0)
    expect(await refused(project)).toEqual([])
  })

  it('[VF3] may add to an existing test file', { timeout: slow }, async () => {
    const both = base['test/base.test.js'].replace(
      "import { base } from '../src/base.js'",
      "import { base } from '../src/base.js'\nimport { inc } from '../src/inc.js'",
    )
    const files = {
      'src/inc.js': code('inc'),
      'test/base.test.js': `${both}test('inc: inc-1', () => { assert.equal(inc(1), 2) })\n`,
    }
    const project = buildProject({
      spec: { ...spec, testPath: 'test' },
      files: base,
      lines: [implement({ files })],
    })
    const built = await project.build()
    expectExit(built, 0)
    expect(await refused(project)).toEqual([])
  })

  it('[VF4] is not blamed for an old test that fails without its work too', { timeout: slow }, async () => {
    const count = join(temporaryFolder(), 'runs')
    const unreliable = `
import { appendFileSync, readFileSync } from 'node:fs'
test('works twice', () => {
  appendFileSync(${JSON.stringify(count)}, 'x')
  assert.ok(readFileSync(${JSON.stringify(count)}).length <= 2)
})
`
    const was = base['test/base.test.js'] + unreliable
    const both = was.replace("../src/base.js'", "../src/base.js'\nimport { inc } from '../src/inc.js'")
    const files = {
      'src/inc.js': code('inc'),
      'test/base.test.js': `${both}test('inc: inc-1', () => { assert.equal(inc(1), 2) })\n`,
    }
    const project = buildProject({
      spec: { ...spec, testPath: 'test' },
      files: { ...base, 'test/base.test.js': was },
      lines: [implement({ files })],
      build: { sandbox: 'off' },
    })
    expectExit(await project.build(), 0)
    expect(await refused(project)).toEqual([])
    expect(ofType(await project.events(), 'warning.given')).toContainEqual({
      text: expect.stringMatching(/^unreliable test: .*"works twice"/),
    })
  })

  it('[VF2] is not refused for tests that need what the build command makes', { timeout: slow }, async () => {
    const kept = specOf('inc', ['inc-1', 'old'])
    kept.acceptanceCriteria = kept.acceptanceCriteria.map((one) => (one.id === 'old' ? { ...one, kind: 'keep' } : one))
    const tests = `import assert from 'node:assert'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
const made = () => readFileSync(new URL('../dist/all.js', import.meta.url), 'utf8')
test('inc-1: adds one', () => assert.match(made(), /function inc/))
test('old: stays one', () => assert.match(made(), /base = 1/))
`
    const project = buildProject({
      spec: kept,
      lines: [implement({ files: { 'src/inc.js': code('inc'), 'test/inc.test.js': tests } })],
      files: { ...base, '.gitignore': 'dist/\n.convene/\n' },
      build: { build: 'mkdir -p dist && cat src/*.js > dist/all.js', test: testCommand },
    })
    expectExit(await project.build('--strategy', 'solo'), 0)
    expect(await refused(project)).toEqual([])
  })

  it('[VF5] writes no test of what the spec says holds already, where tests were there', {
    timeout: slow,
  }, async () => {
    const kept = specOf('inc', ['inc-1', 'stays'])
    kept.acceptanceCriteria = kept.acceptanceCriteria.map((one) =>
      one.id === 'stays' ? { ...one, kind: 'keep' } : one,
    )
    const project = buildProject({ spec: kept, files: base, lines: [implement({ files: honestFiles })] })
    expectExit(await project.build('--strategy', 'solo'), 0)
    expect(await refused(project)).toEqual([])
  })

  it('[MG2] may not remove an existing test', { timeout: slow }, async () => {
    const files = { ...honestFiles, 'test/base.test.js': null }
    const rejected = { MergeRejected: { reason: 'IntegrationFailure', details: 'a test is gone', failingTests: [] } }
    const project = buildProject({
      spec,
      files: base,
      lines: [
        implement({ files }),
        { when: { ask: 'merge', node: 'inc', contains: 'base is one' }, reply: rejected },
        implement({ files: { 'test/base.test.js': base['test/base.test.js'] } }, 'a test is gone'),
      ],
    })
    const built = await project.build()
    expectExit(built, 0)
    expect(project.read(built.report.commit!, 'test/base.test.js')).toContain('base is one')
  })
})

const emptyTest =
  "import assert from 'node:assert'\nimport { test } from 'node:test'\ntest('empty', () => { assert.equal(Math.max(1), 1) })\n"
const sly = `import assert from 'node:assert'
import { test } from 'node:test'
test('inc: inc-1', async () => { assert.equal((await import('../src/inc.js')).inc(1), 2) })
test('another', () => { assert.equal(Math.max(1), 1) })
`

describe('one agent alone that cannot finish', () => {
  it('[GR4] RequestRetry keeps its files and says why; five of them are Stuck', { timeout: slow }, async () => {
    const retry = {
      RequestRetry: { diagnosis: 'off by one', strategyFrom: 'guess', strategyTo: 'think', failingTests: [] },
    }
    const project = buildProject({
      spec,
      lines: [
        implement({ files: { 'src/step.js': 'export const step = 1\n' }, reply: retry }),
        implement(
          {
            files: { ...honestFiles, 'src/inc.js': `import { step } from './step.js'\n${code('inc', 'value + step')}` },
          },
          'off by one',
        ),
      ],
    })
    const built = await project.build()
    expectExit(built, 0)
    expect(project.read(built.report.commit!, 'src/step.js')).toContain('step = 1')

    const again = buildProject({ spec, lines: [{ ...implement({ files: {}, reply: retry }), repeat: true }] })
    const stuck = await again.build()
    expectExit(stuck, 3)
    expect(stuck.report.questions![0]!.text).toContain('cap: attempts')
    expect(asked(await again.events())).toHaveLength(5)
  })

  it('Stuck and SpecAmbiguity go to a person, whose answer goes to the agent', { timeout: slow }, async () => {
    const stuck = { Stuck: { diagnosis: 'no idea', recommendation: 'ask', attempts: 1 } }
    const ambiguous = {
      SpecAmbiguity: { specSentence: 'inc-1 holds', contradictionTrace: 'two readings', question: 'Which one?' },
    }
    const project = buildProject({
      spec,
      lines: [
        implement({ files: {}, reply: stuck }),
        implement({ files: {}, reply: ambiguous }, 'Look at the other one.'),
        implement({}, 'The first.'),
      ],
    })
    const first = await project.build()
    expectExit(first, 3)
    expect(first.report.questions).toMatchObject([
      { text: expect.stringContaining('no idea'), choices: ['retry', 'give up'] },
    ])
    await project.convene('answer', first.report.questions![0]!.id, 'Look at the other one.')
    const second = await project.convene('resume', first.report.run)
    expectExit(second, 3)
    expect(second.report.questions).toMatchObject([{ text: 'inc: Which one?' }])
    await project.convene('answer', second.report.questions![0]!.id, 'The first.')
    const third = await project.convene('resume', first.report.run)
    expectExit(third, 0)
    expect(third.report).toMatchObject({ status: 'done', commit: project.git('rev-parse', 'convene/inc/main') })
  })

  it('fails with the reason when a person gives up', { timeout: slow }, async () => {
    const stuck = { Stuck: { diagnosis: 'no idea', recommendation: 'ask', attempts: 1 } }
    const project = buildProject({ spec, lines: [implement({ files: {}, reply: stuck })] })
    const built = await project.build()
    await project.convene('answer', built.report.questions![0]!.id, 'give up')
    const ended = await project.convene('resume', built.report.run)
    expectExit(ended, 1)
    expect(ended.report).toMatchObject({ status: 'failed', reason: 'given up: Stuck: no idea', commit: null })
    expect(project.git('for-each-ref', '--format=%(refname)')).toBe('refs/heads/main')
  })

  it('[GR4] the third refused merge goes to a person', { timeout: slow }, async () => {
    // A test that is no longer run does not turn red: the claim holds, and only the merge detects it.
    const vanishing = base['test/base.test.js'].replace("test('base is one'", "if (base === 1) test('base is one'")
    const neverGreen = `${vanishing}test('never green', () => { assert.equal(base, 0) })\n`
    const files = { ...honestFiles, 'src/base.js': 'export const base = 2\n' }
    const rejected = { MergeRejected: { reason: 'IntegrationFailure', details: 'base changed', failingTests: [] } }
    const project = buildProject({
      spec,
      files: { ...base, 'test/base.test.js': neverGreen },
      lines: [
        { ...implement({ files }), repeat: true },
        { when: { ask: 'merge' }, reply: rejected, repeat: true },
      ],
    })
    const built = await project.build()
    expectExit(built, 3)
    expect(built.report.questions![0]!.text).toContain('cap: merges')
  })
})
