/** The exits of the build graph: one payload schema per exit, written as `{ExitName: {…}}`. SPEC.md § GR. */
import { z } from 'zod'
import { namedUnion } from '../schema/named-union.ts'
import { type ExitName, exitsAt, type GraphPlace, placeName } from './graph-table.ts'
import { confinedPath } from './path-confinement.ts'
import { childSpecSchema } from './spec.ts'

const name = z.string().min(1)
const prose = z.string()
const wholeNumber = z.int().min(0)

/** Optional: Convene reads commits from git. */
const commit = z.string().nullish()

export const plannedTestSchema = z.strictObject({ criterionId: name, plannedTestName: name, approach: prose })
export type PlannedTest = z.infer<typeof plannedTestSchema>

/**
 * In `keep`, a criterion that holds already: its tests are green before the work, and stay so. In `review`, one that no test
 * can check: the reviewer does.
 */
export const keptCriterionSchema = z.strictObject({ criterionId: name, reason: name })
export type KeptCriterion = z.infer<typeof keptCriterionSchema>

export const critiqueSchema = z.strictObject({ file: prose, line: wholeNumber, issue: prose, requiredFix: prose })
export type Critique = z.infer<typeof critiqueSchema>

export const impactLevels = ['Trivial', 'Additive', 'Breaking'] as const
export type ImpactLevel = (typeof impactLevels)[number]

export const changeTypes = ['SignatureChange', 'NewExport', 'RemovedExport', 'BehaviorChange'] as const
export const changeEntrySchema = z.strictObject({ symbol: name, changeType: z.enum(changeTypes), reason: prose })
export type ChangeEntry = z.infer<typeof changeEntrySchema>

const coverageReportSchema = z.strictObject({
  criteriaWithTests: z.array(z.tuple([name, name])).default([]),
  criteriaMissing: z.array(name).default([]),
})

const value = z.preprocess((given) => (typeof given === 'string' ? given : JSON.stringify(given)), z.string())

/** Inputs that no test uses, traced by hand through criterion and code. One may stand alone. */
const tracedInputsSchema = z.preprocess(
  (given) => (given === null || given === undefined || Array.isArray(given) ? given : [given]),
  z.array(z.object({ criterionId: name.nullish(), input: value, expected: value, actual: value })).nullish(),
)

/** Why a point of the last review is wrong, for the next one. */
const objection = prose.nullish()

export const mergeRejections = ['ContractViolation', 'BuildFailure', 'IntegrationFailure'] as const

export const exitPayloads = {
  InitWork: z.strictObject({
    scaffoldCommit: commit,
    interfaceFile: confinedPath,
    contractSuite: confinedPath.nullish(),
    testPlan: z.array(plannedTestSchema),
    keep: z.array(keptCriterionSchema).nullish(),
    review: z.array(keptCriterionSchema).nullish(),
    childSpecs: z.array(childSpecSchema).nullish(),
    interfaces: z.array(z.strictObject({ path: confinedPath, exports: z.array(name) })).nullish(),
  }),
  ClarificationNeeded: z.strictObject({ question: name, ambiguityReference: prose, specSentence: prose }),
  TestsReady: z.strictObject({
    testsCommit: commit,
    testFiles: z.array(confinedPath),
    pendingCriteria: z.array(name).default([]),
    /** The names of the tests as they were written, where these differ from the plan. */
    tests: z.array(z.strictObject({ criterionId: name, testName: name })).nullish(),
    keep: z.array(keptCriterionSchema).nullish(),
    review: z.array(keptCriterionSchema).nullish(),
    objection,
  }),
  InvalidScaffold: z.strictObject({ missingType: name, expectedLocation: prose }),
  Approved: z.strictObject({
    signOff: prose,
    coverageReport: coverageReportSchema.prefault({}),
    untested: tracedInputsSchema.optional(),
    /** Criteria whose tests use all the values that there are, and why. */
    exhausted: z.array(keptCriterionSchema).nullish(),
    /** The criteria that the reviewer checked itself, and where it saw them met, or that they held `already`. */
    checked: z.array(z.object({ criterionId: name, finding: name, already: z.boolean().nullish() })).nullish(),
  }),
  MoreTests: z.strictObject({
    critiques: z.array(critiqueSchema).default([]),
    additionalTests: z.array(plannedTestSchema).default([]),
  }),
  Reject: z.strictObject({ reason: prose, missingCriteria: z.array(name).default([]) }),
  TestsPassed: z.strictObject({
    commitHash: commit,
    iterations: wholeNumber.default(1),
    passedTests: z.array(name).default([]),
    /** What changed and why, for the commit: a subject, a blank line, and the rest, or only the rest (MG1). */
    summary: prose.nullish(),
    keep: z.array(keptCriterionSchema).nullish(),
    review: z.array(keptCriterionSchema).nullish(),
    /** Tests that were there before, and that a new criterion contradicts. */
    outdated: z.array(z.strictObject({ criterionId: name, test: name, reason: name })).nullish(),
    objection,
  }),
  RequestRetry: z.strictObject({
    diagnosis: prose,
    strategyFrom: prose,
    strategyTo: prose,
    failingTests: z.array(name),
  }),
  BlockedDependency: z.strictObject({ missingSymbol: name, expectedImportPath: prose }),
  SpecAmbiguity: z.strictObject({ specSentence: prose, contradictionTrace: prose, question: prose }),
  Stuck: z.strictObject({ diagnosis: prose, recommendation: prose, attempts: wholeNumber }),
  /** Every field is optional, because Convene computes them after the merge. */
  MergeComplete: z.strictObject({
    mergeCommit: commit,
    author: prose.nullish(),
    impactLevel: z.enum(impactLevels).nullish(),
    changes: z.array(changeEntrySchema).nullish(),
  }),
  MergeRejected: z.strictObject({
    reason: z.enum(mergeRejections),
    details: prose,
    failingTests: z.array(name),
  }),
  RebaseClean: z.strictObject({ newBase: commit }),
  RebaseAdapted: z.strictObject({
    newBase: commit,
    adaptations: z.array(z.strictObject({ symbol: name, change: prose, reason: prose })),
  }),
  RebaseConflict: z.strictObject({
    conflictFile: prose,
    ourChange: prose,
    theirChange: prose,
    whyUnresolvable: prose,
  }),
} as const satisfies Record<ExitName, z.ZodType>

export type ExitPayload<Name extends ExitName> = z.infer<(typeof exitPayloads)[Name]>

/** A parsed exit: its name and payload. */
export type Exit<Name extends ExitName = ExitName> = { [One in Name]: { name: One; payload: ExitPayload<One> } }[Name]

/** An exit as agents write it. */
export type ExitReply<Name extends ExitName = ExitName> = { [One in Name]: Record<One, ExitPayload<One>> }[Name]

/** The schema of a reply at a place, also used for structured output. */
export function exitSchemaAt(place: GraphPlace): z.ZodType<ExitReply> {
  const names: ExitName[] = exitsAt(place)
  const payloads = Object.fromEntries(names.map((exit) => [exit, exitPayloads[exit]]))
  const message = `${placeName(place)} must end with exactly one of its exits, as {ExitName: {…}}`
  return namedUnion(payloads, message) as z.ZodType<ExitReply>
}

/** Splits `{ExitName: {…}}` into name and payload. */
export function namedExit(reply: ExitReply): Exit {
  const [[name, payload]] = Object.entries(reply) as [[ExitName, unknown]]
  return { name, payload } as Exit
}

/** The commit, or undefined if the field is missing or blank. */
export function givenCommit(value: string | null | undefined): string | undefined {
  return value?.trim() || undefined
}
