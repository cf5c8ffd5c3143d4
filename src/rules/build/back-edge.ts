/** The typed reason that each back edge of the graph carries. SPEC.md § GR3. */

import type { Problem } from '../schema/problem.ts'
import type { Critique, Exit, ExitPayload, PlannedTest } from './exits.ts'
import type { Target } from './graph-table.ts'

export type BackEdgeReason =
  | ({ kind: 'missing-type' } & ExitPayload<'InvalidScaffold'>)
  | ({ kind: 'missing-symbol' } & ExitPayload<'BlockedDependency'>)
  | ({ kind: 'ambiguity' } & ExitPayload<'SpecAmbiguity'>)
  | ({ kind: 'critique' } & ExitPayload<'MoreTests'>)
  | ({ kind: 'retry' } & ExitPayload<'RequestRetry'>)
  | ({ kind: 'merge-rejected' } & ExitPayload<'MergeRejected'>)
  | ({ kind: 'rebase-conflict' } & ExitPayload<'RebaseConflict'>)
  | { kind: 'rebased'; adaptations: ExitPayload<'RebaseAdapted'>['adaptations'] }
  | { kind: 'refused'; problems: readonly Problem[] }

/** A node about to be entered: its original input, and why it is entered again. */
export interface Entry<Input> extends Target {
  input: Input
  reason?: BackEdgeReason
}

/**
 * Enters a node with its original input. `carried` is the reason that the previous node was entered with: critiques pass
 * through the test author to the implementer.
 */
export function enter<Input>(target: Target, originalInput: Input, exit: Exit, carried?: BackEdgeReason): Entry<Input> {
  const passedOn = exit.name === 'TestsReady' && carried?.kind === 'critique' ? carried : undefined
  const reason = backEdgeReason(exit) ?? passedOn
  return { ...target, input: originalInput, ...(reason ? { reason } : {}) }
}

/** The reason that an exit gives to the node it leads back to; undefined for an exit that leads forward. */
export function backEdgeReason(exit: Exit): BackEdgeReason | undefined {
  switch (exit.name) {
    case 'InvalidScaffold':
      return { kind: 'missing-type', ...exit.payload }
    case 'BlockedDependency':
      return { kind: 'missing-symbol', ...exit.payload }
    case 'SpecAmbiguity':
      return { kind: 'ambiguity', ...exit.payload }
    case 'MoreTests':
      return { kind: 'critique', ...exit.payload }
    case 'RequestRetry':
      return { kind: 'retry', ...exit.payload }
    case 'MergeRejected':
      return { kind: 'merge-rejected', ...exit.payload }
    case 'RebaseConflict':
      return { kind: 'rebase-conflict', ...exit.payload }
    case 'RebaseClean':
      return { kind: 'rebased', adaptations: [] }
    case 'RebaseAdapted':
      return { kind: 'rebased', adaptations: exit.payload.adaptations }
    case 'InitWork':
    case 'ClarificationNeeded':
    case 'TestsReady':
    case 'Approved':
    case 'Reject':
    case 'TestsPassed':
    case 'Stuck':
    case 'MergeComplete':
      return undefined
    default:
      return exit satisfies never
  }
}

/** The reason for a node whose reply failed its checks. */
export function refusal(problems: readonly Problem[]): BackEdgeReason {
  return { kind: 'refused', problems }
}

/** An approval that fails its checks counts as MoreTests, with the problems as critiques: of a file, or of the tests. */
export function refusedApproval(
  problems: readonly Problem[],
  testPath: string,
  additionalTests: PlannedTest[] = [],
): Exit<'MoreTests'> {
  const critiques = problems.map(({ path, message }) => ({
    file: path ?? testPath,
    line: 0,
    issue: message,
    requiredFix: path === undefined ? 'a test for it that runs and passes' : 'code without it',
  }))
  return { name: 'MoreTests', payload: { critiques, additionalTests } }
}

/**
 * GR3: whether the implementer has to act on a review before the next one. What is said about test files alone is the test
 * author's; what names no file may be about the code.
 */
export function concernsCode(critiques: readonly Critique[], isTest: (file: string) => boolean): boolean {
  return critiques.some(({ file }) => file.trim() === '' || !isTest(file))
}
