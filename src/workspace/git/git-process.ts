/** One git process from its start to its end. */
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

/** Rejects only where git cannot be started. `onStart` is told its process. */
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
    // git may end before it has read everything; its exit code says why, the broken pipe does not.
    child.stdin?.on('error', () => undefined)
    child.stdin?.end(input)
  })
}
