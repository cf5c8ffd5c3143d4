/** Prints the error that ends a command, as JSON where JSON was asked for, and returns the exit code. */
import { ConveneError } from '../kernel/errors.ts'
import { jsonLine } from './display/json-line.ts'
import { printable } from './display/printable.ts'

export function reportError(error: unknown, words: readonly string[]): number {
  const known = error instanceof ConveneError ? error : unexpected(error)
  // `decide` always prints JSON.
  if (words.includes('--json') || words[0] === 'decide') process.stdout.write(`${jsonLine({ error: known.body() })}\n`)
  else process.stderr.write(`convene: ${printable(known.message)}\n`)
  return known.exitCode
}

function unexpected(error: unknown): ConveneError {
  if (process.env.CONVENE_DEBUG) console.error(error)
  const message = error instanceof Error ? error.message : String(error)
  return new ConveneError('internal', `unexpected error: ${message} (set CONVENE_DEBUG=1 for the stack trace)`, {
    exitCode: 1,
  })
}
