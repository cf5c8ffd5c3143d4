/** What is done when something has failed too often in a row, for each thing that can. SPEC.md § CB1. */

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
      description: 'The coordinator writes contradictions and gaps itself instead of a second round',
    },
  ],
  [
    'red_team',
    {
      action: 'quick_strategy',
      flags: ['degraded'],
      description: 'The debate is given up and the phase goes on as quick with what was proposed',
    },
  ],
  [
    'parallel_dispatch',
    {
      action: 'one_after_the_other',
      flags: ['degraded'],
      description: 'The phases are run again one after the other, and then recovered from their artefacts',
    },
  ],
  [
    'specify_gate',
    {
      action: 'proceed_with_warning',
      flags: ['specify_not_passed'],
      description: 'Planning goes on with a warning, and later phases play a stricter strategy',
    },
  ],
  [
    'expert_review',
    { action: 'user_decides', flags: [], description: 'The critical findings are shown and the user has to decide' },
  ],
  [
    'consensus',
    {
      action: 'skip_validation',
      flags: ['degraded', 'consensus_skipped'],
      description: 'Phase 6 is skipped, and says so wherever its result would be shown',
    },
  ],
  [
    'deep_thinking',
    {
      action: 'skip_deep_thinking',
      flags: ['degraded'],
      description: 'Phase 5 is skipped and the plan goes on with what phase 4 found',
    },
  ],
])

/** Whatever has no entry of its own is the user's business: it must not go on as if nothing had happened. */
export const otherEscalation: Escalation = {
  action: 'user_decides',
  flags: ['degraded'],
  description: 'The user is asked what to do',
}
