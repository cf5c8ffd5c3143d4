/** The envelope that nodes exchange: enough to route by, with the payload by reference. SPEC.md § EN. */
import { z } from 'zod'
import type { GraphDecision } from './graph.ts'
import type { ExitName } from './graph-table.ts'

export const severities = ['INFO', 'WARNING', 'BLOCKER'] as const
export type Severity = (typeof severities)[number]

export const payloadRefSchema = z.string().regex(/^sha256:[0-9a-f]{64}$/, 'sha256: and 64 hexadecimal digits')

export const routingEnvelopeSchema = z.strictObject({
  type: z.string().regex(/^[A-Z]+(_[A-Z]+)*$/),
  severity: z.enum(severities),
  route_hint: z.string().min(1),
  payload_ref: payloadRefSchema,
})
export type RoutingEnvelope = z.infer<typeof routingEnvelopeSchema>

const letters: Record<ExitName, { severity: Severity; route_hint: string }> = {
  InitWork: { severity: 'INFO', route_hint: 'start_tests_and_children' },
  ClarificationNeeded: { severity: 'BLOCKER', route_hint: 'ask_person' },
  TestsReady: { severity: 'INFO', route_hint: 'start_impl' },
  InvalidScaffold: { severity: 'BLOCKER', route_hint: 'complete_scaffold' },
  Approved: { severity: 'INFO', route_hint: 'merge' },
  MoreTests: { severity: 'WARNING', route_hint: 'write_more_tests' },
  Reject: { severity: 'BLOCKER', route_hint: 'ask_person' },
  TestsPassed: { severity: 'INFO', route_hint: 'review' },
  RequestRetry: { severity: 'WARNING', route_hint: 'retry_with_new_strategy' },
  BlockedDependency: { severity: 'BLOCKER', route_hint: 'check_sibling_exports' },
  SpecAmbiguity: { severity: 'BLOCKER', route_hint: 'settle_spec' },
  Stuck: { severity: 'BLOCKER', route_hint: 'ask_person' },
  MergeComplete: { severity: 'INFO', route_hint: 'tell_parent_and_siblings' },
  MergeRejected: { severity: 'WARNING', route_hint: 'fix_failing_tests' },
  RebaseClean: { severity: 'INFO', route_hint: 'resume' },
  RebaseAdapted: { severity: 'WARNING', route_hint: 'verify_and_resume' },
  RebaseConflict: { severity: 'BLOCKER', route_hint: 'plan_again' },
}

/** The envelope of a graph decision. A decision that hit a cap goes to a person, whatever its exit. */
export function routingEnvelope(decision: Pick<GraphDecision, 'exit' | 'capped'>, payloadRef: string): RoutingEnvelope {
  const type = decision.exit.replace(/(?<=[a-z])(?=[A-Z])/g, '_').toUpperCase()
  const letter = decision.capped ? letters.Stuck : letters[decision.exit]
  return { type, ...letter, payload_ref: payloadRef }
}
