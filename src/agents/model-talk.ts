/** A question that a model answers in words, at once: no tools. */
import type { AgentRequest, CallOptions } from '../kernel/agent.ts'
import type { FailingAgent } from './model-failure.ts'
import { providerFacts, providerOptions } from './model-providers.ts'
import { conversation, type Heard, hear, loadModel, loadSdk } from './model-stream.ts'
import type { JsonSchema, ProviderSchema } from './provider-schema.ts'

export function talk(
  agent: FailingAgent,
  request: AgentRequest,
  options: CallOptions,
  structure: ProviderSchema | null,
): Promise<Heard> {
  return hear(request.messages, options, async () => {
    const [{ streamText, Output }, model] = await Promise.all([loadSdk(), loadModel(agent)])
    options.signal.throwIfAborted()
    const { stream } = streamText({
      model,
      ...conversation(request.messages),
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

function jsonFormat(schema: JsonSchema) {
  return Promise.resolve({ type: 'json' as const, name: 'reply', schema })
}
