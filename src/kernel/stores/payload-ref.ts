/** References to payloads: `sha256:<64 hex digits>`. */
import { ConveneError } from '../errors.ts'

/** The hex digits of a reference. Throws a usage error for anything else. */
export function digestOf(ref: string): string {
  const digest = /^sha256:([0-9a-f]{64})$/.exec(ref)?.[1]
  if (digest) return digest
  throw new ConveneError('invalid_input', `'${ref}' is not a payload reference`, { expected: 'sha256:<64 hex digits>' })
}

export function payloadMissing(ref: string, where: string): ConveneError {
  return new ConveneError('payload_missing', `payload ${ref} is not in ${where}`, { status: 404 })
}

export function payloadDamaged(ref: string, where: string): ConveneError {
  const message = `${where} does not match ${ref}: it was changed after it was written`
  return new ConveneError('payload_damaged', message, { status: 500 })
}

/** The bytes of a range, clamped to what there is. */
export function clampRange(size: number, range: { start?: number; end?: number }): { start: number; end: number } {
  const start = Math.min(Math.max(range.start ?? 0, 0), size)
  return { start, end: Math.max(Math.min(range.end ?? size, size), start) }
}

export async function* chunksOf(content: string | Uint8Array | AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  if (typeof content === 'string') yield Buffer.from(content)
  else if (content instanceof Uint8Array) yield content
  else yield* content
}
