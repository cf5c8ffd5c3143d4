/** Picks the team of a plan and casts it for a phase. SPEC.md § ST1, ST7. */

import { oneLine } from '../text/one-line.ts'
import type { FlagSet } from './feature-flags.ts'
import type { Mode } from './mode.ts'
import { defaultPreset, type Preset, presets, redTeamParts, type StaffedPhase } from './preset-table.ts'
import type { Strategy } from './strategy-table.ts'

export interface Team {
  preset: string
  agents: Readonly<Record<StaffedPhase, readonly string[]>>
  warnings: string[]
}

export interface TeamRequest {
  preset?: string
  mode: Mode
  flags: FlagSet
  /** The project's own roles (`plan.roles_extra`). */
  extra?: readonly string[]
  /** The known agents; absent, every agent that a preset names counts as known. */
  known?: ReadonlySet<string>
}

/** ST7. Never fails: falls back to `balanced`, with a warning that says why. */
export function pickTeam(request: TeamRequest, available: ReadonlyMap<string, Preset> = presets): Team {
  const warnings: string[] = []
  const name = pickName(request, available, warnings)
  const balanced = available.get(defaultPreset) ?? presets.get(defaultPreset)!
  const { agents } = available.get(name) ?? balanced
  const joined = withOwnRoles(agents, request.extra ?? [])
  return {
    preset: name,
    agents: {
      '2': joined(agents['2'] ?? presets.get(defaultPreset)!.agents['2']!),
      '4': joined(agents['4']),
      '6b': joined(reviewersOf(agents['6b'], balanced, request.flags)),
      '7': joined(agents['7']),
    },
    warnings,
  }
}

/** ST7: a role that the preset places nowhere joins every phase in which several lenses work. */
function withOwnRoles(agents: Preset['agents'], extra: readonly string[]) {
  const placed = new Set(Object.values(agents).flat())
  const free = extra.filter((role) => !placed.has(role))
  return (roles: readonly string[]) => (roles.length < 2 ? roles : [...roles, ...free])
}

/** RV4: who amends the design: the one who would defend it in a debate, or else the first of the architects. */
export function architectOf({ agents }: Pick<Team, 'agents'>): string {
  const { proposer } = redTeamParts['4']
  const [first = proposer] = agents['4']
  return agents['4'].includes(proposer) ? proposer : first
}

function pickName(request: TeamRequest, available: ReadonlyMap<string, Preset>, warnings: string[]): string {
  const asked = request.preset ?? defaultPreset
  if (asked === defaultPreset) return defaultPreset
  const fallBack = (reason: string) => {
    warnings.push(`${reason}; using the ${defaultPreset} preset`)
    return defaultPreset
  }
  const preset = available.get(asked)
  if (!preset) return fallBack(`There is no preset ${quoted(asked)}`)
  // rapid mode is outside the flag's modes, but a spike wants the smaller team it asked for
  if (!request.flags.has('s10_team_presets') && request.mode !== 'rapid') return fallBack('Team presets are turned off')
  const stranger =
    request.known &&
    Object.values(preset.agents)
      .flat()
      .find((agent) => !request.known?.has(agent))
  if (stranger) return fallBack(`Preset ${quoted(asked)} names the unknown agent ${quoted(stranger)}`)
  return asked
}

function quoted(name: string): string {
  return `“${oneLine(name)}”`
}

/** With the review flag on, an empty list of reviewers falls back to balanced's. */
function reviewersOf(named: readonly string[], balanced: Preset, flags: FlagSet): readonly string[] {
  return named.length > 0 || !flags.has('a4_expert_review') ? named : balanced.agents['6b']
}

export type Cast =
  | { strategy: 'quick' | 'perspectives'; agents: readonly string[]; flags: string[] }
  | { strategy: 'red_team'; proposer: string; challenger: string; defender: string; flags: string[] }

/** ST1: assigns the parts. A single agent plays quick, flagged. */
export function castPhase(phase: StaffedPhase, strategy: Strategy, team: Team): Cast {
  const agents = [...new Set(team.agents[phase])]
  if (strategy === 'quick') return { strategy, agents, flags: [] }
  if (agents.length < 2) return { strategy: 'quick', agents, flags: ['single_agent_plays_quick'] }
  if (strategy === 'perspectives') return { strategy, agents, flags: [] }
  return castRedTeam(phase, agents, team)
}

function castRedTeam(phase: StaffedPhase, agents: readonly string[], team: Team): Cast {
  const parts = phase === '2' ? undefined : redTeamParts[phase]
  const hired = new Set(Object.values(team.agents).flat())
  const proposer = parts && agents.includes(parts.proposer) ? parts.proposer : agents[0]!
  const challenger =
    parts && hired.has(parts.challenger) && parts.challenger !== proposer
      ? parts.challenger
      : agents.find((agent) => agent !== proposer)!
  const defender = parts?.defender === 'coordinator' ? 'coordinator' : proposer
  return { strategy: 'red_team', proposer, challenger, defender, flags: [] }
}
