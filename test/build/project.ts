/** A real repository in a temporary folder, with a rehearsal that builds in it, and the command to do so. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'vitest'
import type { StoredEvent } from '../../src/kernel/events.ts'
import { type Finished, temporaryFolder } from '../support/convene.ts'
import { runResident } from '../support/resident-command.ts'

export interface Line {
  when: { ask: string; node?: string; attempt?: number; contains?: string; agent?: string }
  files?: Record<string, string | null>
  reply?: unknown
  text?: string
  fail?: string
  after_ms?: number
  after_file?: string
  repeat?: boolean
}

export interface SpecFile {
  id: string
  description: string
  acceptanceCriteria: { id: string; text: string }[]
  targetPath: string
  testPath: string
  complexityConstraints?: { time?: string; space?: string }
  dependsOn?: string[]
}

export interface Report {
  run: string
  status: string
  reason?: string
  branch: string
  commit: string | null
  tree: string | null
  questions?: { id: string; text: string; choices: string[]; context: Record<string, unknown> }[]
  merged?: boolean
  error?: { code: string; message: string; path?: string }
}

export interface Built extends Finished {
  report: Report
}

export interface Project {
  folder: string
  /** Where its worktrees are created. */
  worktrees: string
  git(...args: string[]): string
  write(files: Record<string, string>): void
  /** Runs `convene <args> --json` to its end. */
  convene(...args: string[]): Promise<Built>
  build(...args: string[]): Promise<Built>
  events(): Promise<StoredEvent<Record<string, unknown>>[]>
  /** Waits until the log matches; there may be no log yet. */
  until(holds: (events: StoredEvent<Record<string, unknown>>[]) => boolean): Promise<void>
  /** Releases the lines that are `held`. */
  release(): void
  /** The files of a commit, with their content. */
  read(commit: string, path: string): string
}

/** Spread into a line, it keeps the line silent until the project's `release()`. */
export const held = { after_file: 'go' }

export const testCommand = `${JSON.stringify(process.execPath)} --test --test-isolation=none`

export function buildProject(options: {
  spec: SpecFile
  lines: Line[]
  files?: Record<string, string>
  build?: Record<string, unknown>
  config?: Record<string, unknown>
  /** The project's folder inside the temporary one, for awkward names. */
  name?: string
}): Project {
  const parent = temporaryFolder()
  const folder = join(parent, options.name ?? 'project')
  const worktrees = join(parent, 'worktrees')
  mkdirSync(folder, { recursive: true })
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim()
  const write = (files: Record<string, string>) => {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), text)
    }
  }
  const config = {
    agents: { coder: { provider: 'rehearsal', script: '../script.yaml' } },
    // Mutations cost a run of the tests each; their own test sets them.
    build: { test: testCommand, worktrees, mutations: 0, ...options.build },
    ...options.config,
  }
  write({
    'package.json': '{"name":"project","type":"module"}\n',
    'convene.yaml': JSON.stringify(config),
    'spec.json': JSON.stringify(options.spec),
    '../script.yaml': JSON.stringify([...options.lines, approval]),
    ...options.files,
  })
  git('init', '--quiet', '--initial-branch=main')
  git('config', 'user.name', 'Ada')
  git('config', 'user.email', 'ada@example.org')
  git('add', '--all')
  git('commit', '--quiet', '--message=first')

  const convene = async (...args: string[]): Promise<Built> => {
    const ended = await runResident([...args, '--json'], { cwd: folder })
    const last = ended.stdout.trim().split('\n').at(-1) ?? ''
    return { ...ended, report: (last ? JSON.parse(last) : {}) as Report }
  }
  const events = async () => readEvents(join(folder, '.convene/convene.db'))
  return {
    folder,
    worktrees,
    git,
    write,
    convene,
    build: (...args) => convene('build', 'spec.json', ...args),
    events,
    until: async (holds) => {
      while (!holds(await events().catch(() => []))) await pause(50)
    },
    release: () => writeFileSync(join(parent, held.after_file), ''),
    read: (commit, path) => git('show', `${commit}:${path}`),
  }
}

/** Reads the file directly: `convene events` has its own tests, and costs a process each time. */
function readEvents(file: string): StoredEvent<Record<string, unknown>>[] {
  const database = new DatabaseSync(file, { readOnly: true, timeout: 60_000 })
  try {
    const rows = database.prepare('SELECT * FROM events ORDER BY seq').all()
    return rows.map((row) => {
      const known = Object.entries(row).filter(([, value]) => value !== null)
      return { ...Object.fromEntries(known), data: JSON.parse(row.data as string) } as StoredEvent<
        Record<string, unknown>
      >
    })
  } finally {
    database.close()
  }
}

/** The kinds of asks with their nodes, in order. */
export function asked(events: StoredEvent<Record<string, unknown>>[]): string[] {
  return events.filter(({ type }) => type === 'ask.started').map(({ data }) => `${data.kind} ${data.node}`)
}

export function ofType(events: StoredEvent<Record<string, unknown>>[], type: string) {
  return events.filter((event) => event.type === type).map(({ data }) => data)
}

/** What each ask of a kind was told, and the messages before it. */
export async function told(project: Project, kind: string): Promise<{ last: string; before: string }[]> {
  const puts = ofType(await project.events(), 'task.put').filter((put) => put.kind === kind)
  return puts.map(({ prompt_ref }) => {
    const hash = (prompt_ref as string).replace('sha256:', '')
    const file = join(project.folder, '.convene/payloads', hash.slice(0, 2), hash.slice(2))
    const messages = JSON.parse(readFileSync(file, 'utf8')) as { content: string }[]
    return {
      last: messages.at(-1)!.content,
      before: messages
        .slice(0, -1)
        .map(({ content }) => content)
        .join('\n'),
    }
  })
}

/** Fails with the command's output unless it exited as expected. */
export function expectExit(built: Built, code: number): void {
  expect(built.code, `${built.stdout}\n${built.stderr}`).toBe(code)
}

// A small library to build: each function is one spec.

export function specOf(id: string, criteria: string[] = [`${id}-1`], more: Partial<SpecFile> = {}): SpecFile {
  return {
    id,
    description: `The function ${id}`,
    acceptanceCriteria: criteria.map((criterion) => ({ id: criterion, text: `${criterion} holds` })),
    targetPath: `src/${id}.js`,
    testPath: `test/${id}.test.js`,
    ...more,
  }
}

const imports = `import assert from 'node:assert'\nimport { test } from 'node:test'\n`

export const stub = (id: string) => `export function ${id}(value) {\n  throw new Error('not implemented')\n}\n`
export const code = (id: string, expression = 'value + 1') =>
  `export function ${id}(value) {\n  return ${expression}\n}\n`

export function testFile(id: string, tests: Record<string, string>): string {
  const body = Object.entries(tests).map(([name, check]) => `test('${name}', () => { ${check} })\n`)
  return `${imports}import { ${id} } from '../src/${id}.js'\n${body.join('')}`
}

export const planOf = ({ id, acceptanceCriteria }: SpecFile) =>
  acceptanceCriteria.map((criterion) => ({
    criterionId: criterion.id,
    plannedTestName: `${id}: ${criterion.id}`,
    approach: 'call it',
  }))

/** What an honest agent replies at each place, for a function that adds one. */
export function honest(spec: SpecFile) {
  const { id, acceptanceCriteria } = spec
  const ids = acceptanceCriteria.map((criterion) => criterion.id)
  const tests = Object.fromEntries(
    planOf(spec).map(({ plannedTestName }) => [plannedTestName, `assert.equal(${id}(1), 2)`]),
  )
  const contract = `contract/${id}.test.js`
  return {
    scaffold: {
      when: { ask: 'scaffold', node: id },
      files: {
        [spec.targetPath]: stub(id),
        [contract]: testFile(id, { [`${id} contract`]: `assert.equal(${id}(2), 3)` }),
      },
      reply: { InitWork: { interfaceFile: spec.targetPath, contractSuite: contract, testPlan: planOf(spec) } },
    },
    tests: {
      when: { ask: 'write-tests', node: id },
      files: { [spec.testPath]: testFile(id, tests) },
      reply: { TestsReady: { testFiles: [spec.testPath], pendingCriteria: ids } },
    },
    code: {
      when: { ask: 'implement', node: id },
      files: { [spec.targetPath]: code(id) },
      reply: { TestsPassed: { iterations: 1, passedTests: [] } },
    },
    review: {
      when: { ask: 'review-impl', node: id },
      reply: approved,
    },
    judged: (parent: string): Line => ({
      when: { ask: 'judge-child', node: parent, contains: `Judge ${id},` },
      reply: approved,
    }),
  }
}

/** `untested` is asked for where a criterion speaks of all values (VF13). */
export const approved = {
  Approved: {
    signOff: 'good',
    coverageReport: { criteriaWithTests: [], criteriaMissing: [] },
    untested: [{ input: 'another one', expected: 'the same', actual: 'the same' }],
  },
}

/** Approves whatever no other line of a script reviews, such as the work of an agent alone. */
export const approval: Line = { when: { ask: 'review-impl' }, reply: approved, repeat: true }

/** The four lines of a leaf that succeeds at once. */
export function leaf(spec: SpecFile): Line[] {
  const { scaffold, tests, code, review } = honest(spec)
  return [scaffold, tests, code, review]
}
