/** Facts about runs themselves, written in the same transaction as the run's state. Browser-safe. */
import { z } from 'zod'
import { configurationFault } from '../rules/build/configuration-fault.ts'
import { defineEvent } from './events.ts'

export const runStarted = defineEvent(
  'run.started',
  1,
  z.object({ workflow: z.string(), version: z.number(), parent: z.string().optional() }),
)
export const runFinished = defineEvent(
  'run.finished',
  1,
  z.object({ status: z.string(), reason: z.string().optional() }),
)
/** The `code` of a run that a person stopped. */
export const stoppedCode = 'stopped'

/** Whether a person stopped this parked run. Older logs carry no code for a stop, only this exact reason. */
export function isStopped({ reason, code = reason }: { reason?: string; code?: string }): boolean {
  return code === stoppedCode
}

/** Whether a run with this code failed because of how it was used or configured: its command ends with 2. */
export function isUsageFault(code: string | undefined): boolean {
  return code === 'script_exhausted' || code === configurationFault
}

export const runParked = defineEvent('run.parked', 1, z.object({ reason: z.string(), code: z.string().optional() }))
export const runRecovered = defineEvent('run.recovered', 1, z.object({ steps: z.number() }))
export const runStopRequested = defineEvent('run.stop-requested', 1, z.object({}))
export const runForked = defineEvent('run.forked', 1, z.object({ from: z.string(), fromStep: z.number() }))

/** Whether runs of this workflow have many steps; stopping one parks it. */
export function isWork(workflow: string): boolean {
  return ['build', 'plan', 'feature.run', 'ship', 'compare'].includes(workflow)
}

/** How a plan, a build, a feature run or a ship stands. */
export type WorkStatus = 'running' | 'waiting' | 'stopped' | 'done' | 'failed'

export const runStream = (runId: string) => `run:${runId}`

/** Whether `run` is `root` or below it: a child's id begins with its parent's and a `/`. */
export function isWithin(run: string, root: string): boolean {
  return run === root || run.startsWith(`${root}/`)
}
