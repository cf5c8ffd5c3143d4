/** The model providers: title, key variables, and how to load their SDK. */
import type { LanguageModel } from 'ai'

export const modelProviders = ['anthropic', 'openai', 'google', 'openai-compatible'] as const
export type ModelProvider = (typeof modelProviders)[number]

interface ProviderFacts {
  title: string
  /** The variables that may hold the key, in order, unless `api_key_env` names another. */
  keyVariables: readonly string[]
  /**
   * The output limit if the request sets none. Undefined for servers whose models may have a smaller context than any
   * default: they refuse a request that asks for more.
   */
  maxOutputTokens?: number
}

export const providerFacts: Record<ModelProvider, ProviderFacts> = {
  anthropic: { title: 'Anthropic', keyVariables: ['ANTHROPIC_API_KEY'], maxOutputTokens: 16_384 },
  openai: { title: 'OpenAI', keyVariables: ['OPENAI_API_KEY'], maxOutputTokens: 16_384 },
  google: {
    title: 'Google',
    keyVariables: ['GOOGLE_GENERATIVE_AI_API_KEY', 'GEMINI_API_KEY'],
    maxOutputTokens: 16_384,
  },
  'openai-compatible': { title: 'the OpenAI-compatible server', keyVariables: [] },
}

export interface ModelConnection {
  model: string
  baseUrl?: string
  apiKey?: string
  fetch: typeof globalThis.fetch
}

/** Loads only one provider's SDK: all of them together add half a second to start-up. */
export async function loadProvider(provider: ModelProvider): Promise<(connection: ModelConnection) => LanguageModel> {
  switch (provider) {
    case 'anthropic': {
      const { createAnthropic } = await import('@ai-sdk/anthropic')
      return ({ model, ...connection }) => createAnthropic(settings(connection))(model)
    }
    case 'openai': {
      const { createOpenAI } = await import('@ai-sdk/openai')
      return ({ model, ...connection }) => createOpenAI(settings(connection)).responses(model)
    }
    case 'google': {
      const { createGoogle } = await import('@ai-sdk/google')
      return ({ model, ...connection }) => createGoogle(settings(connection))(model)
    }
    case 'openai-compatible': {
      const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
      return ({ model, ...connection }) => {
        const options = { name: 'compatible', includeUsage: true, supportsStructuredOutputs: true }
        return createOpenAICompatible({ ...options, ...settings(connection), baseURL: connection.baseUrl ?? '' })(model)
      }
    }
  }
}

/**
 * Options specific to one provider. Anthropic: without the first, its SDK requests JSON through a forced tool call on
 * models it does not know. OpenAI: requests carry all their context, so nothing needs to be stored on its side.
 */
export const providerOptions: Record<ModelProvider, Record<string, Record<string, string | boolean>>> = {
  anthropic: { anthropic: { structuredOutputMode: 'outputFormat' } },
  openai: { openai: { store: false } },
  google: {},
  'openai-compatible': {},
}

function settings({ baseUrl, apiKey, fetch }: Omit<ModelConnection, 'model'>) {
  return { fetch, ...(baseUrl ? { baseURL: baseUrl } : {}), ...(apiKey ? { apiKey } : {}) }
}
