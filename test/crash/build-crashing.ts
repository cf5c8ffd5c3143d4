/** A small build with two parts, killed where a test says, and the checks that the crash left no trace. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'vitest'
import {
  buildProject,
  code,
  expectExit,
  honest,
  type Line,
  ofType,
  type Project,
  planOf,
  type Report,
  type SpecFile,
  specOf,
  stub,
} from '../build/project.ts'
import { check, shellCommand, shellRunner } from '../build/shell-tests.ts'
import { buildId, momentsFile } from './build-fixture.ts'
import { type Crash as ProcessCrash, untilKilled } from './until-killed.ts'

export { buildId } from './build-fixture.ts'

const inShell = (id: string, criteria: string[]) => specOf(id, criteria, { testPath: `test/${id}.test.sh` })
const top = inShell('calc', ['kept', 'a', 'b'])
const left = inShell('left', ['a'])
const right = inShell('right', ['b'])

/**
 * Each part changes an existing signature, so whichever is merged second is asked to rebase. No answer depends on the
 * order: the final tree is always the same.
 */
export function crashProject(): Project {
  const parts = [left, right]
  const helpers = parts.map(({ id }) => [helperPath(id), helper(id, 'value')])
  return buildProject({
    spec: top,
    files: { ...shellRunner, ...Object.fromEntries(helpers) },
    // Relative to the project's folder, so that the project has the same files wherever it is.
    build: { test: shellCommand, worktrees: '../worktrees', sandbox: 'off' },
    lines: [
      ...parentLines(parts),
      ...parts.flatMap((spec) => [...partLines(spec), honest(spec).judged('calc')]),
      ...parts.map(({ id }): Line => ({ when: { ask: 'rebase', node: id }, reply: { RebaseClean: {} } })),
    ],
  })
}

const helperPath = (id: string) => `src/${id}-helper.js`
const helper = (id: string, parameters: string) =>
  `export function ${id}Helper(${parameters}) {\n  return ${parameters.replace(', ', ' + ')}\n}\n`

function partLines(spec: SpecFile): Line[] {
  const { id, targetPath, testPath } = spec
  const { scaffold, tests, code: written, review } = honest(spec)
  const suite = `contract/${id}.test.sh`
  const call = `${id}Helper(value, 1)`
  return [
    {
      ...scaffold,
      files: { [targetPath]: stub(id), [suite]: check(`${id} contract`, targetPath, call) },
      reply: { InitWork: { interfaceFile: targetPath, contractSuite: suite, testPlan: planOf(spec) } },
    },
    { ...tests, files: { [testPath]: check(planOf(spec)[0]!.plannedTestName, targetPath, call) } },
    {
      ...written,
      files: {
        [targetPath]: `import { ${id}Helper } from './${id}-helper.js'\n${code(id, call)}`,
        [helperPath(id)]: helper(id, 'value, step'),
      },
    },
    review,
  ]
}

function parentLines(parts: SpecFile[]): Line[] {
  const { scaffold, tests, code: written, review } = honest(top)
  const { targetPath, testPath } = top
  const suite = 'contract/calc.test.sh'
  const plan = planOf(top).filter(({ criterionId }) => criterionId === 'kept')
  const uses = parts.map(({ id }) => `import { ${id} } from './${id}.js'\n`).join('')
  const contract = parts.map(({ id }) => check(`${id} is there`, `src/${id}.js`, `${id}Helper(value, 1)`)).join('')
  return [
    {
      ...scaffold,
      files: { [targetPath]: stub('calc'), [suite]: contract },
      reply: { InitWork: { interfaceFile: targetPath, contractSuite: suite, testPlan: plan, childSpecs: parts } },
    },
    { ...tests, files: { [testPath]: check('calc: kept', targetPath, 'right(left(value))') } },
    { ...written, files: { [targetPath]: uses + code('calc', 'right(left(value))') } },
    review,
  ]
}

export interface Crash extends ProcessCrash {
  /** Git kills itself there, with a ref half changed, and takes everything with it. */
  atRefChange?: number
}

/** Starts or resumes the build in its own process. True if it was killed, false if it finished. */
export function buildUntil(project: Project, crash: Crash & { env?: Record<string, string> }): Promise<boolean> {
  return untilKilled('build-fixture.ts', project.folder, crash, crash.env)
}

export function momentsOf({ folder }: Project): string[] {
  const file = momentsFile(folder)
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : []
}

/** Resumes by the command until it finishes, and returns its report. */
export async function resume(project: Project): Promise<Report> {
  let resumed = await project.convene('resume', buildId)
  // It was killed before anything was recorded: start it.
  if (resumed.report.error?.code === 'unknown_run') {
    await buildUntil(project, {})
    resumed = await project.convene('resume', buildId)
  }
  expectExit(resumed, 0)
  return resumed.report
}

/**
 * A wrapper around the real git. At the n-th ref update it leaves what a killed git leaves, the ref's lock, and kills
 * the build and its own process group.
 */
function killedAtRefChange(project: Project, number: number): Record<string, string> {
  const folder = join(project.folder, '../bin')
  const realGit = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim()
  mkdirSync(folder)
  writeFileSync(
    join(folder, 'git'),
    `#!/bin/sh
change() {
  echo "$1" >> '${folder}/changed'
  [ "$(wc -l < '${folder}/changed')" -eq ${number} ] || return 0
  mkdir -p "$(dirname ".git/$1")"
  : > ".git/$1.lock"
  kill -KILL "$CRASHING_PROCESS"
  kill -KILL 0
}
changes= lines=
for word; do
  case $word in
    update-ref) changes=yes ;;
    --stdin) lines=$changes ;;
    refs/*) [ -z "$changes" ] || change "$word" ;;
  esac
done
if [ -n "$lines" ]; then
  # One that stays and is told line by line.
  while IFS= read -r line; do
    case $line in 'update refs/'*) ref=\${line#update } && change "\${ref%% *}" ;; esac
    printf '%s\\n' "$line"
  done | ${realGit} "$@"
  exit
fi
exec ${realGit} "$@"
`,
    { mode: 0o755 },
  )
  return { PATH: `${folder}:${process.env.PATH}` }
}

/** What every build of this project leaves in the end, however it went. */
export async function expectWhole(project: Project, report: Report, tree: string | null): Promise<void> {
  expect(report).toMatchObject({ status: 'done', branch: 'convene/calc/main', tree })
  expect(project.git('rev-parse', 'convene/calc/main', 'convene/calc/main^{tree}').split('\n')).toEqual([
    report.commit,
    tree,
  ])
  expectCommitsOnce(project, report.commit!)
  expectCleanRepository(project)
  await expectAskedOnce(project)
  expectLinesOnce(project)
  await expectNoProcessLeft(project)
}

/** One merge per node; a second would be a duplicate commit. */
function expectCommitsOnce(project: Project, commit: string): void {
  const steps = project
    .git('log', '--format=%(trailers:key=Convene-Step,valueonly,separator=%x2c)', `main..${commit}`)
    .split('\n')
    .filter(Boolean)
  expect(new Set(steps).size).toBe(steps.length)
  expect(steps).toHaveLength(4)
  expect(project.git('log', '--format=%s', '--grep=join its parts', `main..${commit}`).split('\n')).toHaveLength(1)
  const merged = project
    .git(
      'log',
      '--format=%(trailers:key=Convene-Node,valueonly,separator=)',
      '--grep=^The function ',
      `main..${commit}`,
    )
    .split('\n')
  expect(merged.sort()).toEqual(['calc', 'calc/left', 'calc/right'])
}

function expectCleanRepository(project: Project): void {
  const { git, worktrees, folder } = project
  expect(git('for-each-ref', '--format=%(refname)')).toBe('refs/heads/convene/calc/main\nrefs/heads/main')
  expect(git('worktree', 'list').split('\n')).toHaveLength(1)
  expect(existsSync(worktrees) ? readdirSync(worktrees) : []).toEqual([])
  expect(git('status', '--porcelain')).toBe('')
  const files = readdirSync(join(folder, '.git'), { recursive: true, encoding: 'utf8' })
  expect(files.filter((name) => name.endsWith('.lock') || name.startsWith('worktrees'))).toEqual([])
}

async function expectAskedOnce(project: Project): Promise<void> {
  const events = await project.events()
  const finished = ofType(events, 'ask.finished').map(
    ({ node, kind, attempt, for: child = '' }) => `${kind} ${node} ${child} ${attempt}`,
  )
  expect([...new Set(finished)].sort()).toEqual([...finished].sort())
  const steps = ['scaffold', 'write-tests', 'implement', 'review-impl']
  const certain = ['calc', 'left', 'right'].flatMap((node) => steps.map((kind) => `${kind} ${node}  1`))
  const judged = ['left', 'right'].map((child) => `judge-child calc ${child} 1`)
  expect(finished.filter((one) => !one.startsWith('rebase ')).sort()).toEqual([...certain, ...judged].sort())
  expect(ofType(events, 'reply.refused')).toEqual([])
  expect(
    ofType(events, 'merge.completed')
      .map(({ node }) => node)
      .sort(),
  ).toEqual(['calc', 'left', 'right'])
  expect(ofType(events, 'build.finished')).toHaveLength(1)
}

/** Every script line answered at most one ask, and all asks of a line are the same one. */
function expectLinesOnce({ folder }: Project): void {
  const database = new DatabaseSync(join(folder, '.convene/convene.db'), { readOnly: true, timeout: 60_000 })
  const used = database.prepare('SELECT line, count(*) AS times FROM rehearsal_lines GROUP BY line').all()
  database.close()
  expect(used.filter(({ times }) => times !== 1)).toEqual([])
  expect(used.length).toBeGreaterThanOrEqual(14)
}

/** No earlier process is still at work in the project's worktrees. */
async function expectNoProcessLeft({ worktrees }: Project): Promise<void> {
  for (let tries = 0; tries < 200 && workersIn(worktrees).length > 0; tries++) await pause(25)
  expect(workersIn(worktrees)).toEqual([])
}

function workersIn(folder: string): string[] {
  if (!existsSync('/proc/self/cwd')) return []
  return readdirSync('/proc').filter((pid) => {
    try {
      return readlinkSync(`/proc/${pid}/cwd`).startsWith(folder)
    } catch {
      return false
    }
  })
}

/**
 * Kills a new build once for each crash, resumes it by the command, and checks the invariants. Returns how often it
 * was killed.
 */
export async function crashAndResume(crashes: readonly Crash[], tree: string | null): Promise<number> {
  const project = crashProject()
  let killed = 0
  try {
    for (const { atRefChange, ...crash } of crashes) {
      const env = atRefChange === undefined ? {} : killedAtRefChange(project, atRefChange)
      if (!(await buildUntil(project, { ...crash, env }))) break
      killed++
    }
    await expectWhole(project, await resume(project), tree)
  } catch (error) {
    const last = momentsOf(project).at(-1)
    throw new Error(`killed at ${JSON.stringify(crashes)}, last moment '${last}': ${(error as Error).message}`, {
      cause: error,
    })
  }
  return killed
}
