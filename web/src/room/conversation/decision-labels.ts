/** Labels for a decision: who answers, why, and by which rule. */
import { ruleId as dispatchRuleId } from '../../../../src/rules/room/dispatch.ts'
import { decisionWords } from '../../../../src/rules/room/dispatch-decision.ts'
import { recordedLimits } from '../../../../src/rules/room/dispatch-limits.ts'
import { hundredths, joinNames } from '../../ui/format.ts'
import type { Decision, Message } from './conversation-types.ts'

/** The heading of the panel that explains a message. */
export function whyTitle(message: Message): string {
  if (message.session) return message.session.status === 'running' ? 'They are taking turns' : 'How they took turns'
  const { decision } = message
  if (message.mode === 'single') return message.stopped ? 'Stopped' : `Why ${message.target} answered`
  if (!decision) return undecided(message) ?? 'Deciding who answers'
  const [winner, second] = decision.responders
  if (decision.mode === 'synthesis') return `Why ${second} built on ${winner}`
  if (decision.mode === 'solo') return `Why ${winner} answered`
  return decision.responders.length === 2 ? 'Why both answered' : `Why ${decision.responders.length} answered`
}

/** How a round ended that never came to a decision; undefined while it may. */
export function undecided({ decision, over, stopped }: Message): string | undefined {
  if (decision || !over) return undefined
  return stopped ? 'Stopped before a decision' : 'Ended before a decision'
}

/** Who answers, in two or three words. */
export function whoAnswers({ mode, responders, winner }: Decision): string {
  if (mode === 'synthesis') return `${joinNames(responders.slice(1))} builds on ${winner}`
  if (mode === 'solo') return `${winner} answers`
  return responders.length === 2 ? 'Both answer' : `${joinNames(responders)} answer`
}

/** Why, in half a sentence with the figure that mattered. */
export function becauseOf(decision: Decision): string {
  const { override, rule, reason } = decision
  if (override || rule === 'override') return 'as you asked'
  return withFigures[rule]?.(decision) ?? decisionWords[rule] ?? reason
}

/** The line of the rulebook that decided. Empty: none did. */
export function ruleId(decision: Decision): string {
  const { rule, proposals, override, limits } = decision
  if (override) return 'RD10'
  if (rule in otherIds) return otherIds[rule]!
  return dispatchRuleId(decision, proposals, recordedLimits(limits))
}

const otherIds: Record<string, string> = {
  mention: 'RD2',
  override: 'RD10',
  no_content: 'RD3',
  only_agent: '',
  rulebook: 'PR5',
}

/** With the figures that decided. */
const withFigures: Record<string, ((decision: Decision) => string) | undefined> = {
  parallel: ({ overlap }) => `different angles, overlap ${share(overlap)}`,
  synthesis: ({ overlap }) => `one answer is not enough, overlap ${share(overlap)}`,
  gap: (decision) => `ahead by ${hundredths(lead(decision))}`,
  overlap: ({ runnerUp, overlap }) => `${runnerUp} would say much the same, overlap ${share(overlap)}`,
}

export const endLabel: Record<string, string> = {
  final: 'final answer',
  no_handoff: 'no hand-off',
  invalid_handoff: 'invalid hand-off',
  cap: 'turn limit reached',
  malformed: 'invalid reply',
  canceled: 'stopped by you',
  agent_failed: 'an agent failed',
}

export const failureLabel: Record<string, string> = {
  'rate-limited': 'is rate limited',
  timeout: 'took too long',
  refused: 'refused',
  malformed: 'gave an invalid reply',
  unavailable: 'is unavailable',
  disconnect: 'lost its connection',
}

function lead({ proposals, winner, runnerUp }: Decision): number {
  return (proposals[winner]?.confidence ?? 0) - (proposals[runnerUp ?? '']?.confidence ?? 0)
}

function share(overlap: number | null): string {
  return overlap === null ? 'unknown' : hundredths(overlap)
}
