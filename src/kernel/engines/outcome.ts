/** How a step ended, as text for the journal, and back: the first time and a replay go through the same text. */
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

/** What a value cannot be turned into text for (a cycle, a BigInt) is an error of whoever made it; `what` names it. */
export function encode(value: unknown, redact: Redact, what: string): string | null {
  if (value === undefined) return null
  try {
    return JSON.stringify(redact(value)) ?? null
  } catch (error) {
    const reason = describeFailure(error).message.split('\n')[0]
    throw new ConveneError('unrecordable', `${what} cannot be written down: ${reason}`, { cause: error })
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

/** Gives what the record holds, or throws it. */
export function replayed<Value>(record: Pick<StepRow, 'name' | 'state' | 'value'>): Value {
  if (record.state !== 'failed') return decode<Value>(record.value)
  const failure = decode<Failure>(record.value)
  if (failure.name === 'Stopped') throw new Stopped(record.name)
  throw new StepFailed(record.name, failure)
}

/** Anything can be thrown; whatever it is, this gives words for it. */
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
    return { name: 'Error', message: 'something was thrown that cannot be described' }
  }
}
