/** A command of the command line: a function of its context, its arguments and its options. */
import { statSync } from 'node:fs'
import { ConveneError } from '../../kernel/errors.ts'
import { createOutput, type Output } from '../display/output.ts'

export interface CommandContext {
  output: Output
  folder: string
  env: NodeJS.ProcessEnv
}

/** Receives the arguments, then the options, and resolves to the exit code. */
export type CommandAction = (context: CommandContext, ...rest: never[]) => Promise<number>

export function createContext({ json, folder }: { json: boolean; folder: string }): CommandContext {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw new ConveneError('usage', `-C: there is no folder ${folder}`, {
      path: 'folder',
      expected: 'a folder that exists',
    })
  return { output: createOutput(json), folder, env: process.env }
}
