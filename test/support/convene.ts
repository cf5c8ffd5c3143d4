/** Runs the command as a user would: in its own process and folder. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { onTestFinished } from 'vitest'

export const root = resolve(import.meta.dirname, '../..')
export const command = join(root, 'bin/convene')

export interface Finished {
  code: number | null
  signal: NodeJS.Signals | null
  stdout: string
  stderr: string
}

export interface Started {
  child: ChildProcess
  finished: Promise<Finished>
  /** Waits until stdout has matched. */
  says(pattern: RegExp): Promise<RegExpExecArray>
  /** Waits until stderr has matched. */
  notes(pattern: RegExp): Promise<RegExpExecArray>
}

interface RunOptions {
  cwd?: string
  input?: string
  env?: Record<string, string | undefined>
  /** A command that starts it, such as `ip netns exec`. It must keep its process. */
  via?: string[]
}

/** A folder with the given files, removed after the test. */
export function temporaryFolder(files: Record<string, string> = {}): string {
  const folder = mkdtempSync(join(tmpdir(), 'convene-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content)
  return folder
}

export function start(args: string[], options: RunOptions = {}): Started {
  const [program, ...all] = [...(options.via ?? []), command, ...args]
  const child = spawn(program!, all, {
    cwd: options.cwd ?? temporaryFolder(),
    env: { ...withoutKeys(process.env), ...options.env },
  })
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  let stdout = ''
  let stderr = ''
  const watchers = new Set<() => void>()
  child.stdout.on('data', (chunk) => {
    stdout += chunk
    for (const watch of watchers) watch()
  })
  child.stderr.on('data', (chunk) => {
    stderr += chunk
    for (const watch of watchers) watch()
  })
  child.stdin.on('error', () => {})
  child.stdin.end(options.input ?? '')
  const finished = new Promise<Finished>((done) => {
    child.on('close', (code, signal) => done({ code, signal, stdout, stderr }))
  })
  const matched = (pattern: RegExp, read: () => string) =>
    new Promise<RegExpExecArray>((found, reject) => {
      const watch = () => {
        const match = pattern.exec(read())
        if (match) {
          watchers.delete(watch)
          found(match)
        }
      }
      watchers.add(watch)
      watch()
      void finished.then((end) => reject(new Error(`ended without saying ${pattern}: ${JSON.stringify(end)}`)))
    })
  return {
    child,
    finished,
    says: (pattern) => matched(pattern, () => stdout),
    notes: (pattern) => matched(pattern, () => stderr),
  }
}

export function run(args: string[], options: RunOptions = {}): Promise<Finished> {
  return start(args, options).finished
}

/** The last line of stdout, as JSON. */
export function lastJson<Value = Record<string, unknown>>({ stdout }: Finished): Value {
  return JSON.parse(stdout.trimEnd().split('\n').at(-1)!) as Value
}

/** Two rehearsal agents that play `script`. */
export function rehearsalProject(script: string, extra = ''): Record<string, string> {
  return {
    'convene.yaml': `agents:\n  gpt: { provider: rehearsal, script: script.yaml }\n  claude: { provider: rehearsal, script: script.yaml }\n${extra}`,
    'script.yaml': script,
  }
}

/**
 * The keys of the person who runs the tests must not affect them, nor their trust: tests trust what they configure, and
 * `convene init` records its trust in a folder of theirs.
 */
export function withoutKeys(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept = Object.entries(env).filter(([name]) => !/_API_KEY$|^CONVENE_|^GITHUB_TOKEN$|^DATABASE_URL$/.test(name))
  return { ...Object.fromEntries(kept), ...trusting, XDG_STATE_HOME: stateHome() }
}

export const trusting = { CONVENE_TRUST: '1' }

let stateFolder: string | undefined

function stateHome(): string {
  if (stateFolder) return stateFolder
  const made = mkdtempSync(join(tmpdir(), 'convene-state-'))
  process.once('exit', () => rmSync(made, { recursive: true, force: true }))
  stateFolder = made
  return made
}
