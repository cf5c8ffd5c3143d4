/** TR11: a control group for one command where this user can make no folder for it: a scope of the user's own systemd. */
import { execFile } from 'node:child_process'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import type { CommandLimits, KernelLimit } from '../../rules/trust/command-limits.ts'
import type { CgroupPlace, CommandCgroup, LimitedCommand } from './cgroup.ts'
import { quoted } from './quoted.ts'

export const allLimits: readonly KernelLimit[] = ['memory', 'processes']

/** For a group that is made to see whether one can be made. */
export const trialLimits: CommandLimits = { memoryBytes: 2 ** 28, processes: 32, fileBytes: 0 }

/** Convene's own processes around a command. The count of limit-watch.ts ends the command before the kernel refuses a process. */
export const ownProcesses = 8

export function openScope(
  { program, options }: Extract<CgroupPlace, { kind: 'systemd' }>,
  name: string,
  { limits, env, canLeave }: LimitedCommand,
): CommandCgroup {
  const scope = scopeWords(program, [...options, `--unit=${name}`], limits)
  return {
    run: runInScope(scope),
    kill: '',
    reached: () => undefined,
    async end() {
      if (!canLeave) return
      const systemctl = program.includes('/') ? join(dirname(program), 'systemctl') : 'systemctl'
      const words = ['--user', '--quiet', 'kill', '--signal=KILL', `${name}.scope`]
      // It has ended by itself, or its systemd is gone.
      await promisify(execFile)(systemctl, words, { env, timeout: 10_000 }).catch(() => undefined)
    },
  }
}

/** Put before the program and its arguments: systemd makes a group, moves itself into it and becomes the program. */
function scopeWords(program: string, options: readonly string[], limits: CommandLimits): string[] {
  const properties = [
    `MemoryMax=${limits.memoryBytes}`,
    'MemorySwapMax=0',
    `TasksMax=${limits.processes + ownProcesses}`,
  ]
  const known = ['--user', '--scope', '--quiet', '--collect', ...options]
  return [program, ...known, ...properties.flatMap((each) => ['-p', each]), '--']
}

/**
 * The command says on descriptor 4 that it has started. If it has not, because the user's systemd went away, it runs without a group:
 * otherwise each command would seem to fail.
 */
function runInScope(scope: readonly string[]): string {
  const start = `{ echo started >&4; } 2>/dev/null || exit 125; exec "$@" 2>&1 4>&-`
  const inScope = `${scope.map(quoted).join(' ')} /bin/sh -c ${quoted(start)} sh "$@"`
  return `{
  { started=$(trap : TERM INT HUP QUIT; ${inScope} 4>&1 >&5 5>&- 2>/dev/null); code=$?; } 5>&1
  if [ -z "$started" ] && [ "$code" -ne 0 ] && [ "$code" -lt 128 ]; then "$@" 2>&1; else (exit "$code"); fi
}`
}

/** Newer versions replace `$name` in the words of a command unless they are told not to; older ones do not know the option. */
const scopeOptions = [['--expand-environment=no'], []]

/** Whether the user's systemd makes such groups here, found out by making one. */
export async function systemdPlace(program: string, env: NodeJS.ProcessEnv): Promise<CgroupPlace | null> {
  for (const options of scopeOptions) {
    const scope = scopeWords(program, options, trialLimits).map(quoted).join(' ')
    const trial = `${scope} /bin/sh -c 'said=unchanged; echo $said >&4' 4>&1 >/dev/null`
    const tried = await promisify(execFile)('/bin/sh', ['-c', trial], { env, timeout: 10_000 }).catch(() => undefined)
    if (tried?.stdout === 'unchanged\n') return { kind: 'systemd', program, options, keeps: [...allLimits] }
  }
  return null
}
