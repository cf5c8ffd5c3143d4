/** Which program an agent's settings mean, and in what environment it runs. */
import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { delimiter, isAbsolute, join, resolve } from 'node:path'
import { agentEnvironment } from '../../rules/agents/environment.ts'
import type { PermissionPolicy } from '../../rules/agents/permission.ts'
import { type PresetName, presets } from './presets.ts'
import type { AgentProgram } from './process-group.ts'

export interface ProgramSettings {
  /** The name of a preset. */
  agent?: PresetName
  command?: string | readonly string[]
  model?: string
  permissions?: PermissionPolicy
  env?: Readonly<Record<string, string>>
}

export interface FoundProgram extends AgentProgram {
  /** The program is not on this machine. */
  missing?: string
}

/** `baseDir` is the folder of convene.yaml, which the paths of a command are relative to. */
export function programOf(
  settings: ProgramSettings,
  env: Readonly<Record<string, string | undefined>>,
  baseDir: string,
): FoundProgram {
  const preset = settings.agent && presets[settings.agent]
  const ownEnv = agentEnvironment({
    env: { ...preset?.env, ...env },
    prefixes: preset?.prefixes ?? [],
    added: settings.env ?? {},
  })
  const modelArguments = settings.model ? (preset?.modelArguments?.(settings.model) ?? []) : []
  const argv = [...commandOf(settings, baseDir), ...modelArguments]
  const program = argv[0]!
  const path = findProgram(program, ownEnv.PATH ?? '')
  const found = { argv: path ? [path, ...argv.slice(1)] : argv, env: ownEnv }
  if (!path) return { ...found, missing: program }
  const asking = settings.permissions === 'ask' ? preset?.asking : undefined
  return { ...found, ...(asking ? { moreEnv: (signal) => asking(found, baseDir, signal) } : {}) }
}

function commandOf({ agent, command }: ProgramSettings, baseDir: string): string[] {
  if (command === undefined) return [...presets[agent!].argv]
  if (typeof command === 'string' && needsShell.test(command))
    return ['/bin/sh', '-c', `cd "$0" && ${command}`, baseDir]
  const words = typeof command === 'string' ? command.trim().split(/\s+/) : [...command]
  return words.map((word, index) => located(word, index === 0, baseDir))
}

/** Everything but plain words: quotes, variables, pipes, several commands. */
const needsShell = /["'\\$`|&;<>()*?[\]#~=%{}\n]/

/** The agent does not run in the project's folder, so a relative path to a file there is made absolute. */
function located(word: string, isProgram: boolean, baseDir: string): string {
  if (isAbsolute(word) || word.startsWith('-') || (isProgram && !word.includes('/'))) return word
  const path = resolve(baseDir, word)
  return existsSync(path) && statSync(path).isFile() ? path : word
}

export function findProgram(program: string, path: string): string | null {
  if (program.includes('/')) return isExecutable(program) ? program : null
  for (const folder of path.split(delimiter)) {
    const candidate = join(folder, program)
    if (folder !== '' && isExecutable(candidate)) return candidate
  }
  return null
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}
