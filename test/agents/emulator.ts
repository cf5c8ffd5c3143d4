/** The model emulator behind a proxy that records every request, because the emulator itself checks nothing. */
import { createServer, request as httpRequest, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { LLMock } from '@copilotkit/aimock'
import { createModelAgent, type ModelAgentSettings } from '../../src/agents/models/model.ts'
import type { ModelProvider } from '../../src/agents/models/providers.ts'
import type { Agent } from '../../src/kernel/agent.ts'

export interface Sent {
  path: string
  headers: IncomingHttpHeaders
  body: Record<string, unknown>
}

export const secretKey = 'sk-test-0123456789abcdef'

/** Models that the SDKs know, so that their usual code path runs. */
export const models: Record<ModelProvider, string> = {
  anthropic: 'claude-sonnet-4-5',
  openai: 'gpt-4o',
  google: 'gemini-2.5-flash',
  'openai-compatible': 'llama3.2',
}

export class Emulator {
  readonly mock = new LLMock({ port: 0, logLevel: 'silent' })
  readonly sent: Sent[] = []
  #proxy: Server | undefined

  async start(): Promise<void> {
    await this.mock.start()
    const target = new URL(this.mock.url)
    this.#proxy = createServer(async (request, response) => {
      const body = await text(request)
      this.sent.push({ path: request.url!, headers: request.headers, body: JSON.parse(body) })
      const { hostname: host, port } = target
      const { method, url: path, headers } = request
      const onward = httpRequest({ host, port, method, path, headers }, (answer) => {
        response.writeHead(answer.statusCode!, answer.headers)
        answer.pipe(response)
        answer.on('error', () => response.destroy())
      })
      onward.on('error', () => response.destroy())
      response.on('close', () => onward.destroy())
      onward.end(body)
    })
    await listen(this.#proxy)
  }

  agent(provider: ModelProvider, settings: Partial<ModelAgentSettings> = {}): Agent {
    return modelAgent(provider, addressOf(this.#proxy!), settings)
  }

  /** The `base_url` of a configuration. */
  baseUrl(provider: ModelProvider): string {
    return baseUrlOf(provider, addressOf(this.#proxy!))
  }

  async stop(): Promise<void> {
    this.#proxy?.closeAllConnections()
    this.#proxy?.close()
    await this.mock.stop()
  }
}

export function modelAgent(
  provider: ModelProvider,
  address: string,
  settings: Partial<ModelAgentSettings> = {},
): Agent {
  const baseUrl = baseUrlOf(provider, address)
  const named = { name: `${provider}-agent`, provider, model: models[provider], baseUrl }
  return createModelAgent({ ...named, apiKey: secretKey, ...settings })
}

function baseUrlOf(provider: ModelProvider, address: string): string {
  return `${address}${provider === 'google' ? '/v1beta' : '/v1'}`
}

export async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return addressOf(server)
}

function addressOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
