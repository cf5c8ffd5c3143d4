/** What people have lying about: branches of ours in checkouts of theirs, and files of ours that were cut off. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { asked, buildProject, code, expectExit, type Line, specOf, testFile } from '../build/project.ts'
import { built, reportOf, shipProject, states } from './project.ts'

const slow = 240_000

describe('a branch of ours that somebody has checked out', () => {
  it('[MG4] clean, their checkout comes along with every issue', { timeout: slow }, async () => {
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

  it('[MG4] with changes in it, the branch stays; the work is kept, and goes in once they are gone', {
    timeout: slow,
  }, async () => {
    const project = shipProject([{ number: 1 }], [built(1)])
    const other = join(project.folder, '../theirs')
    project.git('worktree', 'add', '--quiet', '-b', 'convene/demo/main', other)
    const inOther = (...args: string[]) => project.git('-C', other, ...args)
    project.write({ '../theirs/package.json': '{"name":"mine","type":"module"}\n' })
    const first = project.git('rev-parse', 'main')
    expectExit(await project.convene('greenlight', 'demo', '--issues', 'issues.json'), 0)

    const ran = await project.convene('run', 'demo')

    expectExit(ran, 1)
    expect(ran.report.reason).toMatch(/dirty_checkout|uncommitted changes/)
    expect(ran.stdout + ran.stderr).toContain('package.json')
    expect(project.git('rev-parse', 'convene/demo/main')).toBe(first)
    expect(inOther('status', '--porcelain')).toBe('M package.json')
    const [work] = project
      .git('for-each-ref', '--format=%(refname:short)', 'refs/heads/convene/demo/')
      .split('\n')
      .filter((name) => name !== 'convene/demo/main')
    expect(project.read(work!, 'src/f1.js')).toContain('value + 1')

    inOther('checkout', '--quiet', '--', '.')
    const again = await project.convene('run', 'demo')
    expectExit(again, 0)
    expect(states(reportOf(again))).toEqual([[1, 'DONE']])
    expect(inOther('status', '--porcelain')).toBe('')
    expect(readFileSync(join(other, 'src/f1.js'), 'utf8')).toContain('value + 1')
    expect(asked(await project.events()).filter((one) => one.startsWith('implement'))).toHaveLength(1)
  })

  it('[MG4] is not taken away by the next build of the same spec', { timeout: slow }, async () => {
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
