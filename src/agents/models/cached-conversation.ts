/** A conversation whose constant beginning is marked for caching. CX4. */
import type { AgentMessage } from '../../kernel/agent.ts'
import type { ModelProvider } from './providers.ts'
import { cacheMark } from './shorten-transcript.ts'
import { conversation } from './stream.ts'

/** Anthropic caches nothing shorter than this. The other providers cache by themselves. */
const worthCaching = 4096
/** Anthropic accepts four marks in a request; the tool loop uses one more. */
const maxMarks = 2

/** For Anthropic every system message stays a block of its own: what many calls share is cached apart from the rest. */
export function cachedConversation(provider: ModelProvider, messages: readonly AgentMessage[]) {
  const prompt = conversation(messages)
  if (provider !== 'anthropic' || !('instructions' in prompt)) return prompt
  const system = messages.filter(({ role }) => role === 'system')
  if (system.every(({ content }) => content.length < worthCaching)) return prompt
  let marks = 0
  const blocks = system.map(({ content }, index) => {
    const isMarked = content.length >= worthCaching && marks++ < maxMarks
    // Blocks are read as one text, with nothing between them.
    const text = index < system.length - 1 ? `${content}\n\n` : content
    return { role: 'system' as const, content: text, ...(isMarked ? { providerOptions: cacheMark } : {}) }
  })
  return { ...prompt, instructions: blocks }
}
