/** Agents that make false claims: each lie is caught, named by its rule, and sent back with the reason. */
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ChatCompletionRequest, LLMock } from '@copilotkit/aimock'
import { describe, expect, it, onTestFinished } from 'vitest'
import {
  asked,
  buildProject,
  code,
  expectExit,
  honest,
  type Line,
  leaf,
  ofType,
  type Project,
  specOf,
  stub,
  testCommand,
  testFile,
} from './project.ts'

const spec = specOf('inc', ['one', 'two'])
const good = honest(spec)
const nowhere = '0123456789012345678901234567890123456789'
const slow = 900_000

const baseFiles = {
  'src/base.js': 'export const base = 1\n',
  'test/base.test.js': `import assert from 'node:assert'
import { test } from 'node:test'
import { base } from '../src/base.js'
test('base is one', () => { assert.equal(base, 1) })
`,
}

/** A lie, and the rule and words that name it: the next ask must contain them. */
interface Lie {
  files?: Line['files']
  reply?: unknown
  fail?: string
  text?: string
  rule: string
  says: string
}

/** Lies one after the other, then the honest line; each adds a file of its own, which stays until that line removes it. */
function afterLies(lies: Lie[], truth: Line): Line[] {
  const removed = Object.fromEntries(lies.map((_, index) => [`left/over-${index}.txt`, null]))
  return [...lies, undefined].map((lie, index) => {
    const told = lies[index - 1]
    const when = { ...truth.when, attempt: index + 1, ...(told ? { contains: told.says } : {}) }
    if (!lie) return { ...truth, when, files: { ...truth.files, ...removed } }
    const { rule: _rule, says: _says, files, ...rest } = lie
    const said = rest.fail || rest.text ? rest : { reply: truth.reply, ...rest }
    return { ...said, when, files: { [`left/over-${index}.txt`]: 'a lie\n', ...files } }
  })
}

async function refusals(project: Project) {
  return ofType(await project.events(), 'reply.refused').map(({ kind, attempt, problems }) => ({
    kind,
    attempt,
    problems: problems as { rule: string; message: string; path?: string }[],
  }))
}

/** Each lie was refused once, in order, under its rule. */
function expectCaught(found: Awaited<ReturnType<typeof refusals>>, kind: string, lies: Lie[]): void {
  const ofKind = found.filter((one) => one.kind === kind)
  const told = ofKind.map(({ attempt, problems }) => `${attempt} ${problems.map(inWords).join('\n')}`)
  expect(told).toEqual(
    lies.map(({ rule, says }, index) =>
      expect.stringMatching(`^${index + 1} \\[${rule}\\](.|\n)*${RegExp.escape(says)}`),
    ),
  )
}

const inWords = ({ rule, message, path }: { rule: string; message: string; path?: string }) =>
  `[${rule}] ${path ? `${path}: ` : ''}${message}`

const init = good.scaffold.reply.InitWork
const wrote = good.tests.reply.TestsReady
const tests = (more: Record<string, string>) => ({
  'test/inc.test.js': testFile('inc', {
    'inc: one': 'assert.equal(inc(1), 2)',
    'inc: two': 'assert.equal(inc(1), 2)',
    ...more,
  }),
})

describe('scaffolds, tests and code that lie', () => {
  it('[VF1] [VF2] [VF3] [VF4] [VF6] [GR10] are each caught, named and sent back with their files', {
    timeout: slow,
  }, async () => {
    const part = (id: string) => ({ ...specOf(id, ['one']), targetPath: `src/${id}.js` })
    const ground = good.scaffold.files
    const scaffolds: Lie[] = [
      {
        files: ground,
        reply: { InitWork: { ...init, interfaceFile: 'src/missing.js' } },
        rule: 'VF1',
        says: 'src/missing.js is declared but does not exist',
      },
      {
        files: ground,
        reply: { InitWork: { ...init, interfaces: [{ path: 'src/inc.js', exports: ['inc', 'dec'] }] } },
        rule: 'VF1',
        says: 'does not export dec',
      },
      {
        files: ground,
        reply: { InitWork: { ...init, testPlan: init.testPlan.slice(0, 1) } },
        rule: 'VF1',
        says: 'criterion two has no planned test',
      },
      {
        files: ground,
        reply: { InitWork: { ...init, childSpecs: [part('first'), part('second')] } },
        rule: 'GR8',
        says: 'one is given to both first and second',
      },
      {
        files: ground,
        reply: { InitWork: { ...init, scaffoldCommit: nowhere } },
        rule: 'GR10',
        says: `there is no commit ${nowhere}`,
      },
    ]
    const authors: Lie[] = [
      {
        files: tests({ 'inc: two': '' }),
        rule: 'VF2',
        says: 'inc: two (for two) passes before anything is implemented\nIf two holds already',
      },
      {
        files: { 'test/inc.test.js': testFile('inc', { 'inc: one': 'assert.equal(inc(1), 2)' }) },
        rule: 'VF2',
        says: 'inc: two (for two) did not run',
      },
      {
        files: { 'test/inc.test.js': `import '../src/elsewhere.js'\n${tests({})['test/inc.test.js']}` },
        rule: 'VF2',
        says: 'fails because of its own import: src/elsewhere.js',
      },
      {
        files: { 'test/inc.test.js': tests({})['test/inc.test.js']!.replace('src/inc.js', 'src/inc') },
        rule: 'VF2',
        says: 'src/inc.js exists, but not where the test looks for it',
      },
      {
        files: tests({ 'inc: two': "throw new TypeError('of its own')" }),
        rule: 'VF2',
        says: 'inc: two (for two) fails because of its own error',
      },
      {
        files: {
          'test/inc.test.js': tests({})['test/inc.test.js']!.replace("test('inc: two',", "test.skip('inc: two',"),
        },
        rule: 'VF2',
        says: 'inc: two (for two) is skipped',
      },
      {
        files: tests({}),
        reply: { TestsReady: { ...wrote, testFiles: ['test/inc.test.js', 'test/more.test.js'] } },
        rule: 'VF2',
        says: 'test/more.test.js: a test file that does not exist',
      },
      { files: tests({}), reply: { TestsReady: { ...wrote, testsCommit: nowhere } }, rule: 'GR10', says: nowhere },
      {
        files: { ...tests({}), 'test/base.test.js': null },
        rule: 'VF3',
        says: 'test/base.test.js: tests that were there before may not be removed',
      },
      {
        files: {
          ...tests({}),
          'test/base.test.js': baseFiles['test/base.test.js'].replace('equal(base, 1)', 'ok(base)'),
        },
        rule: 'VF3',
        says: 'test/base.test.js: the test "base is one" was there before and says less now',
      },
      {
        files: { ...tests({}), ...baseFiles, 'src/inc.js': `${stub('inc')}export const more = 1\n` },
        rule: 'VF3',
        says: 'src/inc.js: ',
      },
    ]
    const outside = { 'src/inc.js': code('inc') }
    const coders: Lie[] = [
      { files: { 'src/inc.js': code('inc', 'value') }, rule: 'VF4', says: 'the tests do not pass in a clean checkout' },
      {
        files: { 'src/inc.js': code('inc', 'value === 1 ? 2 : 0') },
        rule: 'VF4',
        says: 'the contract suite does not pass in a clean checkout',
      },
      {
        files: {
          'src/inc.js': `import { beforeEach } from 'node:test'\nbeforeEach((t) => t.skip())\n${code('inc', '0')}`,
        },
        rule: 'VF4',
        says: 'These tests were skipped, and must pass: inc: one, inc: two',
      },
      {
        files: {
          'src/inc.js': code('inc', 'value'),
          'test/inc.test.js': testFile('inc', { 'inc: one': '', 'inc: two': '' }),
        },
        rule: 'VF3',
        says: 'test/inc.test.js: a test, which implementers may not touch',
      },
      {
        files: { ...outside, 'contract/inc.test.js': testFile('inc', {}) },
        rule: 'VF3',
        says: 'contract/inc.test.js: a test',
      },
      { files: { ...outside, 'test/inc.test.js': null }, rule: 'VF3', says: 'test/inc.test.js: a test' },
      {
        files: {
          ...outside,
          'src/base.js': 'export const base = 2\n',
          'test/base.test.js': baseFiles['test/base.test.js'].replace('base, 1', 'base, 2'),
        },
        rule: 'VF3',
        says: 'test/base.test.js: a test',
      },
      {
        files: { 'src/inc.js': `${code('inc')}export const more = 1\n` },
        rule: 'VF3',
        says: 'src/inc.js now exports more too',
      },
      {
        files: outside,
        reply: { TestsPassed: { commitHash: nowhere, iterations: 1, passedTests: ['inc: one'] } },
        rule: 'GR10',
        says: `there is no commit ${nowhere}`,
      },
      { files: { '../outside.js': 'x' }, rule: 'VF6', says: '"../outside.js" has a .. segment' },
      { files: { '/tmp/convene-outside.js': 'x' }, rule: 'VF6', says: '"/tmp/convene-outside.js" is absolute' },
      { files: { '.git/hooks/post-commit': 'x' }, rule: 'VF6', says: 'leads into a .git folder' },
      { files: { 'out/stolen.js': 'x' }, rule: 'VF6', says: 'leads out of the workspace through a link' },
    ]
    const project = buildProject({
      spec,
      lines: [
        ...afterLies(scaffolds, good.scaffold),
        ...afterLies(authors, good.tests),
        ...afterLies(coders, { ...good.code, files: { ...good.code.files, 'src/base.js': baseFiles['src/base.js'] } }),
        good.review,
      ],
      files: baseFiles,
      build: { caps: { attempts: 20 } },
    })
    const elsewhere = join(project.folder, '../elsewhere')
    mkdirSync(elsewhere)
    writeFileSync(join(elsewhere, 'kept.txt'), 'untouched')
    symlinkSync(elsewhere, join(project.folder, 'out'))
    project.git('add', '--all')
    project.git('commit', '--quiet', '--message=a link out')

    const built = await project.build('--strategy', 'graph')

    const found = await refusals(project)
    expectCaught(found, 'scaffold', scaffolds)
    expectCaught(found, 'write-tests', authors)
    expectCaught(found, 'implement', coders)
    expectExit(built, 0)
    const files = project.git('ls-tree', '-r', '--name-only', built.report.commit!).split('\n')
    expect(files.filter((file) => file.startsWith('left/'))).toEqual([])
    expect(files).not.toContain('test/more.test.js')
    expect(project.read(built.report.commit!, 'test/base.test.js')).toBe(baseFiles['test/base.test.js'].trim())
    expect(existsSync(join(elsewhere, 'stolen.js'))).toBe(false)
    expect(existsSync('/tmp/convene-outside.js')).toBe(false)
    expect(readFileSync(join(elsewhere, 'kept.txt'), 'utf8')).toBe('untouched')
  })
})

describe('a model with a shell', () => {
  it('[VF6] leaves no link that leads out, not even through another link', { timeout: slow }, async () => {
    const model = new LLMock({ port: 0, logLevel: 'silent' })
    await model.start()
    onTestFinished(() => model.stop())
    const shell = (command: string) => ({ name: 'run', arguments: JSON.stringify({ command }) })
    const content = { path: 'src/inc.js', content: code('inc') }
    const tries = [
      { does: shell('ln -s /etc stolen'), says: '' },
      {
        does: shell('mkdir -p a/b && ln -s ../.. a/b/up && ln -s a/b/up/../elsewhere stolen'),
        says: '[VF6] stolen: a link out of the worktree: its target /etc is absolute',
      },
      {
        does: shell('git init -q inner && git -C inner -c user.name=a -c user.email=a commit -q --allow-empty -m a'),
        says: '[VF6] stolen: a link out of the worktree: its target a/b/up/../elsewhere has a .. segment',
      },
      {
        does: { name: 'write', arguments: JSON.stringify(content) },
        says: '[VF6] inner is a git repository of its own',
      },
    ]
    // Each attempt makes one tool call, and then claims to be done.
    const isFresh = ({ messages }: ChatCompletionRequest) =>
      messages.findLast(({ role }) => role === 'tool' || role === 'user')?.role === 'user'
    for (const { does, says } of tries.toReversed())
      model.on({ predicate: (put) => isFresh(put) && JSON.stringify(put).includes(says) }, { toolCalls: [does] })
    model.on({ predicate: (put) => !isFresh(put) }, { content: JSON.stringify(good.code.reply) })
    const project = buildProject({
      spec,
      lines: [good.scaffold, good.tests, good.review],
      config: {
        agents: {
          coder: { provider: 'rehearsal', script: '../script.yaml' },
          model: { provider: 'openai-compatible', model: 'llama3.2', base_url: `${model.url}/v1` },
        },
        roles: { scaffold: 'coder', tdd: 'coder', impl: 'model', merger: 'coder', rebaser: 'coder' },
      },
    })
    const built = await project.build('--strategy', 'graph')
    expect((await refusals(project)).map(({ problems }) => problems.map(inWords).join())).toEqual(
      tries.slice(1).map(({ says }) => expect.stringContaining(says)),
    )
    expectExit(built, 0)
    expect(project.git('ls-tree', '-r', '--name-only', built.report.commit!)).not.toMatch(/stolen|inner/)
  })
})

describe('tests that are removed', () => {
  it('[VF4] by a test command that runs nothing', { timeout: slow }, async () => {
    // A file read by what the command runs: only the runner can tell.
    const how = (command: string) => `run() { ${command}; }\n`
    const runs = how(`${testCommand} --test-reporter=tap "$@"`)
    const bent = { 'src/inc.js': code('inc', 'value'), 'how.sh': how('true') }
    const says = 'These tests did not run: inc: one, inc: two'
    const project = buildProject({
      spec,
      files: { 'run.sh': '. ./how.sh\nrun "$@"\n', 'how.sh': runs },
      lines: [
        good.scaffold,
        good.tests,
        { ...good.code, files: bent },
        {
          ...good.code,
          files: { ...good.code.files, 'how.sh': runs },
          when: { ...good.code.when, contains: says },
        },
        good.review,
      ],
      build: { test: 'sh run.sh' },
    })
    expectExit(await project.build('--strategy', 'graph'), 0)
    const [refused, ...others] = await refusals(project)
    expect(refused).toMatchObject({ kind: 'implement', attempt: 1, problems: [{ rule: 'VF4' }] })
    expect(others).toEqual([])
  })

  it('[VF3] by their author: a passing test that has vanished comes back', { timeout: slow }, async () => {
    const project = buildProject({
      spec,
      files: baseFiles,
      lines: [
        good.scaffold,
        { ...good.tests, files: { ...good.tests.files, 'test/base.test.js': '' } },
        { ...good.tests, when: { ...good.tests.when, contains: 'base is one' }, files: baseFiles },
        good.code,
        good.review,
      ],
    })
    expectExit(await project.build('--strategy', 'graph'), 0)
    expect(await refusals(project)).toMatchObject([{ kind: 'write-tests', problems: [{ rule: 'VF3' }] }])
  })
})

describe('agents that fail', () => {
  it('[GR4] each failed call counts as an attempt, and the next ask says what happened', {
    timeout: slow,
  }, async () => {
    const kinds = ['rate-limited', 'timeout', 'unavailable', 'refused', 'malformed', 'disconnect']
    const lies: Lie[] = kinds.map((fail) => ({ fail, rule: 'GR4', says: `${fail}, as the script says` }))
    const project = buildProject({
      spec,
      lines: [good.scaffold, good.tests, ...afterLies(lies, good.code), good.review],
      build: { caps: { attempts: 10 } },
    })
    const built = await project.build('--strategy', 'graph')
    expectExit(built, 0)
    expectCaught(await refusals(project), 'implement', lies)
    expect(project.git('ls-tree', '-r', '--name-only', built.report.commit!)).not.toContain('left/')
  })

  it('[GR5] silence gets one reminder; a second silence counts as an attempt', { timeout: slow }, async () => {
    const silent = (more: object): Line => ({ ...good.code, after_ms: 600_000, when: { ...good.code.when, ...more } })
    const project = buildProject({
      spec,
      lines: [
        good.scaffold,
        good.tests,
        silent({ attempt: 1 }),
        silent({ attempt: 1, contains: 'REMINDER' }),
        silent({ attempt: 2, contains: 'produced no output' }),
        { ...good.code, when: { ...good.code.when, attempt: 2, contains: 'REMINDER' } },
        good.review,
      ],
      build: { silence_seconds: 5 },
    })
    expectExit(await project.build('--strategy', 'graph'), 0)
    const events = await project.events()
    expect(ofType(events, 'agent.nudged').map(({ kind, attempt }) => [kind, attempt])).toEqual([
      ['implement', 1],
      ['implement', 2],
    ])
    const found = await refusals(project)
    expect(found.map(({ attempt, problems }) => [attempt, problems[0]!.rule])).toEqual([[1, 'GR5']])
    expect(found[0]!.problems[0]!.message).toContain('produced no output')
  })
})

describe('a reviewer that lies', () => {
  it('[VF4] [VF5] an approval of stubs and unsafe imports counts as MoreTests, and skipped tests never reach review', {
    timeout: slow,
  }, async () => {
    const sly = `import { existsSync } from 'node:fs'
${testFile('inc', { 'inc: one': 'assert.equal(inc(1), 2)' })}
test('inc: two', { skip: existsSync(new URL('../src/flag.js', import.meta.url)) }, () => { assert.equal(inc(1), 2) })
`
    const unfinished = { 'src/inc.js': code('inc'), 'src/later.js': stub('later') }
    const project = buildProject({
      spec,
      lines: [
        good.scaffold,
        { ...good.tests, files: { 'test/inc.test.js': sly } },
        { ...good.code, files: { ...unfinished, 'src/flag.js': 'export const flag = true\n' } },
        {
          ...good.code,
          files: { ...unfinished, 'src/flag.js': null },
          when: { ...good.code.when, attempt: 2, contains: 'These tests were skipped, and must pass: inc: two' },
        },
        good.review,
        { ...good.tests, files: {}, when: { ...good.tests.when, contains: 'later is still a stub' } },
        {
          ...good.code,
          files: { 'src/later.js': null, 'src/tool.js': `import 'node:child_process'\n` },
          when: { ...good.code.when, contains: 'later is still a stub' },
        },
        good.review,
        { ...good.tests, files: {}, when: { ...good.tests.when, contains: 'child_process is an unsafe import' } },
        { ...good.code, files: { 'src/tool.js': null } },
        good.review,
      ],
    })
    const waiting = await project.build('--strategy', 'graph')
    expectExit(waiting, 3)
    expectExit(await project.convene('answer', waiting.report.questions![0]!.id, 'refuse'), 0)
    const built = await project.convene('resume', waiting.report.run)
    expectExit(built, 0)
    const found = await refusals(project)
    expect(
      found.map(({ kind, problems }) => [kind, problems.map(({ rule, message }) => `${rule} ${message}`)]),
    ).toEqual([
      ['implement', [expect.stringMatching(/^VF4 (.|\n)*skipped, and must pass: inc: two$/)]],
      ['review-impl', ['VF5 later is still a stub']],
      ['review-impl', [expect.stringContaining('VF5 child_process is an unsafe import')]],
    ])
    const routes = ofType(await project.events(), 'exit.routed').filter(({ from }) => from === 'tdd:review')
    expect(routes.map(({ exit, to }) => [exit, to])).toEqual([
      ['MoreTests', ['tdd:write-tests']],
      ['MoreTests', ['tdd:write-tests']],
      ['Approved', ['merger']],
    ])
  })
})

describe('a merger that lies', () => {
  it('[VF3] [MG2] may not change tests or interfaces, and Convene runs what it claims', { timeout: slow }, async () => {
    const breaks = { ...good.code, files: { 'src/inc.js': code('inc'), 'src/base.js': 'export const base = 2\n' } }
    const bent = baseFiles['test/base.test.js'].replace('base, 1', 'base, 2')
    const merge: Line = { when: { ask: 'merge', node: 'inc' }, reply: { MergeComplete: {} } }
    const lies: Lie[] = [
      { files: { 'test/base.test.js': bent }, rule: 'VF3', says: 'test/base.test.js: a test' },
      { files: { 'test/inc.test.js': testFile('inc', {}) }, rule: 'VF3', says: 'test/inc.test.js: a test' },
      {
        files: { 'src/inc.js': `${code('inc')}export const more = 1\n` },
        rule: 'VF3',
        says: 'src/inc.js now exports more',
      },
      { files: { 'src/inc.js': code('inc') }, rule: 'MG2', says: 'base is one' },
      { files: {}, reply: { MergeComplete: { mergeCommit: nowhere } }, rule: 'GR10', says: nowhere },
    ]
    // A test that is no longer run does not turn red: the claim holds, and only the merge detects it.
    const vanishing = baseFiles['test/base.test.js'].replace("test('base is one'", "if (base === 1) test('base is one'")
    const neverGreen = `${vanishing}test('never green', () => { assert.equal(base, 0) })\n`
    const honestMerge = { ...merge, files: { 'src/base.js': baseFiles['src/base.js'] } }
    const project = buildProject({
      spec,
      lines: [good.scaffold, good.tests, breaks, good.review, ...afterLies(lies, honestMerge)],
      files: { ...baseFiles, 'test/base.test.js': neverGreen },
      build: { caps: { attempts: 10 } },
    })
    const built = await project.build('--strategy', 'graph')
    expectCaught(await refusals(project), 'merge', lies)
    expectExit(built, 0)
    expect(project.read(built.report.commit!, 'test/base.test.js')).toContain('base, 1')
    expect(project.git('ls-tree', '-r', '--name-only', built.report.commit!)).not.toContain('left/')
  })
})

describe('parts that lie', () => {
  const whole = specOf('pair', ['left-1', 'right-1'])
  const left = specOf('left', ['left-1'])
  const right = specOf('right', ['right-1'])
  const top: Line[] = [
    {
      ...honest(whole).scaffold,
      reply: { InitWork: { ...honest(whole).scaffold.reply.InitWork, testPlan: [], childSpecs: [left, right] } },
    },
    { ...honest(whole).tests, files: {}, reply: { TestsReady: { testFiles: [], pendingCriteria: [] } } },
    honest(whole).code,
    honest(whole).review,
    honest(left).judged('pair'),
    honest(right).judged('pair'),
  ]

  it("[VF1] a part's scaffold that touches its parent's interface is sent back", { timeout: slow }, async () => {
    const lie = honest(left).scaffold
    const project = buildProject({
      spec: whole,
      lines: [
        ...top,
        { ...lie, files: { ...lie.files, 'src/pair.js': stub('pair').replace('(value)', '(value, more)') } },
        {
          ...lie,
          when: { ...lie.when, attempt: 2, contains: "[VF1] src/pair.js: the parent's interface was changed" },
        },
        ...leaf(left).slice(1),
        ...leaf(right),
      ],
    })
    const built = await project.build('--strategy', 'graph')
    expectExit(built, 0)
    expect((await refusals(project)).map(({ kind, problems }) => [kind, problems[0]!.rule])).toEqual([
      ['scaffold', 'VF1'],
    ])
  })

  it('[RB2] a rebase that changes a body is a conflict, and the part is planned again', { timeout: slow }, async () => {
    // Both change the same line; the one merged second is asked to rebase, and lies.
    const list = (content: string) => `export function list() {\n  return [${content}]\n}\n`
    const clashing = (part: typeof left): Line[] => {
      const [scaffold, tests, implement, review] = leaf(part) as [Line, Line, Line, Line]
      return [
        scaffold,
        tests,
        { ...implement, files: { ...implement.files, 'src/list.js': list(`'${part.id}'`) } },
        review,
        { ...scaffold, when: { ...scaffold.when, contains: '[RB2]' } },
        { ...tests, files: { ...tests.files } },
        implement,
        review,
      ]
    }
    const project = buildProject({
      spec: whole,
      files: { 'src/list.js': list('') },
      lines: [
        ...top,
        ...clashing(left),
        ...clashing(right),
        {
          when: { ask: 'rebase' },
          files: { 'src/list.js': list("'left', 'right'") },
          reply: { RebaseAdapted: { adaptations: [{ symbol: 'list', change: 'both', reason: 'joined' }] } },
        },
      ],
    })
    const built = await project.build('--strategy', 'graph')
    expectExit(built, 0)
    const events = await project.events()
    expect(asked(events).filter((line) => line.startsWith('rebase'))).toHaveLength(1)
    const routes = ofType(events, 'exit.routed').filter(
      ({ from, exit }) => from === 'rebaser' && exit === 'RebaseConflict',
    )
    expect(routes).toEqual([expect.objectContaining({ to: ['scaffold'] })])
    const [refused] = await refusals(project)
    expect(refused).toMatchObject({ kind: 'rebase', problems: [{ rule: 'RB2', path: 'src/list.js' }] })
    expect(project.read(built.report.commit!, 'src/list.js')).toMatch(/return \['(left|right)'\]/)
  })
})
