/** Writes the text of a first `convene.yaml`. Pure. */
import { stringify } from 'yaml'
import type { ProjectDetection } from '../../agents/detect/detect-project.ts'
import { type AgentEntry, modelEntry } from '../../agents/detect/first-agents.ts'

export interface ConfigParts {
  /** Empty where there is no key and no coding agent: the file then shows how to configure one. */
  agents: AgentEntry[]
  /** Which agent does what. */
  roles?: Readonly<Record<string, string>>
  /** A cheap helper that writes proposals. */
  proposer?: AgentEntry | undefined
  project: ProjectDetection
  /** The path of the JSON Schema, from the file. */
  schema?: string
}

export function configText({ agents, roles = {}, proposer, project, schema }: ConfigParts): string {
  const blocks = [
    introduction(schema),
    agentsBlock(agents, proposer),
    rolesBlock(agents, proposer, roles),
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
      ...introductionOf(agents),
      'agents:',
      ...entries(agents),
      ...(proposer
        ? ['  # Cheap and quick; a helper takes part only in the roles that name it.', ...entries([proposer])]
        : []),
      ...localModel.map((line) => `  # ${line}`),
    ].join('\n')
  }
  const example = [modelEntry({ provider: 'anthropic', variable: 'ANTHROPIC_API_KEY' })]
  return [
    '# REHEARSAL: no model key is set and no coding agent is ready, so none is configured. Two built-in agents play a',
    '# script; no model is asked. For real answers set a key, for example ANTHROPIC_API_KEY, or log in to Claude Code,',
    '# Codex, Gemini CLI or opencode (convene doctor says how), and run: convene init --force',
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

/** What the entries mean, for those that are there. */
function introductionOf(agents: AgentEntry[]): string[] {
  const hasCoding = agents.some(({ settings }) => settings.provider === 'acp')
  const hasModels = agents.some(({ settings }) => settings.provider !== 'acp')
  return [
    '# The agents.',
    ...(hasCoding
      ? ['# With provider acp: a coding agent on this machine, with its own login, tools and model (docs/agents).']
      : []),
    ...(hasModels
      ? ['# api_key_env names the environment variable that holds the key; never write the key itself here.']
      : []),
  ]
}

const aboutRoles: Readonly<Record<string, string>> = {
  proposer: 'writes the proposals of all agents in a room; without it each writes its own',
  impl: 'writes the code',
  reviewer: 'reviews it: best an agent of another vendor',
  tdd: 'writes the tests',
}

function rolesBlock(
  agents: AgentEntry[],
  proposer: AgentEntry | undefined,
  roles: Readonly<Record<string, string>>,
): string {
  const names = agents.length > 0 ? agents.map(({ name }) => name) : ['claude']
  const given = Object.entries({ ...(proposer ? { proposer: proposer.name } : {}), ...roles })
  return [
    '# Which agent does what. Convene picks an agent for every role that is left out.',
    ...(given.length > 0 ? ['roles:'] : ['# roles:']),
    ...given.map(([role, name]) => `  ${role}: ${name}${aboutRoles[role] ? ` # ${aboutRoles[role]}` : ''}`),
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
