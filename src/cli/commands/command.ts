/** What a command of the command line is: a function of its context, its arguments and its options. */
import type { Output } from '../display/output.ts'

export interface CommandContext {
  output: Output
  folder: string
  env: NodeJS.ProcessEnv
}

/** Receives the arguments, then the options, and resolves to the exit code. */
export type CommandAction = (context: CommandContext, ...rest: never[]) => Promise<number>
