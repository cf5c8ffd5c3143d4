/**
 * Makes every process of a test command report its tests, by environment variables alone: no file of the project and no
 * option of its commands changes, and the variables reach runners through scripts, chains and workspaces.
 */
import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { packageRoot } from '../../kernel/package-root.ts'
import { checkers } from '../../rules/build/verification.ts'
import { quoted } from '../commands/quoted.ts'

export const hooksFolder = join(packageRoot, 'hooks', 'tests')

const pytestOptions = '-p convene_pytest --continue-on-collection-errors'

interface Parts {
  takeApart(command: string, where: { reports: string; folder: string; checkers: string }): string
  withAddition(command: string, name: string, addition: string): string
  withNodeOptions(command: string, options: string): string
}

export interface HookSettings {
  /** The folder for reports. */
  reports: string
  folder: string
  /** The command and everything it is known to start. */
  text: string
}

export function withHooks(command: string, { reports, folder, text }: HookSettings): string {
  const parts: Parts = createRequire(import.meta.url)(join(hooksFolder, 'parts.cjs'))
  const isTurbo = /\bturbo\b/.test(text)
  // Quoted for Node, which splits the variable at spaces.
  const required = (file: string) => `--require=${JSON.stringify(file)}`
  const preload = required(join(hooksFolder, 'preload.cjs'))
  const environment = join(reports, 'environment.cjs')
  const nodeOptions = isTurbo ? `${required(environment)} ${preload}` : preload
  if (isTurbo) writeFileSync(environment, restoredIn({ reports, nodeOptions }))
  const python = { PYTHONPATH: join(hooksFolder, 'python'), PYTEST_ADDOPTS: pytestOptions }
  const variables = [
    set('CONVENE_REPORTS', reports),
    set('CONVENE_NODE_OPTIONS', nodeOptions),
    set('CONVENE_CHECKERS', checkers),
    added('NODE_OPTIONS', nodeOptions, ' '),
    added('PYTHONPATH', python.PYTHONPATH, ':'),
    added('PYTEST_ADDOPTS', python.PYTEST_ADDOPTS, ' '),
    // Bytecode next to the sources would count as the agent's work if no ignore file excludes it.
    set('PYTHONDONTWRITEBYTECODE', '1'),
    added('GOFLAGS', '-v', ' '),
    // A result from a cache says nothing about this tree's tests.
    ...(isTurbo ? [set('TURBO_FORCE', 'true')] : []),
    ...(/\bnx\b/.test(text) ? [set('NX_SKIP_NX_CACHE', 'true'), set('NX_DAEMON', 'false')] : []),
  ]
  let reporting = parts.withNodeOptions(parts.takeApart(command, { reports, folder, checkers }), nodeOptions)
  reporting = parts.withAddition(reporting, 'PYTHONPATH', `:${python.PYTHONPATH}`)
  reporting = parts.withAddition(reporting, 'PYTEST_ADDOPTS', ` ${python.PYTEST_ADDOPTS}`)
  return `${variables.join('; ')}; ${reporting}`
}

/** Turbo gives its tasks few variables, NODE_OPTIONS among them: the others are set again in every Node process below it. */
function restoredIn({ reports, nodeOptions }: { reports: string; nodeOptions: string }): string {
  const variables = { CONVENE_REPORTS: reports, CONVENE_NODE_OPTIONS: nodeOptions, CONVENE_CHECKERS: checkers }
  return `if (process.env.TURBO_HASH && !process.env.CONVENE_REPORTS) Object.assign(process.env, ${JSON.stringify(variables)})\n`
}

function set(name: string, value: string): string {
  return `export ${name}=${quoted(value)}`
}

/** The user's own value comes first. */
function added(name: string, value: string, divider: string): string {
  return `export ${name}="\${${name}:+$${name}${divider}}"${quoted(value)}`
}
