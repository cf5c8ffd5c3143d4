/** Writes the text of a first `convene.yaml`. Pure. */
import { stringify } from 'yaml'
import type { Detection, KeyFinding } from '../../agents/detect/detect.ts'
import type { ProjectDetection } from '../../agents/detect/detect-project.ts'
import { hostedProviders } from '../../kernel/config/agents.ts'

export interface AgentEntry {
  name: string
  settings: { provider: string } & Record<string, string | true>
}

const modelNames = { anthropic: 'claude', openai: 'gpt', google: 'gemini' } as const

/** One agent for every key that is set. */
export function foundAgents({ keys }: Pick<Detection, 'keys'>): AgentEntry[] {
  return keys.filter((key) => key.state === 'ok').map(agentFor)
}

/** A cheap model of the first agent's provider, which writes proposals (RD4) and takes no other part. */
export function quickAgent({ keys }: Pick<Detection, 'keys'>): AgentEntry | undefined {
  const key = keys.find(({ state }) => state === 'ok')
  if (!key) return undefined
  const { provider, variable } = key
  const { quick } = hostedProviders[provider]
  return { name: 'quick', settings: { provider, model: quick, api_key_env: variable, helper: true } }
}

function agentFor({ provider, variable }: Pick<KeyFinding, 'provider' | 'variable'>): AgentEntry {
  return {
    name: modelNames[provider],
    settings: { provider, model: hostedProviders[provider].model, api_key_env: variable },
  }
}

export interface ConfigParts {
  /** Empty where no key is set: the file then shows how to configure one. */
  agents: AgentEntry[]
  /** A cheap helper that writes proposals. */
  proposer?: AgentEntry | undefined
  project: ProjectDetection
  /** The path of the JSON Schema, from the file. */
  schema?: string
}

export function configText({ agents, proposer, project, schema }: ConfigParts): string {
  const blocks = [
    introduction(schema),
    agentsBlock(agents, proposer),
    rolesBlock(agents, proposer),
    budgetBlock,
    buildBlock(project),
    trackerBlock,
  ]
  return `${blocks.join('\n\n')}\n`
}

function introduction(schema: string | undefined): string {
  const lines = [
    ...(schema ? [`# yaml-language-server: $schema=${schema}`] : []),
    '# The configuration of Convene. Every key is optional.',
    "# 'convene doctor' checks this file and shows what can be used.",
  ]
  return lines.join('\n')
}

function agentsBlock(agents: AgentEntry[], proposer: AgentEntry | undefined): string {
  if (agents.length > 0) {
    return [
      '# The agents. api_key_env names the environment variable that holds the key; never write the key itself here.',
      'agents:',
      ...entries(agents),
      ...(proposer
        ? ['  # Cheap and quick; a helper takes part only in the roles that name it.', ...entries([proposer])]
        : []),
      ...localModel.map((line) => `  # ${line}`),
    ].join('\n')
  }
  const example = [agentFor({ provider: 'anthropic', variable: 'ANTHROPIC_API_KEY' })]
  return [
    '# REHEARSAL: no model key is set, so no agent is configured. Two built-in agents play a script; no model is asked.',
    '# For real answers set a key, for example ANTHROPIC_API_KEY, and run: convene init --force',
    ...['agents:', ...entries(example), ...localModel.map((line) => `  ${line}`)].map((line) => `# ${line}`),
  ].join('\n')
}

const entries = (agents: AgentEntry[]) =>
  agents.flatMap(({ name, settings }) => [
    `  ${name}:`,
    ...Object.entries(settings).map(([key, value]) => `    ${key}: ${value === true ? value : scalar(value)}`),
  ])

/** A model on the user's own machine, or any server with the same API. */
const localModel = [
  'local:',
  '  provider: openai-compatible',
  '  model: llama3.3',
  '  base_url: http://localhost:11434/v1',
]

function rolesBlock(agents: AgentEntry[], proposer: AgentEntry | undefined): string {
  const names = agents.length > 0 ? agents.map(({ name }) => name) : ['claude']
  return [
    '# Which agent does what. Convene picks an agent for every role that is left out.',
    ...(proposer
      ? ['roles:', `  proposer: ${proposer.name} # says who should answer in a room; without it every agent is asked`]
      : ['# roles:']),
    `#   coordinator: ${names[0]}`,
    `#   reviewers: [${names.join(', ')}]`,
  ].join('\n')
}

const budgetBlock = `# Limits for one run and everything it starts. Convene reserves the cost of a call before making it.
budget:
  calls: 500
  usd: 10
  # minutes: 60`

function buildBlock({ setup, build, test }: ProjectDetection): string {
  const line = (key: string, command: string | undefined, example: string) =>
    command ? `  ${key}: ${scalar(command)}` : `  # ${key}: ${example}`
  return [
    '# Shell commands that verify the work, each run in a fresh checkout.',
    'build:',
    line('setup', setup, 'npm ci'),
    line('build', build, 'npm run build'),
    line('test', test, 'npm test'),
    '  sandbox: auto # off: run commands without a sandbox, with access to everything you can read',
  ].join('\n')
}

const trackerBlock = `# Sync issues with GitHub: labels and comments follow the work. token_env names the variable that holds the token.
# forge:
#   github:
#     repo: owner/name
#     token_env: GITHUB_TOKEN`

/** Quotes text that YAML would read as something else; never folds it. */
function scalar(text: string): string {
  return stringify(text, { lineWidth: 0 }).trimEnd()
}
