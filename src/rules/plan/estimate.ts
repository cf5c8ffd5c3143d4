/** Estimates the calls, tokens and cost of a plan in each mode. SPEC.md § RK3. */
import { type DeliberationVariant, usualVariant } from './deliberation.ts'
import { type FlagOverrides, type FlagSet, resolveFlags } from './feature-flags.ts'
import { type Mode, modes } from './mode.ts'
import { phasesOf, validationRounds } from './phase.ts'
import { type PhaseId, phaseById } from './phase-table.ts'
import { castPhase, pickTeam, type Team } from './preset.ts'
import type { StaffedPhase } from './preset-table.ts'
import { chooseStrategy } from './strategy.ts'

export interface Estimate {
  mode: Mode
  calls: number
  tokens: number
  /** null if the price is unknown. */
  cost: number | null
}

export interface EstimateAssumptions {
  /** Per call. */
  input_tokens: number
  output_tokens: number
  /** The usual one of the mode, if absent (ST5). */
  variant?: DeliberationVariant
}

/** The price of one token. */
export interface TokenPrice {
  input: number
  output: number
}

export interface EstimateRequest {
  preset?: string
  flags?: FlagOverrides
  /** The project's own roles. */
  extra?: readonly string[]
  price?: TokenPrice
  assumptions?: EstimateAssumptions
  /** RK4: a small goal is not scored, and the agent that writes its issues compares the documents. */
  small?: boolean
}

export const defaultAssumptions: EstimateAssumptions = { input_tokens: 4_000, output_tokens: 1_500 }

/** Assumes that every gate passes, nothing is retried and one round of questions is asked. */
export function estimate(mode: Mode, request: EstimateRequest = {}): Estimate {
  const assumptions = request.assumptions ?? defaultAssumptions
  const flags = resolveFlags(mode, request.flags)
  const team = pickTeam({ mode, flags, preset: request.preset, extra: request.extra })
  const variant = assumptions.variant ?? usualVariant(mode)
  const calls = phasesOf(mode, flags)
    .map((phase) => (request.small ? smallCalls[phase] : undefined) ?? callsOf(phase, mode, flags, team, variant))
    .reduce((sum, count) => sum + count, 0)
  return {
    mode,
    calls,
    tokens: calls * (assumptions.input_tokens + assumptions.output_tokens),
    cost: request.price ? toMillionths(calls * costOf(request.price, assumptions)) : null,
  }
}

/** Where a small plan asks less. */
const smallCalls: { readonly [phase in PhaseId]?: number } = { '3': 0, '9': 1 }

export function estimateModes(request: EstimateRequest = {}): Estimate[] {
  return modes.map((mode) => estimate(mode, request))
}

function costOf(price: TokenPrice, assumptions: EstimateAssumptions): number {
  return assumptions.input_tokens * price.input + assumptions.output_tokens * price.output
}

function toMillionths(amount: number): number {
  return Math.round(amount * 1_000_000) / 1_000_000
}

function callsOf(phase: PhaseId, mode: Mode, flags: FlagSet, team: Team, variant: DeliberationVariant): number {
  switch (phase) {
    case '1':
      return 0 // set-up is done without a model
    case '2':
    case '4':
    case '7':
      return agentCalls(phase, mode, flags, team, variant) + (isAlone(phase, team) ? 0 : 1) // and the coordinator's synthesis
    case '6b':
      return agentCalls(phase, mode, flags, team, variant) // findings are weighed by rule
    case '3':
      return flags.has('s12_specify_gate') ? 2 : 1 // scored, asked about once, scored again
    case '6':
      return phaseById(phase).panel.length * validationRounds(mode) // votes are counted by rule
    case '8':
      return phaseById(phase).panel.length
    case '5':
    case '8b':
      return 1
    case '9':
      return 2 // the comparison of the documents (RV5), and the issues
  }
}

/** One view needs no synthesis. */
function isAlone(phase: StaffedPhase, team: Team): boolean {
  return new Set(team.agents[phase]).size === 1
}

function agentCalls(phase: StaffedPhase, mode: Mode, flags: FlagSet, team: Team, variant: DeliberationVariant): number {
  const cast = castPhase(phase, chooseStrategy(phase, mode, flags).strategy ?? 'quick', team)
  switch (cast.strategy) {
    case 'quick':
      return cast.agents.length
    case 'perspectives':
      return variant === 'full' ? cast.agents.length * 2 : cast.agents.length + 1 // ST5: contradictions and gaps
    case 'red_team':
      return cast.defender === 'coordinator' ? 2 : 3
  }
}
