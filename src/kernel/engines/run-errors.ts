/** What is wrong with a request about runs. */
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
  return new ConveneError('run_exists', `another run has the id '${id}' already`, { path: 'id', status: 409 })
}

export function unknownWorkflow(row: RunRow): ConveneError {
  return new ConveneError('unknown_workflow', `this version of Convene has no workflow '${row.workflow}'`, {
    status: 409,
  })
}

export function reservedTopic(topic: string): ConveneError {
  return new ConveneError('invalid_input', `'${topic}' is not a topic that can be sent to; use stop`, { path: 'topic' })
}

/** Two processes at work on one run: the first record stands, and the other process stops. */
export function takenOver(runId: string, position: number): ConveneError {
  return new ConveneError(
    'run_taken_over',
    `another process has recorded step ${position} of run ${runId}; this one lets it go`,
    { status: 409 },
  )
}
