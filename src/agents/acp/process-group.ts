/** A program in a process group of its own. If Convene dies, even by SIGKILL, the group dies too. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { descendantsOf, endSurvivors } from './process-tree.ts'
import { StartFailed } from './start-failed.ts'

export interface AgentProgram {
  argv: readonly string[]
  env: Readonly<Record<string, string>>
  /** Variables that take a moment to find. Rejects with `StartFailed`. */
  moreEnv?: (signal: AbortSignal) => Promise<Record<string, string>>
}

/** How long a program may take to end when it is asked to. */
const politeMs = 1500
const stderrKept = 4000

/**
 * File descriptor 3 is a pipe to Convene: if it breaks, the watcher kills the group and, where there is a /proc, the
 * descendants that have left it, as agents' shells do. The watcher outlives polite signals, which some agents send to their
 * whole group.
 */
const wrapper = `
end_below() {
  for stat in /proc/[0-9]*/stat; do
    read -r line <"$stat" || continue
    pid=\${line%% *}
    set -- "$1" \${line##*) }
    if [ "$3" = "$1" ] && [ "$pid" != "$watcher" ]; then
      (end_below "$pid")
      kill -KILL "$pid"
    fi
  done
}
(
  trap '' TERM INT HUP QUIT
  read -r line <&3
  kill -STOP $$
  read -r watcher line </proc/self/stat && end_below $$
  kill -KILL 0
) >/dev/null 2>&1 </dev/null &
exec "$@" 3<&-
`

export interface ProcessGroup {
  child: ChildProcess
  /** The last words on stderr. */
  stderr(): string
}

/** Throws `StartFailed` if the system has no room for another process. */
export function startGroup(program: AgentProgram, folder: string): ProcessGroup {
  const child = spawnGroup(program, folder)
  child.on('error', () => {})
  // Node makes no streams then, and reports the error later.
  if (!child.stdin) throw new StartFailed('no file descriptors are left (EMFILE)')
  for (const stream of child.stdio) stream?.on('error', () => {})
  const stderr = lastWords(child)
  // What the program left running holds no connection to us; end it while the group id is still ours.
  child.once('exit', () => killGroup(child, 'SIGKILL'))
  return { child, stderr }
}

function spawnGroup({ argv, env }: AgentProgram, folder: string): ChildProcess {
  try {
    return spawn('/bin/sh', ['-c', wrapper, 'sh', ...argv], {
      cwd: folder,
      env: { ...env },
      detached: true,
      stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
    })
  } catch (error) {
    throw new StartFailed((error as Error).message)
  }
}

/** Ends the whole group, and processes that left it. Resolves when they are gone. */
export async function endGroup(child: ChildProcess): Promise<void> {
  const below = child.pid === undefined ? [] : descendantsOf(child.pid)
  if (isRunning(child)) {
    const gone = once(child, 'exit')
    // Most agents end with their standard input, and clean up behind them.
    child.stdin?.destroy()
    killGroup(child, 'SIGTERM')
    const timer = setTimeout(() => killGroup(child, 'SIGKILL'), politeMs)
    await gone
    clearTimeout(timer)
  }
  killGroup(child, 'SIGKILL')
  for (const stream of child.stdio) stream?.destroy()
  endSurvivors(below)
}

export function isRunning({ exitCode, signalCode, pid }: ChildProcess): boolean {
  return pid !== undefined && exitCode === null && signalCode === null
}

function lastWords(child: ChildProcess): () => string {
  let words = ''
  child.stderr?.setEncoding('utf8').on('data', (piece: string) => {
    words = `${words}${piece}`.slice(-stderrKept)
  })
  return () => words.trim()
}

function killGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, signal)
  } catch {
    // Gone already.
  }
}
