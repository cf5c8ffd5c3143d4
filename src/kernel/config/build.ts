/** `build`: the project's own commands, and the limits of the build graph. */
import { z } from 'zod'
import { defaultGraphLimits } from '../../rules/build/graph.ts'
import { defaultSilenceSeconds } from '../../rules/build/silence.ts'
import { defaultTreeLimits } from '../../rules/build/tree.ts'
import { defaultMutations } from '../../rules/review/mutations.ts'
import { dependencyPolicies } from '../../rules/trust/dependency-changes.ts'
import { defaultLimits } from '../../rules/trust/limits.ts'
import { sensitivePolicies } from '../../rules/trust/merge-approval.ts'
import { seconds, shellCommand, variableName, wholeNumber, words } from './values.ts'

const insidePath = words.refine(staysInside, { error: "a path inside the project (no leading '/', no '..')" })

const caps = z.strictObject({
  attempts: wholeNumber
    .min(1)
    .max(50)
    .default(defaultGraphLimits.attempts)
    .describe('Attempts at an implementation before it counts as stuck.'),
  reviews: wholeNumber
    .min(1)
    .max(50)
    .default(defaultGraphLimits.reviews)
    .describe('Reviews that may request more tests.'),
  scaffolds: wholeNumber.min(1).max(50).default(defaultGraphLimits.scaffolds).describe('Designs of one node.'),
  merges: wholeNumber.min(1).max(50).default(defaultGraphLimits.merges).describe('Attempts to merge one node.'),
  rebases: wholeNumber
    .min(1)
    .max(50)
    .default(defaultGraphLimits.rebases)
    .describe('Conflicts while rebasing one node.'),
})

const limits = z.strictObject({
  files: wholeNumber
    .min(1)
    .max(1_000_000)
    .default(defaultLimits.files)
    .describe('Ask before merging work that changes more files than this.'),
  bytes: wholeNumber
    .min(1)
    .max(1_000_000_000_000)
    .default(defaultLimits.bytes)
    .describe('Ask before merging work that adds more bytes than this.'),
  memory_mb: wholeNumber
    .min(16)
    .max(16_777_216)
    .default(defaultLimits.memory_mb)
    .describe('Stop a command whose processes together use more memory than this, in megabytes.'),
  processes: wholeNumber
    .min(8)
    .max(1_000_000)
    .default(defaultLimits.processes)
    .describe('Stop a command that has more processes and threads at a time than this.'),
  file_mb: wholeNumber
    .min(1)
    .max(16_777_216)
    .default(defaultLimits.file_mb)
    .describe('Stop a command that writes a file larger than this, in megabytes.'),
})

export const buildSchema = z.strictObject({
  setup: shellCommand.optional().describe('Prepares a fresh checkout, such as: npm ci'),
  build: shellCommand.optional().describe('Builds the project, such as: npm run build'),
  test: shellCommand.optional().describe('Runs the tests. Convene may append the path of a test file.'),
  contract: shellCommand.optional().describe('Runs the contract tests, if they have their own command.'),
  share: z
    .array(insidePath)
    .default([])
    .describe('Paths in your checkout that every worktree links to, such as .env.test'),
  allowed_imports: z
    .array(z.string().min(1))
    .default([])
    .describe(
      'Modules that built code may import although they can run programs or bypass the sandbox, such as child_process',
    ),
  env: z
    .array(variableName)
    .default([])
    .describe('Additional environment variables that commands may see. Secrets are removed.'),
  sandbox: z
    .enum(['auto', 'required', 'off'])
    .default('auto')
    .describe(
      'Whether to run commands in a sandbox: with auto and required a build waits until there is one, off never uses one.',
    ),
  sensitive: z
    .enum(sensitivePolicies)
    .default('ask')
    .describe(
      'Work that changes hooks, CI, scripts, runner or agent settings, or needs a compiler setting: ask, allow or refuse.',
    ),
  dependencies: z
    .enum(dependencyPolicies)
    .default('ask')
    .describe('Before installing new or changed dependencies of an agent: ask once, allow or refuse.'),
  limits: limits.prefault({}).describe('Limits of the work that agents hand in, and of each command.'),
  max_parallel: wholeNumber
    .min(1)
    .max(64)
    .default(4)
    .describe('How many agents work in parallel; fewer where the memory holds fewer coding agents.'),
  max_depth: wholeNumber
    .min(0)
    .max(10)
    .default(defaultTreeLimits.depth)
    .describe('How deep work may be split. The root has depth 0.'),
  max_children: wholeNumber
    .min(1)
    .max(100)
    .default(defaultTreeLimits.children)
    .describe('How many parts one node may be split into.'),
  caps: caps.prefault({}).describe('Limits of the loops in the build graph.'),
  mutations: wholeNumber
    .min(0)
    .max(20)
    .default(defaultMutations)
    .describe(
      'Small changes of new code that its tests should notice; the reviewer sees those that none does. 0: none.',
    ),
  max_steps: wholeNumber
    .min(1)
    .max(1000)
    .default(60)
    .describe('Model replies, tool calls included, that one task may use.'),
  silence_seconds: seconds
    .default(defaultSilenceSeconds)
    .describe('Remind an agent once after this many seconds without output or tool calls.'),
  command_seconds: seconds.default(900).describe('Stop a set-up, build or test command after this many seconds.'),
  worktrees: words.optional().describe("The folder for worktrees; defaults to the user's cache folder."),
})

function staysInside(path: string): boolean {
  if (/^(?:[\\/~]|[A-Za-z]:)/.test(path)) return false
  return !path.split(/[\\/]/).includes('..')
}
