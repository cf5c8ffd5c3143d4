/** An ask that a model answers in text, without tools. */
import type { AgentRequest, CallOptions } from '../../kernel/agent.ts'
import type { FailingAgent } from './failure.ts'
import type { JsonSchema, ProviderSchema } from './provider-schema.ts'
import { providerFacts, providerOptions } from './providers.ts'
import { cacheMark } from './shorten-transcript.ts'
import { consumeStream, conversation, loadModel, loadSdk, type ModelResponse } from './stream.ts'

export function talk(
  agent: FailingAgent,
  request: AgentRequest,
  options: CallOptions,
  structure: ProviderSchema | null,
): Promise<ModelResponse> {
  return consumeStream(request.messages, options, async () => {
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

/** Anthropic caches nothing shorter than this. The other providers cache by themselves. */
const worthCaching = 4096

/** CX4: marks instructions that many calls share for caching. */
function withCachedInstructions(prompt: ReturnType<typeof conversation>): ReturnType<typeof conversation> {
  const { instructions } = prompt as { instructions?: string }
  if (instructions === undefined || instructions.length < worthCaching) return prompt
  const cached = { role: 'system', content: instructions, providerOptions: cacheMark }
  return { ...prompt, instructions: cached } as never
}

function jsonFormat(schema: JsonSchema) {
  return Promise.resolve({ type: 'json' as const, name: 'reply', schema })
}
