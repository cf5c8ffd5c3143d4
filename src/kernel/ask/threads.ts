/** Conversations with agents, stored by reference so that a later ask can continue them, after a restart too. */
import { z } from 'zod'
import type { AgentMessage } from '../agent.ts'
import { ConveneError } from '../errors.ts'
import type { Store } from '../store.ts'
import { countTokens } from './count-tokens.ts'

const threadSchema = z.array(
  z.object({
    role: z.enum(['system', 'user', 'assistant', 'tool']),
    content: z.string(),
    native: z.unknown().optional(),
  }),
)

export function keepThread(store: Pick<Store, 'putPayload'>, messages: readonly AgentMessage[]): Promise<string> {
  return store.putPayload(JSON.stringify(messages))
}

/** The messages of a kept thread; null when it is longer than `maxTokens` or lost, so that the caller starts a fresh one. */
export async function readThread(
  store: Pick<Store, 'readPayload'>,
  ref: string,
  maxTokens: number,
): Promise<AgentMessage[] | null> {
  const kept = await store.readPayload(ref).catch((error) => {
    // TR10: what can be done without is not asked about.
    if (error instanceof ConveneError && /^payload_(?:missing|damaged)$/.test(error.code)) return null
    throw error
  })
  if (kept === null) return null
  const messages = threadSchema.parse(JSON.parse(Buffer.from(kept).toString('utf8')))
  const tokens = messages.reduce((sum, { content }) => sum + countTokens(content), 0)
  return tokens > maxTokens ? null : messages
}
