/** The one shape of a reply in a collaboration: a message, and perhaps a hand-off or the end. SPEC.md § TN1, TN2. */
import { z } from 'zod'
import { inputError } from '../schema/rule.ts'
import { readReplyJson } from '../text/reply-json.ts'

export interface Envelope {
  message: string
  handoff?: { to: string; task: string }
  final?: boolean
}

export const maxTaskLength = 500

/** `to` may be limited to the participants, for providers that hold a model to a schema. */
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

/** A reply that is not an envelope is shown as it is, and nothing in it is obeyed. */
export function readEnvelope(text: string, taskLength: number = maxTaskLength): EnvelopeReading {
  const reply = readReplyJson(text)
  if (!reply.ok) return { malformed: true, envelope: { message: text }, problem: reply.problem }
  const parsed = envelopeSchema(undefined, taskLength).safeParse(reply.value)
  if (parsed.success) return { malformed: false, envelope: parsed.data }
  return { malformed: true, envelope: { message: text }, problem: inputError(parsed.error).message }
}

/** Length in code points, as JSON Schema counts: providers are given the same limit as `maxLength`. */
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

/** Stops counting once it is over `enough`. */
function codePoints(text: string, enough: number): number {
  let count = 0
  for (const _ of text) if (++count > enough) break
  return count
}
