/** Narrows a test command to some paths, and adds the reporting options of runners that our hooks do not reach. */
import { join } from 'node:path'
import { checkers } from '../../rules/build/verification.ts'
import { quoted } from '../commands/quoted.ts'
import { type Runner, recogniseRunner, runnerIn, type Scripts, startedScript } from './recognise-runner.ts'

export interface ReportingCommand {
  /** The command as a user would type it: with paths, without the reporting options. */
  command: string
  /** The command that runs. */
  reporting: string
  /** The runner was told to run only the given paths. */
  narrowed: boolean
}

export const reportName = 'report'

/** `paths` are test files and folders; `reports` is the folder for the runner's report. */
export function reportingCommand(
  command: string,
  runner: Runner,
  { paths = [], reports }: { paths?: readonly string[]; reports: string },
): ReportingCommand {
  if (runner.name === 'unittest' && runner.takesPaths && paths.length > 0) return narrowedUnittest(command, paths)
  const narrowed = paths.length > 0 && runner.takesPaths
  const named = narrowed ? paths.map((path) => pathArgument(path, runner)) : []
  const report = join(reports, reportName)
  const flags = runner.arguments === 'none' ? [] : flagsOf(runner, report)
  return {
    command: appended(command, runner, named),
    reporting: appended(insideCommand(command, runner), runner, [...flags, ...named]),
    narrowed,
  }
}

/** Discovery takes one folder and no files; without discovery, unittest takes files and no folders. */
function narrowedUnittest(command: string, paths: readonly string[]): ReportingCommand {
  const [path = ''] = paths
  const start = command.replace(/(-m\s+unittest)\b[\s\S]*$/, '$1')
  const areFiles = paths.every((each) => each.endsWith('.py'))
  // One spelling for the same tests: what ran as modules need not run again as files.
  if (areFiles && isSameSet(modulesIn(command), paths)) return { command, reporting: command, narrowed: true }
  if (!areFiles && paths.length > 1) return { command, reporting: command, narrowed: false }
  const plain = areFiles ? `${start} ${paths.map(quoted).join(' ')}` : `${start} discover -s ${quoted(path)}`
  return { command: plain, reporting: plain, narrowed: true }
}

/** The files of the modules that a command without discovery names; empty if it names anything else. */
function modulesIn(command: string): string[] {
  const words = (/-m\s+unittest\s+([^&|;<>"'$]*)$/.exec(command)?.[1] ?? '').split(/\s+/)
  const names = words.filter((word) => word !== '' && !/^-[vqcfb]+$|^--(?:verbose|quiet|buffer|failfast)$/.test(word))
  const files = names.map((name) => (name.endsWith('.py') ? name : `${name.replaceAll('.', '/')}.py`))
  return names.every((name) => /^[\w./]+$/.test(name)) ? files : []
}

function isSameSet(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((one) => others.includes(one))
}

/** Runners that our hooks do not reach. */
function flagsOf({ name }: Runner, report: string): string[] {
  switch (name) {
    case 'bun':
      return ['--reporter=junit', quoted(`--reporter-outfile=${report}`)]
    case 'deno':
      return [quoted(`--junit-path=${report}`)]
    case 'phpunit':
      return ['--log-junit', quoted(report)]
    default:
      return []
  }
}

/** Inserts options that have to follow the runner's name directly. */
function insideCommand(command: string, { name }: Pick<Runner, 'name'>): string {
  if (name !== 'cargo' || /--no-fail-fast/.test(command)) return command
  return command.replace(/(\bcargo\s+(?:\+\S+\s+)?(?:test|t))(?=$|\s)/, '$1 --no-fail-fast')
}

function appended(command: string, runner: Runner, words: readonly string[]): string {
  if (words.length === 0) return command
  return [command.trimEnd(), ...(runner.arguments === 'after-dashes' ? ['--'] : []), ...words].join(' ')
}

function pathArgument(path: string, { name }: Runner): string {
  const plain = path.startsWith('-') ? `./${path}` : path
  // Jest reads a path as a regular expression.
  return quoted(name === 'jest' ? plain.replace(/[[\](){}^$*+?|\\]/g, '\\$&') : plain)
}

/**
 * The runner's part of a chained command, for some paths or all tests, without the linters and type checkers around it.
 * Undefined if the command is no chain, or its runner cannot be told paths. What
 * stands in front, such as a build, stays.
 */
export function runnerAlone(
  command: string,
  scripts: Scripts,
  { paths, reports }: { paths: readonly string[]; reports: string },
): ReportingCommand | undefined {
  const chain = chainOf(command, scripts)
  if (!chain) return undefined
  const isRunner = (part: string) => recogniseRunner(part, scripts).name !== undefined
  const at = chain.parts.findIndex(isRunner)
  const part = chain.parts[at]
  // With two runners it is unknown which of them has these paths.
  if (part === undefined || chain.parts.slice(at + 1).some(isRunner)) return undefined
  const runner = recogniseRunner(part, scripts)
  if (!runner.takesPaths || (runnerIn(part) === undefined && startedScript(part, scripts) === undefined))
    return undefined
  const own = reportingCommand(part, runner, { paths, reports })
  const before = chain.parts.slice(0, at).filter((one) => !new RegExp(checkers).test(one))
  // A package manager adds this folder to the path of its scripts.
  const path = chain.isScript ? 'export PATH="$PWD/node_modules/.bin:$PATH"; ' : ''
  const whole = (last: string) => path + [...before, last].join(' && ')
  return { command: whole(own.command), reporting: whole(own.reporting), narrowed: own.narrowed }
}

/** The parts of a chain of `&&`, also where the command is a script of `package.json` that is one. */
function chainOf(command: string, scripts: Scripts): { parts: string[]; isScript: boolean } | undefined {
  const parts = partsOf(command)
  if (parts === undefined) return undefined
  if (parts.length > 1) return { parts, isScript: false }
  const started = startedScript(command.trim(), scripts)
  if (started?.name === undefined || scripts.script(`pre${started.name}`) !== undefined) return undefined
  const inner = partsOf(started.text)
  return inner && inner.length > 1 ? { parts: inner, isScript: true } : undefined
}

function partsOf(command: string): string[] | undefined {
  const parts = command.split('&&').map((part) => part.trim())
  return parts.some((part) => part === '' || /^cd\b|[|;<>\n&()`'"$]/.test(part)) ? undefined : parts
}
