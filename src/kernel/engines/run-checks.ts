/** Checks on a run's row: whether it can continue, with which code, from which step, and how it ended. */
import { Stopped, type Workflow } from '../engine.ts'
import { ConveneError } from '../errors.ts'
import type { Ending, RunRow, StepRow } from './journal.ts'
import { describeFailure, type Redact } from './outcome.ts'
import { unknownWorkflow } from './run-errors.ts'

export const isRunning = (row: RunRow) => row.status === 'running'
export const isUnfinished = (row: RunRow) => isRunning(row) || row.status === 'needs-attention'

/** The default fork point: the step that no longer fits the code or that failed, else after the last one. */
export function forkPoint(row: RunRow, steps: StepRow[], wanted: number | undefined): number {
  const end = steps.length === 0 ? 0 : steps.at(-1)!.position + 1
  const lastFailure = row.status === 'failed' ? steps.findLast((step) => step.state === 'failed')?.position : undefined
  const fromStep = wanted ?? row.parked_at ?? lastFailure ?? end
  if (Number.isInteger(fromStep) && fromStep >= 0 && fromStep <= end) return fromStep
  throw new ConveneError('invalid_input', `run ${row.id} has ${end} steps; it cannot be forked from step ${fromStep}`, {
    path: 'from',
    expected: `0 to ${end}`,
  })
}

/** Why this code cannot continue the run, or null. */
export function misfitOf(row: RunRow, workflow: Workflow<never, unknown> | undefined): string | null {
  if (!workflow) return unknownWorkflow(row).message
  if (workflow.version === row.version) return null
  return `the run was started with version ${row.version} of '${row.workflow}'; this is version ${workflow.version}. Resume it to continue from its finished steps with this version`
}

export function failedEnding(error: unknown, redact: Redact): Ending {
  const { message, code } = redact(describeFailure(error))
  const given = error instanceof Stopped ? 'stopped' : code
  return { status: 'failed', reason: message, ...(given === undefined ? {} : { code: given }) }
}
