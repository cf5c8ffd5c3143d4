/** When a step that was in flight at a crash is not retried without a person. SPEC.md § TR5. */

/** The code of a run that is parked for this reason. */
export const crashedCode = 'crashed_twice'

/** A run that was working, and how many of its steps were recorded. */
export interface InFlight {
  run: string
  steps: number
}

/** A run in flight at a crash, and how many crashes there were during its life. */
export interface CrashedRun extends InFlight {
  crashes: number
}

/** Crashes in a row at the same step, by run. */
export type CrashRecord = Readonly<Record<string, { steps: number; crashes: number }>>

const crashesAtMost = 1

/** Whether so many crashes in a row at the same step are too many. */
export const isCrashingAgain = (crashes: number): boolean => crashes > crashesAtMost

/**
 * `before` is what the process that crashed had found. A run that recorded a step since then, or was not there, has
 * crashed once.
 */
export function afterCrash(
  before: CrashRecord,
  inFlight: readonly InFlight[],
): { record: CrashRecord; quarantined: InFlight[] } {
  const counted = inFlight.map((one) => {
    const known = Object.hasOwn(before, one.run) ? before[one.run] : undefined
    return { ...one, crashes: known?.steps === one.steps ? known.crashes + 1 : 1 }
  })
  return {
    record: Object.fromEntries(counted.map(({ run, steps, crashes }) => [run, { steps, crashes }])),
    quarantined: counted.filter(({ crashes }) => isCrashingAgain(crashes)).map(({ run, steps }) => ({ run, steps })),
  }
}

export const crashQuestion = ({ run }: InFlight): string =>
  `Convene crashed twice in a row during the same step of ${run}. Try it once more?`
