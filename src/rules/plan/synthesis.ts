/** How a coordinator makes one answer out of several: the three steps, and how much room they get. SPEC.md § ST6. */
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
    instruction: 'Bring together what several agents found, say each thing once, and note where one backs up another.',
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
    instruction: 'List what nobody has answered. Each gap becomes an open question for the phases that follow.',
    writes: 'open_questions',
  },
]

export type SynthesisDepth = 'quick' | 'standard' | 'extended'

/**
 * How much the measured agreement asks of the synthesis: agents at one need little, agents at odds need tables of
 * where they agree and where they do not. Without convergence detection every synthesis is the standard one (ST4).
 */
export function synthesisDepth(level: 'high' | 'medium' | 'low' | 'ambiguous' | null, flags: FlagSet): SynthesisDepth {
  if (!flags.has('s8_convergence_detection')) return 'standard'
  if (level === 'high') return 'quick'
  if (level === 'low') return 'extended'
  return 'standard'
}
