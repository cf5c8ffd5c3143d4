/** Stopping a ship, from anywhere: the whole tree stops and resumes together, even if killed during the stop. */
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { expectExit, held, ofType, type Project } from '../build/project.ts'
import { start } from '../support/convene.ts'
import { type Served, serve } from '../support/server.ts'
import { builtLine, issueOf, shellProject } from './shell-issues.ts'

const slow = 300_000
const issues = [{ number: 1 }, { number: 2 }]
const ship = { goal: 'Add two functions', mode: 'rapid', yes: true, merge: true }

/** Holds one agent: the one that lists the issues, or the one that builds the first. */
function heldProject(who: 'planner' | 'builder') {
  const planned = { summary: 'Two.', issues: issues.map(issueOf) }
  return shellProject(issues, {
    lines: [
      { when: { ask: 'phase', phase: '9' } as never, reply: planned, ...(who === 'planner' ? held : {}) },
      builtLine(1, who === 'builder' ? held : {}),
      builtLine(2),
    ],
  })
}

interface Listed {
  id: string
  kind: string
  status: string
}

async function runsOf({ call }: Served): Promise<Listed[]> {
  return ((await call('GET', '/api/runs')).body as { runs: Listed[] }).runs
}

/** Waits until the held agent has been asked. */
async function underWay({ app }: Served, who: 'planner' | 'builder'): Promise<void> {
  for (;;) {
    const started = await app.store.read({ types: ['ask.started', 'phase.started'] })
    const isThere = started.some(({ type, data }) => {
      const { phase, kind } = data as { phase?: string; kind?: string }
      return who === 'planner' ? type === 'phase.started' && phase === '9' : kind === 'implement'
    })
    if (isThere) return
    await pause(10)
  }
}

async function settled({ app }: Served, id: string) {
  for (;;) {
    const report = await app.ships.report(id)
    if (report.status !== 'running') return report
    await pause(20)
  }
}

describe('a ship that is stopped over HTTP', () => {
  it.each([
    ['itself', 'planner', ''],
    ['its plan', 'planner', '/plan'],
    ['its issue loop', 'builder', '/run'],
    ['one issue', 'builder', '/run/issue-1'],
    ['one build', 'builder', '/run/issue-1/build'],
  ] as const)('by stopping %s stops as a whole and resumes as a whole', { timeout: slow }, async (_, who, part) => {
    const project = heldProject(who)
    const served = await serve({}, { folder: project.folder })
    const id = `ship-${randomUUID()}`
    expect((await served.call('POST', '/api/ships', { ...ship, id })).status).toBe(202)
    await underWay(served, who)

    const stopped = await served.call('POST', `/api/runs/${encodeURIComponent(id + part)}/stop`)

    expect(stopped).toMatchObject({ status: 202, body: { id: id + part, status: 'stopped' } })
    const before = await runsOf(served)
    expect(before.filter(({ status }) => status !== 'stopped' && status !== 'done')).toEqual([])
    expect(before.find((run) => run.id === id)).toMatchObject({ status: 'stopped' })
    expect(await served.app.ships.report(id)).toMatchObject({ status: 'stopped' })
    const { length } = await served.app.store.read({ types: ['ask.started'] })
    await pause(200)
    expect(await served.app.store.read({ types: ['ask.started'] })).toHaveLength(length)

    project.release()
    const resumed = await served.call('POST', `/api/runs/${encodeURIComponent(id + part)}/resume`)
    expect(resumed).toMatchObject({ status: 202, body: { id: id + part, status: 'running' } })
    expect(await settled(served, id)).toMatchObject({ status: 'done', merged: true })
    expect((await runsOf(served)).filter(({ status }) => status !== 'done')).toEqual([])
    const finished = (await served.app.store.read({ types: ['ask.finished'] })).map(
      ({ data }) => (data as { ask: string }).ask,
    )
    expect(new Set(finished).size).toBe(finished.length)
    expect(project.git('log', '--format=%s', '--grep=^Function ', 'main').split('\n')).toHaveLength(2)
  })
})

describe('a ship in the foreground', () => {
  /** Waits until the first issue is being built; returns the ship's id. */
  async function building(project: Project): Promise<string> {
    for (;;) {
      const events = await project.events().catch(() => [])
      const asked = events.find(({ type, data }) => type === 'ask.started' && data.kind === 'implement')
      if (asked) return asked.run!.split('/')[0]!
      await pause(50)
    }
  }

  async function expectResumes(project: Project, id: string): Promise<void> {
    project.release()
    const resumed = await project.convene('resume', id)
    expectExit(resumed, 0)
    expect(resumed.report).toMatchObject({ status: 'done', merged: true })
    const finished = ofType(await project.events(), 'ask.finished').map(({ ask }) => ask)
    expect(new Set(finished).size).toBe(finished.length)
    expect(project.git('log', '--format=%s', '--grep=^Function ', 'main').split('\n')).toHaveLength(2)
    expect(project.git('worktree', 'list').split('\n')).toHaveLength(1)
  }

  const args = ['ship', ship.goal, '--mode', ship.mode, '--yes', '--merge', '--json']

  it.each(['SIGINT', 'stop'] as const)(
    'by %s exits with 130, and resumes where it was',
    { timeout: slow },
    async (way) => {
      const project = heldProject('builder')
      const first = start(args, { cwd: project.folder })
      const id = await building(project)
      if (way === 'SIGINT') first.child.kill('SIGINT')
      else expectExit(await project.convene('stop', id), 0)
      const ended = await first.finished
      expect(ended.code, ended.stdout + ended.stderr).toBe(130)
      expect(JSON.parse(ended.stdout)).toMatchObject({ run: id, status: 'stopped' })
      await expectResumes(project, id)
    },
  )

  it('still resumes after being killed during a stop', { timeout: slow }, async () => {
    const project = heldProject('builder')
    const first = start(args, { cwd: project.folder })
    const id = await building(project)
    first.child.kill('SIGINT')
    await pause(5)
    first.child.kill('SIGKILL')
    await first.finished
    await expectResumes(project, id)
  })
})
