/**
 * People's checkouts and damaged files: our branches checked out by a user, a truncated database, a truncated mirror.
 */
import { existsSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { asked, buildProject, code, expectExit, type Line, specOf, testFile } from '../build/project.ts'
import { built, reportOf, shipProject, states } from './project.ts'

const slow = 240_000

describe("our branch in a user's checkout", () => {
  it('[MG4] moves a clean checkout along with every issue', { timeout: slow }, async () => {
    const project = shipProject([{ number: 1 }, { number: 2, depends_on: [1] }], [built(1), built(2)])
    project.git('checkout', '--quiet', '-b', 'convene/demo/main')
    expectExit(await project.convene('greenlight', 'demo', '--issues', 'issues.json'), 0)

    const ran = await project.convene('run', 'demo')

    expectExit(ran, 0)
    expect(states(reportOf(ran))).toEqual([
      [1, 'DONE'],
      [2, 'DONE'],
    ])
    expect(project.git('status', '--porcelain')).toBe('')
    expect(project.git('rev-list', '--count', 'main..HEAD')).toBe('2')
    expect(existsSync(join(project.folder, 'src/f2.js'))).toBe(true)
  })

  it('[MG4] stays put while the checkout is dirty; the work is kept and merged once it is clean', {
    timeout: slow,
  }, async () => {
    const project = shipProject([{ number: 1 }], [built(1)])
    const other = join(project.folder, '../theirs')
    project.git('worktree', 'add', '--quiet', '-b', 'convene/demo/main', other)
    const inOther = (...args: string[]) => project.git('-C', other, ...args)
    project.write({ '../theirs/src/f1.js': 'mine\n' })
    const first = project.git('rev-parse', 'main')
    expectExit(await project.convene('greenlight', 'demo', '--issues', 'issues.json'), 0)

    const ran = await project.convene('run', 'demo')

    expectExit(ran, 1)
    expect(ran.report).toMatchObject({
      status: 'failed',
      reason: expect.stringMatching(/^dirty_checkout: convene\/demo\/main is checked out, .*src\/f1\.js/),
    })
    expect(project.git('rev-parse', 'convene/demo/main')).toBe(first)
    expect(inOther('status', '--porcelain')).toBe('?? src/')
    const [work] = project
      .git('for-each-ref', '--format=%(refname:short)', 'refs/heads/convene/demo/')
      .split('\n')
      .filter((name) => name !== 'convene/demo/main')
    expect(project.read(work!, 'src/f1.js')).toContain('value + 1')

    inOther('clean', '-fdq')
    const again = await project.convene('run', 'demo')
    expectExit(again, 0)
    expect(states(reportOf(again))).toEqual([[1, 'DONE']])
    expect(inOther('status', '--porcelain')).toBe('')
    expect(readFileSync(join(other, 'src/f1.js'), 'utf8')).toContain('value + 1')
    expect(asked(await project.events()).filter((one) => one.startsWith('implement'))).toHaveLength(1)
  })

  it('[MG4] is not deleted by the next build of the same spec', { timeout: slow }, async () => {
    const alone: Line = {
      when: { ask: 'implement', node: 'inc' },
      files: {
        'src/inc.js': code('inc'),
        'test/inc.test.js': testFile('inc', { 'inc: inc-1': 'assert.equal(inc(1), 2)' }),
      },
      reply: { TestsPassed: { iterations: 1, passedTests: [] } },
      repeat: true,
    }
    const project = buildProject({ spec: specOf('inc'), lines: [alone] })
    const first = await project.build()
    expectExit(first, 0)
    const other = join(project.folder, '../theirs')
    project.git('worktree', 'add', '--quiet', other, 'convene/inc/main')

    const refused = await project.build()

    expectExit(refused, 1)
    expect(refused.report).toMatchObject({ status: 'failed', reason: 'dirty_checkout' })
    expect(refused.report.error?.message).toContain('convene/inc/main')
    expect(project.git('rev-parse', 'convene/inc/main')).toBe(first.report.commit)
    expect(project.git('-C', other, 'status', '--porcelain')).toBe('')

    project.git('-C', other, 'checkout', '--quiet', '--detach')
    expectExit(await project.convene('resume', refused.report.run), 0)
  })
})

describe('a truncated database', () => {
  it('is reported on stderr, and the next run finishes what git does not have', { timeout: slow }, async () => {
    const issues = [1, 2, 3].map((number) => ({ number }))
    const project = shipProject(
      issues,
      issues.map(({ number }) => built(number)),
    )
    expectExit(await project.convene('greenlight', 'demo', '--issues', 'issues.json'), 0)
    expectExit(await project.convene('run', 'demo'), 0)
    const file = join(project.folder, '.convene/convene.db')
    truncateSync(file, Math.floor(statSync(file).size / 2))

    const status = await project.convene('status', 'demo')

    expectExit(status, 0)
    expect(status.stderr).toContain('Database truncated')
    expect(status.stderr).toContain(`${file}.damaged`)
    expect(existsSync(`${file}.damaged`)).toBe(true)
    expect((await project.convene('status', 'demo')).stderr).toBe('')
    const again = await project.convene('run', 'demo')
    expectExit(again, 0)
    expect(states(reportOf(again)).map(([, state]) => state)).toEqual(['DONE', 'DONE', 'DONE'])
  })
})

describe('[EV1] the mirror of a feature', () => {
  it('is completed by the next command wherever it was truncated, also after a command that left it complete', {
    timeout: slow,
  }, async () => {
    const project = shipProject([{ number: 1 }], [built(1)])
    expectExit(await project.convene('greenlight', 'demo', '--issues', 'issues.json'), 0)
    expectExit(await project.convene('run', 'demo'), 0)
    const file = join(project.folder, '.convene/events/demo.jsonl')
    const whole = readFileSync(file, 'utf8')
    const lines = whole.split('\n').slice(0, -1)
    expect(lines.length).toBeGreaterThan(3)
    const cuts = [
      whole.slice(0, -20),
      whole.slice(0, -1),
      `${lines.slice(0, -2).join('\n')}\n`,
      `${lines[0]}\n${lines[1]!.slice(0, 10)}\n`,
      '',
      `${whole}{"ts":"2026-`,
    ]
    for (const cut of cuts) {
      writeFileSync(file, cut)
      expectExit(await project.convene('status', 'demo'), 0)
      expect(readFileSync(file, 'utf8')).toBe(whole)
    }
    rmSync(file)
    expectExit(await project.convene('status', 'demo'), 0)
    expect(readFileSync(file, 'utf8')).toBe(whole)
    // The mirror has no line that the log lacks.
    const strange = `${whole}${JSON.stringify({ ...JSON.parse(lines[0]!), seq: 1_000_000 })}\n`
    writeFileSync(file, strange)
    expectExit(await project.convene('status', 'demo'), 0)
    expect(readFileSync(file, 'utf8')).toBe(whole)
    expect(readFileSync(`${file}.damaged`, 'utf8')).toBe(strange)
  })
})
