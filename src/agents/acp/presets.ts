/** The coding agents that Convene knows: how each is started, how old it may be, and what fixes what it lacks. */
import type { codingAgents } from '../../kernel/config/agents.ts'
import { askingEnvironment } from './opencode-rules.ts'

export type PresetName = (typeof codingAgents)[number]

export interface Preset {
  title: string
  /** The program that speaks the agent client protocol, and its arguments. */
  argv: readonly [string, ...string[]]
  /** The package that has it. */
  package: string
  /** The oldest version of that program that works. */
  oldest: string
  /** How the names of its own environment variables begin. */
  prefixes: readonly string[]
  /** Variables that make it go on after a refusal. Those that the user has set count instead. */
  env?: Readonly<Record<string, string>>
  /** More variables that make it ask a person about what its own settings do not forbid. Takes a moment. */
  asking?: typeof askingEnvironment
  /** The command that logs in. */
  login: string
  /** Who makes it; a reviewer of another vendor sees more. */
  vendor: 'anthropic' | 'openai' | 'google' | 'opencode'
  /** What `init` calls it in a configuration. */
  name: string
  /** A cheap model of its vendor, for proposals; absent where none can be named. */
  quickModel?: string
  /** The program that people use, and its package; it may be there without the one that speaks the protocol. */
  cli: string
  cliPackage: string
  /** What shows that somebody is logged in: variables, and files below the home folder. None: it works without. */
  loginSigns: { variables: readonly string[]; files: readonly string[] } | null
  /** What one process typically uses. */
  memoryMb: number
  /** Its session modes from the most careful to the freest, and the freest for reading and for work in a worktree. */
  modes: { order: readonly string[]; reading: string; working: string }
  /** It runs commands in a sandbox of its own, and asks only for those that leave it. */
  sandboxesCommands?: true
  /** Messages of the program itself that arrive as if its model had said them. */
  noise?: RegExp
  /** How the text begins with which it reports that its model cannot be reached. */
  reportsFailure?: RegExp
  /** What its sessions begin with, in the agent's own words: it makes no requests that nobody reads. */
  sessionMeta?: Readonly<Record<string, unknown>>
  /** How many sessions a warm process keeps, where each takes much memory. */
  keptSessions?: number
  /** A session takes it a noticeable part of its start: one is started ahead of the next ask. */
  startsAhead?: true
  /** The arguments that select a model, for an agent that takes it only when it starts. */
  modelArguments?: (model: string) => string[]
}

/** What a process of an unknown program is taken to use. */
const otherProgramMb = 300

export function memoryOf(agent: PresetName | undefined): number {
  return agent ? presets[agent].memoryMb : otherProgramMb
}

export const presets: Readonly<Record<PresetName, Preset>> = {
  'claude-code': {
    reportsFailure: /^(?:API Error|Not logged in|Invalid API key|Credit balance)/,
    title: 'Claude Code',
    argv: ['claude-agent-acp'],
    package: '@agentclientprotocol/claude-agent-acp',
    oldest: '0.20',
    prefixes: ['ANTHROPIC_', 'CLAUDE_'],
    login: 'claude /login',
    vendor: 'anthropic',
    name: 'claude',
    quickModel: 'haiku',
    cli: 'claude',
    cliPackage: '@anthropic-ai/claude-code',
    loginSigns: {
      variables: [
        'ANTHROPIC_API_KEY',
        'ANTHROPIC_AUTH_TOKEN',
        'CLAUDE_CODE_OAUTH_TOKEN',
        'CLAUDE_CODE_USE_BEDROCK',
        'CLAUDE_CODE_USE_VERTEX',
      ],
      files: ['$CLAUDE_CONFIG_DIR/.credentials.json', '.claude/.credentials.json'],
    },
    memoryMb: 450,
    // Each is a process of about 150 MB that takes a second to start; one that was closed is read back from disk.
    keptSessions: 2,
    startsAhead: true,
    // Each suggestion of what to say next would send the whole session to the model once more.
    sessionMeta: { claudeCode: { options: { promptSuggestions: false, title: 'Convene' } } },
    modes: {
      order: ['plan', 'default', 'acceptEdits', 'auto', 'bypassPermissions'],
      reading: 'default',
      working: 'default',
    },
  },
  codex: {
    title: 'Codex',
    argv: ['codex-acp'],
    package: '@agentclientprotocol/codex-acp',
    oldest: '1.0',
    prefixes: ['OPENAI_', 'CODEX_'],
    login: 'codex login',
    vendor: 'openai',
    name: 'codex',
    cli: 'codex',
    cliPackage: '@openai/codex',
    loginSigns: {
      variables: ['OPENAI_API_KEY', 'CODEX_API_KEY'],
      files: ['$CODEX_HOME/auth.json', '.codex/auth.json'],
    },
    memoryMb: 200,
    startsAhead: true,
    modes: {
      // In mode `agent` a model of Codex decides what may leave its sandbox, instead of Convene.
      order: ['read-only', 'workspace-write', 'agent', 'agent-full-access'],
      reading: 'read-only',
      working: 'workspace-write',
    },
    sandboxesCommands: true,
    noise: /^Warning: Model metadata for .* not found\./,
    reportsFailure:
      /^(?:unexpected status \d{3}|exceeded retry limit|stream disconnected|Missing environment variable)/,
  },
  'gemini-cli': {
    title: 'Gemini CLI',
    argv: ['gemini', '--acp'],
    package: '@google/gemini-cli',
    oldest: '0.30',
    prefixes: ['GEMINI_', 'GOOGLE_'],
    login: 'gemini',
    vendor: 'google',
    name: 'gemini',
    quickModel: 'gemini-2.5-flash-lite',
    cli: 'gemini',
    cliPackage: '@google/gemini-cli',
    loginSigns: {
      variables: ['GEMINI_API_KEY', 'GOOGLE_API_KEY', 'GOOGLE_GENAI_USE_VERTEXAI'],
      files: ['.gemini/oauth_creds.json'],
    },
    memoryMb: 350,
    modes: { order: ['plan', 'default', 'autoEdit', 'yolo'], reading: 'default', working: 'default' },
    modelArguments: (model) => ['--model', model],
  },
  opencode: {
    title: 'opencode',
    argv: ['opencode', 'acp'],
    package: 'opencode-ai',
    oldest: '1.0',
    prefixes: ['OPENCODE_'],
    // By its own defaults a refusal ends its turn without a word, and it edits and runs commands without asking.
    env: { OPENCODE_CONFIG_CONTENT: JSON.stringify({ experimental: { continue_loop_on_deny: true } }) },
    asking: askingEnvironment,
    login: 'opencode auth login',
    vendor: 'opencode',
    name: 'opencode',
    cli: 'opencode',
    cliPackage: 'opencode-ai',
    loginSigns: null,
    memoryMb: 400,
    modes: { order: ['plan', 'build'], reading: 'plan', working: 'build' },
  },
}
