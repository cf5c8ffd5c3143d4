/** How large a prompt may be: a huge reply must not travel through every later prompt. SPEC.md § TR5. */

export const promptLimits = {
  /** Characters of one message. */
  message: 200_000,
  /** Characters of all messages together. */
  whole: 1_000_000,
} as const

interface Message {
  content: string
  /** A provider's own form of the message, which cannot be shortened; tools bound what it holds. */
  native?: unknown
}

/** Shortens messages in their middle; instructions stand at the beginning or the end. Shorter prompts stay as they are. */
export function boundedPrompt<One extends Message>(messages: readonly One[], limits = promptLimits): One[] {
  const bounded = messages.map((message) => shortened(message, limits.message))
  const total = bounded.reduce((sum, { content }) => sum + content.length, 0)
  if (total <= limits.whole) return bounded
  // The same length for every message that exceeds it.
  let share = limits.whole / Math.max(1, bounded.length)
  const small = bounded.filter(({ content }) => content.length <= share)
  const left = limits.whole - small.reduce((sum, { content }) => sum + content.length, 0)
  share = Math.floor(left / Math.max(1, bounded.length - small.length))
  return bounded.map((message) => shortened(message, share))
}

function shortened<One extends Message>(message: One, length: number): One {
  const { content } = message
  if (content.length <= length || message.native !== undefined) return message
  const note = `\n[… ${content.length - length} characters left out …]\n`
  const kept = Math.max(0, length - note.length)
  const head = content.slice(0, Math.ceil(kept / 2)).toWellFormed()
  const tail = kept < 2 ? '' : content.slice(-Math.floor(kept / 2)).toWellFormed()
  return { ...message, content: head + note + tail }
}
