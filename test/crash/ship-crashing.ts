/** A goal shipped with GitHub as its forge, killed where a test says, and the checks that the crash left no trace. */
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished } from 'vitest'
import { createApp } from '../../src/app.ts'
import { loadConfig } from '../../src/kernel/config/load.ts'
import { buildProject, type Line, specOf } from '../build/project.ts'
import { check, shellCommand, shellRunner } from '../build/shell-tests.ts'
import { GitHubEmulator, repo, token } from '../forge/github-emulator.ts'
import { agreeable } from '../plan/project.ts'
import { temporaryFolder, trusting } from '../support/convene.ts'
import { callsFile, feature, momentsFile, shipId } from './ship-fixture.ts'
import { type Crash, untilKilled } from './until-killed.ts'

/** Two independent issues, one that depends on both, and one after that. */
const issues = [
  { number: 1, name: 'rows', depends_on: [] },
  { number: 2, name: 'words', depends_on: [] },
  { number: 3, name: 'both', depends_on: [1, 2] },
].map(({ number, name, depends_on }) => ({
  number,
  title: `Count ${name}`,
  body: '',
  acceptance_criteria: [{ id: name, text: `${name} are counted` }],
  depends_on,
  size: 'small' as const,
  business_value: 0.5,
  risk: 0.1,
  target_path: `src/${name}.js`,
  test_path: `test/${name}.test.sh`,
}))

function lines(): Line[] {
  const planned = { summary: 'Three issues.', issues }
  const plan = agreeable.map((line) => (line.when.phase === '9' ? { ...line, reply: planned } : line))
  const built = issues.map(({ number, target_path, test_path, acceptance_criteria }): Line => {
    const name = acceptance_criteria[0]!.id
    return {
      when: { ask: 'implement', node: `${feature}-${number}` },
      files: {
        [target_path]: `export const ${name} = (text) => text.split(/${name}/).length\n`,
        [test_path]: check(`${name} are counted`, target_path, 'text.split'),
      },
      reply: { TestsPassed: { iterations: 1, passedTests: [] } },
    }
  })
  const summed: Line = { when: { ask: 'summary' }, repeat: true, reply: { summary: 'It counts.' } }
  return [...built, summed, ...(plan as Line[])]
}

export interface ShipProject {
  folder: string
  worktrees: string
  github: GitHubEmulator
  git(...args: string[]): string
}

const settings = {
  agents: { coder: { provider: 'rehearsal', script: '../script.yaml' } },
  build: { test: shellCommand, worktrees: '../worktrees', sandbox: 'off' },
}

/**
 * A project whose issues are on GitHub and admitted before the goal is shipped; created once and copied for each
 * crash.
 */
export async function makeTemplate(): Promise<string> {
  const { folder } = buildProject({
    spec: specOf('unused'),
    lines: lines(),
    // The emulator's address differs each time, so it is not committed.
    files: { ...shellRunner, '.gitignore': 'convene.yaml\n', 'convene.yaml': JSON.stringify(settings) },
  })
  const app = await createApp(loadConfig({ folder, env: {} }), {})
  await app.features.greenlight(
    feature,
    issues.map((issue) => ({ ...issue, github: issue.number })),
  )
  await app.close()
  return join(folder, '..')
}

export async function shipProject(template: string): Promise<ShipProject> {
  const parent = temporaryFolder()
  cpSync(template, parent, { recursive: true })
  const folder = join(parent, 'project')
  const github = await GitHubEmulator.start()
  onTestFinished(() => github.stop())
  for (const { title } of issues) await github.call('POST', `/repos/${repo}/issues`, { title })
  const forge = { github: { repo, api_url: github.url, token_env: 'SHOP_FORGE' } }
  writeFileSync(join(folder, 'convene.yaml'), JSON.stringify({ ...settings, forge }))
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim()
  return { folder, worktrees: join(parent, 'worktrees'), github, git }
}

/** Starts or resumes the ship in its own process. True if it was killed, false if it finished. */
export function shipUntil({ folder }: ShipProject, crash: Crash): Promise<boolean> {
  return untilKilled('ship-fixture.ts', folder, crash, { ...trusting, SHOP_FORGE: token })
}

export function momentsOf({ folder }: ShipProject): string[] {
  return linesOf(momentsFile(folder))
}

/**
 * Everything a ship leaves: its report, the tree, the issues here and on GitHub, its commits, its files, its mirror.
 */
export async function remainsOf(project: ShipProject) {
  const { folder, git, github } = project
  const [run] = rows(folder, 'SELECT status, output FROM runs WHERE id = ?', shipId)
  const { status, reason, done, blocked, merged } = JSON.parse(String(run?.output ?? '{}'))
  const plans = join(folder, '.convene/plans')
  const files = readdirSync(plans, { recursive: true, encoding: 'utf8' })
    .filter((path) => statSync(join(plans, path)).isFile())
    .sort()
    .map((path) => [path, readFileSync(join(plans, path), 'utf8')])
  const moves = eventsOf(folder, 'issue.moved').map(({ issue, to }) => `${issue} ${to}`)
  const tracker = await Promise.all(
    issues.map(async ({ number }) => {
      const shown = await github.call<Shown>('GET', `/repos/${repo}/issues/${number}`)
      const comments = await github.commentsOf(number)
      return {
        state: shown.state,
        labels: shown.labels.map(({ name }) => name),
        comments: comments.map(withoutOrder),
      }
    }),
  )
  return {
    run: run?.status,
    result: { status, reason, done: [...(done ?? [])].sort(), blocked, merged },
    tree: git('rev-parse', 'main^{tree}'),
    commits: git('log', '--format=%s', 'main').split('\n').sort(),
    files: Object.fromEntries(files) as Record<string, string>,
    moves: moves.sort(),
    tracker,
    mirror: mirrorOf(folder).sort(),
  }
}

/** Whichever of the two finishes second unblocks the third, and sees the other's tests. */
function withoutOrder(comment: string): string {
  return comment
    .replaceAll(/[0-9a-f]{7,40}/g, '<commit>')
    .replace(/\d+\/\d+ passed/, 'all passed')
    .replace(/\n\n\*\*Unblocked:\*\* .*/, '')
}

type Remains = Awaited<ReturnType<typeof remainsOf>>

interface Shown {
  state: string
  labels: { name: string }[]
}

/** What must hold for every ship of this project in the end, however it went. */
export function expectClean({ folder, git, worktrees }: ShipProject): void {
  expect(git('for-each-ref', '--format=%(refname)')).toBe(`refs/heads/convene/${feature}/main\nrefs/heads/main`)
  expect(git('worktree', 'list').split('\n')).toHaveLength(1)
  expect(existsSync(worktrees) ? readdirSync(worktrees) : []).toEqual([])
  expect(git('status', '--porcelain')).toBe('')
  const names = readdirSync(join(folder, '.git'), { recursive: true, encoding: 'utf8' })
  expect(names.filter((name) => name.endsWith('.lock') || name.startsWith('worktrees'))).toEqual([])
  expect(rows(folder, "SELECT id FROM runs WHERE status <> 'done'")).toEqual([])
  expect(rows(folder, 'SELECT name FROM claims')).toEqual([])
  const steps = git('log', '--format=%(trailers:key=Convene-Step,valueonly,separator=%x2c)', 'main')
    .split('\n')
    .filter(Boolean)
  expect(new Set(steps).size).toBe(steps.length)
}

/** Kills a new ship once for each crash, resumes it, and checks the invariants. Returns how often it was killed. */
export async function crashAndResume(template: string, crashes: readonly Crash[], calm: Remains): Promise<number> {
  const project = await shipProject(template)
  const before: { finished: Set<string>; calls: Map<string, number> }[] = []
  try {
    for (const crash of crashes) {
      if (!(await shipUntil(project, crash))) break
      before.push({ finished: finishedAsks(project), calls: callsOf(project) })
    }
    expect(await shipUntil(project, {})).toBe(false)
    expectSame(await remainsOf(project), calm)
    expectClean(project)
    const calls = callsOf(project)
    for (const { finished, calls: then } of before)
      for (const ask of finished) expect([ask, calls.get(ask)]).toEqual([ask, then.get(ask)])
    for (const [ask, count] of calls) expect([ask, count <= 1 + before.length]).toEqual([ask, true])
    const twice = rows(project.folder, "SELECT type FROM events WHERE type IN ('ship.finished', 'plan.finished')")
    expect(twice.map(({ type }) => type).sort()).toEqual(['plan.finished', 'ship.finished'])
  } catch (error) {
    const last = momentsOf(project).at(-1)
    throw new Error(`killed at ${JSON.stringify(crashes)}, last moment '${last}': ${(error as Error).message}`, {
      cause: error,
    })
  }
  return before.length
}

/** Part by part, so that a failure names the difference. */
function expectSame(remains: Remains, calm: Remains): void {
  expect(Object.keys(remains.files)).toEqual(Object.keys(calm.files))
  for (const [file, text] of Object.entries(calm.files))
    expect(`${file}: ${remains.files[file]}`).toBe(`${file}: ${text}`)
  for (const key of Object.keys(calm) as (keyof Remains)[])
    expect(`${key}: ${JSON.stringify(remains[key])}`).toBe(`${key}: ${JSON.stringify(calm[key])}`)
}

/** Recorded asks that are finished. */
export function finishedAsks({ folder }: ShipProject): Set<string> {
  return new Set(eventsOf(folder, 'ask.finished').map(({ ask }) => String(ask)))
}

export function callsOf({ folder }: ShipProject): Map<string, number> {
  const counts = new Map<string, number>()
  for (const call of linesOf(callsFile(folder))) counts.set(call, (counts.get(call) ?? 0) + 1)
  return counts
}

/** The feature's mirror as flat lines, independent of the order in which its issues were built. */
function mirrorOf(folder: string): string[] {
  return linesOf(join(folder, `.convene/events/${feature}.jsonl`)).map((line) => {
    const { event, issue } = JSON.parse(line) as { event: string; issue: number }
    return `${event} ${issue}`
  })
}

function eventsOf(folder: string, type: string): Record<string, unknown>[] {
  return rows(folder, 'SELECT data FROM events WHERE type = ? ORDER BY seq', type).map(({ data }) =>
    JSON.parse(String(data)),
  )
}

function linesOf(file: string): string[] {
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : []
}

function rows(folder: string, sql: string, ...values: string[]): Record<string, unknown>[] {
  const database = new DatabaseSync(join(folder, '.convene/convene.db'))
  try {
    return database.prepare(sql).all(...values)
  } finally {
    database.close()
  }
}
