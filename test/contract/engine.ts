/** The contract of every engine. A suite for an implementation calls this with a way to open it. */
import { describe } from 'vitest'
import type { OpenEngine } from './engine/bench.ts'
import { cancelContract } from './engine/cancel.ts'
import { changedCodeContract } from './engine/changed-code.ts'
import { childrenContract } from './engine/children.ts'
import { forkContract } from './engine/fork.ts'
import { logContract } from './engine/log.ts'
import { overviewContract } from './engine/overview.ts'
import { replayContract } from './engine/replay.ts'
import { restartContract } from './engine/restart.ts'
import { signalsContract } from './engine/signals.ts'
import { stopContract } from './engine/stop.ts'
import { timeContract } from './engine/time.ts'
import { valuesContract } from './engine/values.ts'

export function engineContract(name: string, open: OpenEngine): void {
  describe(`${name} engine`, () => {
    replayContract(open)
    valuesContract(open)
    signalsContract(open)
    timeContract(open)
    childrenContract(open)
    stopContract(open)
    cancelContract(open)
    changedCodeContract(open)
    forkContract(open)
    logContract(open)
    restartContract(open)
    overviewContract(open)
  })
}
