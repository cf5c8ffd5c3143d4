/** Where a feature's issues stand when nobody works on them, and what keeps them from being worked on. */
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { expectExit, ofType, type Project } from '../build/project.ts'
import { start } from '../support/convene.ts'
import { lineOf, reportOf, states } from './project.ts'
import { builtLine, issueOf, shellProject } from './shell-issues.ts'

const slow = 300_000

async function greenlit(project: Project): Promise<void> {
  expectExit(await project.convene('greenlight', 'demo', '--issues', 'issues.json'), 0)
}

/** Until an agent is asked to build the first. */
async function underWay(project: Project): Promise<string> {
  for (;;) {
    const asked = (await project.events()).find(
      ({ type, data }) => type === 'ask.started' && (data as { kind: string }).kind === 'implement',
    )
    if (asked) return asked.run!.split('/')[0]!
    await pause(20)
  }
}

describe('an issue that nobody works on any more', () => {
  it.each([
    'SIGINT',
    'stop',
  ] as const)('[IS1] is INTERRUPTED at once after %s, and goes on when resumed', { timeout: slow }, async (way) => {
    const project = shellProject([{ number: 1 }, { number: 2, depends_on: [1] }], {
      lines: [builtLine(1, { after_ms: 2000 }), builtLine(2)],
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
  })

  it('[IS1][BU1] out of minutes is INTERRUPTED; one that no agent was asked about is READY', {
    timeout: slow,
  }, async () => {
    const calls = shellProject([{ number: 1 }, { number: 2 }, { number: 3 }], { config: { budget: { calls: 1 } } })
    await greenlit(calls)
    const spent = await calls.convene('run', 'demo')
    expectExit(spent, 1)
    const asked = ofType(await calls.events(), 'ask.started').map(({ node }) => node)
    const expected = [1, 2, 3].map((number) => [number, asked.includes(`demo-${number}`) ? 'DONE' : 'READY'])
    expect(states(spent.report)).toEqual(expected)
    expect(states((await calls.convene('status', 'demo')).report)).toEqual(expected)
    calls.configure({ budget: { calls: 100 } })
    expectExit(await calls.convene('run', 'demo'), 0)

    const minutes = shellProject([{ number: 1 }], {
      lines: [builtLine(1, { fail: 'timeout', reply: undefined, after_ms: 1200 }), builtLine(1)],
      config: { budget: { minutes: 0.015 } },
    })
    await greenlit(minutes)
    const late = await minutes.convene('run', 'demo')
    expectExit(late, 124)
    expect(states(late.report)).toEqual([[1, 'INTERRUPTED']])
    expect(lineOf(reportOf(late), 1).reason).toMatch(/^the work was broken off: .*minutes.*; its branch is kept$/)
  })

  it('[IS1] is INTERRUPTED with the reason where a script ran out', { timeout: slow }, async () => {
    const project = shellProject([{ number: 1 }], { lines: [] })
    await greenlit(project)
    const ran = await project.convene('run', 'demo')
    expectExit(ran, 2)
    expect(states(ran.report)).toEqual([[1, 'INTERRUPTED']])
    expect(lineOf(reportOf(ran), 1).reason).toMatch(/^the work was broken off: .*script/)
    expect(lineOf(reportOf(await project.convene('status', 'demo')), 1).reason).toMatch(/^the work was broken off: /)
  })
})

void issueOf
