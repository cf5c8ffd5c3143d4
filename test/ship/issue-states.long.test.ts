/** The states of a feature's issues while nobody works on them, and what keeps them from being built. */
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { renderComment } from '../../src/forge/comments.ts'
import type { IssueState, MoveCause } from '../../src/rules/issues/issue-states.ts'
import { featureStream, issueMoved, issueStarted } from '../../src/ship/events.ts'
import { expectExit, held, ofType, type Project } from '../build/project.ts'
import { GitHubEmulator, repo, token } from '../forge/github-emulator.ts'
import { start } from '../support/convene.ts'
import { serve } from '../support/server.ts'
import { built, type FeatureReport, lineOf, reportOf, shipProject, states } from './project.ts'
import { builtLine, issueOf, shellProject } from './shell-issues.ts'

const slow = 300_000

async function greenlit(project: Project): Promise<void> {
  expectExit(await project.convene('greenlight', 'demo', '--issues', 'issues.json'), 0)
}

/** Waits until an agent is asked to build the first issue. */
async function underWay(project: Project): Promise<string> {
  for (;;) {
    const asked = (await project.events()).find(
      ({ type, data }) => type === 'ask.started' && (data as { kind: string }).kind === 'implement',
    )
    if (asked) return asked.run!.split('/')[0]!
    await pause(20)
  }
}

describe('an issue whose work was interrupted', () => {
  it.each(['SIGINT', 'stop'] as const)(
    '[IS1] is INTERRUPTED at once after %s, and continues when resumed',
    { timeout: slow },
    async (way) => {
      const project = shellProject([{ number: 1 }, { number: 2, depends_on: [1] }], {
        lines: [builtLine(1, held), builtLine(2)],
      })
      await greenlit(project)
      const running = start(['run', 'demo', '--json'], { cwd: project.folder })
      const run = await underWay(project)
      if (way === 'SIGINT') running.child.kill('SIGINT')
      else expectExit(await project.convene('stop', run), 0)
      const ended = await running.finished
      expect(ended.code).toBe(130)
      expect(states(JSON.parse(ended.stdout))).toEqual([
        [1, 'INTERRUPTED'],
        [2, 'READY'],
      ])

      const status = reportOf(await project.convene('status', 'demo'))

      expect(lineOf(status, 1)).toMatchObject({
        state: 'INTERRUPTED',
        reason: 'the work was stopped; its branch is kept',
      })
      project.release()
      const resumed = await project.convene('resume', run)
      expectExit(resumed, 0)
      expect(states(resumed.report)).toEqual([
        [1, 'DONE'],
        [2, 'DONE'],
      ])
      const moves = ofType(await project.events(), 'issue.moved').filter(({ issue }) => issue === 1)
      expect(moves.map(({ to }) => to)).toEqual([
        'READY',
        'IN_PROGRESS',
        'INTERRUPTED',
        'IN_PROGRESS',
        'VERIFYING',
        'DONE',
      ])
    },
  )

  it('[IS3] is INTERRUPTED at once after a kill -9, and completes when resumed', { timeout: slow }, async () => {
    const project = shellProject([{ number: 1 }, { number: 2, depends_on: [1] }], {
      lines: [builtLine(1, { after_ms: 2000 }), builtLine(2)],
    })
    await greenlit(project)
    const running = start(['run', 'demo', '--json'], { cwd: project.folder })
    const run = await underWay(project)
    expect(lineOf(reportOf(await project.convene('status', 'demo')), 1).state).toBe('IN_PROGRESS')
    running.child.kill('SIGKILL')
    await running.finished

    const status = reportOf(await project.convene('status', 'demo'))

    expect(lineOf(status, 1)).toMatchObject({
      state: 'INTERRUPTED',
      reason: 'the process working on it ended unexpectedly; its branch is kept',
    })
    const resumed = await project.convene('resume', run)
    expectExit(resumed, 0)
    expect(states(resumed.report)).toEqual([
      [1, 'DONE'],
      [2, 'DONE'],
    ])
    expect(resumed.stderr.split('\n')).toEqual(
      expect.arrayContaining(['continuing after: demo-1: implement: asking coder', '#2 started']),
    )
    expect(resumed.stderr.split('\n')).not.toContain('#1 started')
  })

  it('[IS1] is not INTERRUPTED if its work finished while it was being checked', { timeout: slow }, async () => {
    const project = shellProject([{ number: 1 }, { number: 2, depends_on: [1] }], { lines: [] })
    await greenlit(project)
    const served = await serve({}, { folder: project.folder })
    const { store } = served.app
    const header = { stream: featureStream('demo'), feature: 'demo', run: 'worker' }
    const moved = (from: IssueState, to: IssueState, cause: MoveCause) =>
      issueMoved.create(header, { issue: 1, from, to, cause, evidence: [], reason: 'all tries failed' })
    await store.append([
      moved('READY', 'IN_PROGRESS', 'started'),
      issueStarted.create(header, { issue: 1, session: 'worker' }),
    ])
    const holderOf = store.holderOf.bind(store)
    store.holderOf = async (name) => {
      await store.append([moved('IN_PROGRESS', 'BLOCKED', 'retries_spent')])
      return holderOf(name)
    }

    await served.call('GET', '/api/features/demo/status')
    store.holderOf = holderOf
    const { body } = await served.call('GET', '/api/features/demo/status')

    expect(states(body as FeatureReport)).toEqual([
      [1, 'BLOCKED'],
      [2, 'SKIPPED'],
    ])
  })

  it('[IS1][GH1] is no longer in progress on GitHub after a stop', { timeout: slow }, async () => {
    const github = await GitHubEmulator.start()
    process.env.STANDING_FORGE = token
    onTestFinished(async () => {
      delete process.env.STANDING_FORGE
      await github.stop()
    })
    const { number } = await github.call<{ number: number }>('POST', `/repos/${repo}/issues`, { title: 'One' })
    const labels = async () =>
      (await github.call<{ labels: { name: string }[] }>('GET', `/repos/${repo}/issues/${number}`)).labels
    const forge = { github: { repo, api_url: github.url, token_env: 'STANDING_FORGE' } }
    const project = shellProject([{ number: 1 }], {
      lines: [builtLine(1, held)],
      config: { forge },
    })
    const issues = [{ ...issueOf({ number: 1 }), github: number }]
    project.write({ 'issues.json': JSON.stringify({ feature: 'demo', issues }) })
    await greenlit(project)
    const running = start(['run', 'demo', '--json'], { cwd: project.folder })
    await underWay(project)
    await expect.poll(labels, { timeout: slow }).toMatchObject([{ name: 'swarm:in-progress' }])
    running.child.kill('SIGINT')
    expect((await running.finished).code).toBe(130)
    expect(await labels()).toMatchObject([{ name: 'swarm:ready' }])
  })

  it('[IS1][BU1] is INTERRUPTED when out of minutes, and READY if no agent was asked', {
    timeout: slow,
  }, async () => {
    const calls = shellProject([{ number: 1 }, { number: 2 }, { number: 3 }], { config: { budget: { calls: 1 } } })
    await greenlit(calls)
    const spent = await calls.convene('run', 'demo')
    expectExit(spent, 1)
    const asked = ofType(await calls.events(), 'ask.started').map(({ node }) => node)
    // The call was made; the budget has none left for its review.
    const expected = [1, 2, 3].map((number) => [number, asked.includes(`demo-${number}`) ? 'INTERRUPTED' : 'READY'])
    expect(states(spent.report)).toEqual(expected)
    expect(states((await calls.convene('status', 'demo')).report)).toEqual(expected)
    calls.configure({ budget: { calls: 100 } })
    expectExit(await calls.convene('run', 'demo'), 0)

    const minutes = shellProject([{ number: 1 }], {
      lines: [builtLine(1, { fail: 'timeout', reply: undefined, after_ms: 10_000 }), builtLine(1)],
      config: { budget: { minutes: 0.15 } },
    })
    await greenlit(minutes)
    const late = await minutes.convene('run', 'demo')
    expectExit(late, 124)
    expect(states(late.report)).toEqual([[1, 'INTERRUPTED']])
    expect(lineOf(reportOf(late), 1).reason).toMatch(/^the work was interrupted: .*minutes.*; its branch is kept$/)
  })

  it('[IS1] is INTERRUPTED with the reason if a script has no more lines', { timeout: slow }, async () => {
    const project = shellProject([{ number: 1 }], { lines: [] })
    await greenlit(project)
    const ran = await project.convene('run', 'demo')
    expectExit(ran, 2)
    expect(states(ran.report)).toEqual([[1, 'INTERRUPTED']])
    expect(lineOf(reportOf(ran), 1).reason).toMatch(/^the work was interrupted: .*script/)
    expect(lineOf(reportOf(await project.convene('status', 'demo')), 1).reason).toMatch(/^the work was interrupted: /)
  })
})

describe('obstacles to an issue', () => {
  it('[DU1] a suspected duplicate shows its evidence while its question is open, and only a choice answers it', {
    timeout: slow,
  }, async () => {
    const project = shellProject([{ number: 1 }])
    await greenlit(project)
    project.write({ 'src/f1.js': 'export const f1 = () => 0\n' })
    project.git('add', '--all')
    project.git('commit', '--quiet', '--message=by hand')
    const waiting = await project.convene('run', 'demo')
    expectExit(waiting, 3)

    const shown = lineOf(reportOf(await project.convene('status', 'demo')), 1)

    expect(shown).toMatchObject({ state: 'READY', evidence: [{ kind: 'file' }] })
    expect(shown.reason).toMatch(/^perhaps implemented already: .*demo#1, src\/f1.js, exists; it waits for your answer/)
    const [question] = waiting.report.questions!
    expect(question!.text).toContain('src/f1.js')
    expect(question!.context.detail).toBe('src/f1.js, from line 1:\nexport const f1 = () => 0\n')
    const banana = await project.convene('answer', question!.id, 'banana')
    expectExit(banana, 2)
    expect(banana.report.error!.message).toContain('implement, done')
    expectExit(await project.convene('answer', question!.id, 'DONE'), 0)
    expectExit(await project.convene('resume', waiting.report.run), 0)
    const after = lineOf(reportOf(await project.convene('status', 'demo')), 1)
    expect(after).toMatchObject({ state: 'DONE', evidence: [{ kind: 'person' }] })
    expect(after.reason).toBeUndefined()
  })

  it.each([
    ['target_path', { target_path: '../../etc/x' }, 'issues.1.target_path'],
    ['test_path', { test_path: '/etc/x' }, 'issues.1.test_path'],
    [
      'criterion',
      {
        acceptance_criteria: [
          { id: 'a', text: 'one' },
          { id: 'a', text: 'two' },
        ],
      },
      'issues.1.acceptance_criteria.1.id',
    ],
  ])('[IS2] an invalid %s is rejected at greenlight, with its path', { timeout: slow }, async (_, fault, path) => {
    const project = shellProject([])
    const issues = [issueOf({ number: 1 }), { ...issueOf({ number: 2 }), ...fault }]
    project.write({ 'issues.json': JSON.stringify({ feature: 'demo', issues }) })
    const refused = await project.convene('greenlight', 'demo', '--issues', 'issues.json')
    expectExit(refused, 2)
    expect(refused.report.error).toMatchObject({ code: 'invalid_issues', path })
    expect(await project.events()).toEqual([])
  })

  it('[IS2] unblocking an issue that depends on a blocked one is refused and names the blocked one', {
    timeout: slow,
  }, async () => {
    const project = shellProject([{ number: 1 }, { number: 2, depends_on: [1] }], {
      lines: [builtLine(1, { repeat: true, files: { 'src/f1.js': 'nothing\n' } }), builtLine(2)],
      config: { ship: { retries: 0 } },
    })
    await greenlit(project)
    expectExit(await project.convene('run', 'demo'), 1)
    const refused = await project.convene('unblock', 'demo', '--issue', '2')
    expectExit(refused, 2)
    expect(refused.report.error).toMatchObject({ code: 'dependency_blocked' })
    expect(refused.report.error!.message).toContain('unblock #1 first')
    expect(states((await project.convene('status', 'demo')).report)).toEqual([
      [1, 'BLOCKED'],
      [2, 'SKIPPED'],
    ])
    expectExit(await project.convene('unblock', 'demo', '--issue', '1'), 0)
  })

  it('[FA2] advice by rule names the failing tests', { timeout: slow }, async () => {
    const wrong = built(1, 'value')
    const advised = { ...wrong, when: { ...wrong.when, contains: 'Convene suggests: Read what "f1 adds one" expect' } }
    const project = shipProject([{ number: 1 }], [wrong, wrong, advised], { config: { ship: { retries: 2 } } })
    await greenlit(project)
    expectExit(await project.convene('run', 'demo'), 1)
    const approaches = ofType(await project.events(), 'failure.analysed').map((one) => one.modified_approach)
    expect(approaches.at(-1)).toContain('"f1 adds one"')
    expect(JSON.stringify(approaches)).not.toContain('clean checkout')
  })
})

describe('an unreachable forge', () => {
  it('[GH3] is reported at greenlight and at the end of a run, as text and as JSON', { timeout: slow }, async () => {
    process.env.STANDING_FORGE = 'a-token-of-no-worth-1'
    onTestFinished(() => void delete process.env.STANDING_FORGE)
    const github = { repo: 'o/r', api_url: 'http://127.0.0.1:9', token_env: 'STANDING_FORGE' }
    const project = shellProject([{ number: 1 }], { config: { forge: { github } } })
    const issues = [{ ...issueOf({ number: 1 }), github: 5 }]
    project.write({ 'issues.json': JSON.stringify({ feature: 'demo', issues }) })
    for (const args of [
      ['greenlight', 'demo', '--issues', 'issues.json'],
      ['run', 'demo'],
    ]) {
      const ended = await project.convene(...args)
      expectExit(ended, 0)
      expect(ended.report).toMatchObject({ tracker: { pending: 1, failed: 1, reason: expect.stringMatching(/./) } })
      expect(
        ended.stderr.split('\n').filter((line) => line.startsWith('the tracker is out of date: 1 issue is')),
      ).toHaveLength(1)
    }
  })

  it('[GH2] an issue that waits for another names it by its forge number', () => {
    const about = { feature: 'demo', number: 3 }
    const reason = 'depends on #2, which is skipped because #1 is BLOCKED'
    const comment = renderComment({
      ...about,
      kind: 'waiting',
      reason,
      named: [{ number: 2, github: 102 }, { number: 1 }],
    })
    expect(comment).toContain('depends on #102, which is skipped because issue 1 is BLOCKED')
  })
})
