/** What happens when a breaker trips, by context. SPEC.md § CB1. */

export type EscalationAction =
  | 'light_deliberation'
  | 'quick_strategy'
  | 'one_after_the_other'
  | 'proceed_with_warning'
  | 'user_decides'
  | 'skip_validation'
  | 'skip_deep_thinking'

export interface Escalation {
  readonly action: EscalationAction
  /** Flags for the phase summary. */
  readonly flags: readonly string[]
  readonly description: string
}

export const escalations: ReadonlyMap<string, Escalation> = new Map<string, Escalation>([
  [
    'deliberation_round_2',
    {
      action: 'light_deliberation',
      flags: ['degraded'],
      description: 'The coordinator writes down contradictions and gaps instead of a second round',
    },
  ],
  [
    'red_team',
    {
      action: 'quick_strategy',
      flags: ['degraded'],
      description: 'The debate ends and the phase continues as quick with the proposal',
    },
  ],
  [
    'parallel_dispatch',
    {
      action: 'one_after_the_other',
      flags: ['degraded'],
      description: 'The phases run again one after the other, and are then recovered from their artefacts',
    },
  ],
  [
    'specify_gate',
    {
      action: 'proceed_with_warning',
      flags: ['specify_not_passed'],
      description: 'Planning continues with a warning, and later phases play a stricter strategy',
    },
  ],
  [
    'expert_review',
    { action: 'user_decides', flags: [], description: 'The user sees the critical findings and decides' },
  ],
  [
    'consensus',
    {
      action: 'skip_validation',
      flags: ['degraded', 'consensus_skipped'],
      description: 'Phase 6 is skipped, and every place that shows its result says so',
    },
  ],
  [
    'deep_thinking',
    {
      action: 'skip_deep_thinking',
      flags: ['degraded'],
      description: 'Phase 5 is skipped and the plan continues with the result of phase 4',
    },
  ],
])

/** For contexts without an entry, so that no failure passes unnoticed. */
export const otherEscalation: Escalation = {
  action: 'user_decides',
  flags: ['degraded'],
  description: 'The user is asked what to do',
}
