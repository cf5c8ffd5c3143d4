/** Unusable replies, outside interference, and merges that need verifying first. */
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { built, shipProject } from '../ship/project.ts'
import { start } from '../support/convene.ts'
import { runResident } from '../support/resident-command.ts'
import { actingModel } from './acting-model.ts'
import { familyOf, familyProject, honestAct, writing } from './family.ts'
import {
  asked,
  buildProject,
  code,
  expectExit,
  held,
  honest,
  type Line,
  leaf,
  ofType,
  type Project,
  planOf,
  type Report,
  specOf,
  stub,
  testFile,
} from './project.ts'

const slow = 300_000
const spec = specOf('inc')
const alone: Line = {
  when: { ask: 'implement', node: 'inc' },
  files: {
    'src/inc.js': code('inc'),
    'test/inc.test.js': testFile('inc', { 'inc: inc-1': 'assert.equal(inc(1), 2)' }),
  },
  reply: { TestsPassed: { iterations: 1, passedTests: [] } },
}

describe('a reply of the wrong shape', () => {
  const { reply: _reply, files: _files, ...said } = alone
  /** The review that follows is left out. */
  const isImplement = (one: string) => one.startsWith('implement ')
  const repaired = { when: { ...alone.when, attempt: 1, contains: 'Your reply could not be used' } }

  it('[AS2] is repaired in the same conversation, and its files are kept', { timeout: slow }, async () => {
    const { files: _, ...replyOnly } = { ...alone, ...repaired }
    const project = buildProject({ spec, lines: [{ ...said, files: alone.files, text: 'I am done!' }, replyOnly] })
    expectExit(await project.build(), 0)
    const events = await project.events()
    expect(asked(events).filter(isImplement)).toEqual(['implement inc'])
    expect(ofType(events, 'ask.finished')[0]).toMatchObject({ kind: 'implement', attempt: 1, tries: 2 })
    expect(ofType(events, 'reply.refused')).toEqual([])
  })

  it('[AS1] is taken where one object in it fits, flagged loose', { timeout: slow }, async () => {
    const text = `All tests pass.\n\`\`\`json\n${JSON.stringify(alone.reply)}\n\`\`\``
    const project = buildProject({ spec, lines: [{ ...said, files: alone.files, text }] })
    expectExit(await project.build(), 0)
    expect(ofType(await project.events(), 'ask.finished')[0]).toMatchObject({
      kind: 'implement',
      loose: true,
      tries: 1,
    })
  })

  it('[GR4] counts as an attempt if its repair cannot be read either, and the next attempt is told why', {
    timeout: slow,
  }, async () => {
    const project = buildProject({
      spec,
      lines: [
        { ...said, text: 'I am done!' },
        { ...repaired, text: 'Really!' },
        { ...alone, when: { ...alone.when, attempt: 2, contains: 'the reply is not JSON' } },
      ],
    })
    expectExit(await project.build(), 0)
    const events = await project.events()
    expect(asked(events).filter(isImplement)).toEqual(['implement inc', 'implement inc'])
    expect(ofType(events, 'reply.refused')).toEqual([expect.objectContaining({ kind: 'implement', attempt: 1 })])
  })
})

describe('a part whose parent decides its fate', () => {
  it('[GR3] [AS2] [GR6] gets the decision once its reply is repaired, and continues at its implementer; its commits name it', {
    timeout: slow,
  }, async () => {
    const part = specOf('part', ['p'])
    const whole = specOf('whole', ['p', 'kept'])
    const suite = 'contract/whole.test.js'
    const plan = planOf(whole).filter(({ criterionId }) => criterionId === 'kept')
    const good = honest(whole)
    const [scaffold, tests, implement, review] = leaf(part) as [Line, Line, Line, Line]
    const failed = { when: { ask: 'child-failed', node: 'whole' } }
    const project = buildProject({
      spec: whole,
      lines: [
        {
          ...good.scaffold,
          files: { 'src/whole.js': stub('whole'), [suite]: testFile('whole', { 'whole contract': '' }) },
          reply: {
            InitWork: { interfaceFile: 'src/whole.js', contractSuite: suite, testPlan: plan, childSpecs: [part] },
          },
        },
        {
          ...good.tests,
          files: { 'test/whole.test.js': testFile('whole', { 'whole: kept': 'assert.equal(whole(1), 2)' }) },
        },
        scaffold,
        tests,
        { ...implement, files: {}, reply: { Stuck: { diagnosis: 'no idea', recommendation: 'help', attempts: 1 } } },
        { ...failed, text: 'try again' },
        {
          when: { ...failed.when, contains: 'could not be used' },
          reply: { Retry: { reason: 'count from one' } },
        },
        { ...implement, when: { ...implement.when, contains: 'count from one' } },
        review,
        honest(part).judged('whole'),
        good.code,
        good.review,
      ],
    })
    const built = await project.build('--strategy', 'graph')
    expectExit(built, 0)
    const events = await project.events()
    const kinds = asked(events)
    expect(kinds.filter((one) => one.endsWith(' part'))).toEqual([
      'scaffold part',
      'write-tests part',
      'implement part',
      'implement part',
      'review-impl part',
    ])
    expect(ofType(events, 'child.failed')).toEqual([
      expect.objectContaining({ action: 'retry', goes_on: 'at its implementer: scaffold and tests stand' }),
    ])
    const message = project.git('log', '--format=%B', '--grep=^Tests of whole join its parts', built.report.commit!)
    for (const line of [
      `Convene-Run: ${built.report.run}`,
      'Convene-Node: whole',
      'Convene-Spec: whole',
      'Convene-Criteria: p, kept',
    ])
      expect(message.split('\n')).toContain(line)
  })
})

describe('a rebase that claims nothing was left to do', () => {
  it('[RB1] is refused, with the place, while a removed export is still imported or markers are left', {
    timeout: slow,
  }, async () => {
    const family = familyOf('lib', ['canon', 'user'], { old: { 'src/old.js': code('help', 'value + 1') } })
    const using = (name: string) => `import { ${name} } from './old.js'\n${code('user', `${name}(value)`)}`
    const merged = Promise.withResolvers<void>()
    const marked = `<<<<<<< ours\n${using('assist')}=======\n>>>>>>> theirs\n`
    const attempts = [
      { reply: { RebaseClean: {} } },
      { command: writing({ 'src/user.js': marked }), reply: { RebaseAdapted: { adaptations: [] } } },
      { command: writing({ 'src/user.js': using('assist') }), reply: { RebaseAdapted: { adaptations: [] } } },
    ]
    const model = await actingModel(async (question) => {
      const { kind, node } = question
      if (kind === 'judge-child' && node === 'canon') merged.resolve()
      if (kind === 'review-impl' && node === 'user') await merged.promise
      if (kind === 'rebase') return attempts.shift()!
      const act = honestAct(family, question)
      if (kind !== 'implement') return act
      if (node === 'user') return { ...act, command: writing({ 'src/user.js': using('help') }) }
      if (node !== 'canon') return act
      const files = { 'src/canon.js': code('canon'), 'src/old.js': code('assist', 'value + 1') }
      return { ...act, command: writing(files) }
    })
    const project = familyProject(family, model)
    const built = await project.build('--strategy', 'graph')
    expectExit(built, 0)
    const events = await project.events()
    const refused = ofType(events, 'reply.refused')
    expect(refused.map(({ kind, attempt, problems }) => ({ kind, attempt, problems }))).toEqual([
      {
        kind: 'rebase',
        attempt: 1,
        problems: [
          {
            rule: 'RB1',
            path: 'src/user.js',
            message: 'it still imports help from src/old.js, which no longer exports it',
          },
        ],
      },
      {
        kind: 'rebase',
        attempt: 2,
        problems: [{ rule: 'RB1', path: 'src/user.js', message: 'conflict markers are left in src/user.js:1' }],
      },
    ])
    expect(project.read(built.report.commit!, 'src/user.js')).toContain('import { assist }')
  })
})

describe('--merge into a branch that has moved', () => {
  /** Commits to the branch while the implementer is at work. */
  async function buildWhile(
    project: Project,
    files: Record<string, string>,
  ): Promise<{ code: number; report: Report }> {
    const running = start(['build', 'spec.json', '--merge', '--json'], { cwd: project.folder })
    await project.until((events) => asked(events).includes('implement inc'))
    project.write(files)
    project.git('add', '--all')
    project.git('commit', '--quiet', '--message=mine')
    project.release()
    const ended = await running.finished
    return { code: ended.code ?? -1, report: JSON.parse(ended.stdout) as Report }
  }

  it('[MG2] is verified before the branch moves: red is refused by name; a green commit names its build', {
    timeout: slow,
  }, async () => {
    const project = buildProject({ spec, lines: [{ ...alone, ...held }] })
    const guard = `import assert from 'node:assert'\nimport { existsSync } from 'node:fs'\nimport { test } from 'node:test'
test('no inc yet', () => assert.equal(existsSync(new URL('../src/inc.js', import.meta.url)), false))\n`
    const refused = await buildWhile(project, { 'test/guard.test.js': guard })
    expect(refused).toMatchObject({ code: 1, report: { status: 'failed', reason: 'merge_red', merged: false } })
    expect(refused.report.error?.message).toContain('no inc yet')
    expect(project.git('log', '-1', '--format=%s', 'main')).toBe('mine')
    expect(project.git('status', '--porcelain')).toBe('')
    expect(project.git('worktree', 'list').split('\n')).toHaveLength(1)
    const seen = ofType(await project.events(), 'evidence.recorded').filter(({ purpose }) => purpose === 'target')
    expect(seen.map(({ exit_code }) => exit_code)).toContain(1)

    // Once the obstacle is gone, the same run continues.
    project.git('rm', '--quiet', 'test/guard.test.js')
    project.git('commit', '--quiet', '--message=no guard')
    const resumed = await project.convene('resume', refused.report.run)
    expectExit(resumed, 0)
    expect(resumed.report).toMatchObject({ status: 'done', merged: true, commit: refused.report.commit })
    const message = project.git('log', '-1', '--format=%B', 'main')
    expect(message).toContain(`Convene-Run: ${refused.report.run}`)
    expect(message).toContain('Convene-Criteria: inc-1')
    const evidence = ofType(await project.events(), 'evidence.recorded')
    expect(evidence.at(-1)).toMatchObject({ purpose: 'target', exit_code: 0, commit: project.git('rev-parse', 'main') })
    expect(project.git('worktree', 'list').split('\n')).toHaveLength(1)
  })
  it('[MG2] [MG4] takes what a person committed on the work to settle a conflict, once its tests pass', {
    timeout: slow,
  }, async () => {
    const project = buildProject({ spec, lines: [{ ...alone, ...held }] })
    const refused = await buildWhile(project, { 'src/inc.js': 'export const inc = (value) => value + 1\n' })
    expect(refused).toMatchObject({ code: 1, report: { status: 'failed', reason: 'conflict', merged: false } })
    expect(refused.report.error?.message).toContain(
      `\`git switch convene/inc/main && git merge main\`, correct the files and commit; then: \`git switch main && convene resume ${refused.report.run}\``,
    )
    const settle = (text: string) => {
      project.write({ 'src/inc.js': text })
      project.git('add', '--all')
      project.git('commit', '--quiet', '--message=settled')
      project.git('switch', '--quiet', 'main')
    }
    project.git('switch', '--quiet', 'convene/inc/main')
    expect(() => project.git('merge', 'main')).toThrow()
    settle(code('inc', 'value + 2'))
    const red = await project.convene('resume', refused.report.run)
    expect(red.report).toMatchObject({ status: 'failed', reason: 'merge_red', merged: false })
    expect(red.report.error?.message).toContain('inc: inc-1')
    expect(project.git('log', '-1', '--format=%s', 'main')).toBe('mine')

    project.git('switch', '--quiet', 'convene/inc/main')
    settle(code('inc'))
    const resumed = await project.convene('resume', refused.report.run)
    expectExit(resumed, 0)
    expect(resumed.report).toMatchObject({ status: 'done', merged: true })
    expect(project.git('rev-parse', 'main')).toBe(project.git('rev-parse', 'convene/inc/main'))
    const evidence = ofType(await project.events(), 'evidence.recorded')
    expect(evidence.at(-1)).toMatchObject({ purpose: 'target', exit_code: 0, commit: project.git('rev-parse', 'main') })
  })
})

describe('run --merge into a branch that has moved', () => {
  it('[MG2] is verified before the branch moves, for a feature too', { timeout: slow }, async () => {
    const project = shipProject([{ number: 1 }], [built(1)])
    await project.convene('greenlight', 'demo', '--issues', 'issues.json')
    expectExit(await project.convene('run', 'demo'), 0)
    const guard = `import assert from 'node:assert'\nimport { existsSync } from 'node:fs'\nimport { test } from 'node:test'
test('no f1 yet', () => assert.equal(existsSync(new URL('../src/f1.js', import.meta.url)), false))\n`
    project.write({ 'test/guard.test.js': guard })
    project.git('add', '--all')
    project.git('commit', '--quiet', '--message=mine')
    const refused = await project.convene('run', 'demo', '--merge')
    expectExit(refused, 1)
    expect(refused.report.reason).toContain('merge_red')
    expect(project.git('log', '-1', '--format=%s', 'main')).toBe('mine')

    project.git('rm', '--quiet', 'test/guard.test.js')
    project.git('commit', '--quiet', '--message=no guard')
    expectExit(await project.convene('run', 'demo', '--merge'), 0)
    expect(project.git('log', '-1', '--format=%B', 'main')).toMatch(
      /^Merge convene\/demo\/main\n\nConvene-Run: .+\nConvene-Node: demo\nConvene-Spec: demo$/,
    )
    expect(project.git('worktree', 'list').split('\n')).toHaveLength(1)
  })
  it('[MG2] [MG4] takes what a person committed on a feature to settle a conflict', { timeout: slow }, async () => {
    const project = shipProject([{ number: 1 }], [built(1)])
    await project.convene('greenlight', 'demo', '--issues', 'issues.json')
    expectExit(await project.convene('run', 'demo'), 0)
    const work = project.read('convene/demo/main', 'src/f1.js')
    const commit = (message: string, text: string) => {
      project.write({ 'src/f1.js': text })
      project.git('add', '--all')
      project.git('commit', '--quiet', `--message=${message}`)
    }
    commit('mine', 'export const f1 = null\n')
    const refused = await project.convene('run', 'demo', '--merge')
    expectExit(refused, 1)
    expect(refused.report.reason).toMatch(/^conflict: .*src\/f1\.js; .*`git switch main && convene run demo --merge`$/)
    const shown = await runResident(['run', 'demo', '--merge'], { cwd: project.folder })
    expect(shown.stdout).toContain('`git switch convene/demo/main && git merge main`')
    // The reason says what comes next.
    expect(shown.stdout).not.toContain('next:')

    project.git('switch', '--quiet', 'convene/demo/main')
    expect(() => project.git('merge', 'main')).toThrow()
    commit('settled badly', 'export const f1 = null\n')
    project.git('switch', '--quiet', 'main')
    expect((await project.convene('run', 'demo', '--merge')).report.reason).toMatch(/^merge_red: /)
    project.git('switch', '--quiet', 'convene/demo/main')
    commit('settled', work)
    project.git('switch', '--quiet', 'main')
    expectExit(await project.convene('run', 'demo', '--merge'), 0)
    expect(project.git('log', '-1', '--format=%s', 'main')).toBe('settled')
  })
})

describe('outside interference', () => {
  it('[MG4] resume retries a merge that was refused for a dirty checkout', { timeout: slow }, async () => {
    const project = buildProject({ spec, lines: [alone] })
    project.write({ 'package.json': '{"name":"mine","type":"module"}\n', 'src/inc.js': 'mine\n' })
    const built = await project.build('--merge')
    expectExit(built, 1)
    expect(built.report).toMatchObject({ status: 'failed', reason: 'dirty_checkout', merged: false })
    const still = await project.convene('resume', built.report.run)
    expectExit(still, 1)
    expect(still.report).toMatchObject({ status: 'failed', reason: 'dirty_checkout', merged: false })

    project.git('checkout', '--quiet', '--', '.')
    project.git('clean', '--quiet', '--force', 'src')
    const resumed = await project.convene('resume', built.report.run)
    expectExit(resumed, 0)
    expect(resumed.report).toMatchObject({ status: 'done', merged: true })
    expect(project.git('rev-parse', 'main')).toBe(built.report.commit)
    expect(asked(await project.events())).toEqual(['implement inc', 'review-impl inc'])
    expectExit(await project.convene('resume', built.report.run), 0)
  })

  it('[GR4] a build whose script ran out continues once it has lines again; an alias is a line', {
    timeout: slow,
  }, async () => {
    const [scaffold, tests, implement, review] = leaf(spec) as [Line, Line, Line, Line]
    const project = buildProject({ spec, lines: [scaffold, tests] })
    const script = join(project.folder, '../script.yaml')
    const built = await project.build('--strategy', 'graph')
    expectExit(built, 2)
    expect(built.report.reason).toContain('ask "implement"')

    const lines = [scaffold, tests].map((line) => `- ${JSON.stringify(line)}\n`).join('')
    const wrong = { ...implement, files: { 'src/inc.js': code('inc', 'value') } }
    writeFileSync(script, `${lines}- &wrong ${JSON.stringify(wrong)}\n- *wrong\n`)
    appendFileSync(script, [implement, review].map((line) => `- ${JSON.stringify(line)}\n`).join(''))
    expect(readFileSync(script, 'utf8')).toContain('- *wrong')
    const resumed = await project.convene('resume', built.report.run)
    expectExit(resumed, 0)
    const events = await project.events()
    expect(ofType(events, 'reply.refused').map(({ attempt }) => attempt)).toEqual([1, 2])
    expect(asked(events).filter((one) => one === 'scaffold inc')).toHaveLength(1)
  })

  it('[VF4] a setup that fails before any ask is not an attempt, and says why', { timeout: slow }, async () => {
    const setup = 'echo the registry is away >&2; exit 7'
    const project = buildProject({ spec, lines: [alone], build: { setup } })
    const built = await project.build()
    expectExit(built, 1)
    expect(built.report).toMatchObject({ status: 'failed', reason: 'setup_failed' })
    expect(built.report.error?.message).toContain('the registry is away')
    const events = await project.events()
    expect(asked(events)).toEqual([])
    expect(ofType(events, 'reply.refused')).toEqual([])

    project.write({
      'convene.yaml': readFileSync(join(project.folder, 'convene.yaml'), 'utf8').replace('exit 7', 'exit 0'),
    })
    const resumed = await project.convene('resume', built.report.run)
    expectExit(resumed, 0)
    expect(ofType(await project.events(), 'ask.started')).toMatchObject([
      { kind: 'implement', attempt: 1 },
      { kind: 'review-impl', attempt: 1 },
    ])
  })

  it('a spec that is too large is refused with its file and the limit', { timeout: slow }, async () => {
    const project = buildProject({ spec: { ...spec, description: 'x'.repeat(1_100_000) }, lines: [] })
    const built = await project.build()
    expectExit(built, 2)
    expect(built.report.error).toMatchObject({ code: 'invalid_spec', path: 'spec.json' })
    expect(built.report.error?.message).toMatch(/spec\.json: a spec may have at most 1 MB .*11\d{5}/)
  })
})
