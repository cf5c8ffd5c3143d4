/** What other agents learn about this project before they have a token: how to reach it, and what it can do. */
import type { AgentCard } from '@a2a-js/sdk'

export const cardPath = '/.well-known/agent-card.json'
export const endpointPath = '/a2a'

const name = 'Convene'
const description =
  'A room of several AI agents that work on one software project. Send a question; a rule decides which of them answer.'

const skill = {
  id: 'ask',
  name: 'Ask the room',
  description: 'Answers questions about the project, by one agent or several.',
  tags: ['code', 'review', 'design'],
  examples: ['Which queue should we use?', 'What could go wrong with the change in src/retry.ts?'],
  inputModes: ['text/plain'],
  outputModes: ['text/plain'],
}

/** As the SDK wants it. */
export function agentCard(url: string, version: string): AgentCard {
  const endpoint = { url: `${url}${endpointPath}`, protocolBinding: 'JSONRPC', tenant: '' }
  return {
    name,
    description,
    version,
    supportedInterfaces: [
      { ...endpoint, protocolVersion: '1.0' },
      { ...endpoint, protocolVersion: '0.3' },
    ],
    provider: undefined,
    capabilities: { streaming: true, pushNotifications: false, extensions: [] },
    securitySchemes: {
      bearer: {
        scheme: {
          $case: 'httpAuthSecurityScheme',
          value: { description: 'The token of the project', scheme: 'Bearer', bearerFormat: '' },
        },
      },
    },
    securityRequirements: [{ schemes: { bearer: { list: [] } } }],
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: [{ ...skill, securityRequirements: [] }],
    signatures: [],
  }
}

/** As it goes over the wire: one document that clients of protocol 1.0 and of 0.3 both understand. */
export function wireCard(url: string, version: string): object {
  const endpoint = `${url}${endpointPath}`
  const auth = { description: 'The token of the project', scheme: 'Bearer' }
  return {
    name,
    description,
    version,
    supportedInterfaces: ['1.0', '0.3'].map((protocolVersion) => ({
      url: endpoint,
      protocolBinding: 'JSONRPC',
      protocolVersion,
    })),
    protocolVersion: '0.3.0',
    url: endpoint,
    preferredTransport: 'JSONRPC',
    capabilities: { streaming: true, pushNotifications: false },
    securitySchemes: { bearer: { type: 'http', ...auth, httpAuthSecurityScheme: auth } },
    security: [{ bearer: [] }],
    securityRequirements: [{ schemes: { bearer: { list: [] } } }],
    defaultInputModes: skill.inputModes,
    defaultOutputModes: skill.outputModes,
    skills: [skill],
  }
}
