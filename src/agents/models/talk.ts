/** An ask that a model answers in text, without tools. */
import type { AgentRequest, CallOptions } from '../../kernel/agent.ts'
import { asOneObject } from '../prompts/reply-form.ts'
import { cachedConversation } from './cached-conversation.ts'
import type { FailingAgent } from './failure.ts'
import type { JsonSchema, ProviderSchema } from './provider-schema.ts'
import { providerFacts, providerOptions } from './providers.ts'
import { consumeStream, loadModel, loadSdk, type ModelResponse } from './stream.ts'

export function talk(
  agent: FailingAgent,
  request: AgentRequest,
  options: CallOptions,
  structure: ProviderSchema | null,
): Promise<ModelResponse> {
  const messages = request.schema ? withForm(request.messages) : request.messages
  return consumeStream(messages, options, async () => {
    const [{ streamText, Output }, model] = await Promise.all([loadSdk(), loadModel(agent, options)])
    options.signal.throwIfAborted()
    const { stream } = streamText({
      model,
      ...cachedConversation(agent.provider, messages),
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

/** Not all servers heed a schema. */
function withForm(messages: AgentRequest['messages']): AgentRequest['messages'] {
  return messages.map((message, index) =>
    index === messages.length - 1 ? { ...message, content: `${message.content}\n\n${asOneObject}` } : message,
  )
}

function jsonFormat(schema: JsonSchema) {
  return Promise.resolve({ type: 'json' as const, name: 'reply', schema })
}
