/** Errors that a person can act on: what is wrong, where, and how to fix it. */
import type { InputError } from '../rules/schema/rule.ts'

/** The shape every surface prints: `{error: {code, message, path?, expected?}}`. */
export type ErrorBody = InputError

export class ConveneError extends Error {
  readonly code: string
  readonly path?: string
  readonly expected?: string
  /** The exit code of a command that ends with this error. */
  readonly exitCode: number
  /** The HTTP status of a request that ends with it. */
  readonly status: number

  constructor(
    code: string,
    message: string,
    details: { path?: string; expected?: string; exitCode?: number; status?: number; cause?: unknown } = {},
  ) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause })
    this.name = 'ConveneError'
    this.code = code
    this.path = details.path
    this.expected = details.expected
    this.exitCode = details.exitCode ?? 2
    this.status = details.status ?? 400
  }

  body(): ErrorBody {
    return {
      code: this.code,
      message: this.message,
      ...(this.path === undefined ? {} : { path: this.path }),
      ...(this.expected === undefined ? {} : { expected: this.expected }),
    }
  }
}

/** A rehearsal script has no line for an ask. That is a usage error, so nothing stands in for the agent. */
export class ScriptExhausted extends ConveneError {
  constructor(message: string) {
    super('script_exhausted', message, { exitCode: 2, status: 500 })
    this.name = 'ScriptExhausted'
  }
}
