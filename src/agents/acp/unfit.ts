/** Why a coding agent cannot be asked, or why its turn has no reply. */
import type { InitializeResponse, StopReason } from '@agentclientprotocol/sdk/unstable'
import type { AgentFailure } from '../../kernel/agent.ts'
import { isRecent, isSpoken } from '../../rules/agents/agent-failure.ts'
import { type FailingCodingAgent, failureByWords, failureOf, otherProtocol, tooOld } from './failure.ts'
import { presets } from './presets.ts'
import type { Turn } from './turn.ts'

/** The version of the agent client protocol that Convene speaks. */
const protocolVersion = 1

export function unfitness(
  { protocolVersion: theirs, agentInfo }: InitializeResponse,
  about: FailingCodingAgent,
): AgentFailure | null {
  if (!isSpoken(theirs, protocolVersion)) return otherProtocol(about, theirs, protocolVersion)
  const oldest = about.agent && presets[about.agent].oldest
  if (oldest && agentInfo && !isRecent(agentInfo.version, oldest)) return tooOld(about, agentInfo.version, oldest)
  return null
}

/** Some agents end their turn with their provider's refusal as text. */
export function reportedFailure(about: FailingCodingAgent, text: string): AgentFailure | null {
  const isReported = about.agent && presets[about.agent].reportsFailure?.test(text.trim())
  return isReported ? failureByWords(about, text.trim()) : null
}

/** Null if the text is a reply that can be passed on. */
export function missingReply(
  about: FailingCodingAgent,
  stopReason: StopReason,
  text: string,
  { denied }: Pick<Turn, 'denied'>,
): AgentFailure | null {
  if (stopReason === 'refusal') return failureOf(about, 'refused', 'refused to answer')
  if (text.trim() !== '') return null
  // Asked again it would want the same and be refused again.
  if (denied.length > 0) {
    const what = `gave up without a reply after it was refused: ${denied.at(-1)}`
    return failureOf(about, 'malformed', what, false)
  }
  if (stopReason === 'max_turn_requests')
    return failureOf(about, 'malformed', 'did not finish within its own limit of steps', false)
  if (stopReason === 'max_tokens')
    return failureOf(about, 'malformed', 'used all its output tokens before its first text')
  if (stopReason === 'cancelled') return failureOf(about, 'disconnect', 'broke off its own work')
  return failureOf(about, 'malformed', 'sent an empty reply')
}
