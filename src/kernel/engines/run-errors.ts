/** The errors of requests about runs. */
import { ConveneError } from '../errors.ts'
import type { RunRow } from './journal.ts'

export function unknownRun(runId: string): ConveneError {
  return new ConveneError('unknown_run', `there is no run '${runId}'. 'convene runs' lists them.`, {
    status: 404,
    path: 'run',
  })
}

export function shuttingDown(consequence: string): ConveneError {
  return new ConveneError('closed', `Convene is shutting down; ${consequence}`, { status: 503 })
}

export function takenId(id: string): ConveneError {
  return new ConveneError('run_exists', `a run with the id '${id}' exists already`, { path: 'id', status: 409 })
}

export function unknownWorkflow(row: RunRow): ConveneError {
  return new ConveneError('unknown_workflow', `this version of Convene has no workflow '${row.workflow}'`, {
    status: 409,
  })
}

export function reservedTopic(topic: string): ConveneError {
  return new ConveneError('invalid_input', `'${topic}' is a reserved topic; use stop instead`, { path: 'topic' })
}

/** Two processes execute one run: the first record stands, and the other process releases the run. */
export function takenOver(runId: string, position: number): ConveneError {
  return new ConveneError(
    'run_taken_over',
    `another process has recorded step ${position} of run ${runId}; this process releases the run`,
    { status: 409 },
  )
}
