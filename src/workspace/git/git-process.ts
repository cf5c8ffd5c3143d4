/** Runs one git process. */
import { spawn } from 'node:child_process'

export interface GitStart {
  args: readonly string[]
  folder: string
  env: Record<string, string | undefined>
  input?: string | Buffer
  maxBytes?: number
  signal?: AbortSignal
}

export interface GitAnswer {
  code: number
  output: Buffer
  /** What git wrote to its standard error. */
  complaint: string
  cut: boolean
}

/** Rejects only if git cannot be started. `onStart` receives the process. */
export function startGit(start: GitStart, onStart?: (process: number) => void): Promise<GitAnswer> {
  const { args, folder, env, input, maxBytes = Number.POSITIVE_INFINITY, signal } = start
  return new Promise((resolve, reject) => {
    const child = spawn('git', args, {
      cwd: folder,
      env,
      stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
      signal,
    })
    if (child.pid !== undefined) onStart?.(child.pid)
    const output: Buffer[] = []
    const complaint: Buffer[] = []
    let bytes = 0
    let cut = false
    child.stdout?.on('data', (chunk: Buffer) => {
      if (cut) return
      output.push(chunk)
      bytes += chunk.length
      if (bytes <= maxBytes) return
      cut = true
      child.kill()
    })
    child.stderr?.on('data', (chunk: Buffer) => complaint.push(chunk))
    child.on('error', reject)
    child.on('close', (code, killedBy) =>
      resolve({
        code: cut ? 0 : (code ?? 128),
        output: Buffer.concat(output),
        complaint: Buffer.concat(complaint).toString('utf8') + (code === null && !cut ? `ended by ${killedBy}` : ''),
        cut,
      }),
    )
    if (input === undefined) return
    // Git may exit before reading all input. Its exit code says why, so ignore the broken pipe.
    child.stdin?.on('error', () => undefined)
    child.stdin?.end(input)
  })
}
