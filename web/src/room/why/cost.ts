/** What a message cost: coordination and answers. */
import { requestsOf } from '../../../../src/kernel/ask/cost.ts'
import { addUsd } from '../../../../src/rules/budget/add-usd.ts'
import type { Ask, Message } from '../conversation/conversation-types.ts'

export interface Cost {
  /** Requests to a model. */
  calls: number
  tokens: number
  /** Null where the price of a part is not known: a sum with a part missing must not look like a total. */
  usd: number | null
  milliseconds: number
}

export const noCost: Cost = { calls: 0, tokens: 0, usd: 0, milliseconds: 0 }

export function costOf(message: Message): { coordination: Cost; answers: Cost } {
  const proposals = message.asks.filter((ask) => ask.kind === 'micro-proposal')
  return {
    coordination: message.decision?.coordination ?? spent(proposals),
    answers: spent(message.asks.filter((ask) => ask.kind !== 'micro-proposal')),
  }
}

export function spent(asks: Ask[]): Cost {
  return asks.reduce<Cost>((sum, { finished }) => (finished ? addCost(sum, callCost(finished)) : sum), noCost)
}

export function addCost(a: Cost, b: Cost): Cost {
  return {
    calls: a.calls + b.calls,
    tokens: a.tokens + b.tokens,
    usd: addUsd(a.usd, b.usd),
    milliseconds: a.milliseconds + b.milliseconds,
  }
}

function callCost({ usage, milliseconds }: NonNullable<Ask['finished']>): Cost {
  return { calls: requestsOf(usage), tokens: usage.inputTokens + usage.outputTokens, usd: usage.usd, milliseconds }
}
