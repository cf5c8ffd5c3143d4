/**
 * Tests the packages of a workspace in their own folders, with their own scripts: a path that is appended to a command such
 * as `pnpm -r test` reaches no runner.
 */
import { existsSync } from 'node:fs'
import { join, posix } from 'node:path'
import { quoted } from '../commands/quoted.ts'
import { readLeftFileSync } from '../commands/read-left-file.ts'
import { scriptsOf } from './project-scripts.ts'
import { recogniseRunner, type Scripts } from './recognise-runner.ts'
import { type ReportingCommand, reportingCommand } from './reporting-command.ts'

/** A command that runs a script in some packages of a workspace. */
interface WorkspaceCommand {
  /** What comes before it in a chain, such as a build. */
  before: string
  tool: string
  script: string
}

/** Undefined if the command runs no workspace, or a path is in none of its packages. */
export function packageCommand(
  command: string,
  scripts: Scripts,
  { folder, paths }: { folder: string; paths: readonly string[] },
): ReportingCommand | undefined {
  const workspace = paths.length === 0 ? undefined : workspaceCommand(command, scripts, folder)
  if (!workspace) return undefined
  const found = paths.map((path) => ({ path, home: packageOf(folder, path, workspace.script) }))
  if (found.some(({ home }) => home === undefined)) return undefined
  const byPackage = Map.groupBy(found, ({ home }) => home!)
  const commands = [...byPackage].map(([home, files]) => {
    const own = files.map(({ path }) => posix.relative(home, posix.normalize(path)))
    return { home, ...inPackage(join(folder, home), workspace, own) }
  })
  const whole = (text: (one: (typeof commands)[number]) => string) =>
    chained(
      workspace.before,
      commands.map((one) => `cd ${quoted(one.home)} && ${text(one)}`),
    )
  return {
    command: whole((one) => one.command),
    reporting: whole((one) => one.reporting),
    narrowed: commands.every(({ narrowed }) => narrowed),
  }
}

function inPackage(folder: string, { tool, script }: WorkspaceCommand, paths: readonly string[]): ReportingCommand {
  const command = script === 'test' ? `${tool} test` : `${tool} run ${script}`
  const runner = recogniseRunner(command, scriptsIn(folder))
  return reportingCommand(command, runner, { paths, reports: '' })
}

/** All of them run, and one that fails decides the exit code. */
function chained(before: string, [first = '', ...rest]: string[]): string {
  const start = before === '' ? '' : `${before} && `
  if (rest.length === 0) return start + first
  const others = rest.map((one) => `(${one}) || failed=$?`)
  return `${start}{ failed=0; (${first}) || failed=$?; ${others.join('; ')}; (exit $failed); }`
}

/** The closest folder above a path that is a package with this script, except the top of the workspace. */
function packageOf(folder: string, path: string, script: string): string | undefined {
  for (
    let home = posix.dirname(posix.normalize(path));
    home !== '.' && !home.startsWith('..');
    home = posix.dirname(home)
  )
    if (existsSync(join(folder, home, 'package.json')))
      return scriptsIn(join(folder, home)).script(script) === undefined ? undefined : home
  return undefined
}

function scriptsIn(folder: string): Scripts {
  return scriptsOf(readLeftFileSync(join(folder, 'package.json'), { links: true }), '')
}

function workspaceCommand(command: string, scripts: Scripts, folder: string, depth = 0): WorkspaceCommand | undefined {
  const at = command.lastIndexOf('&&')
  const before = at === -1 ? '' : command.slice(0, at).trim()
  const last = at === -1 ? command.trim() : command.slice(at + 2).trim()
  if (/[|;<>\n]/.test(last)) return undefined
  const { env, plain, own } = partsOf(last)
  if (own) return { before, tool: env + (own.tool ?? managerOf(folder)), script: own.script }
  if (plain === undefined) return undefined
  // `npm test` may start such a command.
  const name = /^(?:run|run-script)$/.test(plain[0] ?? '') ? plain[1] : plain[0]
  const text = scripts.script(name === 't' ? 'test' : (name ?? ''))
  if (text === undefined || depth > 3) return undefined
  const inner = workspaceCommand(text, scripts, folder, depth + 1)
  // What prepares the packages, such as a build, runs before the script at the top.
  const prepared = scripts.script(`pre${name === 't' ? 'test' : name}`) === undefined ? '' : preparing(last, name!)
  return inner && { ...inner, before: [before, prepared, inner.before].filter((part) => part !== '').join(' && ') }
}

/** `pnpm run pretest` of `pnpm test`, with everything in front of the package manager. */
function preparing(command: string, name: string): string {
  const manager = /^(?:\w+=\S*\s+)*(?:corepack\s+|npx\s+(?:-y\s+|--yes\s+)?)?\S+/.exec(command)?.[0] ?? 'npm'
  return `${manager} run pre${name === 't' ? 'test' : name}`
}

/** The script that a simple command runs in packages of a workspace. */
export function workspaceScript(command: string): string | undefined {
  return partsOf(command).own?.script
}

interface PackageManagerCall {
  /** Assignments in front of it. */
  env: string
  /** Its words that are no options; undefined if it calls no package manager. */
  plain?: string[]
  /** What it runs in packages of a workspace, and by which tool if that is a package manager. */
  own?: { tool?: string; script: string }
}

function partsOf(command: string): PackageManagerCall {
  const env = /^(?:\w+=\S*\s+)+/.exec(command)?.[0] ?? ''
  // Keep `corepack` and `npx` in front: the package's folder needs them too.
  const launcher = /^(?:corepack\s+|npx\s+(?:-y\s+|--yes\s+)?)/.exec(command.slice(env.length))?.[0] ?? ''
  const [tool = '', ...rest] = command.slice(env.length + launcher.length).split(/\s+/)
  if (/^(?:turbo|lerna|nx)$/.test(tool)) {
    const script = targetOf(rest)
    return script === undefined ? { env } : { env, own: { script } }
  }
  if (!/^(?:npm|pnpm|yarn|bun|@yarnpkg\/cli-dist)(?:@\S+)?$/.test(tool)) return { env }
  const end = rest.indexOf('--')
  const words = end === -1 ? rest : rest.slice(0, end)
  const plain = words.filter((word, at) => !word.startsWith('-') && !namesPackages.test(words[at - 1] ?? ''))
  const isWorkspace = rest.some((word) => workspaceOption.test(word)) || /^workspaces?$/.test(plain[0] ?? '')
  if (!isWorkspace) return { env, plain }
  const script = plain.findLast((word) => !/^(?:run|run-script|exec|foreach|workspaces?)$/.test(word))
  return script === undefined
    ? { env }
    : { env, own: { tool: launcher + tool, script: script === 't' ? 'test' : script } }
}

/** The next word is the package, not the script. */
const namesPackages = /^(?:-w|--workspace|--filter|-F)$/
const workspaceOption = /^(?:--workspaces?|--recursive|--filter|-ws|-w|-r|-F)(?:=|$)/

/** `turbo run test`, `turbo test`, `lerna run test`, `nx run-many -t test`, `nx run-many --target=test`. */
function targetOf(words: readonly string[]): string | undefined {
  const flag = words.findIndex((word) => /^(?:-t|--targets?)$/.test(word))
  if (flag !== -1) return words[flag + 1]
  const given = words.flatMap((word) => /^--targets?=(.+)/.exec(word)?.[1] ?? [])
  return given[0] ?? words.find((word) => !word.startsWith('-') && !/^(?:run|run-many|affected)$/.test(word))
}

function managerOf(folder: string): string {
  if (existsSync(join(folder, 'pnpm-lock.yaml')) || existsSync(join(folder, 'pnpm-workspace.yaml'))) return 'pnpm'
  return existsSync(join(folder, 'yarn.lock')) ? 'yarn' : 'npm'
}
