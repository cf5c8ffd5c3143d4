/** The shape of a reply in a session: a message, optionally with a hand-off or `final`. SPEC.md § TN1, TN2. */
import { z } from 'zod'
import { inputError } from '../schema/rule.ts'
import { readReplyJson } from '../text/reply-json.ts'

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

export type EnvelopeReading =
  | { malformed: false; envelope: Envelope }
  | { malformed: true; envelope: { message: string }; problem: string }

/** A malformed reply is shown as its raw text, and any hand-off in it is ignored. */
export function readEnvelope(text: string, taskLength: number = maxTaskLength): EnvelopeReading {
  const reply = readReplyJson(text)
  if (!reply.ok) return { malformed: true, envelope: { message: text }, problem: reply.problem }
  const parsed = envelopeSchema(undefined, taskLength).safeParse(reply.value)
  if (parsed.success) return { malformed: false, envelope: parsed.data }
  return { malformed: true, envelope: { message: text }, problem: inputError(parsed.error).message }
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
