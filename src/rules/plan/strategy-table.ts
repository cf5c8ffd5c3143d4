/** The three strategies and which of them each phase plays. SPEC.md § ST1, ST2. */
import type { Mode } from './mode.ts'
import type { PhaseId } from './phase-table.ts'

/** From the lightest to the strictest. */
export const strategies = ['quick', 'perspectives', 'red_team'] as const

export type Strategy = (typeof strategies)[number]

export interface StrategyRound {
  readonly name: 'analyse' | 'lens' | 'cross_review' | 'propose' | 'challenge' | 'defend'
  readonly task: string
}

/** ST1: what happens in each round. The number of rounds is the length of the list. */
export const strategyRounds: Readonly<Record<Strategy, readonly StrategyRound[]>> = {
  quick: [{ name: 'analyse', task: 'Work on the task alone and give your whole answer.' }],
  perspectives: [
    { name: 'lens', task: 'Look at the task through your own lens; other agents cover the other lenses.' },
    { name: 'cross_review', task: 'Review what the others found through your own lens.' },
  ],
  red_team: [
    { name: 'propose', task: 'Propose the analysis you would defend.' },
    {
      name: 'challenge',
      task: 'Find what is wrong with the proposal. Rate each flaw CRITICAL, MAJOR or MINOR. Do not propose anything of your own.',
    },
    { name: 'defend', task: 'Answer each flaw: concede it and say what changes, or defend the proposal with reasons.' },
  ],
}

export type StrategyTable = ReadonlyMap<PhaseId, Readonly<Record<Mode, Strategy>>>

/** ST2: the strategy per phase and mode while multi-strategy is on. Other phases have none. */
export const strategyTable: StrategyTable = new Map([
  ['2', { rapid: 'quick', standard: 'quick', advanced: 'quick', complete: 'perspectives' }],
  ['4', { rapid: 'quick', standard: 'quick', advanced: 'perspectives', complete: 'perspectives' }],
  ['6b', { rapid: 'red_team', standard: 'red_team', advanced: 'red_team', complete: 'red_team' }],
  ['7', { rapid: 'quick', standard: 'quick', advanced: 'perspectives', complete: 'red_team' }],
])

export function isStricter(a: Strategy, b: Strategy): boolean {
  return strategies.indexOf(a) > strategies.indexOf(b)
}
