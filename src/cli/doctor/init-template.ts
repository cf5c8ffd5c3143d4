/** The text of a first `convene.yaml` and of the script its rehearsal agents play. Pure. */
import { stringify } from 'yaml'
import type { Detection } from '../../agents/detect/detect.ts'
import type { ProjectDetection } from '../../agents/detect/detect-project.ts'
import { hostedProviders } from '../../kernel/config/agents.ts'

export interface AgentEntry {
  name: string
  settings: { provider: string } & Record<string, string>
  /** Set for agents that can work on files. */
  codes?: boolean
}

export const rehearsalFileName = 'rehearsal.yaml'

export const rehearsalAgents: AgentEntry[] = ['gpt', 'claude'].map((name) => ({
  name,
  settings: { provider: 'rehearsal', script: rehearsalFileName },
}))

const modelNames = { anthropic: 'claude', openai: 'gpt', google: 'gemini' } as const
const codingNames: Record<string, string> = { claude: 'claude-code', gemini: 'gemini-cli' }

/** One agent for every key and every coding agent that was found. */
export function foundAgents({ keys, codingAgents }: Pick<Detection, 'keys' | 'codingAgents'>): AgentEntry[] {
  const models = keys
    .filter((key) => key.state === 'ok')
    .map(({ provider, variable }) => ({
      name: modelNames[provider],
      settings: { provider, model: hostedProviders[provider].model, api_key_env: variable },
    }))
  const coders = codingAgents
    .filter((agent) => agent.state === 'ok')
    .map(({ name, command }) => ({
      name: codingNames[name] ?? name,
      settings: { provider: 'acp', command },
      codes: true,
    }))
  return [...models, ...coders]
}

export interface ConfigParts {
  agents: AgentEntry[]
  project: ProjectDetection
  rehearsal: boolean
  /** The path of the JSON Schema, from the file. */
  schema?: string
}

export function configText({ agents, project, rehearsal, schema }: ConfigParts): string {
  const blocks = [
    introduction(schema),
    agentsBlock(agents, rehearsal),
    rolesBlock(agents),
    budgetBlock,
    buildBlock(project),
    trackerBlock,
  ]
  return `${blocks.join('\n\n')}\n`
}

function introduction(schema: string | undefined): string {
  const lines = [
    ...(schema ? [`# yaml-language-server: $schema=${schema}`] : []),
    '# Convene: who can be asked, and how far a run may go. Every key is optional.',
    "# 'convene doctor' checks this file and says what is usable.",
  ]
  return lines.join('\n')
}

function agentsBlock(agents: AgentEntry[], rehearsal: boolean): string {
  const intro = rehearsal
    ? [
        '# REHEARSAL: no model key is set and no coding agent can be used, so these two play the script in rehearsal.yaml.',
        '# No model is asked. For real answers set a key, for example ANTHROPIC_API_KEY, and run: convene init --force',
      ]
    : ['# Who can be asked. A key is named by its environment variable; the key itself never stands in this file.']
  const entries = agents.flatMap(({ name, settings }) => [
    `  ${name}:`,
    ...Object.entries(settings).map(([key, value]) => `    ${key}: ${scalar(value)}`),
  ])
  const local = [
    '  # A model on your own machine, or any server with the same API:',
    '  # local:',
    '  #   provider: openai-compatible',
    '  #   model: llama3.3',
    '  #   base_url: http://localhost:11434/v1',
  ]
  return [...intro, 'agents:', ...entries, ...local].join('\n')
}

function rolesBlock(agents: AgentEntry[]): string {
  const coder = agents.find((agent) => agent.codes)?.name
  const intro = '# Who is asked for what. A role that is left out goes to any agent that can fill it.'
  if (coder) return [intro, 'roles:', ...['scaffold', 'tdd', 'impl'].map((role) => `  ${role}: ${coder}`)].join('\n')
  return [
    intro,
    '# roles:',
    `#   coordinator: ${agents[0]!.name}`,
    `#   reviewers: [${agents.map(({ name }) => name).join(', ')}]`,
  ].join('\n')
}

const budgetBlock = `# The most that one run may use, with everything it starts. It is reserved before anything is asked.
budget:
  calls: 500
  usd: 10
  # minutes: 60`

function buildBlock({ setup, build, test }: ProjectDetection): string {
  const line = (key: string, command: string | undefined, example: string) =>
    command ? `  ${key}: ${scalar(command)}` : `  # ${key}: ${example}`
  return [
    '# How work is verified: shell commands, run in a fresh checkout of every change.',
    'build:',
    line('setup', setup, 'npm ci'),
    line('build', build, 'npm run build'),
    line('test', test, 'npm test'),
    '  sandbox: auto # required: nothing runs without a sandbox; off: never use one',
  ].join('\n')
}

const trackerBlock = `# Issues on GitHub: labels and comments follow the work. The token is read from the variable named here.
# forge:
#   github:
#     repo: owner/name
#     token_env: GITHUB_TOKEN`

/** Quoted where YAML would read it as something else than text; never folded. */
function scalar(text: string): string {
  return stringify(text, { lineWidth: 0 }).trimEnd()
}

export const rehearsalText = `# REHEARSAL. The agents gpt and claude play these lines; no model is asked, and nothing here is a real answer.
# For each question the first line whose 'when' holds and that is not used up answers; 'repeat' lets it answer again.

- when: { ask: micro-proposal, agent: gpt }
  reply: { angle: the data and how it is stored, confidence: 0.8, covers: [storage, schema] }
  repeat: true

- when: { ask: micro-proposal, agent: claude }
  reply: { angle: what users see and what can go wrong, confidence: 0.7, covers: [interface, errors] }
  repeat: true

- when: { ask: turn, agent: gpt }
  reply:
    message: "(rehearsal) I would begin with the data. Claude, what could go wrong?"
    handoff: { to: claude, task: Name the two risks that matter most. }
  repeat: true

- when: { ask: turn, agent: claude }
  reply: { message: "(rehearsal) Two risks: an unclear scope, and no test that fails first.", final: true }
  repeat: true

- when: { ask: answer }
  text: >-
    (rehearsal) This line comes from rehearsal.yaml. No model was asked. Set a key such as ANTHROPIC_API_KEY and run
    'convene init --force' to hear a real agent here.
  stream_ms: 600
  repeat: true
`
