/** Writes a first `convene.yaml` from what is found on the machine and in the project. Overwrites nothing unless told to. */
import { appendFileSync, copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { connectAgents } from '../../agents/connect.ts'
import { type Detection, detect } from '../../agents/detect/detect.ts'
import { type Machine, thisMachine } from '../../agents/detect/machine.ts'
import { configFileName } from '../../kernel/config/find.ts'
import { ConveneError } from '../../kernel/errors.ts'
import { MemoryLineBindings } from '../../kernel/stores/line-bindings.ts'
import {
  type AgentEntry,
  configText,
  foundAgents,
  rehearsalAgents,
  rehearsalFileName,
  rehearsalText,
} from './init-template.ts'

export interface InitOptions {
  folder: string
  env: Record<string, string | undefined>
  /** Writes over an existing `convene.yaml`; over no other file. */
  force?: boolean
  machine?: Machine
}

export interface InitResult {
  /** The configuration that was written. */
  file: string
  /** Every file that was written, and those of the user that were left as they are. */
  written: string[]
  kept: string[]
  agents: { name: string; provider: string }[]
  /** No agent was found: the two that are configured play a script. */
  rehearsal: boolean
  /** Whether git now ignores `.convene/`. */
  excluded: boolean
  detection: Detection
}

export async function init({
  folder,
  env,
  force = false,
  machine = thisMachine(env),
}: InitOptions): Promise<InitResult> {
  const project = resolve(folder)
  const file = join(project, configFileName)
  if (!existsSync(project)) throw new ConveneError('no_such_folder', `${project} does not exist; create it first`)
  if (!force && existsSync(file)) throw alreadyThere(file)

  const detection = await detect({ folder: project, env, machine })
  const found = foundAgents(detection).filter((agent) => isConnectable(agent, project))
  const agents = found.length > 0 ? found : rehearsalAgents
  const result: InitResult = {
    file,
    written: [],
    kept: [],
    agents: agents.map(({ name, settings }) => ({ name, provider: settings.provider })),
    rehearsal: found.length === 0,
    excluded: await excludeState(machine, project),
    detection,
  }
  const schema = offerSchema(project)
  write(result, file, configText({ agents, project: detection.project, rehearsal: result.rehearsal, schema }), force)
  if (result.rehearsal) writeOrKeep(result, join(project, rehearsalFileName), rehearsalText)
  return result
}

/** Some of what can be found cannot be asked by every version. Nobody is asked here. */
function isConnectable({ name, settings }: AgentEntry, baseDir: string): boolean {
  try {
    connectAgents({ [name]: settings }, { env: {}, bindings: new MemoryLineBindings(), baseDir })
    return true
  } catch (error) {
    if (error instanceof ConveneError) return false
    throw error
  }
}

/**
 * Puts the JSON Schema where an editor finds it, and gives the path to it from the project. Where Convene is one of the
 * project's own packages, it is there already.
 */
export function offerSchema(folder: string): string | undefined {
  const installed = join('node_modules', 'convene', schemaFileName)
  if (existsSync(join(folder, installed))) return `./${installed}`
  const shipped = fileURLToPath(new URL(`../../../${schemaFileName}`, import.meta.url))
  if (!existsSync(shipped)) return undefined
  const copy = join('.convene', schemaFileName)
  attempt(
    () => {
      mkdirSync(join(folder, '.convene'), { recursive: true })
      copyFileSync(shipped, join(folder, copy))
    },
    join(folder, copy),
  )
  return `./${copy}`
}

const schemaFileName = 'convene.schema.json'

/** `.git/info/exclude` keeps state out of git without a change to the user's `.gitignore`. */
async function excludeState(machine: Machine, folder: string): Promise<boolean> {
  const git = machine.find('git')
  if (!git) return false
  const answer = await machine.run(git, ['rev-parse', '--git-path', 'info/exclude'], { folder })
  if (!answer.ok) return false
  const file = resolve(folder, answer.output.trim())
  const text = existsSync(file) ? readFileSync(file, 'utf8') : ''
  if (text.split(/\r?\n/).some((line) => /^\/?\.convene\/?$/.test(line.trim()))) return true
  attempt(() => {
    mkdirSync(dirname(file), { recursive: true })
    appendFileSync(file, `${text === '' || text.endsWith('\n') ? '' : '\n'}.convene/\n`)
  }, file)
  return true
}

function write(result: InitResult, file: string, text: string, overwrite: boolean): void {
  attempt(() => writeFileSync(file, text, { flag: overwrite ? 'w' : 'wx' }), file)
  result.written.push(file)
}

function writeOrKeep(result: InitResult, file: string, text: string): void {
  if (existsSync(file)) result.kept.push(file)
  else write(result, file, text, false)
}

function attempt(act: () => void, file: string): void {
  try {
    act()
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code ?? 'error'
    if (code === 'EEXIST') throw alreadyThere(file)
    throw new ConveneError(
      'cannot_write',
      `${file} cannot be written (${code}); check the folder and its permissions`,
      { cause },
    )
  }
}

function alreadyThere(file: string): ConveneError {
  const message = `${file} exists already; edit it, or run 'convene init --force' to write it anew`
  return new ConveneError('already_exists', message, { status: 409 })
}
