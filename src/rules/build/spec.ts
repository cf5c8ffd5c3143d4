/** The schema of a build spec: description, criteria and paths. SPEC.md § GR. */
import { z } from 'zod'
import { confinedPath, isWithin } from './path-confinement.ts'
import { isSpecId } from './spec-id.ts'

/**
 * `new` (the default): the work has to make it true. `keep`: it holds already and must still hold afterwards. `review`: no
 * test can check it, so the reviewer does.
 */
export const criterionKinds = ['new', 'keep', 'review'] as const

export const criterionSchema = z.strictObject({
  id: oneLine('a criterion id'),
  text: z.string().min(1),
  kind: z.enum(criterionKinds).optional(),
})
export type Criterion = z.infer<typeof criterionSchema>

/** Ids become branch and worktree names. */
export const specIdSchema = z.string().superRefine((id, context) => {
  if (isSpecId(id)) return
  const format = 'up to 100 letters, digits, dots, dashes and underscores, beginning with a letter or digit'
  context.addIssue({ code: 'invalid_format', format, message: 'the id cannot name a branch', input: id })
})

const constraintsSchema = z.strictObject({ time: z.string().nullish(), space: z.string().nullish() })

const criteriaSchema = z
  .array(criterionSchema)
  .min(1)
  .superRefine((criteria, context) => {
    const firstAt = new Map<string, number>()
    for (const [index, { id }] of criteria.entries()) {
      const first = firstAt.get(id)
      if (first === undefined) firstAt.set(id, index)
      else
        context.addIssue({
          code: 'custom',
          path: [index, 'id'],
          message: `repeats the id of criterion ${first}`,
          input: id,
        })
    }
  })

const specShape = {
  id: specIdSchema,
  description: z.string().min(1),
  acceptanceCriteria: criteriaSchema,
  targetPath: confinedPath,
  testPath: confinedPath,
  complexityConstraints: constraintsSchema.nullish(),
  /** What the plan hands to the builder: decisions, interface, tests, files (PH6). */
  context: z.string().nullish(),
}

/** A target inside the tests could never be written, because implementers may not touch tests (VF3). */
function testsApart(spec: { targetPath: string; testPath: string }, context: z.RefinementCtx): void {
  if (!isWithin(spec.targetPath, spec.testPath)) return
  const message = 'the target is inside the tests, which its implementer may not touch'
  context.addIssue({ code: 'custom', path: ['testPath'], message, input: spec.testPath })
}

export const specSchema = z.strictObject(specShape).superRefine(testsApart)
export type Spec = z.infer<typeof specSchema>

/** The spec of a child. `dependsOn` names the siblings it waits for. */
export const childSpecSchema = z
  .strictObject({ ...specShape, dependsOn: z.array(z.string()).nullish() })
  .superRefine(testsApart)
export type ChildSpec = z.infer<typeof childSpecSchema>

export const buildStrategies = ['auto', 'graph', 'solo'] as const
export type BuildStrategy = (typeof buildStrategies)[number]

export const defaultSoloLimits = { criteria: 3 }

/** `auto` gives small work to one agent, and many criteria that tests have to see fail, or stated constraints, to the graph. */
export function strategyForSpec(
  spec: Pick<Spec, 'acceptanceCriteria' | 'complexityConstraints'>,
  asked: BuildStrategy = 'auto',
  limits = defaultSoloLimits,
): 'graph' | 'solo' {
  if (asked !== 'auto') return asked
  const constrained = Boolean(spec.complexityConstraints?.time || spec.complexityConstraints?.space)
  const fresh = spec.acceptanceCriteria.filter(({ kind = 'new' }) => kind === 'new')
  return fresh.length <= limits.criteria && !constrained ? 'solo' : 'graph'
}

/** What decided between the graph and one agent, in words. */
export function whyStrategy(
  { acceptanceCriteria, complexityConstraints }: Pick<Spec, 'acceptanceCriteria' | 'complexityConstraints'>,
  asked: BuildStrategy = 'auto',
): string {
  if (asked !== 'auto') return 'as asked'
  const count = (wanted: Criterion['kind']) => acceptanceCriteria.filter(({ kind = 'new' }) => kind === wanted).length
  const [fresh, kept, reviewed] = [count('new'), count('keep'), count('review')]
  return [
    `${fresh} ${fresh === 1 ? 'criterion' : 'criteria'}`,
    ...(kept > 0 ? [`, ${kept} to keep`] : []),
    ...(reviewed > 0 ? [`, and ${reviewed} for the reviewer`] : []),
    ...(complexityConstraints ? [' with constraints'] : []),
  ].join('')
}

/** Ids are written into commit trailers, where a line break would end the trailer. */
function oneLine(what: string) {
  return z.string().superRefine((text, context) => {
    if (text.trim() !== '' && text.length <= 200 && !/[\p{Cc}\u2028\u2029]/u.test(text)) return
    const format = 'one line of 1 to 200 characters'
    context.addIssue({ code: 'invalid_format', format, message: `${what} must be one line`, input: text })
  })
}
