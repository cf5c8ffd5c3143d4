/**
 * Starts a program as the head of a process group of its own, which dies whole: when told to, and when Convene itself is
 * gone, by SIGKILL too.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { constants } from 'node:os'
import { type Duplex, PassThrough, pipeline, type Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'

export interface ProcessGroup {
  /** stdout and stderr in the order they were written. Ends when no process of the group holds them any longer. */
  output: Readable
  /** The program's exit code, 128+n after signal n. Its children may still be running then. */
  exitCode: Promise<number>
  signal(name: NodeJS.Signals): void
  /** Kills what is left and waits for it. */
  end(): Promise<void>
}

/**
 * File 3 is a line to Convene. The exit code goes out on it, and where it breaks, the watcher kills the group.
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
  // Node throws away what nobody reads by the time a process has ended, and whoever reads this may come later.
  const output = new PassThrough()
  pipeline(child.stdout!, output, () => {})
  const gone = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>
  const signal = (name: NodeJS.Signals) => killGroup(child, name)
  // What the program left in the background without an output to hold open. Later the number may be another group's.
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

/** The line is read to its end: that the wrapper is gone can be heard before what it said last. */
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
  // The wrapper went without a word: something killed it.
  const [, name] = await gone
  return 128 + (name ? constants.signals[name] : constants.signals.SIGKILL)
}

function isAlive({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode === null && signalCode === null
}

/** A killed process takes a moment to go. Where nobody collects the dead, as in many containers, they stay in their group. */
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
    // The name before it may hold anything, brackets too.
    const [state, , pgrp] = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^[\s\S]*\) /, '')
      .split(' ')
    return pgrp === `${group}` && state !== 'Z' && state !== 'X'
  } catch {
    return false
  }
}

/** Whether there was still somebody to send it to. */
function killGroup(child: ChildProcess, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-child.pid!, signal)
  } catch {
    return false
  }
}
