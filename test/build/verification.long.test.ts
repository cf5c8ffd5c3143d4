/**
 * What claims, approvals and test authors are held to beyond their own words: each lie is refused once, by its rule.
 */
import { describe, expect, it } from 'vitest'
import {
  approved,
  asked,
  buildProject,
  code,
  expectExit,
  honest,
  type Line,
  ofType,
  type Project,
  type SpecFile,
  specOf,
  stub,
  testCommand,
  testFile,
  told,
} from './project.ts'

const slow = 240_000
const spec = specOf('inc', ['AC1', 'AC2'])
const good = honest(spec)
const passed = { TestsPassed: { iterations: 1, passedTests: [] } }

const base = {
  'src/base.js': 'export const base = 1\n',
  'test/base.test.js': `import assert from 'node:assert'
import { test } from 'node:test'
import { base } from '../src/base.js'
test('base is one', () => { assert.equal(base, 1) })
`,
}

async function refusals(project: Project): Promise<string[]> {
  return ofType(await project.events(), 'reply.refused').map(({ kind, attempt, problems }) => {
    const [first] = problems as { rule: string; message: string; path?: string }[]
    const { rule, message, path } = first!
    const where = rule === 'VF3' && path !== undefined ? `${path}: ` : ''
    return `${kind} ${attempt} [${rule}] ${where}${message.split('\n')[0]}`
  })
}

/** Lies one after the other, then the truth. */
async function afterLies(
  lies: [says: string, line: Partial<Line>][],
  truth: Line,
  project: { spec?: SpecFile; strategy: string; before?: Line[]; after?: Line[]; more?: object },
) {
  const lines = [...lies.map(([, lie]): Line => ({ ...truth, ...lie })), truth]
  const built = buildProject({
    spec: project.spec ?? spec,
    lines: [...(project.before ?? []), ...lines, ...(project.after ?? [])],
    build: { caps: { attempts: 10 } },
    ...project.more,
  })
  const ended = await built.build('--strategy', project.strategy)
  const { ask } = truth.when
  expect(await refusals(built)).toEqual(lies.map(([says], index) => `${ask} ${index + 1} ${says}`))
  expectExit(ended, 0)
  return { built, ended }
}

describe('one agent alone', () => {
  const tests = (checks: Record<string, string>) => ({
    'src/inc.js': code('inc'),
    'test/inc.test.js': testFile('inc', checks),
  })
  const both = { 'AC1 adds': 'assert.equal(inc(1), 2)', 'AC2 adds again': 'assert.equal(inc(2), 3)' }
  const truth: Line = { when: { ask: 'implement', node: 'inc' }, files: tests(both), reply: passed }

  it('[VF2] [VF5] needs a test with an assertion for every criterion, and has to write the files it was asked for', {
    timeout: slow,
  }, async () => {
    const elsewhere = {
      'src/inc.js': null,
      'src/other.js': code('inc'),
      'test/inc.test.js': tests(both)['test/inc.test.js'].replace('src/inc.js', 'src/other.js'),
    }
    await afterLies(
      [
        ['[VF5] no test that ran and passed covers AC2', { files: tests({ 'AC1 adds': both['AC1 adds'] }) }],
        [
          '[VF5] no test that ran and passed covers AC1',
          { files: tests({ 'AC10 adds': both['AC1 adds'], 'AC2 adds again': both['AC2 adds again'] }) },
        ],
        ['[VF2] the test "AC1 adds" checks nothing', { files: tests({ ...both, 'AC1 adds': 'inc(1)' }) }],
        [
          '[VF2] the test "AC2 adds again" checks nothing',
          { files: tests({ ...both, 'AC2 adds again': 'assert(true)' }) },
        ],
        ['[VF5] the file to be written does not exist', { files: elsewhere }],
      ],
      truth,
      { strategy: 'solo' },
    )
  })

  it('[VF5] causes a warning if no test names its criterion', { timeout: slow }, async () => {
    const { built } = await afterLies(
      [['[VF5] the file to be written does not exist', { files: { 'test/inc.test.js': testFile('inc', both) } }]],
      { ...truth, files: tests({ adds: both['AC1 adds'] }) },
      { strategy: 'solo' },
    )
    const warnings = ofType(await built.events(), 'warning.given').map(({ text }) => text)
    expect(warnings).toContain('no test of inc names its criterion: 1 test is taken for 2 criteria')
  })

  it('[VF3] [VF4] [VF5] may not break tests, bend the test command or run text as code', {
    timeout: slow,
  }, async () => {
    const scripts = (test: string) => JSON.stringify({ type: 'module', scripts: { test } })
    await afterLies(
      [
        [
          '[VF4] the test "base is one" passed before this work and fails now',
          { files: { ...tests(both), 'src/base.js': 'export const base = 2\n' } },
        ],
        [
          '[VF3] package.json: the test command depends on it, so agents may not edit it',
          { files: { ...tests(both), 'package.json': scripts('true') } },
        ],
        [
          '[VF5] eval runs text as code, which is unsafe',
          { files: { ...tests(both), 'src/inc.js': `${code('inc')}eval('1')\n` } },
        ],
      ],
      { ...truth, files: { ...truth.files, 'src/base.js': base['src/base.js'] } },
      {
        strategy: 'solo',
        more: {
          files: { ...base, 'package.json': scripts(testCommand) },
          build: { test: 'npm test --silent', caps: { attempts: 10 } },
        },
      },
    )
  })
})

describe('an implementer', () => {
  it('[VF4] may not break a passing test; a failing one may stay so', { timeout: slow }, async () => {
    const old = base['test/base.test.js'].replace('base is one', 'base was never two').replace('base, 1', 'base, 2')
    const breaks = { ...good.code.files, 'src/base.js': 'export const base = 2\n' }
    await afterLies(
      [['[VF4] the test "base is one" passed before this work and fails now', { files: breaks }]],
      { ...good.code, files: { ...good.code.files, 'src/base.js': base['src/base.js'] } },
      {
        strategy: 'graph',
        before: [good.scaffold, good.tests],
        after: [good.review],
        more: { files: { ...base, 'test/old.test.js': old } },
      },
    )
  })

  it('[VF3] may not change what the test command runs', { timeout: slow }, async () => {
    const scripts = (test: string) => JSON.stringify({ type: 'module', scripts: { test } })
    const ok = ['inc: AC1', 'inc: AC2', 'inc contract'].map((name, index) => `ok ${index + 1} - ${name}`)
    const tap = ['TAP version 13', ...ok, '1..3'].map((line) => `echo '${line}'`).join('; ')
    const wrong = { 'src/inc.js': code('inc', '0') }
    const says = (path: string) => `[VF3] ${path}: the test command depends on it, so agents may not edit it`
    await afterLies(
      [
        [says('package.json'), { files: { ...wrong, 'package.json': scripts(tap) } }],
        [says('run.sh'), { files: { ...wrong, 'run.sh': tap } }],
      ],
      good.code,
      {
        strategy: 'graph',
        before: [good.scaffold, good.tests],
        after: [good.review],
        more: {
          files: { 'package.json': scripts('sh run.sh'), 'run.sh': `${testCommand} --test-reporter=tap "$@"\n` },
          build: { test: 'npm test --silent', caps: { attempts: 10 } },
        },
      },
    )
  })
})

describe('a test author', () => {
  it('[VF3] may change neither contract nor code, and may write test helpers', { timeout: slow }, async () => {
    const { files } = good.tests
    const helped = files['test/inc.test.js']!.replace("'node:test'\n", "'node:test'\nimport './support/all.js'\n")
    const truth = { ...good.tests, files: { 'test/inc.test.js': helped, 'test/support/all.js': 'export {}\n' } }
    await afterLies(
      [
        [
          '[VF3] contract/inc.test.js: a contract, which a test author may not change',
          { files: { ...files, 'contract/inc.test.js': '//\n' } },
        ],
        [
          '[VF3] src/base.js: not a test, and test authors may only write tests',
          { files: { ...files, 'src/base.js': 'export const base = 1\nexport const more = 1\n' } },
        ],
        [
          '[VF3] src/inc.js: not a test, and test authors may only write tests',
          { files: { ...files, 'src/inc.js': `${stub('inc')}// for later\n` } },
        ],
      ],
      truth,
      { strategy: 'graph', before: [good.scaffold], after: [good.code, good.review], more: { files: base } },
    )
  })
})

describe('a test of the same title in another file', () => {
  it('[VF4] proves nothing: the work is judged by its own files', { timeout: slow }, async () => {
    const spec = specOf('inc')
    const { scaffold, tests, code: right, review } = honest(spec)
    const again = { ...right, when: { ...right.when, contains: 'the tests do not pass' } }
    const project = buildProject({
      spec,
      files: { 'test/old.test.js': "import { test } from 'node:test'\ntest('inc: inc-1', () => {})\n" },
      build: { test: `${testCommand} test/old.test.js` },
      lines: [scaffold, tests, { ...right, files: { 'src/inc.js': code('inc', 'value') } }, again, review],
    })
    const built = await project.build('--strategy', 'graph')
    expectExit(built, 0)
    expect(project.read(built.report.branch, 'src/inc.js')).toContain('value + 1')
  })
})

describe('an approval', () => {
  it('[VF5] that names criteria without tests counts as MoreTests', { timeout: slow }, async () => {
    const doubts = {
      Approved: { ...approved.Approved, coverageReport: { criteriaWithTests: [], criteriaMissing: ['AC1'] } },
    }
    const again = { ...good.tests, files: {}, when: { ...good.tests.when, contains: 'names AC1 as untested' } }
    const project = buildProject({
      spec,
      lines: [
        good.scaffold,
        good.tests,
        good.code,
        { ...good.review, reply: doubts },
        again,
        { ...good.code, files: {} },
        good.review,
      ],
    })
    expectExit(await project.build('--strategy', 'graph'), 0)
    expect(await refusals(project)).toEqual(['review-impl 1 [VF5] the approval itself names AC1 as untested'])
    const [, second] = await told(project, 'review-impl')
    expect(second!.last).toContain('Your approval did not count, and this was asked for:')
  })

  it.each([['new Function runs text as code, which is unsafe', "const one = new Function('return 1')\none()\n"]])(
    '[VF5] does not hold: %s',
    { timeout: slow },
    async (says, head) => {
      const project = buildProject({
        spec,
        lines: [
          good.scaffold,
          good.tests,
          { ...good.code, files: { 'src/inc.js': head + code('inc') } },
          good.review,
          { ...good.tests, files: {}, when: { ...good.tests.when, contains: says } },
          good.code,
          good.review,
        ],
      })
      expectExit(await project.build('--strategy', 'graph'), 0)
      expect(await refusals(project)).toEqual([expect.stringContaining(`review-impl 1 [VF5] ${says}`)])
    },
  )
})

describe('criteria that a parent takes over', () => {
  it('[GR6] [VF5] are tested before they are implemented', { timeout: slow }, async () => {
    const part = specOf('part', ['P'])
    const whole = specOf('whole', ['W', 'P'])
    const top = honest(whole)
    const plan = top.scaffold.reply.InitWork.testPlan.filter(({ criterionId }) => criterionId === 'W')
    const wrote = (checks: Record<string, string>) => ({ 'test/whole.test.js': testFile('whole', checks) })
    const own = { 'whole: W': 'assert.equal(whole(1), 2)' }
    const stuck = { Stuck: { diagnosis: 'no idea', recommendation: 'ask', attempts: 1 } }
    const project = buildProject({
      spec: whole,
      lines: [
        {
          ...top.scaffold,
          reply: { InitWork: { ...top.scaffold.reply.InitWork, testPlan: plan, childSpecs: [part] } },
        },
        { ...top.tests, files: wrote(own) },
        honest(part).scaffold,
        honest(part).tests,
        { ...honest(part).code, files: {}, reply: stuck },
        { when: { ask: 'child-failed', node: 'whole' }, reply: { TakeOver: {} } },
        {
          ...top.tests,
          when: { ...top.tests.when, contains: '`P holds`' },
          files: wrote({ ...own, 'P holds': 'assert.equal(whole(5), 6)' }),
        },
        { ...top.code, files: { 'src/whole.js': code('whole', 'value < 5 ? value + 1 : 0') } },
        { ...top.code, when: { ...top.code.when, attempt: 2, contains: 'P holds' } },
        top.review,
      ],
    })
    const built = await project.build('--strategy', 'graph')
    expectExit(built, 0)
    const events = await project.events()
    expect(asked(events).slice(-4)).toEqual([
      'write-tests whole',
      'implement whole',
      'implement whole',
      'review-impl whole',
    ])
    expect(await refusals(project)).toEqual([expect.stringContaining('implement 1 [VF4] the tests do not pass')])
    expect(project.read(built.report.commit!, 'test/whole.test.js')).toContain('P holds')
  })
})
