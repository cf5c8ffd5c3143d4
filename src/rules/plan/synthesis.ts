/** The three steps of a synthesis, and how deep it goes. SPEC.md § ST6. */
import type { FlagSet } from './feature-flags.ts'

export interface SynthesisStep {
  readonly name: 'integrate' | 'refine' | 'name_gaps'
  readonly instruction: string
  /** Where in the phase summary the result goes. */
  readonly writes: 'key_decisions' | 'open_questions' | null
}

export const synthesisSteps: readonly SynthesisStep[] = [
  {
    name: 'integrate',
    instruction: 'Combine what several agents found, say each thing once, and note where agents support each other.',
    writes: null,
  },
  {
    name: 'refine',
    instruction:
      'Narrow it down to one option, or two where the choice is real, and set their trade-offs side by side.',
    writes: 'key_decisions',
  },
  {
    name: 'name_gaps',
    instruction: 'List what is still unanswered. Each gap becomes an open question for later phases.',
    writes: 'open_questions',
  },
]

export type SynthesisDepth = 'quick' | 'standard' | 'extended'

/**
 * High agreement needs a quick synthesis; low agreement needs tables of agreement and disagreement. Without convergence
 * detection every synthesis is the standard one (ST4).
 */
export function synthesisDepth(level: 'high' | 'medium' | 'low' | 'ambiguous' | null, flags: FlagSet): SynthesisDepth {
  if (!flags.has('s8_convergence_detection')) return 'standard'
  if (level === 'high') return 'quick'
  if (level === 'low') return 'extended'
  return 'standard'
}
