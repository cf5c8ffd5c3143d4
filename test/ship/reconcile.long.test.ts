/**
 * Git is the source of truth: whatever was lost, reset, reverted, squashed or left half done, nothing is built twice.
 */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it, vi } from 'vitest'
import { goneCommits } from '../../src/ship/git-history.ts'
import { Repository } from '../../src/workspace/git/repository.ts'
import { asked, expectExit, held, ofType } from '../build/project.ts'
import { start } from '../support/convene.ts'
import { runResident } from '../support/resident-command.ts'
import { built, type FeatureReport, functionOf, lineOf, reportOf, shipProject, states } from './project.ts'

const limit = { timeout: 300_000 }

describe('reconciling with git', () => {
  it(
    '[SY1] [IS4] understands reverts, reverts of reverts, reverted merges, squashes, cherry-picks and other branches',
    limit,
    async () => {
      const project = shipProject(
        [1, 2, 3, 4, 5, 6, 7, 12].map((number) => ({ number })),
        [],
      )
      const { git } = project
      const commit = (...message: string[]) =>
        git('commit', '--quiet', '--allow-empty', ...message.map((part) => `--message=${part}`))
      const status = async (command = 'status', ...more: string[]) =>
        reportOf(await project.convene(command, 'demo', ...more))
      const stateOf = (report: FeatureReport, number: number) => lineOf(report, number).state

      // #1 has only a commit for #12; #2 was squashed by GitHub; #3 is one of a squashed list; #4 is a cherry-pick.
      commit('feat(demo): Implement issue #12 (#34)')
      commit('feat(demo): Implement issue #2 (#35)', 'Convene-Issue: demo#2')
      commit(
        'Several things (#36)',
        '* feat(demo): Implement issue #3\n\nConvene-Run: r\nConvene-Issue: demo#3\n\n* chore: tidy up\n\n',
      )
      git('checkout', '--quiet', '-b', 'aside')
      commit('feat(other): Something', 'Convene-Run: x\nConvene-Issue: demo#4')
      commit('feat(demo): Implement issue #5')
      git('checkout', '--quiet', 'main')
      git('cherry-pick', '--allow-empty', '-x', 'aside~1')
      // #6 arrived in a merge that names no issue.
      git('checkout', '--quiet', '-b', 'topic')
      project.write({ 'six.txt': '6' })
      git('add', 'six.txt')
      commit('feat(demo): Implement issue #6')
      commit('docs: and a word about it')
      git('checkout', '--quiet', 'main')
      git('merge', '--quiet', '--no-ff', '--no-edit', 'topic')
      git('branch', '--quiet', '-D', 'topic')

      const first = await status('greenlight', '--issues', 'issues.json')
      expect(states(first)).toEqual([
        [1, 'READY'],
        [2, 'DONE'],
        [3, 'DONE'],
        [4, 'DONE'],
        [5, 'READY'],
        [6, 'DONE'],
        [7, 'READY'],
        [12, 'DONE'],
      ])
      expect(first.synced).toBe(5)
      expect(lineOf(first, 5).elsewhere.map(({ branch }) => branch)).toEqual(['aside'])
      expect(lineOf(first, 2).evidence[0]).toMatchObject({ kind: 'commit', detail: expect.stringContaining('(#35)') })
      expect(lineOf(first, 4).commit).toBe(git('rev-parse', 'main^1'))

      const [merge, twelve] = [git('rev-parse', 'main'), git('rev-parse', 'main~4')]
      git('revert', '--no-edit', '-m', '1', merge)
      commit('Revert "feat(demo): Implement issue #12 (#34)"', `This reverts commit ${twelve}.`)
      const undone = git('rev-parse', 'HEAD')
      const reverted = await status()
      expect([6, 12].map((number) => stateOf(reverted, number))).toEqual(['READY', 'READY'])
      expect(reverted.synced).toBe(2)
      expect(lineOf(reverted, 12).commit).toBeUndefined()

      commit('Reapply "feat(demo): Implement issue #12 (#34)"', `This reverts commit ${undone}.`)
      // A commit on the feature's own branch counts too, for this feature only.
      git('branch', 'convene/demo/main')
      git('checkout', '--quiet', 'convene/demo/main')
      commit('chore: nothing', 'convene-issue: demo#7')
      git('checkout', '--quiet', 'main')
      const again = await status()
      expect([6, 12, 7].map((number) => stateOf(again, number))).toEqual(['READY', 'DONE', 'DONE'])
      expect((await status()).synced).toBe(0)
      // So does one on the fetched main branch, before it is pulled.
      git('checkout', '--quiet', '--detach')
      commit('feat(demo): Implement issue #1')
      git('update-ref', 'refs/remotes/origin/main', 'HEAD')
      git('checkout', '--quiet', 'main')
      expect(stateOf(await status(), 1)).toBe('DONE')

      // A rewritten history is read again.
      git('reset', '--quiet', '--hard', 'main~8')
      git('branch', '--quiet', '-D', 'convene/demo/main')
      const rewritten = await status()
      expect([2, 6, 12, 7].map((number) => stateOf(rewritten, number))).toEqual(['DONE', 'READY', 'DONE', 'READY'])
      expect(rewritten.synced).toBe(1)
      expect(existsSync(join(project.folder, '.convene/cache/history-demo.json'))).toBe(true)
    },
  )

  it('[SY1] [IS4] work on a deleted branch is not done, and nothing is built on it', limit, async () => {
    const project = shipProject([{ number: 1 }, { number: 2, depends_on: [1] }], [built(1), built(1), built(2)])
    const { git } = project
    expectExit(await project.convene('greenlight', 'demo', '--issues', 'issues.json'), 0)
    expectExit(await project.convene('run', 'demo', '--issue', '1'), 0)
    const commit = git('rev-parse', 'convene/demo/main')
    git('branch', '--quiet', '-m', 'convene/demo/main', 'aside')
    const moved = reportOf(await project.convene('status', 'demo'))
    expect(moved.synced).toBe(1)
    expect(lineOf(moved, 1)).toMatchObject({
      state: 'READY',
      reason: `its commit ${commit.slice(0, 10)} is no longer on main or convene/demo/main, only on aside`,
    })
    // Once it is on a branch that counts, it is found again.
    git('branch', '--quiet', '-m', 'aside', 'convene/demo/main')
    expect(lineOf(reportOf(await project.convene('status', 'demo')), 1).state).toBe('DONE')
    git('branch', '--quiet', '-f', 'convene/demo/main', 'main')
    const reset = reportOf(await project.convene('greenlight', 'demo'))
    expect(lineOf(reset, 1)).toMatchObject({
      state: 'READY',
      reason: `its commit ${commit.slice(0, 10)} is no longer on main or convene/demo/main`,
    })
    const ran = await project.convene('run', 'demo')
    expectExit(ran, 0)
    expect(states(reportOf(ran))).toEqual([
      [1, 'DONE'],
      [2, 'DONE'],
    ])
    expect(git('ls-tree', '-r', '--name-only', 'convene/demo/main', 'src').split('\n')).toEqual([
      'src/f1.js',
      'src/f2.js',
    ])
  })

  it('[SY1] [IS4] a commit counts as gone once no branch that counts reaches it and git can prove that', async () => {
    const { folder, git } = shipProject([], [])
    const commit = () => {
      git('commit', '--quiet', '--allow-empty', '--message=whatever it says')
      return git('rev-parse', 'HEAD')
    }
    const onMain = commit()
    git('checkout', '--quiet', '-b', 'convene/demo/main')
    const integrated = commit()
    git('checkout', '--quiet', '-b', 'aside')
    const aside = commit()
    git('checkout', '--quiet', '--detach')
    const fetched = commit()
    git('update-ref', 'refs/remotes/origin/main', fetched)
    const missing = 'd'.repeat(40)
    git('update-ref', '-d', 'refs/heads/aside')
    const repository = await Repository.open(folder)
    const gone = (main: string) =>
      goneCommits(repository, 'demo', main, [onMain, integrated, aside, fetched, missing]).then((found) => [...found])
    expect(await gone('main')).toEqual([missing])
    git('update-ref', 'refs/remotes/origin/main', integrated)
    expect(await gone('main')).toEqual([aside, fetched, missing])
    expect(await goneCommits(repository, 'demo', 'main', [missing])).toEqual(new Set([missing]))
    expect(await gone('trunk')).toEqual([])
    writeFileSync(join(folder, '.git/shallow'), `${onMain}\n`)
    expect(await gone('main')).toEqual([])
  })

  it(
    '[IS4] reports a shallow clone, concludes nothing from missing commits, and reads again once it is complete',
    limit,
    async () => {
      const project = shipProject([{ number: 1 }, { number: 2 }], [built(2)])
      for (const message of ['feat(demo): Implement issue #1', 'another'])
        project.git('commit', '--quiet', '--allow-empty', `--message=${message}`)
      const [whole, shallow] = ['whole', 'shallow'].map((name) => join(project.folder, '..', name)) as [string, string]
      const source = pathToFileURL(project.folder).href
      project.git('clone', '--quiet', source, whole)
      project.git('clone', '--quiet', '--depth=1', source, shallow)
      const convene = async (cwd: string, ...args: string[]) => {
        const ended = await runResident([...args, '--json'], { cwd })
        expect(ended.code, ended.stderr).toBe(0)
        const report = JSON.parse(ended.stdout.trim().split('\n').at(-1)!) as FeatureReport & { warnings?: string[] }
        expect(ended.stderr.includes('git fetch --unshallow')).toBe(report.warnings !== undefined)
        return report
      }
      const greenlit = await convene(shallow, 'greenlight', 'demo', '--issues', 'issues.json')
      expect(lineOf(greenlit, 1).state).toBe('READY')
      expect(greenlit.warnings).toEqual([expect.stringContaining('git fetch --unshallow')])
      const ran = await convene(shallow, 'run', 'demo', '--issue', '2')
      expect(ran.warnings).toEqual(greenlit.warnings)
      project.git('-C', shallow, 'fetch', '--quiet', '--unshallow')
      const filled = await convene(shallow, 'status', 'demo')
      expect(filled.warnings).toBeUndefined()
      expect(lineOf(filled, 1).state).toBe('DONE')

      expect(lineOf(await convene(whole, 'greenlight', 'demo', '--issues', 'issues.json'), 1).state).toBe('DONE')
      project.git('-C', whole, 'fetch', '--quiet', '--depth=1', 'origin', 'main')
      const cut = await convene(whole, 'status', 'demo')
      expect(cut.warnings).toHaveLength(1)
      expect(lineOf(cut, 1).state).toBe('DONE')
    },
  )

  it('[IS4] [DU2] builds nothing that has a commit, even if the state was reset or never synced', limit, async () => {
    const project = shipProject([{ number: 1 }, { number: 2 }], [built(2)], {
      config: { coordination: { auto_sync_from_git: false } },
    })
    project.git('commit', '--quiet', '--allow-empty', '--message=feat(demo): Implement issue #1')
    const greenlit = reportOf(await project.convene('greenlight', 'demo', '--issues', 'issues.json'))
    expect(greenlit.synced).toBe(0)
    expect(states(greenlit)).toEqual([
      [1, 'READY'],
      [2, 'READY'],
    ])
    const ran = await project.convene('run', 'demo')
    expectExit(ran, 0)
    expect(lineOf(reportOf(ran), 1)).toMatchObject({
      state: 'DONE',
      commit: project.git('rev-parse', 'main'),
      evidence: [{ kind: 'commit' }],
    })
    expect(asked(await project.events())).toEqual(['implement demo-2', 'review-impl demo-2'])
  })
})

describe('two processes, a dead one, and no database', () => {
  it('[IS2] [EV1] with two runners, one works, the other attaches, and both report the same', limit, async () => {
    const project = shipProject([{ number: 1 }], [{ ...built(1), ...held }])
    expectExit(await project.convene('greenlight', 'demo', '--issues', 'issues.json'), 0)
    const runners = ['run', 'run'].map((command) => start([command, 'demo', '--json'], { cwd: project.folder }))
    await Promise.all(runners.map(({ notes }) => notes(/#1 started/)))
    project.release()
    const ended = await Promise.all(runners.map(({ finished }) => finished))
    expect(
      ended.map(({ code }) => code),
      JSON.stringify(ended),
    ).toEqual([0, 0])
    const runs = ended.map(({ stdout }) => (JSON.parse(stdout.trim().split('\n').at(-1)!) as { run: string }).run)
    expect(runs[0]).toBe(runs[1])
    // One of them joined the other's run and counts only what came after.
    const joined = ended.filter(({ stderr }) => stderr.includes('only what is new is counted'))
    expect(joined).toHaveLength(1)
    const events = await project.events()
    expect(asked(events)).toEqual(['implement demo-1', 'review-impl demo-1'])
    expect(ofType(events, 'lock.taken')).toHaveLength(1)
    expect(project.git('log', '--format=%s', 'main..convene/demo/main')).toBe(`Function ${functionOf(1)}`)
  })

  it(
    '[IS3] a worker with a heartbeat keeps its claim; once killed, its issue is INTERRUPTED and can be resumed',
    limit,
    async () => {
      const project = shipProject([{ number: 1 }], [{ ...built(1), ...held }], {
        config: { ship: { stale_minutes: 0.15 } },
      })
      expectExit(await project.convene('greenlight', 'demo', '--issues', 'issues.json'), 0)
      const killed = start(['run', 'demo', '--json'], { cwd: project.folder })
      const mirror = join(project.folder, '.convene/events/demo.jsonl')
      await vi.waitFor(() => expect(readFileSync(mirror, 'utf8')).toContain('issue_started'), { timeout: 240_000 })
      // Longer than a claim lasts without a heartbeat.
      await new Promise((resolve) => setTimeout(resolve, 10_000))
      const meanwhile = reportOf(await project.convene('status', 'demo'))
      killed.child.kill('SIGKILL')
      await killed.finished
      expect(lineOf(meanwhile, 1).state).toBe('IN_PROGRESS')
      await vi.waitFor(
        async () =>
          expect(lineOf(reportOf(await project.convene('status', 'demo')), 1)).toMatchObject({
            state: 'INTERRUPTED',
            reason: expect.stringContaining('branch is kept'),
          }),
        { timeout: 240_000, interval: 500 },
      )
      project.release()

      const resumed = await project.convene('run', 'demo')
      expectExit(resumed, 0)
      expect(states(reportOf(resumed))).toEqual([[1, 'DONE']])
      const events = await project.events()
      const moves = ofType(events, 'issue.moved').map(({ cause }) => cause)
      expect(moves).toEqual(['greenlit', 'started', 'interrupted', 'started', 'implemented', 'verified'])
      expect(ofType(events, 'lock.released').map(({ stale }) => stale)).toEqual([true, false])
      expect(project.git('log', '--format=%s', 'main..convene/demo/main')).toBe(`Function ${functionOf(1)}`)
      const lines = readFileSync(mirror, 'utf8').trim().split('\n')
      expect(lines.map((line) => JSON.parse(line).event)).toEqual([
        'issue_started',
        'tests_written',
        'implementation_complete',
        'issue_done',
      ])
    },
  )

  it('[IS4] reports an invalid database and how to recover; the states are then restored from git', limit, async () => {
    const project = shipProject([{ number: 1 }, { number: 2 }], [built(1)])
    expectExit(await project.convene('greenlight', 'demo', '--issues', 'issues.json'), 0)
    expectExit(await project.convene('run', 'demo', '--issue', '1'), 0)
    const database = join(project.folder, '.convene/convene.db')
    for (const suffix of ['-wal', '-shm']) rmSync(`${database}${suffix}`, { force: true })
    writeFileSync(database, 'this is no database, whatever it was before\n'.repeat(500))
    const broken = await project.convene('status', 'demo')
    expectExit(broken, 2)
    expect(broken.report.error).toMatchObject({
      code: 'database_corrupt',
      message: expect.stringContaining('convene.db'),
    })
    rmSync(database)
    const restored = reportOf(await project.convene('greenlight', 'demo', '--issues', 'issues.json'))
    expect(restored.synced).toBe(1)
    expect(states(restored)).toEqual([
      [1, 'DONE'],
      [2, 'READY'],
    ])
  })
})
