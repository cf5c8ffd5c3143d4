/**
 * TR10 on the other floors: each fault of the surroundings in a plan, a ship, an issue loop and a room stops the run with what to repair,
 * and after the repair `resume` brings it to the same result. Builds: test/build/surroundings.long.test.ts.
 */
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { StoredEvent } from '../../src/kernel/events.ts'
import { type Built, held, type Project } from '../build/project.ts'
import { builtLine, shellProject } from '../ship/shell-issues.ts'
import { rehearsalProject, temporaryFolder } from '../support/convene.ts'
import { runResident } from '../support/resident-command.ts'
import { serve } from '../support/server.ts'

const goal = 'Give people a function that adds one'

interface Fault {
  what: string
  /** What the person reads. */
  says: RegExp
  /** Breaks something and returns the repair, with the environment of the broken command. */
  disturb(project: Project): { repair: () => void; env?: Record<string, string> }
}

const planFolder: Fault = {
  what: 'a file where plans are kept',
  says: /that nothing else is in the way/,
  disturb({ folder }) {
    mkdirSync(join(folder, '.convene'), { mode: 0o700, recursive: true })
    const place = join(folder, '.convene/plans')
    writeFileSync(place, '')
    return { repair: () => rmSync(place) }
  },
}

const objects: Fault = {
  what: 'git without its objects',
  says: /git fsck|Put back what was removed|Put the repository back/,
  disturb({ folder }) {
    const place = join(folder, '.git/objects')
    renameSync(place, `${place}-gone`)
    return { repair: () => renameSync(`${place}-gone`, place) }
  },
}

const noGit: Fault = {
  what: 'git that is not installed any more',
  says: /Install git again/,
  disturb() {
    const place = temporaryFolder()
    for (const from of (process.env.PATH ?? '').split(delimiter))
      for (const name of namesIn(from))
        if (name !== 'git')
          try {
            symlinkSync(join(from, name), join(place, name))
          } catch {
            // An earlier folder on the PATH has it.
          }
    return { repair() {}, env: { PATH: place } }
  },
}

const heldIndex: Fault = {
  what: 'a lock that another git left on the index',
  says: /remove the lock file/,
  disturb({ folder }) {
    const place = join(folder, '.git/index.lock')
    writeFileSync(place, '')
    return { repair: () => rmSync(place, { force: true }) }
  },
}

const worktreeRecords: Fault = {
  what: 'a file where git keeps the records of worktrees',
  says: /answer retry/,
  disturb({ folder }) {
    const place = join(folder, '.git/worktrees')
    rmSync(place, { recursive: true })
    writeFileSync(place, '')
    return { repair: () => rmSync(place) }
  },
}

async function run(project: Project, words: string[], env: Record<string, string> = {}): Promise<Built> {
  const ended = await runResident([...words, '--json'], { cwd: project.folder, env })
  const last = ended.stdout.trim().split('\n').at(-1) ?? ''
  return { ...ended, report: last.startsWith('{') ? JSON.parse(last) : {} }
}

type Moment = (events: StoredEvent<Record<string, unknown>>[]) => boolean

/** The agent was asked for this, and its line is held. */
const asked =
  (kind: string): Moment =>
  (events) =>
    events.some(({ type, data }) => type === 'ask.started' && data.kind === kind)

/** Runs into the fault, from the start or at a moment, repairs it and resumes. */
async function throughFault(project: Project, words: string[], fault: Fault, moment?: Moment): Promise<Built> {
  const before = moment ? undefined : fault.disturb(project)
  const running = run(project, words, before?.env)
  if (moment) await project.until(moment)
  const { repair } = before ?? fault.disturb(project)
  project.release()
  const broken = await running
  const said = `${broken.stdout}\n${broken.stderr}`
  expect(broken.code, said).not.toBe(0)
  expect(said).toMatch(fault.says)
  expect(broken.report.status, said).not.toBe('failed')
  repair()
  const resumed = await run(project, ['resume', broken.report.run])
  expect(resumed.code, `${said}\n${resumed.stdout}\n${resumed.stderr}`).toBe(0)
  // Nothing of the fault stays open.
  expect((await run(project, ['questions'])).stdout).not.toContain('answer retry')
  return resumed
}

const treeOf = (project: Project, branch: string) => project.git('rev-parse', `${branch}^{tree}`)

const one = [{ number: 1 }]
const heldBuild = () => shellProject(one, { lines: [builtLine(1, held)] })

describe('faults of the surroundings', () => {
  it.each([planFolder, noGit])('[TR10] stop a plan, and it goes on after the repair: $what', async (fault) => {
    const words = ['plan', goal, '--mode', 'rapid', '--yes']
    const [project, calm] = [shellProject(one), shellProject(one)]
    const issuesOf = ({ report }: Built) => {
      const { folder } = report as unknown as { folder: string }
      return JSON.parse(readFileSync(join(folder, 'issues.json'), 'utf8')).issues
    }
    const expected = issuesOf(await run(calm, words))
    expect(expected).toHaveLength(1)
    expect(issuesOf(await throughFault(project, words, fault))).toEqual(expected)
  })

  it.each([
    { ...planFolder, project: () => shellProject(one), moment: undefined },
    { ...objects, project: heldBuild, moment: asked('implement') },
  ])('[TR10] stop a ship, and it goes on after the repair: $what', async ({ project: make, moment, ...fault }) => {
    const words = ['ship', goal, '--mode', 'rapid', '--yes']
    const [project, calm] = [make(), shellProject(one)]
    const expected = await run(calm, words)
    expect(expected.code, expected.stderr).toBe(0)
    const done = await throughFault(project, words, fault, moment)
    expect(treeOf(project, done.report.branch)).toBe(treeOf(calm, expected.report.branch))
  })

  it.each([heldIndex, worktreeRecords])(
    '[TR10] stop an issue loop, and it goes on after the repair: $what',
    async (fault) => {
      const [project, calm] = [heldBuild(), shellProject(one)]
      for (const each of [project, calm])
        expect((await run(each, ['greenlight', 'demo', '--issues', 'issues.json'])).code).toBe(0)
      const expected = await run(calm, ['run', 'demo', '--merge'])
      expect(expected.code, expected.stderr).toBe(0)
      const done = await throughFault(project, ['run', 'demo', '--merge'], fault, asked('implement'))
      expect(treeOf(project, done.report.branch)).toBe(treeOf(calm, expected.report.branch))
    },
  )

  it('[TR10] stop an answer in a room, and it goes on after the repair: a lost attachment', async () => {
    const proposal = { angle: 'all of it', confidence: 0.9, covers: ['all'] }
    const script = [
      { when: { ask: 'micro-proposal' }, reply: proposal, repeat: true, ...held },
      { when: { ask: 'answer', contains: 'three words here' }, text: 'Read it.' },
    ]
    const served = await serve(rehearsalProject(JSON.stringify(script)))
    const { id: room } = (await served.call('POST', '/api/rooms', { name: 'r' })).body as { id: string }
    const posted = await served.call('POST', `/api/rooms/${room}/messages`, {
      text: 'Which of you reads this?',
      attachments: [{ name: 'notes.txt', text: 'three words here' }],
    })
    const { run: id } = posted.body as { run: string }
    const started = async () => (await served.app.store.read({ run: id, types: ['ask.started'] })).length
    await expect.poll(started).toBeGreaterThan(0)
    const payloads = join(served.folder, '.convene/payloads')
    renameSync(payloads, `${payloads}-gone`)
    writeFileSync(join(served.folder, held.after_file), '')
    const state = async () =>
      (await served.call('GET', `/api/runs/${id}`)).body as { status: string; code?: string; reason?: string }
    await expect.poll(async () => (await state()).status).not.toBe('running')
    expect(await state()).toMatchObject({ code: 'surroundings' })
    expect((await state()).reason).toContain(`Put back what was removed`)
    expect((await state()).reason).toContain(`convene resume ${id}`)
    rmSync(payloads, { recursive: true, force: true })
    renameSync(`${payloads}-gone`, payloads)
    expect((await served.call('POST', `/api/runs/${id}/resume`)).status).toBeLessThan(300)
    await expect.poll(async () => (await state()).status).toBe('done')
    const replies = await served.app.store.read({ run: id, types: ['reply.posted'] })
    expect(replies.map(({ data }) => (data as { text: string }).text)).toEqual(['Read it.'])
  })
})

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
