/**
 * The issue loop through the command: git is the source of truth, nothing is built twice, and a blocked issue says
 * why.
 */
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { asked, expectExit } from '../build/project.ts'
import { start } from '../support/convene.ts'
import { built, functionOf, lineOf, reportOf, shipProject, states } from './project.ts'

describe('a feature', () => {
  it('[IS2] [IS4] [SY1] [DU2] [FA3] is built in order and once: neither a second run nor lost state builds anything again', {
    timeout: 240_000,
  }, async () => {
    const project = shipProject(
      [{ number: 1 }, { number: 2, depends_on: [1] }],
      [
        built(1),
        {
          when: { ask: 'summary', contains: '+export const f1 = (value) => value + 1' },
          text: 'PROSE-MARK: it adds one.',
        },
        { ...built(2), when: { ...built(2).when, contains: 'PROSE-MARK' } },
      ],
      { files: { 'CLAUDE.md': 'Project rule: CLAUDE-MARK\n' } },
    )
    expect(states((await project.convene('greenlight', 'demo', '--issues', 'issues.json')).report)).toEqual([
      [1, 'READY'],
      [2, 'READY'],
    ])
    const ran = await project.convene('run', 'demo')
    expectExit(ran, 0)
    expect(ran.stderr).toMatch(/^spent: /m)
    expect(states(ran.report)).toEqual([
      [1, 'DONE'],
      [2, 'DONE'],
    ])
    const events = await project.events()
    expect(asked(events)).toEqual([
      'implement demo-1',
      'review-impl demo-1',
      'summary demo-1',
      'implement demo-2',
      'review-impl demo-2',
    ])
    const subjects = project.git('log', '--format=%s', 'main..convene/demo/main').split('\n')
    expect(subjects).toEqual([`Function ${functionOf(2)}`, `Function ${functionOf(1)}`])
    expect(
      project.git('log', '-1', '--format=%(trailers:key=Convene-Issue,valueonly)', 'convene/demo/main').trim(),
    ).toBe('demo#2')

    const mirror = readFileSync(join(project.folder, '.convene/events/demo.jsonl'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(mirror.map(({ event, issue }) => `${event} ${issue}`)).toEqual([
      'issue_started 1',
      'tests_written 1',
      'implementation_complete 1',
      'issue_done 1',
      'issue_started 2',
      'tests_written 2',
      'implementation_complete 2',
      'issue_done 2',
    ])
    const started = events.find(({ type }) => type === 'context.injected')!
    expect(started.data.tokens).toBeGreaterThan(0)

    // All of Convene's state is deleted; git still has the commits.
    rmSync(join(project.folder, '.convene'), { recursive: true })
    const again = await project.convene('greenlight', 'demo', '--issues', 'issues.json')
    expect((again.report as unknown as { synced: number }).synced).toBe(2)
    expect(states(again.report)).toEqual([
      [1, 'DONE'],
      [2, 'DONE'],
    ])
    expectExit(await project.convene('run', 'demo'), 0)
    expect(asked(await project.events())).toEqual([])

    project.git('checkout', '--quiet', 'convene/demo/main')
    project.git('revert', '--no-edit', 'HEAD')
    project.git('checkout', '--quiet', 'main')
    expect(states((await project.convene('status', 'demo')).report)).toEqual([
      [1, 'DONE'],
      [2, 'READY'],
    ])
  })

  it('[IS1] [FA2] blocks an issue after four attempts; its dependents are SKIPPED and return once it is unblocked', {
    timeout: 240_000,
  }, async () => {
    const lines = [1, 2, 3, 4].map(() => built(1, 'value'))
    const project = shipProject([{ number: 1 }, { number: 2, depends_on: [1] }], [...lines, built(1), built(2)])
    await project.convene('greenlight', 'demo', '--issues', 'issues.json')
    const ran = await project.convene('run', 'demo')
    expectExit(ran, 1)
    expect(states(ran.report)).toEqual([
      [1, 'BLOCKED'],
      [2, 'SKIPPED'],
    ])
    const types = (await project.events()).map(({ type }) => type)
    expect(types.filter((type) => type === 'verification.failed')).toHaveLength(4)
    expect(types.filter((type) => type === 'retry.started')).toHaveLength(3)
    // IS6: the person is told why, attempt by attempt, and what to do.
    const moved = (await project.events()).find(({ type, data }) => type === 'issue.moved' && data.to === 'BLOCKED')!
    expect(moved.data.reason).toMatch(/^given up: all 4 attempts are used .*\. Attempts 1 to 4: the tests do not pass/)
    const whyBlocked = await project.convene('why', `${moved.seq}`)
    expect(JSON.stringify(whyBlocked.report)).toContain('`convene unblock demo --issue 1`')
    expect(states((await project.convene('unblock', 'demo', '--issue', '1')).report)).toEqual([
      [1, 'READY'],
      [2, 'READY'],
    ])
    const second = await project.convene('run', 'demo', '--merge')
    expectExit(second, 0)
    expect(project.git('log', '-1', '--format=%s')).toBe(`Function ${functionOf(2)}`)

    const why = (await project.convene('why', 'src/f1.js:1')).report as unknown as {
      issue: object
      run: string
      criteria: string[]
    }
    expect(why).toMatchObject({ issue: { feature: 'demo', number: 1 }, criteria: ['c1-0'] })
    for (const same of ['src/f1.js:1:8', 'HEAD~1'])
      expect((await project.convene('why', same)).report).toMatchObject({ issue: { number: 1 } })
    const replayed = (await project.convene('replay', why.run)).report as unknown as {
      decisions: number
      differences: unknown[]
    }
    expect(replayed.differences).toEqual([])
  })

  it('[SY1] [DU1] tells a commit for issue 12 from issue 1, shows commits on other branches, and accepts passing tests', {
    timeout: 240_000,
  }, async () => {
    const project = shipProject([{ number: 1 }, { number: 2 }, { number: 3 }, { number: 12 }], [built(1)])
    project.git('commit', '--quiet', '--allow-empty', '--message=feat(demo): Implement issue #12 (#34)')
    project.git('branch', 'aside')
    project.git('checkout', '--quiet', 'aside')
    project.git('commit', '--quiet', '--allow-empty', '--message=feat(demo): Implement issue #2')
    project.git('checkout', '--quiet', 'main')
    const greenlit = (await project.convene('greenlight', 'demo', '--issues', 'issues.json')).report as unknown as {
      issues: { number: number; state: string; elsewhere: { branch: string }[] }[]
      synced: number
    }
    expect(states(greenlit)).toEqual([
      [1, 'READY'],
      [2, 'READY'],
      [3, 'READY'],
      [12, 'DONE'],
    ])
    expect(greenlit.issues[1]!.elsewhere.map(({ branch }) => branch)).toEqual(['aside'])
    project.write(built(3).files as Record<string, string>)
    project.git('add', '--all')
    project.git('commit', '--quiet', '--message=by hand')
    const third = await project.convene('run', 'demo', '--issue', '3')
    expectExit(third, 0)
    expect(
      (third.report as unknown as { issues: { evidence: { kind: string }[] }[] }).issues[2]!.evidence[0]!.kind,
    ).toBe('tests')
    expectExit(await project.convene('run', 'demo', '--issue', '1'), 0)
    const told = await start(['why', project.git('rev-parse', 'convene/demo/main')], { cwd: project.folder }).finished
    expect(told.stdout).toMatch(/^This commit is [0-9a-f]{10}, "function f1"/)
    expect(told.stdout).toContain('For issue #1 of demo: Function f1\nCriterion\n  it adds one\n')
    expect(told.stdout).toMatch(/Convene ran the tests itself: \d+ passed, 0 failed/)
    expect(told.stdout).toMatch(/It cost \d+ asks with \d+ requests, \d+ tokens/)
    expect(told.stdout).not.toMatch(/c1-0|run-[0-9a-f]{8}|\b(exit\.routed|issue\.moved)\b/)
    expect(asked(await project.events())).toEqual(['implement demo-1', 'review-impl demo-1'])
  })

  it('[DU1] builds an issue whose test and file were there at greenlight, passing; criterion ids make the tests its own', {
    timeout: 240_000,
  }, async () => {
    const old = (number: number, title: string) => ({
      [`src/f${number}.js`]: `export const f${number} = (value) => value\n`,
      [`test/f${number}.test.js`]: `import { test } from 'node:test'\nimport '../src/f${number}.js'\ntest('${title}', () => {})\n`,
    })
    const files = built(1).files as Record<string, string>
    const kept = `${files['test/f1.test.js']}test('loads', () => {})\n`
    const line = { ...built(1), files: { ...files, 'test/f1.test.js': kept } }
    const project = shipProject([{ number: 1 }, { number: 2 }], [line], {
      files: { ...old(1, 'loads'), ...old(2, '[c2-0] loads') },
    })
    await project.convene('greenlight', 'demo', '--issues', 'issues.json')
    const ran = await project.convene('run', 'demo')
    expectExit(ran, 0)
    expect(asked(await project.events())).toEqual(['implement demo-1', 'review-impl demo-1'])
    const found = reportOf(ran)
    expect(lineOf(found, 1).evidence[0]).toMatchObject({ kind: 'commit' })
    expect(lineOf(found, 2).evidence).toEqual([
      {
        kind: 'tests',
        detail: 'the tests of demo#2, test/f2.test.js, exist and pass, and carry its criterion ids',
      },
    ])
  })

  it('[DU1] [DU2] --yes builds a suspect and --answers may mark it done; tests that failed at greenlight count once they pass', {
    timeout: 240_000,
  }, async () => {
    const failing = { 'test/f3.test.js': (built(3).files as Record<string, string>)['test/f3.test.js']! }
    const project = shipProject([{ number: 1 }, { number: 2 }, { number: 3 }], [built(1)], {
      files: { ...failing, 'answers.json': JSON.stringify([{ match: 'src/f2.js', answer: 'done' }]) },
    })
    await project.convene('greenlight', 'demo', '--issues', 'issues.json')
    project.write({
      'src/f1.js': 'export const f1 = 1\n',
      'src/f2.js': 'export const f2 = 2\n',
      'src/f3.js': (built(3).files as Record<string, string>)['src/f3.js']!,
    })
    project.git('add', '--all')
    project.git('commit', '--quiet', '--message=by hand')
    const ran = await project.convene('run', 'demo', '--yes', '--answers', 'answers.json')
    expectExit(ran, 0)
    expect(asked(await project.events())).toEqual(['implement demo-1', 'review-impl demo-1'])
    const evidence = [1, 2, 3].map((number) => lineOf(reportOf(ran), number).evidence[0]!)
    expect(evidence.map(({ kind }) => kind)).toEqual(['commit', 'person', 'tests'])
    expect(evidence[1]!.detail).toBe('marked as done by the answers file')
    expect(evidence[2]!.detail).toContain('and failed at greenlight')
  })

  it('[IS2] refuses a cycle, a missing dependency and a file for another feature', async () => {
    const project = shipProject(
      [
        { number: 1, depends_on: [2] },
        { number: 2, depends_on: [1] },
      ],
      [],
    )
    const refused = await project.convene('greenlight', 'demo', '--issues', 'issues.json')
    expectExit(refused, 2)
    expect(refused.report.error).toMatchObject({ code: 'invalid_issues' })
    const wrong = { number: 1, title: 'x', acceptanceCriteria: [], dependencies: [] }
    project.write({ 'wrong.json': JSON.stringify({ feature: 'demo', issues: [wrong] }) })
    const unread = await project.convene('greenlight', 'demo', '--issues', 'wrong.json')
    // Every fault, and the keys that are valid.
    expect(unread.report.error?.message).toMatch(
      /issues\.0\.acceptance_criteria: .*acceptanceCriteria.*valid: number, title/,
    )
    expectExit(await project.convene('greenlight', 'other', '--issues', 'issues.json'), 2)
    expectExit(await project.convene('run', 'demo'), 2)
  })
})
