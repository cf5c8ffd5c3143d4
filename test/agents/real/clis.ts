/** How each real coding agent is pointed at the emulated model: a home of its own, a dummy key, loopback only. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { PresetName } from '../../../src/agents/acp/presets.ts'

export interface RealCli {
  agent: PresetName
  model?: string
  /** Its tools, as its model sees them. */
  read(path: string): { name: RegExp; arguments: Record<string, unknown> }
  write(path: string, content: string): { name: RegExp; arguments: Record<string, unknown> }
  /** Tool calls that a build refuses: one writes outside of the worktree, and for one of them the agent asks permission. */
  forbidden(path: string): { name: RegExp; arguments: Record<string, unknown> }[]
  /** A command in the worktree that it asks permission for, where a person decides. */
  command(command: string): { name: RegExp; arguments: Record<string, unknown> }
  /** It offers no other way to refuse than one that ends its turn. */
  refusalEndsTurn?: true
  /** The files of its home, and the variables that the configuration adds. */
  home(url: string): { files: Record<string, string>; env: Record<string, string> }
}

const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

export const clis: readonly RealCli[] = [
  {
    agent: 'claude-code',
    read: (path) => ({ name: /^Read$/, arguments: { file_path: path } }),
    write: (path, content) => ({ name: /^Write$/, arguments: { file_path: path, content } }),
    forbidden: (path) => [{ name: /^Write$/, arguments: { file_path: path, content: 'no' } }],
    command: (command) => ({ name: /^Bash$/, arguments: { command, description: 'Run it' } }),
    home: (url) => ({
      files: {},
      env: {
        ANTHROPIC_BASE_URL: url,
        ANTHROPIC_API_KEY: 'test',
        CLAUDE_CONFIG_DIR: '~/.claude',
        DISABLE_TELEMETRY: '1',
        DISABLE_AUTOUPDATER: '1',
        DISABLE_ERROR_REPORTING: '1',
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
        ENABLE_TOOL_SEARCH: 'false',
      },
    }),
  },
  {
    agent: 'codex',
    // Without the setting under `analytics` it reports its use to ab.chatgpt.com.
    read: (path) => ({ name: /^exec_command$/, arguments: { cmd: `cat ${quote(path)}` } }),
    write: (path, content) => ({
      name: /^exec_command$/,
      arguments: { cmd: `mkdir -p ${quote(dirname(path))} && printf %s ${quote(content)} > ${quote(path)}` },
    }),
    forbidden: (path) => [
      {
        name: /^exec_command$/,
        arguments: {
          cmd: `printf no > ${quote(path)}`,
          sandbox_permissions: 'require_escalated',
          justification: 'May I write outside?',
        },
      },
    ],
    command: (command) => ({
      name: /^exec_command$/,
      arguments: { cmd: command, sandbox_permissions: 'require_escalated', justification: 'May I run it?' },
    }),
    refusalEndsTurn: true,
    home: (url) => ({
      files: {
        '.codex/config.toml': `model = "gpt-5.1-codex"
model_provider = "mock"
check_for_update_on_startup = false
[analytics]
enabled = false
[features]
plugins = false
apps = false
[model_providers.mock]
name = "mock"
base_url = "${url}/v1"
env_key = "OPENAI_API_KEY"
wire_api = "responses"
`,
      },
      env: { OPENAI_API_KEY: 'test', CODEX_HOME: '~/.codex' },
    }),
  },
  {
    agent: 'gemini-cli',
    // Without a model it asks one which to use, and tries again for minutes if the answer makes no sense.
    model: 'gemini-2.5-pro',
    read: (path) => ({ name: /^read_file$/, arguments: { file_path: path } }),
    write: (path, content) => ({ name: /^write_file$/, arguments: { file_path: path, content } }),
    // It refuses the first by itself.
    forbidden: (path) => [
      { name: /^write_file$/, arguments: { file_path: path, content: 'no' } },
      { name: /^web_fetch$/, arguments: { prompt: 'Read http://127.0.0.1:1/' } },
    ],
    command: (command) => ({ name: /^run_shell_command$/, arguments: { command, description: 'Run it' } }),
    home: (url) => ({
      files: {
        '.gemini/settings.json': JSON.stringify({
          security: { auth: { selectedType: 'gemini-api-key' } },
          privacy: { usageStatisticsEnabled: false },
          general: { disableAutoUpdate: true, disableUpdateNag: true },
        }),
      },
      env: {
        GEMINI_API_KEY: 'test',
        GOOGLE_GEMINI_BASE_URL: url,
        GEMINI_CLI_TRUST_WORKSPACE: 'true',
        GEMINI_TELEMETRY_ENABLED: 'false',
      },
    }),
  },
  {
    agent: 'opencode',
    read: (path) => ({ name: /^read$/, arguments: { filePath: path } }),
    write: (path, content) => ({ name: /^write$/, arguments: { filePath: path, content } }),
    forbidden: (path) => [{ name: /^write$/, arguments: { filePath: path, content: 'no' } }],
    command: (command) => ({ name: /^bash$/, arguments: { command, description: 'Run it' } }),
    home: (url) => ({
      files: {
        'opencode.json': JSON.stringify({
          model: 'mock/mind',
          small_model: 'mock/mind',
          provider: {
            mock: {
              npm: '@ai-sdk/openai-compatible',
              name: 'mock',
              options: { baseURL: `${url}/v1`, apiKey: 'test' },
              models: { mind: { name: 'mind' } },
            },
          },
        }),
      },
      env: {
        OPENCODE_CONFIG: '~/opencode.json',
        OPENCODE_DISABLE_AUTOUPDATE: '1',
        OPENCODE_DISABLE_MODELS_FETCH: '1',
        OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
        OPENCODE_DISABLE_DEFAULT_PLUGINS: '1',
        OPENCODE_PURE: '1',
        // It installs a package of its own in the background.
        npm_config_registry: url,
        npm_config_fetch_retries: '0',
      },
    }),
  },
]

/** Writes the home, and returns the agent's entry in a configuration. */
export function realAgent(cli: RealCli, { home, url, bin }: { home: string; url: string; bin: string }) {
  const { files, env } = cli.home(url)
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(home, path)), { recursive: true })
    writeFileSync(join(home, path), text)
  }
  const own = Object.fromEntries(Object.entries(env).map(([name, value]) => [name, value.replace('~', home)]))
  const path = [bin, dirname(process.execPath), process.env.PATH].join(':')
  return {
    provider: 'acp',
    agent: cli.agent,
    ...(cli.model ? { model: cli.model } : {}),
    env: { HOME: home, PATH: path, ...own },
  }
}
