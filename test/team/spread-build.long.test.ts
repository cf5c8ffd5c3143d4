/** A build whose parts run on several machines, each with its own clone of the repository. */
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { StoredEvent } from '../../src/kernel/events.ts'
import { approved, buildProject, code, held, honest, type Line, planOf, specOf, stub } from '../build/project.ts'
import { check, shellCommand, shellRunner } from '../build/shell-tests.ts'
import { type Started, start } from '../support/convene.ts'
import { serve } from './serve.ts'
import { type RunningPostgres, startPostgres } from './start-postgres.ts'

let server: RunningPostgres

beforeAll(async () => {
  server = await startPostgres()
})
afterAll(() => server?.stop())

const parts = ['left', 'middle', 'right']

describe('a build on three machines', () => {
  it('[TM4] ends merged in the common repository, although one of them is killed in the middle of a part', async () => {
    const { project, origin, env, clone } = sharedProject()
    const front = await serve(project.folder, env, '--no-work')
    const workers = new Map<number, Started>()
    for (const name of ['one', 'two', 'three']) {
      const worker = start(['worker', '--capacity', '1', '--json'], { cwd: clone(name), env })
      const { pid } = JSON.parse((await worker.says(/^\{.*\}$/m))[0]) as { pid: number }
      workers.set(pid, worker)
    }
    const spec = JSON.parse(project.read('HEAD', 'spec.json'))
    const { id } = await front.call<{ id: string }>('POST', '/api/builds', { spec, strategy: 'graph' })
    const events = async () => {
      const all: StoredEvent<Record<string, unknown>>[] = []
      for (let after: number | null = 0; after !== null; ) {
        const page: { events: typeof all; next: number | null } = await front.call('GET', `/api/events?after=${after}`)
        all.push(...page.events)
        after = page.next
      }
      return all
    }
    const implementing = async () =>
      (await events()).filter(({ type, data }) => type === 'ask.started' && data.kind === 'implement')
    await expect.poll(async () => (await implementing()).length, { timeout: 280_000 }).toBe(3)
    const owners = await ownersOf(id)
    expect(new Set(owners.values()).size).toBeGreaterThan(1)
    // Not the one that has the build itself: that is another story, told elsewhere.
    const [, victim] = [...owners].find(([run, pid]) => run !== id && pid !== owners.get(id))!
    process.kill(victim, 'SIGKILL')
    await workers.get(victim)!.finished
    project.release()
    await expect
      .poll(async () => (await front.call<{ status: string }>('GET', `/api/builds/${id}/report`)).status, {
        timeout: 280_000,
      })
      .toBe('done')
    const { commit } = await front.call<{ commit: string }>('GET', `/api/builds/${id}/report`)
    expect(git(origin, 'rev-parse', 'refs/heads/convene/calc/main')).toBe(commit)
    for (const part of ['calc', ...parts])
      expect(git(origin, 'show', `${commit}:src/${part}.js`)).toContain('value + 1')
    const merges = (await events())
      .filter(({ type }) => type === 'merge.completed')
      .map(({ data }) => String(data.node))
    expect(merges.sort()).toEqual(['calc', ...parts])
    // The branches of the parts are gone there too.
    expect(git(origin, 'for-each-ref', '--format=%(refname)', 'refs/heads/convene', 'refs/convene')).toBe(
      'refs/heads/convene/calc/main',
    )
    expect(existsSync(join(project.folder, '.convene/convene.db'))).toBe(false)
  })
})

const git = (folder: string, ...args: string[]) => execFileSync('git', args, { cwd: folder, encoding: 'utf8' }).trim()

/** Which process executes each run of the build. */
async function ownersOf(build: string): Promise<Map<string, number>> {
  const client = new pg.Client({ connectionString: server.url })
  await client.connect()
  onTestFinished(() => client.end())
  const { rows } = await client.query(
    `SELECT runs.id, pid FROM convene.runs JOIN convene.workers ON workers.number = runs.owner
     WHERE runs.status = 'running' AND (runs.id = $1 OR runs.id LIKE $1 || '/%')`,
    [build],
  )
  return new Map(rows.map(({ id, pid }) => [id, pid]))
}

/** A parent with three parts, whose implementers wait until they are released. */
function sharedProject() {
  const inShell = (id: string, criteria: string[]) => specOf(id, criteria, { testPath: `test/${id}.test.sh` })
  const top = inShell('calc', ['kept', ...parts])
  const children = parts.map((id) => inShell(id, [id]))
  const lines = [top, ...children].flatMap((spec): Line[] => {
    const { id, targetPath, testPath } = spec
    const plan = planOf(spec).filter(({ criterionId }) => id !== 'calc' || criterionId === 'kept')
    const contract = `contract/${id}.test.sh`
    const tests = plan.map(({ plannedTestName }) => check(plannedTestName, targetPath, 'value + 1')).join('')
    return [
      {
        when: { ask: 'scaffold', node: id },
        files: { [targetPath]: stub(id), [contract]: check(`${id} contract`, targetPath, 'value + 1') },
        reply: {
          InitWork: {
            interfaceFile: targetPath,
            contractSuite: contract,
            testPlan: plan,
            ...(id === 'calc' ? { childSpecs: children } : {}),
          },
        },
      },
      {
        when: { ask: 'write-tests', node: id },
        files: { [testPath]: tests },
        reply: { TestsReady: { testFiles: [testPath], pendingCriteria: plan.map(({ criterionId }) => criterionId) } },
      },
      {
        when: { ask: 'implement', node: id },
        files: { [targetPath]: code(id) },
        reply: { TestsPassed: { iterations: 1, passedTests: [] } },
        ...(id === 'calc' ? {} : held),
      },
      { when: { ask: 'review-impl', node: id }, reply: approved },
      ...(id === 'calc' ? [] : [honest(spec).judged('calc')]),
    ]
  })
  const project = buildProject({
    spec: top,
    lines,
    files: shellRunner,
    build: { test: shellCommand, sandbox: 'off', worktrees: undefined, silence_seconds: 600 },
    config: { project: 'spread', repository: '../origin.git' },
  })
  const parent = dirname(project.folder)
  const origin = join(parent, 'origin.git')
  git(parent, 'clone', '--quiet', '--bare', 'project', 'origin.git')
  const clone = (name: string) => {
    git(parent, 'clone', '--quiet', 'origin.git', name)
    return join(parent, name)
  }
  return { project, origin, clone, env: { CONVENE_DATABASE_URL: server.url, CONVENE_TRUST: '1' } }
}
