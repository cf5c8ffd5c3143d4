/** The headless modes of the coding agents: how each is started for one ask, and what its output lines mean. */
import type { PresetName } from '../acp/presets.ts'
import { readClaudeLine } from './claude-lines.ts'
import { readCodexLine } from './codex-lines.ts'
import { readGeminiLine } from './gemini-lines.ts'
import type { HeadlessLine } from './headless-line.ts'
import { readOpencodeLine } from './opencode-lines.ts'

export interface HeadlessMode {
  /** The prompt arrives on standard input; the folder is the current one. */
  arguments(ask: { mayWrite: boolean; model?: string }): string[]
  /** Variables that narrow what the agent may do. */
  env?(ask: { mayWrite: boolean }): Record<string, string>
  read(line: Record<string, unknown>): HeadlessLine
  /** The program says nothing at its end: exit code 0 is the end of the turn. */
  endsSilently?: true
}

const modelOf = (model: string | undefined, flag: string) => (model ? [flag, model] : [])

export const headlessModes: Readonly<Record<PresetName, HeadlessMode>> = {
  'claude-code': {
    // Edits outside of the folder would have to be asked for, and nobody is there to ask.
    arguments: ({ mayWrite, model }) => [
      '-p',
      ...['--output-format', 'stream-json', '--verbose', '--include-partial-messages', '--strict-mcp-config'],
      ...['--permission-mode', mayWrite ? 'acceptEdits' : 'default'],
      ...(mayWrite ? ['--allowedTools', 'Bash'] : []),
      ...['--disallowedTools', mayWrite ? 'WebFetch,WebSearch' : 'Bash,Edit,Write,NotebookEdit,WebFetch,WebSearch'],
      ...modelOf(model, '--model'),
    ],
    read: readClaudeLine,
  },
  codex: {
    arguments: ({ mayWrite, model }) => [
      ...['exec', '--json', '--skip-git-repo-check', '--sandbox', mayWrite ? 'workspace-write' : 'read-only'],
      ...modelOf(model, '--model'),
      '-',
    ],
    read: readCodexLine,
  },
  'gemini-cli': {
    arguments: ({ mayWrite, model }) => [
      ...['--output-format', 'stream-json', '--approval-mode', mayWrite ? 'auto_edit' : 'default'],
      ...(mayWrite ? ['--allowed-tools', 'run_shell_command'] : []),
      ...modelOf(model, '--model'),
      ...['--prompt', ''],
    ],
    read: readGeminiLine,
  },
  opencode: {
    arguments: ({ mayWrite, model }) => [
      ...['run', '--format', 'json', '--agent', mayWrite ? 'build' : 'plan'],
      ...modelOf(model, '--model'),
    ],
    env: ({ mayWrite }) => {
      const denied = ['webfetch', 'external_directory', ...(mayWrite ? [] : ['edit', 'bash'])]
      return { OPENCODE_PERMISSION: JSON.stringify(Object.fromEntries(denied.map((tool) => [tool, 'deny']))) }
    },
    read: readOpencodeLine,
    endsSilently: true,
  },
}
