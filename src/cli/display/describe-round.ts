/** Describes how a room decided who answers: in one line, or in full for `/why`. */
import type { z } from 'zod'
import type { roundResolved } from '../../room/events.ts'
import { rule as dispatchRule } from '../../rules/room/dispatch.ts'
import { decisionWords, isWordingRule } from '../../rules/room/dispatch-decision.ts'
import { recordedLimits } from '../../rules/room/dispatch-limits.ts'
import { oneLine } from '../../rules/text/one-line.ts'

export type ResolvedRound = z.infer<typeof roundResolved.schema>

/** `PARALLEL: gpt and claude · overlap 0.12 · 2 proposals, 1.2 s` */
export function describeRound(round: ResolvedRound): string {
  const { mode, responders, overlap, rule, override, missing } = round
  const proposals = Object.keys(round.proposals).length
  const because = override ? 'as you asked' : decisionWords[rule]
  return [
    `${mode.toUpperCase()}: ${mode === 'synthesis' ? responders.join(', then ') : inWords(responders)}`,
    ...(because ? [because] : []),
    ...(overlap === null ? [] : [`overlap ${overlap.toFixed(2)}`]),
    ...missing.map(({ agent, reason }) => `no proposal from ${agent} (${reason})`),
    ...(proposals > 0 ? [`${count(proposals, 'proposal')}, ${seconds(round.coordination.milliseconds)}`] : []),
  ].join(' · ')
}

/** The figures, the rule that applied, and the cost of the decision. */
export function explainRound(round: ResolvedRound): string {
  const { override, missing, coordination, proposals } = round
  const lines = [isByDispatch(round) ? explainDispatch(round) : `${describeRound(round)}\n  ${withoutProposals(round)}`]
  for (const [name, { malformed }] of Object.entries(proposals))
    if (malformed) lines.push(`  ${name}'s proposal could not be read; it counts as one of 0.50 [RD4]`)
  for (const { agent, reason } of missing) lines.push(`  ${agent} made no proposal: ${reason} [RD4]`)
  if (override && isByDispatch(round))
    lines.push(
      `  you asked for ${override.kind === 'both' ? 'a second answer' : `${override.agent} alone`}: ${inWords(round.responders)} [RD10]`,
    )
  if (coordination.calls > 0) {
    const usd = coordination.usd ? [`$${coordination.usd.toFixed(4)}`] : []
    const cost = [count(coordination.calls, 'call'), `${coordination.tokens} tokens`, ...usd]
    lines.push(`  deciding took ${[...cost, seconds(coordination.milliseconds)].join(', ')}`)
  }
  return lines.join('\n')
}

/** `gpt`, `gpt and claude`, `gpt, claude and gemini`. */
export function inWords(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
}

/** The words of the message that decided, or why there was nothing to decide. */
function withoutProposals({ rule, reason }: ResolvedRound): string {
  return isWordingRule(rule) ? `${rule}: ${reason} No proposals were needed. [DP9]` : reason
}

/** Whether proposals were compared. */
function isByDispatch({ rule }: ResolvedRound): boolean {
  const rules = ['gap', 'parallel', 'synthesis', 'overlap', 'low_conviction', 'default', 'only', 'none', 'sufficient']
  return rules.includes(rule)
}

/** Evaluates the rule again with the recorded input, which gives the same decision. */
function explainDispatch({ proposals, missing, limits, reason }: ResolvedRound): string {
  const agents = [...Object.keys(proposals), ...missing.map(({ agent }) => agent)]
  const input = { proposals, agents, limits: recordedLimits(limits) }
  if (agents.length === 0) return oneLine(reason, 200)
  return dispatchRule.explain(input, dispatchRule.decide(input))
}

const count = (number: number, noun: string) => `${number} ${noun}${number === 1 ? '' : 's'}`

const seconds = (milliseconds: number) => `${(milliseconds / 1000).toFixed(1)} s`
