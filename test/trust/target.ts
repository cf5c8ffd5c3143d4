/**
 * A project to attack through the command line, under each circumstance of this machine: as root and as an ordinary user, with
 * bubblewrap and without it. Where the tests cannot become another user, or bubblewrap does not work, those rows are left out.
 * `CONVENE_ATTACKED=<checkout>/bin/convene` attacks another version.
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import { listen } from '../agents/emulator.ts'
import { approval, code, type Line, type Report, specOf, testCommand, testFile } from '../build/project.ts'
import { command, type Finished } from '../support/convene.ts'

export interface Circumstance {
  user: 'root' | 'an ordinary user'
  sandbox: 'with bubblewrap' | 'without bubblewrap'
}

export interface Ended extends Finished {
  report: Report
}

export interface Running {
  finished: Promise<Ended>
  /** Waits until stdout has matched. */
  says(pattern: RegExp): Promise<RegExpExecArray>
  kill(): void
}

export interface Target {
  folder: string
  home: string
  /** A place outside the project where an attack leaves what it gets. */
  loot: string
  worktrees: string
  write(files: Record<string, string>): void
  git(...args: string[]): string
  start(words: string[], env?: Record<string, string>): Running
  run(words: string[], env?: Record<string, string>): Promise<Ended>
}

const attacked = process.env.CONVENE_ATTACKED ?? command
const isOlder = process.env.CONVENE_ATTACKED !== undefined
const nobody = 65534
const isRoot = process.getuid?.() === 0

/** Starts a program as the user of a circumstance. */
function asUser(user: Circumstance['user']): string[] {
  if (!isRoot || user === 'root') return []
  return ['setpriv', `--reuid=${nobody}`, `--regid=${nobody}`, '--clear-groups', '--']
}

const everyUser: Circumstance['user'][] = isRoot ? ['root', 'an ordinary user'] : ['an ordinary user']
export const users = everyUser.filter((user) => succeeds(user, [attacked, '--version']))

/** All that this machine can show. */
export const circumstances: Circumstance[] = users.flatMap((user): Circumstance[] => [
  ...(succeeds(user, ['bwrap', '--ro-bind', '/', '/', '--unshare-net', '--unshare-pid', 'true'])
    ? [{ user, sandbox: 'with bubblewrap' } as const]
    : []),
  ...(process.platform === 'linux' ? [{ user, sandbox: 'without bubblewrap' } as const] : []),
])

function succeeds(user: Circumstance['user'], words: string[]): boolean {
  const [program = '', ...args] = [...asUser(user), ...words]
  const env = { PATH: process.env.PATH, HOME: '/nonexistent', TMPDIR: '/nonexistent' }
  return spawnSync(program, args, { stdio: 'ignore', cwd: '/', env }).status === 0
}

export function makeTarget({ user, sandbox }: Circumstance): Target {
  const parent = mkdtempSync(join(tmpdir(), 'convene-target-'))
  chmodSync(parent, 0o755)
  onTestFinished(() => rmSync(parent, { recursive: true, force: true, maxRetries: 5 }))
  const place = (name: string) => {
    mkdirSync(join(parent, name), { recursive: true })
    return join(parent, name)
  }
  const [folder, home, loot, temporary] = ['project', 'home', 'loot', 'tmp'].map(place) as [
    string,
    string,
    string,
    string,
  ]
  const path = sandbox === 'with bubblewrap' ? (process.env.PATH ?? '') : pathWithoutSandbox(join(parent, 'bin'))
  const own = () => {
    if (isRoot && user !== 'root') execFileSync('chown', ['-R', `${nobody}:${nobody}`, parent])
  }
  const start = (words: string[], env: Record<string, string> = {}): Running => {
    own()
    const [program = '', ...args] = [...asUser(user), attacked, ...words]
    const child = spawn(program, args, {
      cwd: folder,
      env: {
        PATH: path,
        HOME: home,
        TMPDIR: temporary,
        LANG: 'C.UTF-8',
        CONVENE_TRUST: '1',
        ...compileCache(),
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    onTestFinished(() => void child.kill('SIGKILL'))
    let [stdout, stderr] = ['', '']
    child.stdout.on('data', (chunk) => {
      stdout += chunk
    })
    child.stderr.on('data', (chunk) => {
      stderr += chunk
    })
    const finished = new Promise<Ended>((done) => {
      child.on('close', (exit, signal) => {
        const last = stdout.trim().split('\n').at(-1) ?? ''
        const report = (last.startsWith('{') ? JSON.parse(last) : {}) as Report
        done({ code: exit, signal, stdout, stderr, report })
      })
    })
    return {
      finished,
      kill: () => void child.kill('SIGKILL'),
      says: (pattern) =>
        new Promise((found, failed) => {
          const look = () => {
            const match = pattern.exec(stdout)
            if (match) found(match)
          }
          child.stdout.on('data', look)
          look()
          void finished.then((ended) => failed(new Error(`ended without ${pattern}: ${JSON.stringify(ended)}`)))
        }),
    }
  }
  return {
    folder,
    home,
    loot,
    worktrees: join(parent, 'worktrees'),
    write(files) {
      for (const [name, text] of Object.entries(files)) {
        mkdirSync(dirname(join(folder, name)), { recursive: true })
        writeFileSync(join(folder, name), text)
      }
    },
    git: (...args) =>
      execFileSync('git', ['-c', 'safe.directory=*', ...args], { cwd: folder, encoding: 'utf8' }).trim(),
    start,
    run: (words, env) => start(words, env).finished,
  }
}

/** Every program of the system but bubblewrap. */
function pathWithoutSandbox(folder: string): string {
  mkdirSync(folder)
  for (const from of (process.env.PATH ?? '').split(delimiter).filter((each) => existsSync(each)))
    for (const name of readdirSync(from))
      if (name !== 'bwrap' && !existsSync(join(folder, name)))
        try {
          symlinkSync(join(from, name), join(folder, name))
        } catch {
          // A link to nothing has that name already.
        }
  return folder
}

let cache: string | undefined

/** Commands of all users start quicker with what an earlier one compiled. */
function compileCache(): Record<string, string> {
  if (cache === undefined) {
    const made = mkdtempSync(join(tmpdir(), 'convene-target-cache-'))
    chmodSync(made, 0o777)
    process.once('exit', () => rmSync(made, { recursive: true, force: true }))
    cache = made
  }
  return { NODE_COMPILE_CACHE: cache }
}

/** What an agent alone leaves when it is honest. */
export const honestFiles = {
  'src/inc.js': code('inc'),
  'test/inc.test.js': testFile('inc', { 'inc: inc-1': 'assert.equal(inc(1), 2)' }),
}

export const attempt = (files: Line['files'], when: Partial<Line['when']> = {}, more: Partial<Line> = {}): Line => ({
  when: { ask: 'implement', node: 'inc', ...when },
  files,
  reply: { TestsPassed: { iterations: 1, passedTests: ['inc: inc-1'] } },
  ...more,
})

interface BuildOptions {
  lines: Line[]
  files?: Record<string, string>
  build?: Record<string, unknown>
  /** Keys that the version before this stage does not know. */
  newer?: Record<string, unknown>
}

/** A repository in which one agent alone builds the function `inc`, as the lines say. */
export function buildTarget(
  circumstance: Circumstance,
  { lines, files = {}, build = {}, newer = {} }: BuildOptions,
): Target {
  const target = makeTarget(circumstance)
  const config = {
    agents: { coder: { provider: 'rehearsal', script: '../script.yaml' } },
    build: {
      test: testCommand,
      worktrees: target.worktrees,
      ...build,
      ...(isOlder ? {} : { mutations: 0, ...newer }),
    },
  }
  target.write({
    'package.json': '{"name":"project","type":"module"}\n',
    'convene.yaml': JSON.stringify(config),
    'spec.json': JSON.stringify(specOf('inc')),
    '../script.yaml': JSON.stringify([...lines, approval]),
    ...files,
  })
  target.git('init', '--quiet', '--initial-branch=main')
  target.git('config', 'user.name', 'Ada')
  target.git('config', 'user.email', 'ada@example.org')
  target.git('add', '--all')
  target.git('commit', '--quiet', '--message=first')
  return target
}

/** A server that notes who calls, and answers as it is told. */
export async function listener(
  answer: RequestListener = (_, response) => void response.writeHead(500).end('{}'),
): Promise<{ url: string; port: number; heard: string[] }> {
  const heard: string[] = []
  const server = createServer((request, response) => {
    heard.push(`${request.method} ${request.url} ${JSON.stringify(request.headers)}`)
    answer(request, response)
  })
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const url = await listen(server)
  return { url, port: Number(new URL(url).port), heard }
}
