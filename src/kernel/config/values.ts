/** Kinds of value shared by sections of `convene.yaml`. A custom error completes the sentence "… must be". */
import { z } from 'zod'
import { modes } from '../../rules/plan/mode.ts'

export const mode = z.enum(modes)

/** From 0 to 1, both included. */
export const fraction = z.number().min(0).max(1)

export const wholeNumber = z.int()

/** A length of time in seconds; parts of a second are allowed. */
export const seconds = z.number().positive().max(86_400)

export const words = z.string().min(1, { error: 'text that is not empty' })

/** `none` lifts a limit; an empty value cannot, as it counts as absent. */
export function limitOf(number: z.ZodNumber) {
  return z.union([number, z.literal('none').transform(() => null)], { error: 'a number, or none for no limit' })
}

/** The name of an environment variable: never the secret itself. */
export const variableName = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, { error: 'the name of an environment variable' })
  .max(200)

export const webAddress = z.url({ protocol: /^https?$/, error: 'an address that begins with http:// or https://' })

/** One command line, run by the shell in the project's folder. */
export const shellCommand = z.string().min(1, { error: 'a shell command' }).max(10_000)

/** A list that accepts all of its items only: a shorter one would change nothing, so it is refused. */
export function everyOneOf<const Item extends string>(items: readonly [Item, ...Item[]]) {
  return z
    .array(z.enum(items))
    .refine((given) => items.every((item) => given.includes(item)), { error: `all of ${items.join(', ')}` })
    .default([...items])
}
