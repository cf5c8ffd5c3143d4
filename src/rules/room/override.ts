/** A person's override of dispatch: "both" or "only <agent>", for one message or for the room. SPEC.md § RD10. */
import { firstByName } from '../text/by-code-unit.ts'
import type { DispatchDecision } from './dispatch-decision.ts'

export type Override = { kind: 'both' } | { kind: 'only'; agent: string }

export interface OverriddenDecision extends DispatchDecision {
  /** What the person asked for; `rule` keeps the rule that would have decided. */
  override: Override
}

/** Reads `both` or `only <agent>`. Undefined for any other text, and for an agent that is not in the room. */
export function readOverride(text: string, agents: readonly string[]): Override | undefined {
  const said = text.trim()
  if (/^both$/i.test(said)) return { kind: 'both' }
  const name = /^only\s+@?(\S.*)$/is.exec(said)?.[1]?.toLowerCase()
  const agent = agents.find((each) => each.toLowerCase() === name)
  return agent === undefined ? undefined : { kind: 'only', agent }
}

/** The message's override wins over the room's. The room's does not apply while the agent it names is away. */
export function overrideInForce(
  said: { message?: Override; room?: Override },
  agents: readonly string[],
): Override | undefined {
  if (said.message) return said.message
  return said.room?.kind === 'only' && !agents.includes(said.room.agent) ? undefined : said.room
}

/** Records the override, and changes the decision only if it does not already do what was asked. */
export function applyOverride(
  decision: DispatchDecision,
  override: Override,
  agents: readonly string[],
): OverriddenDecision {
  if (override.kind === 'only') {
    const reason = `Only ${override.agent} was asked for.`
    const runnerUp = decision.winner === override.agent ? decision.runnerUp : decision.winner
    const { runnerUp: _, ...rest } = decision
    const solo = {
      ...rest,
      mode: 'solo' as const,
      winner: override.agent,
      responders: [override.agent],
      reason,
      override,
    }
    return runnerUp === undefined ? solo : { ...solo, runnerUp }
  }
  if (decision.responders.length > 1) return { ...decision, override }
  const second = decision.runnerUp ?? firstByName(agents.filter((name) => name !== decision.winner))
  if (second === undefined) return { ...decision, override }
  const responders = [decision.winner, second]
  return { ...decision, mode: 'parallel', runnerUp: second, responders, reason: 'Both were asked for.', override }
}
