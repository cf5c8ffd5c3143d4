/** A process of a shared project that stays: it joins again by itself when others took it for dead (TM1). */
import { setTimeout as pause } from 'node:timers/promises'
import { ConveneError } from '../../kernel/errors.ts'
import { isFenced } from '../../kernel/stores/database-errors.ts'
import type { Output } from '../display/output.ts'

const againMs = 500

/**
 * Does `work`, which opens and closes everything it uses, until it returns. It is done again, under a new number among the
 * processes of the project, if others took over from it while it stood still or, once it has called `joined`, if the
 * database was away.
 */
export async function rejoining(
  output: Output,
  interrupted: AbortSignal,
  work: (joined: () => void) => Promise<void>,
): Promise<void> {
  let hasJoined = false
  while (!interrupted.aborted) {
    try {
      return await work(() => {
        hasJoined = true
      })
    } catch (error) {
      if (interrupted.aborted) return
      if (!isPassing(error, hasJoined)) throw error
      const why = isFenced(error)
        ? 'This process was silent for too long, and others have taken over its runs'
        : (error as Error).message
      output.note(`convene: ${why}; joining again`)
      await pause(againMs)
    }
  }
}

/** Resolves when the user interrupts the command; rejects when others have declared this process dead. */
export function untilFenced(fenced: AbortSignal, interrupted: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const check = () => {
      if (interrupted.aborted) resolve()
      else if (fenced.aborted) reject(fenced.reason)
    }
    for (const signal of [interrupted, fenced]) signal.addEventListener('abort', check, { once: true })
    check()
  })
}

function isPassing(error: unknown, hasJoined: boolean): boolean {
  if (isFenced(error)) return true
  return hasJoined && error instanceof ConveneError && ['database_unreachable', 'closed'].includes(error.code)
}
