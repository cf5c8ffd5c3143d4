/** `build`: the project's own commands, and the limits of the build graph. */
import { z } from 'zod'
import { defaultGraphLimits } from '../../rules/build/graph.ts'
import { defaultSilenceSeconds } from '../../rules/build/silence.ts'
import { defaultTreeLimits } from '../../rules/build/tree.ts'
import { seconds, shellCommand, variableName, wholeNumber, words } from './values.ts'

const insidePath = words.refine(staysInside, { error: "a path inside the project (no leading '/', no '..')" })

const caps = z.strictObject({
  attempts: wholeNumber
    .min(1)
    .max(50)
    .default(defaultGraphLimits.attempts)
    .describe('Tries of an implementation before it counts as stuck.'),
  reviews: wholeNumber
    .min(1)
    .max(50)
    .default(defaultGraphLimits.reviews)
    .describe('Reviews that may ask for more tests.'),
  scaffolds: wholeNumber.min(1).max(50).default(defaultGraphLimits.scaffolds).describe('Designs of one node.'),
  merges: wholeNumber.min(1).max(50).default(defaultGraphLimits.merges).describe('Tries to merge one node.'),
  rebases: wholeNumber
    .min(1)
    .max(50)
    .default(defaultGraphLimits.rebases)
    .describe('Conflicts while rebasing one node.'),
})

export const buildSchema = z.strictObject({
  setup: shellCommand.optional().describe('Makes a fresh checkout ready, such as: npm ci'),
  build: shellCommand.optional().describe('Builds the project, such as: npm run build'),
  test: shellCommand.optional().describe('Runs the tests; a test file can be appended to it.'),
  contract: shellCommand.optional().describe('Runs the contract tests, where they have a command of their own.'),
  share: z
    .array(insidePath)
    .default([])
    .describe('Paths of your checkout that every worktree links to, such as .env.test'),
  env: z
    .array(variableName)
    .default([])
    .describe('Environment variables that commands may see; secrets are kept from them.'),
  sandbox: z
    .enum(['auto', 'required', 'off'])
    .default('auto')
    .describe('Whether commands run in a sandbox: if there is one, always, or never.'),
  max_parallel: wholeNumber.min(1).max(64).default(4).describe('Agents at work at once.'),
  max_depth: wholeNumber
    .min(0)
    .max(10)
    .default(defaultTreeLimits.depth)
    .describe('How deep work may be split; the root has depth 0.'),
  max_children: wholeNumber
    .min(1)
    .max(100)
    .default(defaultTreeLimits.children)
    .describe('Into how many parts one node may be split.'),
  caps: caps.prefault({}).describe('Where the loops of the graph end.'),
  max_steps: wholeNumber
    .min(1)
    .max(1000)
    .default(60)
    .describe('Answers of a model, tool calls included, that one task may take.'),
  silence_seconds: seconds
    .default(defaultSilenceSeconds)
    .describe('No token and no tool for so long: the agent is reminded once.'),
  command_seconds: seconds.default(900).describe('How long one of the commands above may run.'),
  worktrees: words.optional().describe("The folder for worktrees; by default in the user's cache folder."),
})

function staysInside(path: string): boolean {
  if (/^(?:[\\/~]|[A-Za-z]:)/.test(path)) return false
  return !path.split(/[\\/]/).includes('..')
}
