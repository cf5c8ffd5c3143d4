/**
 * Starts a program as the leader of its own process group. The whole group dies on request, and when Convene itself
 * dies, even by SIGKILL.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { constants } from 'node:os'
import { type Duplex, PassThrough, pipeline, type Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'

export interface ProcessGroup {
  /** stdout and stderr in order. Ends when no process of the group has them open. */
  output: Readable
  /** The program's exit code, 128+n after signal n. Its children may still be running then. */
  exitCode: Promise<number>
  signal(name: NodeJS.Signals): void
  /** Kills the remaining processes and waits for them. */
  end(): Promise<void>
}

/**
 * File descriptor 3 is a pipe to Convene. The exit code is written to it; if it breaks, the watcher kills the group.
 * Programs write into a pipe that `cat` empties, because what Node hands out is a socket, and opening `/dev/stdout` on a
 * socket fails. Watcher and `cat` outlive polite signals: some scripts send those to their whole group.
 */
const wrapper = `
trap : TERM INT HUP QUIT
(trap '' TERM INT HUP QUIT; read -r line <&3; kill -KILL 0) >/dev/null 2>&1 &
{ trap : TERM INT HUP QUIT; "$@" 2>&1 3<&-; echo "$?" >&3; } </dev/null |
  (trap '' TERM INT HUP QUIT; PATH="$PATH:/usr/bin:/bin"; exec cat 3<&-)
kill -KILL $! && wait $!
`

export async function startProcessGroup(
  argv: readonly string[],
  settings: { folder: string; env: NodeJS.ProcessEnv },
): Promise<ProcessGroup> {
  const child = spawn('/bin/sh', ['-c', wrapper, 'sh', ...argv], {
    cwd: settings.folder,
    env: settings.env,
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore', 'pipe'],
  })
  // Node discards output that is not read by the time a process ends, and the reader may attach later.
  const output = new PassThrough()
  pipeline(child.stdout!, output, () => {})
  const gone = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>
  const signal = (name: NodeJS.Signals) => killGroup(child, name)
  // Kill background processes that hold no output open, now: later the group id may be reused.
  child.once('exit', () => signal('SIGKILL'))
  await Promise.race([once(child, 'spawn'), gone])
  const line = child.stdio[3] as Duplex
  line.on('error', () => {})
  return {
    output,
    exitCode: exitCodeOf(line, gone),
    signal: (name) => {
      if (isAlive(child)) signal(name)
    },
    async end() {
      if (isAlive(child)) signal('SIGKILL')
      line.destroy()
      await gone
      for (let tries = 0; tries < 200 && isGroupAlive(child); tries++) await sleep(5)
    },
  }
}

/** Reads the pipe to its end: the exit of the wrapper may be reported before its last message. */
async function exitCodeOf(line: Duplex, gone: Promise<[number | null, NodeJS.Signals | null]>): Promise<number> {
  let said = ''
  await new Promise<void>((resolve) => {
    line.on('data', (piece: Buffer) => {
      said += piece
      if (said.includes('\n')) resolve()
    })
    line.once('end', resolve)
    line.once('close', resolve)
  })
  if (said.includes('\n')) return Number.parseInt(said, 10)
  // The wrapper reported nothing: it was killed.
  const [, name] = await gone
  return 128 + (name ? constants.signals[name] : constants.signals.SIGKILL)
}

function isAlive({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode === null && signalCode === null
}

/** Waits for killed processes to disappear. In containers without an init process, zombies stay in their group. */
function isGroupAlive(child: ChildProcess): boolean {
  if (!killGroup(child, 0)) return false
  try {
    return readdirSync('/proc').some((name) => /^\d+$/.test(name) && isLivingMember(name, child.pid!))
  } catch {
    return true
  }
}

function isLivingMember(pid: string, group: number): boolean {
  try {
    // The process name before it may contain anything, including brackets.
    const [state, , pgrp] = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^[\s\S]*\) /, '')
      .split(' ')
    return pgrp === `${group}` && state !== 'Z' && state !== 'X'
  } catch {
    return false
  }
}

/** Whether the signal reached a process. */
function killGroup(child: ChildProcess, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-child.pid!, signal)
  } catch {
    return false
  }
}
