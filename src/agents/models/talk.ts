/** A question that a model answers in words, at once: no tools. */
import type { AgentRequest, CallOptions } from '../../kernel/agent.ts'
import type { FailingAgent } from './failure.ts'
import type { JsonSchema, ProviderSchema } from './provider-schema.ts'
import { providerFacts, providerOptions } from './providers.ts'
import { cacheMark } from './shorten-transcript.ts'
import { conversation, type Heard, hear, loadModel, loadSdk } from './stream.ts'

export function talk(
  agent: FailingAgent,
  request: AgentRequest,
  options: CallOptions,
  structure: ProviderSchema | null,
): Promise<Heard> {
  return hear(request.messages, options, async () => {
    const [{ streamText, Output }, model] = await Promise.all([loadSdk(), loadModel(agent, options)])
    options.signal.throwIfAborted()
    const { stream } = streamText({
      model,
      ...withCachedInstructions(conversation(request.messages)),
      maxOutputTokens: request.maxOutputTokens ?? providerFacts[agent.provider].maxOutputTokens,
      maxRetries: 0,
      abortSignal: options.signal,
      output: structure ? { ...Output.text(), responseFormat: jsonFormat(structure.schema) } : Output.text(),
      providerOptions: providerOptions[agent.provider],
      onError: () => {},
    })
    return stream
  })
}

/** Below this Anthropic keeps nothing anyway. The other providers keep what they like, without being told. */
const worthCaching = 4096

/** CX4: instructions that many calls have in common are read once and kept. */
function withCachedInstructions(asked: ReturnType<typeof conversation>): ReturnType<typeof conversation> {
  const { instructions } = asked as { instructions?: string }
  if (instructions === undefined || instructions.length < worthCaching) return asked
  const kept = { role: 'system', content: instructions, providerOptions: cacheMark }
  return { ...asked, instructions: kept } as never
}

function jsonFormat(schema: JsonSchema) {
  return Promise.resolve({ type: 'json' as const, name: 'reply', schema })
}
