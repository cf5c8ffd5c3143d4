/** The schema of `{Name: {…}}` with exactly one of several names, each with its own payload. */
import { z } from 'zod'
import { nearest } from '../text/nearest.ts'

/**
 * A plain union reports the failures of every branch. This one finds the named branch first and reports only the
 * mistakes in its payload. Its JSON Schema is that of a plain union.
 */
export function namedUnion(payloads: Readonly<Record<string, z.ZodType>>, message: string): z.ZodType {
  const names = Object.keys(payloads)
  const forms = new Map(names.map((name) => [name, z.strictObject({ [name]: payloads[name]! })]))
  const check = (reply: unknown, context: z.RefinementCtx) => {
    const given = onlyKey(reply) ?? ''
    const form = forms.get(given)
    if (!form) {
      const meant = nearest(given, names)
      const suggestion = meant ? `${message}; did you mean ${meant}?` : message
      context.addIssue({ code: 'invalid_value', values: names, message: suggestion, input: undefined })
    }
    for (const issue of form?.safeParse(reply).error?.issues ?? []) context.addIssue({ ...issue })
    return reply
  }
  return z.preprocess(check, z.union([...forms.values()]))
}

function onlyKey(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  const keys = Object.keys(value)
  return keys.length === 1 ? keys[0] : undefined
}
