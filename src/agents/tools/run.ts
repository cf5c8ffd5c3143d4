/** The tool that runs a command, where the workspace allows commands. */
import { z } from 'zod'
import type { CommandOutcome } from '../../kernel/agent.ts'
import { oneLine } from '../../rules/text/one-line.ts'
import { shortenMiddle } from './shorten.ts'
import { refused, type WorkspaceTool } from './tool.ts'

/** The workspace limits its output too; this applies to whatever it lets through. */
const mostCharacters = 30_000

const input = z.strictObject({
  command: z.string().min(1).describe('for the shell, in the root of the project'),
  timeout_seconds: z.int().min(1).max(3600).optional().describe('end it after this time'),
})

export const run: WorkspaceTool<z.infer<typeof input>> = {
  name: 'run',
  description:
    'Runs a shell command in the project: tests, builds, deleting or moving files. It gets no input, and is ended ' +
    'when it takes too long, prints too much or uses too much of the machine. Nothing it starts keeps running afterwards.',
  input,
  summary: ({ command }, { text }) => `run ${oneLine(command, 200)}: ${text.slice(0, text.indexOf('\n') >>> 0)}`,
  async use({ command, timeout_seconds }, { workspace, signal }) {
    if (!workspace.run) return refused('no commands can be run here')
    const timeoutMs = timeout_seconds === undefined ? {} : { timeoutMs: timeout_seconds * 1000 }
    const outcome = await workspace.run(command, { signal, ...timeoutMs })
    const output = shortenMiddle(outcome.output.toWellFormed(), mostCharacters)
    const ok = outcome.ended === 'exited' && outcome.exitCode === 0
    return { ok, text: `${endings[outcome.ended](outcome)}\n${output || '(no output)'}` }
  },
}

const endings: Record<CommandOutcome['ended'], (outcome: CommandOutcome) => string> = {
  exited: ({ exitCode }) => `exit code ${exitCode}`,
  'timed-out': () => 'ended: it took too long',
  'too-much-output': () => 'ended: it printed too much',
  aborted: () => 'ended: it was stopped',
  'out-of-memory': () => 'ended: it used too much memory',
  'too-many-processes': () => 'ended: it started too many processes',
  'file-too-large': () => 'ended: it wrote too large a file',
}
