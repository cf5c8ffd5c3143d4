/**
 * Starts a program as the leader of its own process group. The whole group dies on request, and when Convene itself
 * dies, even by SIGKILL.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { constants, setPriority } from 'node:os'
import { type Duplex, PassThrough, pipeline, type Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { CommandLimits, ReachedLimit } from '../../rules/trust/command-limits.ts'
import { type CgroupPlace, type CommandCgroup, openCgroup } from './cgroup.ts'
import { watchLimits } from './limit-watch.ts'
import { endMarked, markVariable, newMark } from './marked-processes.ts'
import { readProcesses } from './process-table.ts'

export interface ProcessGroup {
  /** stdout and stderr in order. Ends when no process of the group has them open. */
  output: Readable
  /** The program's exit code, 128+n after signal n. Its children may still be running then. */
  exitCode: Promise<number>
  /** The limit that ended it, once the exit code is known. */
  reached(): ReachedLimit | undefined
  signal(name: NodeJS.Signals): void
  /** Kills the remaining processes and waits for them. */
  end(): Promise<void>
}

/**
 * File descriptor 3 is a pipe to Convene. The exit code is written to it; if it breaks, the watcher kills the group.
 * Programs write into a pipe that `cat` empties, because what Node hands out is a socket, and opening `/dev/stdout` on a
 * socket fails. Watcher and `cat` outlive polite signals: some scripts send those to their whole group.
 */
const wrapperWith = (limits: string, cgroup: Pick<CommandCgroup, 'run' | 'kill'> | undefined) => `
trap : TERM INT HUP QUIT
(trap '' TERM INT HUP QUIT; read -r line <&3; ${cgroup?.kill ?? ''} kill -KILL 0) >/dev/null 2>&1 &
{ trap : TERM INT HUP QUIT; ${limits} ${cgroup?.run ?? '"$@" 2>&1'} 3<&-; echo "$?" >&3; } </dev/null |
  (trap '' TERM INT HUP QUIT; PATH="$PATH:/usr/bin:/bin"; exec cat 3<&-)
kill -KILL $! && wait $!
`

export interface GroupSettings {
  folder: string
  env: NodeJS.ProcessEnv
  limits?: CommandLimits
  /** Where the kernel keeps limits for a command as a whole. */
  cgroup?: CgroupPlace
  /** Whether processes can leave the group: without a sandbox. They are found by a mark in their environment. */
  canLeave?: boolean
}

export async function startProcessGroup(argv: readonly string[], settings: GroupSettings): Promise<ProcessGroup> {
  const { folder, limits, cgroup: place } = settings
  const mark = settings.canLeave ? newMark() : undefined
  const cgroup =
    limits && place ? openCgroup(place, { limits, env: settings.env, canLeave: mark !== undefined }) : undefined
  const script = wrapperWith(limits ? kernelLimits(limits) : '', cgroup)
  const child = spawn('/bin/sh', ['-c', script, 'sh', ...argv], {
    cwd: folder,
    env: { ...settings.env, ...(mark === undefined ? {} : { [markVariable]: mark }) },
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
  if (limits && child.pid !== undefined) lowerPriority(child.pid)
  await Promise.race([once(child, 'spawn'), gone]).catch(async (error) => {
    await cgroup?.end()
    throw error
  })
  const line = child.stdio[3] as Duplex
  line.on('error', () => {})
  let reached: ReachedLimit | undefined
  const endWatch =
    limits && child.pid !== undefined
      ? watchLimits({
          leader: child.pid,
          limits,
          ...(mark === undefined ? {} : { mark }),
          reached: (limit) => {
            reached = limit
            signal('SIGKILL')
            if (mark !== undefined) endMarked(mark).catch(() => undefined)
          },
        })
      : () => undefined
  return {
    output,
    exitCode: exitCodeOf(line, gone).then((code) => {
      reached ??= cgroup?.reached(code)
      return code
    }),
    reached: () => reached,
    signal: (name) => {
      if (isAlive(child)) signal(name)
    },
    async end() {
      if (isAlive(child)) signal('SIGKILL')
      line.destroy()
      await gone
      endWatch()
      await cgroup?.end()
      if (mark !== undefined) await endMarked(mark)
      for (let tries = 0; tries < 200 && isGroupAlive(child); tries++) await sleep(5)
    },
  }
}

/**
 * Limits that the kernel keeps for each process: the size of a file, no core dumps; and if memory runs out, the kernel ends
 * the command before anything else. `ulimit -f` counts blocks of 512 bytes.
 */
function kernelLimits({ fileBytes }: CommandLimits): string {
  const blocks = Math.floor(fileBytes / 512)
  return `ulimit -c 0; ulimit -f ${blocks}; { echo 1000 > /proc/self/oom_score_adj; } 2>/dev/null;`
}

/** Convene must get a turn to end a command that uses everything. */
function lowerPriority(id: number): void {
  try {
    setPriority(id, 5)
  } catch {
    // It has ended already.
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
  const all = readProcesses()
  return all.length === 0 || all.some(({ group }) => group === child.pid)
}

/** Whether the signal reached a process. */
function killGroup(child: ChildProcess, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-child.pid!, signal)
  } catch {
    return false
  }
}
