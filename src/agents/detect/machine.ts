/** The machine as detection sees it: variables, programs and files. Tests replace it with plain data. */
import { spawn } from 'node:child_process'
import { accessSync, constants, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { looksSecret } from '../../kernel/redaction/secret-spellings.ts'

export type RunResult = { ok: true; output: string } | { ok: false; reason: string; output: string }

export interface Machine {
  readonly platform: string
  readonly nodeVersion: string
  readonly isRoot: boolean
  readonly env: Record<string, string | undefined>
  /** The path of a command on the PATH. */
  find(command: string): string | undefined
  /** The version of the npm package that a program belongs to, without starting it; undefined if it is in another package, or in none. */
  versionIn(packageName: string, program: string): string | undefined
  /** Runs a program without a shell and without secrets in its environment. Never rejects; kills it after a timeout. */
  run(program: string, args: readonly string[], options?: { folder?: string }): Promise<RunResult>
  /** The text of a file, or undefined if it cannot be read. */
  read(path: string): string | undefined
  exists(path: string): boolean
  /** The names in a folder; empty if it cannot be read. */
  list(folder: string): string[]
}

export function thisMachine(env: Record<string, string | undefined>, { limitMs = 5000 } = {}): Machine {
  return {
    platform: process.platform,
    nodeVersion: process.versions.node,
    isRoot: process.getuid?.() === 0,
    env,
    find: (command) => findOnPath(command, env.PATH ?? ''),
    versionIn,
    run: (program, args, options = {}) => run(program, args, { ...options, env: quietEnvironment(env), limitMs }),
    read: (path) => attempt(() => readFileSync(path, 'utf8')),
    exists: (path) => attempt(() => statSync(path)) !== undefined,
    list: (folder) => attempt(() => readdirSync(folder)) ?? [],
  }
}

function findOnPath(command: string, path: string): string | undefined {
  const folders = path.split(delimiter).filter((folder) => folder !== '')
  return folders.map((folder) => join(folder, command)).find(isProgram)
}

function isProgram(file: string): boolean {
  return (
    attempt(() => {
      accessSync(file, constants.X_OK)
      return statSync(file).isFile() || undefined
    }) === true
  )
}

/** npm puts links to programs on the PATH; the package's manifest lies above the file that a link leads to. */
function versionIn(packageName: string, program: string): string | undefined {
  const file = attempt(() => realpathSync(program)) ?? program
  for (let folder = dirname(file); folder !== dirname(folder); folder = dirname(folder)) {
    const manifest = attempt(() => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')))
    if (manifest?.name === packageName) return typeof manifest.version === 'string' ? manifest.version : undefined
    if (manifest?.name !== undefined) return undefined
  }
  return undefined
}

interface RunSettings {
  folder?: string
  env: Record<string, string | undefined>
  limitMs: number
}

/** Uses a process group: some agents start themselves again, and killing the first process would leave the second. */
function run(program: string, args: readonly string[], { folder, env, limitMs }: RunSettings): Promise<RunResult> {
  return new Promise((resolve) => {
    let output = ''
    let late = false
    const child = spawn(program, args, { cwd: folder, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
    const end = (result: RunResult) => {
      clearTimeout(timer)
      resolve(result)
    }
    const timer = setTimeout(() => {
      late = true
      killGroup(child.pid)
      end({ ok: false, reason: `did not finish within ${limitMs / 1000} s`, output })
    }, limitMs)
    const collect = (chunk: Buffer) => {
      if (output.length < outputLimit) output += chunk.toString('utf8')
    }
    child.stdout.on('data', collect)
    child.stderr.on('data', collect)
    child.on('error', (error: NodeJS.ErrnoException) =>
      end({ ok: false, reason: `does not start (${error.code ?? error.message})`, output }),
    )
    child.on('close', (code, signal) => {
      if (late) return
      end(
        code === 0
          ? { ok: true, output }
          : { ok: false, reason: signal ? `ended by ${signal}` : `ended with code ${code}`, output },
      )
    })
  })
}

const outputLimit = 64_000

function killGroup(pid: number | undefined): void {
  if (pid !== undefined) attempt(() => process.kill(-pid, 'SIGKILL'))
}

/** Removes secrets, telemetry and update checks, and the variables with which a git hook redirects git. */
function quietEnvironment(env: Record<string, string | undefined>): Record<string, string | undefined> {
  const safe = Object.entries(env).filter(([name, value]) => !looksSecret(name, value) && !gitPointers.has(name))
  return { ...Object.fromEntries(safe), ...quiet }
}

const gitPointers = new Set(['GIT_DIR', 'GIT_WORK_TREE', 'GIT_INDEX_FILE', 'GIT_OBJECT_DIRECTORY', 'GIT_PREFIX'])

const quiet = {
  DISABLE_AUTOUPDATER: '1',
  DISABLE_TELEMETRY: '1',
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  GEMINI_TELEMETRY_ENABLED: 'false',
  OPENCODE_DISABLE_AUTOUPDATE: '1',
  OPENCODE_DISABLE_MODELS_FETCH: '1',
  NO_UPDATE_NOTIFIER: '1',
  GIT_TERMINAL_PROMPT: '0',
  LC_ALL: 'C',
}

function attempt<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}
