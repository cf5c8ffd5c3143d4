/** Runs the small programs beside these tests, each in its own process. */
import { spawn } from 'node:child_process'
import { join } from 'node:path'

export interface Ended {
  code: number | null
  signal: NodeJS.Signals | null
  stdout: string
  stderr: string
}

/** The command to put before `node program …`: `['unshare', '-m']`, `['sh', '-c', 'ulimit …; exec "$@"', 'sh']`. */
export type Wrapper = string[]

export function nodeCommand(program: string, args: string[]): string[] {
  const file = join(import.meta.dirname, program)
  return [process.execPath, '--disable-warning=ExperimentalWarning', file, ...args]
}

export function runProgram(program: string, args: string[], wrapper: Wrapper = []): Promise<Ended> {
  return runCommand([...wrapper, ...nodeCommand(program, args)])
}

export function runCommand([command, ...args]: string[]): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(command!, args, { stdio: ['ignore', 'pipe', 'pipe'] })
    let stdout = ''
    let stderr = ''
    child.stdout.on('data', (chunk) => {
      stdout += chunk
    })
    child.stderr.on('data', (chunk) => {
      stderr += chunk
    })
    child.on('error', reject)
    child.on('close', (code, signal) => resolve({ code, signal, stdout, stderr }))
  })
}

/** A program's report: its only line of output, as JSON. */
export async function reportOf<Report>(ended: Promise<Ended>): Promise<Report> {
  const { stdout, stderr, code } = await ended
  if (code !== 0) throw new Error(`exit ${code}: ${stderr}${stdout}`)
  return JSON.parse(stdout) as Report
}
