/** The built-in presets, and who plays which part in a red-team debate. SPEC.md § ST1, ST7. */

/** The phases in which several agents work. */
export type StaffedPhase = '2' | '4' | '6b' | '7'

export interface Preset {
  readonly description?: string
  /** The agents of each phase. Without researchers, a preset uses balanced's. */
  readonly agents: Readonly<Record<Exclude<StaffedPhase, '2'>, readonly string[]>> & {
    readonly '2'?: readonly string[]
  }
}

export const defaultPreset = 'balanced'

export const presets: ReadonlyMap<string, Preset> = new Map<string, Preset>([
  [
    'balanced',
    {
      description: 'Several perspectives in every phase; for any feature',
      agents: {
        '2': ['researcher-codebase', 'researcher-practice', 'researcher-risk'],
        '4': ['software-architect-minimal', 'software-architect-clean', 'software-architect-pragmatic'],
        '6b': ['security-analyst', 'simplicity-reviewer'],
        '7': ['qa-strategist', 'qa-security', 'qa-performance'],
      },
    },
  ],
  [
    'rapid_prototype',
    {
      description: 'One agent per phase; for spikes and proofs of concept',
      agents: {
        '2': ['researcher-codebase'],
        '4': ['software-architect-pragmatic'],
        '6b': [],
        '7': ['qa-strategist'],
      },
    },
  ],
])

/** The default cast. A challenger may come from another phase's team. */
export interface RedTeamParts {
  readonly proposer: string
  readonly challenger: string
  /** `coordinator`: it weighs the challenge. */
  readonly defender: 'proposer' | 'coordinator'
}

export const redTeamParts: Readonly<Record<Exclude<StaffedPhase, '2'>, RedTeamParts>> = {
  '4': { proposer: 'software-architect-pragmatic', challenger: 'security-analyst', defender: 'proposer' },
  '6b': { proposer: 'simplicity-reviewer', challenger: 'security-analyst', defender: 'coordinator' },
  '7': { proposer: 'qa-strategist', challenger: 'qa-security', defender: 'proposer' },
}
