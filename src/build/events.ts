/** Facts of the build floor. Browser-safe. */
import { z } from 'zod'
import { defineEvent } from '../kernel/events.ts'
import { changeEntrySchema, impactLevels, plannedTestSchema } from '../rules/build/exits.ts'
import { routingEnvelopeSchema } from '../rules/build/routing-envelope.ts'
import { criterionSchema } from '../rules/build/spec.ts'

/** The node an event is about: its spec's id, and the ids from the root. */
const node = { node: z.string(), path: z.array(z.string()) }

const problem = z.object({ rule: z.string(), message: z.string(), path: z.string().optional() })

export const buildStarted = defineEvent(
  'build.started',
  1,
  z.object({
    spec: z.string(),
    description: z.string(),
    strategy: z.enum(['graph', 'solo']),
    /** Why the rule chose this strategy. */
    because: z.string(),
    base: z.string(),
    branch: z.string(),
    /** The branch that `--merge` merges into. */
    target: z.string().nullable(),
    merge: z.boolean(),
    commands: z.object({
      setup: z.string().optional(),
      build: z.string().optional(),
      test: z.string(),
      contract: z.string().optional(),
    }),
    rehearsal: z.boolean(),
    /** The file that the spec was read from, and what it said. */
    source: z.object({ file: z.string(), spec: z.record(z.string(), z.unknown()) }).optional(),
    /** The cap on attempts at one place. */
    attempts: z.number().int().optional(),
    /** The caps in force. */
    caps: z.record(z.string(), z.number()).optional(),
  }),
)

/** A repair that a person committed moved the work: it stands on another commit than `build.started` says. */
export const buildMoved = defineEvent('build.moved', 1, z.object({ base: z.string() }))

export const nodeStarted = defineEvent(
  'node.started',
  1,
  z.object({
    ...node,
    description: z.string(),
    criteria: z.array(criterionSchema),
    depends_on: z.array(z.string()),
    branch: z.string(),
    base: z.string(),
  }),
)

/** An exit was routed: from which place, by which exit, to which place. The payload is stored by reference. */
export const exitRouted = defineEvent(
  'exit.routed',
  1,
  z.object({
    ...node,
    from: z.string(),
    exit: z.string(),
    to: z.array(z.string()),
    action: z.string(),
    capped: z.string().optional(),
    envelope: routingEnvelopeSchema,
  }),
)

/** A task was given to an agent; the prompt is stored by reference. */
export const taskPut = defineEvent(
  'task.put',
  1,
  z.object({
    ...node,
    ask: z.string(),
    kind: z.string(),
    agent: z.string(),
    /** Why this agent has the role (GR13). */
    grounds: z.string().optional(),
    attempt: z.number().int(),
    prompt_ref: z.string(),
  }),
)

/** A reply was refused: it counts as an attempt, and the next prompt lists these problems. */
export const replyRefused = defineEvent(
  'reply.refused',
  1,
  z.object({ ...node, kind: z.string(), attempt: z.number().int(), problems: z.array(problem) }),
)

export const agentNudged = defineEvent(
  'agent.nudged',
  1,
  z.object({ ...node, kind: z.string(), agent: z.string(), attempt: z.number().int() }),
)

const testLine = z.object({ name: z.string(), outcome: z.string() })

/** Convene starts a command of the project; its result follows as evidence, or the next step says that it failed. */
export const commandStarted = defineEvent(
  'command.started',
  1,
  z.object({ ...node, purpose: z.string(), command: z.string() }),
)

/** The result of a command that Convene ran itself. */
export const evidenceRecorded = defineEvent(
  'evidence.recorded',
  1,
  z.object({
    ...node,
    /** What the result is evidence for: `red`, `claim`, `merge`, `setup` … */
    purpose: z.string(),
    command: z.string(),
    exit_code: z.number().int(),
    ended: z.string(),
    commit: z.string(),
    tree: z.string(),
    sandboxed: z.boolean(),
    milliseconds: z.number(),
    tests: z
      .object({
        /** The names are the runner's own. Older events have only this. */
        parsed: z.boolean(),
        names: z.enum(['reported', 'scraped', 'unknown']).optional(),
        passed: z.number(),
        failed: z.number(),
        skipped: z.number(),
        list: z.array(testLine),
        /** Tests that this build has seen pass and fail on the same code: they refuse nothing. */
        unreliable: z.array(z.string()).optional(),
      })
      .optional(),
    output_ref: z.string().optional(),
    output_bytes: z.number(),
    /** Changed paths that run or instruct programs (TR2). */
    sensitive: z.array(z.string()).optional(),
    /** True if nothing ran: this is the result of an earlier run of the same command on the same tree in this build. */
    reused: z.boolean().optional(),
  }),
)

/** The orchestrator committed a node's work. */
export const workCommitted = defineEvent(
  'work.committed',
  1,
  z.object({
    ...node,
    kind: z.string(),
    commit: z.string(),
    tree: z.string(),
    parent: z.string(),
    files: z.array(z.object({ path: z.string(), status: z.string() })),
  }),
)

export const scaffoldAccepted = defineEvent(
  'scaffold.accepted',
  1,
  z.object({
    ...node,
    interfaceFile: z.string(),
    contractSuite: z.string().optional(),
    testPlan: z.array(plannedTestSchema),
    children: z.array(z.string()),
    /** The siblings that each part depends on. */
    dependencies: z.record(z.string(), z.array(z.string())).optional(),
  }),
)

export const mergeCompleted = defineEvent(
  'merge.completed',
  1,
  z.object({
    ...node,
    into: z.string(),
    mergeCommit: z.string(),
    author: z.string(),
    impactLevel: z.enum(impactLevels),
    changes: z.array(changeEntrySchema),
    /** Files whose changes could only be read as text. */
    unparsed: z.array(z.string()),
  }),
)

export const rebaseFinished = defineEvent(
  'rebase.finished',
  1,
  z.object({
    ...node,
    onto: z.string(),
    commit: z.string(),
    impactLevel: z.enum(impactLevels),
    conflicts: z.array(z.string()),
    adapted: z.boolean(),
  }),
)

/** Two siblings would conflict if both were merged as they are. */
export const conflictForecast = defineEvent(
  'conflict.forecast',
  1,
  z.object({ ...node, with: z.string(), files: z.array(z.string()) }),
)

export const childJudged = defineEvent(
  'child.judged',
  1,
  z.object({ ...node, child: z.string(), verdict: z.enum(['accepted', 'sent-back', 'escalate']) }),
)

export const childFailed = defineEvent(
  'child.failed',
  1,
  z.object({
    ...node,
    child: z.string(),
    reason: z.string(),
    action: z.string(),
    /** Where the retry starts, and why. */
    goes_on: z.string().optional(),
  }),
)

/** What a node is waiting for. For display only. */
export const nodeWaiting = defineEvent('node.waiting', 1, z.object({ ...node, for: z.array(z.string()) }))

export const nodeFinished = defineEvent(
  'node.finished',
  1,
  z.object({
    ...node,
    status: z.enum(['merged', 'failed']),
    reason: z.string().optional(),
    commit: z.string().optional(),
  }),
)

export const buildFinished = defineEvent(
  'build.finished',
  1,
  z.object({
    status: z.enum(['done', 'failed']),
    reason: z.string().optional(),
    branch: z.string(),
    commit: z.string().nullable(),
    tree: z.string().nullable(),
    merged: z.boolean().optional(),
  }),
)

/** VF5: what a person decided about imports that can run programs or bypass the sandbox. */
export const importsDecided = defineEvent(
  'imports.decided',
  1,
  z.object({ modules: z.array(z.string()), allowed: z.boolean() }),
)

/** A review sent work back: what it asks for, a line each. */
export const reviewReturned = defineEvent(
  'review.returned',
  1,
  z.object({ ...node, exit: z.enum(['MoreTests', 'Reject']), reasons: z.array(z.string()) }),
)

/** A review approves the work: its words, and the tests that it names for each criterion. */
export const reviewApproved = defineEvent(
  'review.approved',
  1,
  z.object({
    ...node,
    signOff: z.string(),
    covered: z.array(z.object({ criterionId: z.string(), testName: z.string() })),
  }),
)

/** TR7: what a person decided about settings of a checker that the work needs changed. */
export const settingsDecided = defineEvent(
  'settings.decided',
  1,
  z.object({ lines: z.array(z.string()), allowed: z.boolean() }),
)

/** VF9: the project's commands were run on the untouched tree, and their report read. */
export const readerChecked = defineEvent(
  'reader.checked',
  1,
  z.object({
    commands: z.string(),
    state: z.enum(['ok', 'degraded', 'broken']),
    detail: z.string(),
    fix: z.string().optional(),
    /** Linters and the like that failed: the next build looks again. */
    failing: z.array(z.string()).optional(),
    /** The command found no tests: the next build looks again. */
    empty: z.boolean().optional(),
  }),
)

/** VF12: small changes of verified code, and whether the node's own tests noticed them. */
export const mutationsTried = defineEvent(
  'mutations.tried',
  1,
  z.object({
    ...node,
    commit: z.string(),
    command: z.string().optional(),
    sandboxed: z.boolean().optional(),
    /** Why none, or no more, were tried. */
    because: z.string().optional(),
    tried: z.array(
      z.object({
        file: z.string(),
        line: z.number().int(),
        change: z.string(),
        outcome: z.enum(['unnoticed', 'noticed', 'unclear']),
        commit: z.string(),
        exit_code: z.number().int().optional(),
        ended: z.string().optional(),
        milliseconds: z.number().optional(),
        because: z.string().optional(),
      }),
    ),
  }),
)

export const warningGiven = defineEvent('warning.given', 1, z.object({ text: z.string() }))

export const buildStream = (run: string) => `build:${run}`
