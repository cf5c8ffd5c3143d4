/** What a turn comes to: the reply in its text, and an estimate of what it used. */
import type { AgentRequest, Usage } from '../../kernel/agent.ts'
import { countTokens } from '../../kernel/ask/count-tokens.ts'
import { lastFittingObject } from '../../rules/text/reply-json.ts'
import type { Turn } from './turn.ts'

/** A typed reply is the last JSON object that fits. */
export function replyIn(
  { allText, lastText }: Pick<Turn, 'allText' | 'lastText'>,
  { kind, schema }: Pick<AgentRequest, 'kind' | 'schema'>,
): string {
  const fitting = schema && lastFittingObject(allText, (value) => schema.safeParse(value).success)
  if (fitting) return fitting
  // People see an answer as it streams, so it is everything that was said; another reply is what was said last.
  return kind === 'answer' || lastText.trim() === '' ? allText : lastText
}

/** Every tool call sends the whole conversation to the model once more. */
export function estimatedUsage(
  { allText, unseen, tools }: Pick<Turn, 'allText' | 'unseen' | 'tools'>,
  sent: string,
): Usage {
  const prompt = countTokens(sent)
  const outputTokens = countTokens(allText) + Math.ceil(unseen / 4)
  return { inputTokens: (prompt + outputTokens) * tools + prompt, outputTokens, usd: null, estimated: true }
}
