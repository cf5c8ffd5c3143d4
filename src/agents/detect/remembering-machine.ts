/** A machine that asks a program for its version once, until the program's file changes: some take seconds to answer. */
import { realpathSync, statSync } from 'node:fs'
import type { Machine, RunResult } from './machine.ts'

/** What programs have answered, by their files. Requests at the same time share one answer. */
export type KnownVersions = Map<string, Promise<RunResult>>

export function rememberingMachine(machine: Machine, known: KnownVersions): Machine {
  return {
    ...machine,
    run(program, args, options) {
      const file = args.join(' ') === '--version' ? fileOf(program) : null
      if (file === null) return machine.run(program, args, options)
      const answer = known.get(file) ?? machine.run(program, args, options)
      known.set(file, answer)
      // A failure may pass: it is not remembered.
      void answer.then(({ ok }) => ok || known.delete(file))
      return answer
    },
  }
}

function fileOf(program: string): string | null {
  try {
    const path = realpathSync(program)
    const { ino, size, mtimeMs } = statSync(path)
    return [path, ino, size, mtimeMs].join(' ')
  } catch {
    return null
  }
}
