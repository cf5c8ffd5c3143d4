/** Encodes how a step ended for the journal, and decodes it. The first execution and a replay read the same text. */
import { StepFailed, Stopped } from '../engine.ts'
import { ConveneError } from '../errors.ts'
import type { StepRow } from './journal.ts'

export interface Outcome {
  state: 'done' | 'failed'
  value: string | null
}

export type Redact = <Value>(value: Value) => Value

interface Failure {
  name: string
  message: string
  code?: string
}

/** Throws `unrecordable` for a value that JSON cannot hold (a cycle, a BigInt); `what` names the value in the message. */
export function encode(value: unknown, redact: Redact, what: string): string | null {
  if (value === undefined) return null
  try {
    return JSON.stringify(redact(value)) ?? null
  } catch (error) {
    const reason = describeFailure(error).message.split('\n')[0]
    throw new ConveneError('unrecordable', `${what} cannot be recorded as JSON: ${reason}`, { cause: error })
  }
}

export function decode<Value>(text: string | null): Value {
  return (text === null ? undefined : JSON.parse(text)) as Value
}

export function failedOutcome(error: unknown, redact: Redact): Outcome {
  return { state: 'failed', value: JSON.stringify(redact(describeFailure(error))) }
}

export function stoppedOutcome(name: string): Outcome {
  const { name: errorName, message } = new Stopped(name)
  return { state: 'failed', value: JSON.stringify({ name: errorName, message }) }
}

/** Returns the recorded value, or throws the recorded failure. */
export function replayed<Value>(record: Pick<StepRow, 'name' | 'state' | 'value'>): Value {
  if (record.state !== 'failed') return decode<Value>(record.value)
  const failure = decode<Failure>(record.value)
  if (failure.name === 'Stopped') throw new Stopped(record.name)
  throw new StepFailed(record.name, failure)
}

/** Describes anything that was thrown, including values that are not errors. */
export function describeFailure(error: unknown): Failure {
  try {
    if (typeof error !== 'object' || error === null) return { name: 'Error', message: String(error) }
    const { name, message, code } = error as Record<string, unknown>
    return {
      name: typeof name === 'string' ? name : 'Error',
      message: typeof message === 'string' ? message : JSON.stringify(error),
      ...(typeof code === 'string' ? { code } : {}),
    }
  } catch {
    return { name: 'Error', message: 'an error that cannot be described' }
  }
}
