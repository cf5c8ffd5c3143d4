/** How large a reply may be: beyond it the call ends, so that no reply can fill the memory. SPEC.md § TR5. */

export const replyLimits = {
  /** Decoded: what the text takes after decompression. */
  bytes: 16 * 1024 * 1024,
  toolCalls: 1000,
} as const

export type ReplyMeasure = keyof typeof replyLimits

/** Why a reply of this size ends the call; null while it is within the limits. */
export function beyondReplyLimit(measure: ReplyMeasure, amount: number): string | null {
  if (amount <= replyLimits[measure]) return null
  return measure === 'bytes' ? 'sent a reply of more than 16 MB' : 'made more than 1,000 tool calls'
}
