/** Decides who answers a message: from its wording, the agents' proposals, names and limits. SPEC.md § DP. */
import { z } from 'zod'
import type { Rule } from '../schema/rule.ts'
import { firstByName } from '../text/by-code-unit.ts'
import { oneLine } from '../text/one-line.ts'
import { byWording } from './by-wording.ts'
import { showHundredths } from './confidence.ts'
import { type Contender, rank } from './contender.ts'
import { alone, type DispatchDecision, isWordingRule, showLimit } from './dispatch-decision.ts'
import { type DispatchLimits, defaultDispatchLimits, dispatchLimitsSchema } from './dispatch-limits.ts'
import { byTable } from './dispatch-table.ts'
import { byMeasuredWishes } from './measured.ts'
import { type Proposals, proposalsSchema } from './proposal.ts'
import { judgedIn } from './wording/judged.ts'
import { readWish, type TalkSoFar } from './wording/wish.ts'

/** What the person said, and who spoke before, oldest first. Rule `seed` reads neither. */
export interface Said extends TalkSoFar {
  message: string
}

/** If `agents` is not empty, only their proposals count. Throws without any proposal or agent. */
export function dispatch(
  proposals: Proposals,
  agents: readonly string[] = [],
  limits: DispatchLimits = defaultDispatchLimits,
  said?: Said,
): DispatchDecision {
  const ranked = rank(proposals, agents, limits) // DP1, DP2
  const asked = said && askedFor(said, ranked, agents, limits) // DP9
  if (asked) return asked
  const [winner, runnerUp] = ranked
  if (!winner) return withoutProposals(agents) // DP7
  if (!runnerUp) return alone('only', winner.name, `Only ${winner.name} made a proposal.`) // DP7
  return limits.rule === 'seed' ? byTable(ranked, limits) : byMeasuredWishes(ranked, limits) // DP3, DP6, DP10
}

/** DP9: what the wording decides by itself, with or without proposals. Undefined where it leaves it open. */
export function askedFor(
  { message, ...talk }: Said,
  ranked: readonly Contender[],
  agents: readonly string[],
  limits: DispatchLimits,
): DispatchDecision | undefined {
  const room = agents.length > 0 ? agents : ranked.map(({ name }) => name)
  if (limits.rule === 'seed' || new Set(room).size < 2) return undefined
  const wish = readWish(message, room, talk)
  return wish && byWording(wish, { agents: room, ranked, spoke: talk.spoke ?? [] }, limits)
}

function withoutProposals(agents: readonly string[]): DispatchDecision {
  const first = firstByName(agents)
  if (first === undefined) throw new RangeError('dispatch needs a proposal or an agent')
  return alone('none', first, `No proposals: ${first} is the first agent by name.`)
}

const dispatchInput = z
  .object({
    proposals: proposalsSchema,
    agents: z.array(z.string().min(1)).optional(),
    message: z.string().optional(),
    history: z.array(z.object({ sender: z.string(), text: z.string() })).optional(),
    limits: dispatchLimitsSchema.prefault({}),
  })
  .refine((input) => Object.keys(input.proposals).length > 0 || (input.agents?.length ?? 0) > 0, {
    path: ['agents'],
    error: 'without proposals, name the agents in the room',
  })

export type DispatchInput = z.infer<typeof dispatchInput>

export const rule: Rule<DispatchInput, DispatchDecision> = {
  name: 'dispatch',
  input: dispatchInput,
  decide: ({ proposals, agents, message, history = [], limits }) => {
    const spoke = history.map(({ sender }) => sender)
    const judged = judgedIn(history, agents ?? Object.keys(proposals))
    return dispatch(proposals, agents, limits, message === undefined ? undefined : { message, spoke, judged })
  },
  explain,
}

function explain({ proposals, agents = [], limits }: DispatchInput, output: DispatchDecision): string {
  const ranked = rank(proposals, agents, limits)
  const then = output.mode === 'synthesis' ? ', then ' : ' and '
  const lines = [`${output.mode.toUpperCase()}: ${output.responders.map((one) => oneLine(one)).join(then)}`]

  const width = Math.max(0, ...ranked.slice(0, 20).map(({ name }) => oneLine(name, 24).length))
  for (const { name, confidence, buildsOnOther, soloSufficient } of ranked) {
    const angle = oneLine(proposals[name]!.angle) || '(no angle)'
    const builds = buildsOnOther ? ' · builds on another' : ''
    const enough = limits.rule === 'seed' ? '' : sufficiency(soloSufficient)
    lines.push(`  ${showHundredths(confidence)}  ${oneLine(name, 24).padEnd(width)}  ${angle}${builds}${enough} [DP2]`)
  }
  const absent = Object.keys(proposals).length - ranked.length
  if (absent > 0) lines.push(`  ${absent} not counted: not in the room`)

  const [first, second] = ranked
  if (first && second && output.overlap !== null && !isWordingRule(output.rule)) {
    const gap = showHundredths(first.confidence - second.confidence)
    lines.push(`  gap ${gap}, limit ${showLimit(limits.gap)} [DP1]`)
    lines.push(`  overlap ${output.overlap.toFixed(2)}, limit ${showLimit(limits.overlap)} [DP4]`)
  }
  const counted = Object.fromEntries(ranked.map(({ name }) => [name, proposals[name]!]))
  const id = ruleId(output, counted, limits)
  return [...lines, `  ${output.rule}: ${oneLine(output.reason, 200)} [${id}]`].join('\n')
}

function sufficiency(sufficient: boolean | undefined): string {
  if (sufficient === undefined) return ''
  return sufficient ? ' · enough alone' : ' · not enough alone'
}

/** The line of the rulebook that decided: `measured` hands over to the table where agents say nothing of their own answers. */
export function ruleId(
  { rule, winner, runnerUp = '' }: { rule: string; winner: string; runnerUp?: string },
  proposals: Proposals,
  limits: Pick<DispatchLimits, 'rule'>,
): string {
  if (isWordingRule(rule)) return 'DP9'
  const counted = Object.keys(proposals).length
  if (counted < 2) return 'DP7'
  const says = (name: string) => proposals[name]?.solo_sufficient
  const saidSo = says(winner) === true || [winner, runnerUp].every((name) => says(name) === false)
  const isShared = rule === 'parallel' || rule === 'synthesis'
  if (rule === 'sufficient' || (limits.rule === 'measured' && saidSo && isShared)) return 'DP10'
  return counted > 2 ? 'DP6' : 'DP3'
}
