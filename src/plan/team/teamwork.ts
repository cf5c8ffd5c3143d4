/** Runs a phase's team by its strategy (quick, perspectives or red team) and synthesises the output. ST, CV. */
import type { z } from 'zod'
import { isOpen } from '../../rules/plan/breaker.ts'
import { type Cast, castPhase } from '../../rules/plan/preset.ts'
import { defaultPreset, type StaffedPhase } from '../../rules/plan/preset-table.ts'
import { testersNeeded } from '../../rules/plan/size/testers.ts'
import { chooseStrategy, defaultStrategyLimits, type StrategyChoice } from '../../rules/plan/strategy.ts'
import { closeFences } from '../artefacts.ts'
import type { phaseStarted } from '../events.ts'
import { addFlags, type Phase, signalsOf } from '../plan.ts'
import type { Synthesis } from '../replies.ts'
import { turnout } from '../wording.ts'
import { measure, notMeasured } from './agreement.ts'
import type { Member } from './ask-members.ts'
import { debate } from './debate.ts'
import { gatherPerspectives } from './perspectives.ts'
import { decisionSection, fromSynthesis, type PhaseResult } from './phase-result.ts'
import { synthesise } from './synthesise.ts'
import { workAlone } from './work-alone.ts'

export interface TeamTask {
  task: string
  acceptance: readonly string[]
  /** Headings the synthesis must contain. */
  headings: readonly string[]
}

/** A team's output before the synthesis. */
export interface TeamOutput {
  members: Member[]
  /** How many members were asked. */
  expected: number
  /** Names of members that did not answer. */
  missing: string[]
  /** Members whose second draft is missing, so the first one counts. */
  missingLater?: string[]
  /** The round their output is from. */
  round: number
  contradictions?: string
  /** Markdown about the process, for the artefact. */
  section?: string
}

export interface Teamwork extends TeamOutput {
  synthesis: Synthesis
  ask?: string
  choice: StrategyChoice
}

export function castFor(phase: Phase): { choice: StrategyChoice; cast: Cast; chosenWith: ChosenWith } {
  const { plan, id, flags, settings } = phase
  const table = new Map(settings.strategies)
  const limits = { ...defaultStrategyLimits, low_specify_score: settings.specify.low_score_threshold }
  const signals = signalsOf(plan)
  const { mode } = plan.input
  const choice = chooseStrategy(id, mode, flags, signals, limits, table)
  const givenUp = choice.strategy === 'red_team' && isOpen(plan.breakers, 'red_team')
  if (givenUp) addFlags(phase, 'degraded', 'red_team_given_up')
  const strategy = givenUp ? 'quick' : (choice.strategy ?? 'quick')
  const cast = castPhase(id as StaffedPhase, strategy, { ...settings.team, agents: teamFor(phase), warnings: [] })
  addFlags(phase, ...cast.flags)
  const planned = table.get(id)?.[mode]
  const chosenWith = { mode, flags: [...flags], signals: { ...signals }, limits, ...(planned ? { planned } : {}) }
  return { choice, cast, chosenWith }
}

/** RK4: a plan that Convene sized has the testers it needs; a team or mode that somebody chose stays as it is. */
function teamFor({ plan, settings: { team } }: Phase): Phase['settings']['team']['agents'] {
  const { sizing, preset, goal } = plan.input
  if (sizing === undefined || preset !== undefined || team.preset !== defaultPreset) return team.agents
  const change = { goal, risks: plan.risk.flags, signals: signalsOf(plan) }
  return { ...team.agents, '7': testersNeeded(team.agents['7'], change) }
}

/** For `replay`: what a strategy was chosen with. */
type ChosenWith = NonNullable<z.infer<typeof phaseStarted.schema>['chosen_with']>

export async function workTogether(phase: Phase, work: TeamTask): Promise<Teamwork> {
  const { choice, cast } = castFor(phase)
  if (cast.strategy !== 'red_team' && cast.agents.length === 1) {
    const output = await workAlone(phase, cast.agents[0]!, work)
    const synthesis = output.synthesis ?? (await synthesise(phase, [], work, notMeasured, undefined)).synthesis
    return { ...output, choice, synthesis }
  }
  const output =
    cast.strategy === 'red_team' ? await debate(phase, cast, work) : await gatherPerspectives(phase, cast, work)
  const { members, missing, contradictions } = output
  if (missing.length > 0) addFlags(phase, 'degraded')
  // CV7: a debate is meant to disagree, and testers look at different things by design.
  const isComplementary = cast.strategy === 'red_team' || phase.id === '7'
  const measured = isComplementary ? notMeasured : await measure(phase, output)
  const synthesis = await synthesise(phase, members, work, measured, contradictions)
  const section = output.section ?? (measured.section ? `## Agreement\n\n${measured.section}` : '')
  return { ...output, section, choice, ...synthesis }
}

/** The usual artefact of a team: the synthesis, the process, and its decisions, questions and risks. */
export function teamResult(
  phase: Phase,
  title: string,
  { synthesis, members, expected, missing, missingLater = [], section, ask, choice }: Teamwork,
): PhaseResult & { found: ReturnType<typeof fromSynthesis>; absent: string } {
  const found = fromSynthesis(phase, synthesis, ask)
  const answered = `${members.length} of ${expected}`
  const later = missingLater.length > 0 ? `; missing from round 2: ${missingLater.join(', ')}` : ''
  const attendance = `${turnout(answered, missing)}${later}`
  const absent = [...missing, ...missingLater].length > 0 ? `_${attendance}._` : ''
  const body = [closeFences(synthesis.artefact), section, decisionSection(found), absent]
  return {
    title,
    body: body.filter(Boolean).join('\n\n'),
    text: synthesis.summary || synthesis.artefact.slice(0, 800),
    ...found,
    found,
    absent,
    more: {
      strategy: choice.strategy,
      answered,
      missing: [...new Set([...missing, ...missingLater.map((role) => `${role} (round 2)`)])],
      ...(choice.override ? { strategy_override: choice.override } : {}),
    },
  }
}
