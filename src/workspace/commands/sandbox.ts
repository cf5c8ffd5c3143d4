/** Finds a sandbox that works on this machine, by running a command in it. */
import { execFile } from 'node:child_process'
import { access, constants, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { bubblewrap } from './bubblewrap.ts'
import { sandboxExec } from './sandbox-exec.ts'

export interface Sandbox {
  kind: 'bubblewrap' | 'sandbox-exec'
  prepare(request: SandboxedRequest, env: NodeJS.ProcessEnv): Promise<PreparedSandbox>
}

export interface SandboxedRequest {
  command: string
  folder: string
  writable?: string[]
  readable?: string[]
  network?: boolean
}

export interface PreparedSandbox {
  /** Put before the program and its arguments. */
  argv: string[]
  /** Added to the command's environment. */
  env: Record<string, string>
  remove(): Promise<void>
}

export type SandboxState = { available: true; sandbox: Sandbox } | { available: false; why: string; fix: string }

export interface SandboxSettings {
  env: NodeJS.ProcessEnv
  hide: readonly string[]
  platform?: NodeJS.Platform
}

export async function findSandbox({ env, hide, platform = process.platform }: SandboxSettings): Promise<SandboxState> {
  if (platform === 'linux') {
    const program = await findProgram('bwrap', env.PATH)
    if (!program) {
      return { available: false, why: 'bubblewrap is not installed', fix: 'Install it: apt-get install bubblewrap' }
    }
    const fix = 'Allow bubblewrap to make user namespaces on this machine (container or AppArmor settings)'
    return tried(bubblewrap(program, hide), env, fix)
  }
  if (platform === 'darwin') return tried(sandboxExec(hide), env, 'See what sandbox-exec says on this machine')
  return { available: false, why: `Convene knows no sandbox for ${platform}`, fix: 'Use Linux or macOS for one' }
}

async function tried(sandbox: Sandbox, env: NodeJS.ProcessEnv, fix: string): Promise<SandboxState> {
  const folder = await mkdtemp(join(tmpdir(), 'convene-probe-'))
  try {
    const prepared = await sandbox.prepare({ command: 'true', folder }, env)
    try {
      const [program = '', ...args] = [...prepared.argv, '/bin/sh', '-c', 'true']
      await promisify(execFile)(program, args, { cwd: folder, env: { ...env, ...prepared.env }, timeout: 20_000 })
      return { available: true, sandbox }
    } finally {
      await prepared.remove()
    }
  } catch (error) {
    const { stderr, message } = error as Error & { stderr?: string }
    const [why = message] = (stderr ?? '').trim().split('\n').filter(Boolean)
    return { available: false, why: `${sandbox.kind} does not work here (${why})`, fix }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function findProgram(name: string, path = '/usr/bin:/bin'): Promise<string | undefined> {
  for (const folder of path.split(delimiter).filter(Boolean)) {
    const program = join(folder, name)
    const isThere = await access(program, constants.X_OK).then(
      () => true,
      () => false,
    )
    if (isThere) return program
  }
  return undefined
}
