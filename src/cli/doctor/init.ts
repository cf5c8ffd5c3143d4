/** Writes a first `convene.yaml` from the agents on this machine and the project's files. Overwrites it only with `force`. */

import { appendFileSync, copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { detect } from '../../agents/detect/detect.ts'
import { type AgentEntry, foundAgents, foundRoles, quickAgent } from '../../agents/detect/first-agents.ts'
import { type Machine, thisMachine } from '../../agents/detect/machine.ts'
import { configFileName } from '../../kernel/config/find.ts'
import { ConveneError } from '../../kernel/errors.ts'
import { packageRoot } from '../../kernel/package-root.ts'
import { privateFile, privateFolder, restrict } from '../../kernel/private-files.ts'
import { configText } from './init-template.ts'

export interface InitOptions {
  folder: string
  env: Record<string, string | undefined>
  /** Overwrites an existing `convene.yaml`. */
  force?: boolean
  machine?: Machine
}

export interface InitResult {
  /** The configuration that was written. */
  file: string
  /** Every file that was written. */
  written: string[]
  agents: { name: string; provider: string }[]
  /** Which agent does what, as far as the file says. */
  roles: Record<string, string>
  /** The cheap agent that writes proposals. */
  proposer?: { name: string; provider: string; model: string }
  /** No key and no coding agent was found: the two built-in agents play a script. */
  rehearsal: boolean
  /** Whether git now ignores `.convene/`. */
  excluded: boolean
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
  const agents = foundAgents(detection)
  const roles = foundRoles(detection)
  const proposer = quickAgent(detection)
  const excluded = await excludeState(machine, project)
  const schema = offerSchema(project)
  attempt(
    () =>
      writeFileSync(file, configText({ agents, roles, proposer, project: detection.project, schema }), {
        flag: force ? 'w' : 'wx',
      }),
    file,
  )
  return {
    file,
    written: [file],
    agents: agents.map(({ name, settings }) => ({ name, provider: settings.provider })),
    roles: { ...(proposer ? { proposer: proposer.name } : {}), ...roles },
    ...(proposer ? { proposer: described(proposer) } : {}),
    rehearsal: agents.length === 0,
    excluded,
  }
}

function described({ name, settings }: AgentEntry): { name: string; provider: string; model: string } {
  return { name, provider: settings.provider, model: String(settings.model) }
}

/**
 * Copies the JSON Schema to where an editor finds it, and returns its path from the project. A project that has Convene
 * as a package needs no copy.
 */
export function offerSchema(folder: string): string | undefined {
  const installed = join('node_modules', 'convene', schemaFileName)
  if (existsSync(join(folder, installed))) return `./${installed}`
  const shipped = join(packageRoot, schemaFileName)
  if (!existsSync(shipped)) return undefined
  const copy = join('.convene', schemaFileName)
  attempt(
    () => {
      mkdirSync(join(folder, '.convene'), privateFolder)
      copyFileSync(shipped, join(folder, copy))
      restrict(join(folder, copy), privateFile.mode)
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
