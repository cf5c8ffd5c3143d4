/**
 * TR9: finds the processes of a command by a mark in their environment, wherever they have gone: a daemon leaves its group,
 * session and parent, but keeps its environment. Only a process that clears its environment escapes, and only without a sandbox.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { isRunning } from './is-alive.ts'
import { processIds } from './process-table.ts'

export const markVariable = 'CONVENE_COMMAND'

let marks = 0

/** Unique among all Convene processes. */
export function newMark(): string {
  return `${process.pid}-${Date.now().toString(36)}-${++marks}`
}

/** Running processes with exactly this mark. */
export function markedProcesses(mark: string): number[] {
  return allMarked()
    .filter((process) => process.mark === mark)
    .map(({ id }) => id)
}

/** Kills what is left of a command, again until nothing new appears. */
export async function endMarked(mark: string): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    const left = markedProcesses(mark)
    if (left.length === 0) return
    for (const id of left) kill(id)
    await sleep(5)
  }
}

function allMarked(): { id: number; mark: string }[] {
  if (process.platform === 'darwin') return markedOnMac()
  return processIds().flatMap((id) => {
    const mark = markIn(environmentOf(id))
    return mark === undefined || id === process.pid || !isRunning(id) ? [] : [{ id, mark }]
  })
}

function environmentOf(id: number): string {
  try {
    return readFileSync(`/proc/${id}/environ`, 'latin1')
  } catch {
    return ''
  }
}

function markIn(environment: string): string | undefined {
  return /(?:^|\0)CONVENE_COMMAND=([^\0]*)/.exec(environment)?.[1]
}

/** `ps` shows the environment of the user's own processes. */
function markedOnMac(): { id: number; mark: string }[] {
  try {
    const lines = execFileSync('/bin/ps', ['-axEww', '-o', 'pid=,command='], { encoding: 'utf8', maxBuffer: 2 ** 26 })
    return lines.split('\n').flatMap((line) => {
      const found = /^\s*(\d+) .*\bCONVENE_COMMAND=(\S+)/.exec(line)
      return found ? [{ id: Number(found[1]), mark: found[2]! }] : []
    })
  } catch {
    return []
  }
}

function kill(id: number): void {
  try {
    process.kill(id, 'SIGKILL')
  } catch {
    // It has ended, or belongs to another user now.
  }
}
