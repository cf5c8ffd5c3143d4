/** Runs a program in its own process, which kills itself or is killed from outside. */
import { spawn } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Compiles programs that are started hundreds of times once, as the command itself does. */
export const compiledOnce = { NODE_COMPILE_CACHE: join(tmpdir(), 'convene-crash-tests-compiled') }

export interface Crash {
  /** The process kills itself there. */
  atMoment?: number
  /** It is killed from outside. */
  afterMs?: number
  /** Kills its whole process group: git too, whatever it was doing. */
  group?: boolean
}

/** `program` lies in this folder and gets the folder and the moment. True if it was killed, false if it finished. */
export function untilKilled(
  program: string,
  folder: string,
  crash: Crash,
  env: Record<string, string> = {},
): Promise<boolean> {
  const flags = ['--disable-warning=ExperimentalWarning']
  const given = [folder, String(crash.atMoment ?? 0), crash.group ? 'group' : 'self']
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [...flags, join(import.meta.dirname, program), ...given], {
      cwd: folder,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...compiledOnce, ...env },
    })
    let said = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => {
        said += chunk
      })
    const kill = () => process.kill(crash.group ? -child.pid! : child.pid!, 'SIGKILL')
    const timer = crash.afterMs === undefined ? undefined : setTimeout(kill, crash.afterMs)
    child.on('error', reject)
    child.on('exit', (code, signal) => {
      clearTimeout(timer)
      if (signal === 'SIGKILL') resolve(true)
      else if (code === 0) resolve(false)
      else reject(new Error(`exit ${code} ${signal}: ${said}`))
    })
  })
}
