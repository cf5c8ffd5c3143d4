/** The shape of a reply in a session: a message, optionally with a hand-off or `final`. SPEC.md § TN1, TN2. */
import { z } from 'zod'
import { readExactly } from '../schema/reply.ts'

export interface Envelope {
  message: string
  handoff?: { to: string; task: string }
  final?: boolean
}

export const maxTaskLength = 500

/** Pass `participants` to limit `to`, for providers with structured output. */
export function envelopeSchema(
  participants?: readonly string[],
  taskLength: number = maxTaskLength,
): z.ZodType<Envelope> {
  return z.strictObject({
    message: z.string().min(1),
    handoff: z
      .strictObject({
        to: participants ? z.enum(participants as string[]) : z.string().min(1),
        task: taskOf(taskLength),
      })
      .optional(),
    final: z.boolean().optional(),
  })
}

/** Creating a schema costs more than reading a reply by it. */
const anyEnvelope = envelopeSchema()

export type EnvelopeReading =
  | { malformed: false; envelope: Envelope; loose: boolean }
  | { malformed: true; envelope: { message: string }; problem: string }

/** A malformed reply is shown as its raw text, and any hand-off in it is ignored. */
export function readEnvelope(text: string, taskLength: number = maxTaskLength): EnvelopeReading {
  const reply = readExactly(text, taskLength === maxTaskLength ? anyEnvelope : envelopeSchema(undefined, taskLength))
  if (reply.ok) return { malformed: false, envelope: reply.value, loose: reply.loose }
  return { malformed: true, envelope: { message: text }, problem: reply.problem }
}

/** Counts code points, as JSON Schema's `maxLength` does. */
function taskOf(longest: number) {
  return z
    .string()
    .min(1)
    .refine(
      (task) => task.length <= longest || codePoints(task, longest) <= longest,
      `longer than ${longest} characters`,
    )
    .meta({ maxLength: longest })
}

/** Stops counting beyond `enough`. */
function codePoints(text: string, enough: number): number {
  let count = 0
  for (const _ of text) if (++count > enough) break
  return count
}
