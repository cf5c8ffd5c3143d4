/** Narrows a test command to some paths, and adds the reporting options of runners that our hooks do not reach. */
import { join, posix } from 'node:path'
import { isWithin } from '../../rules/build/path-confinement.ts'
import { checkers } from '../../rules/build/verification.ts'
import { quoted } from '../commands/quoted.ts'
import {
  listedScripts,
  type Runner,
  recogniseRunner,
  runnerIn,
  type Scripts,
  startedScript,
} from './recognise-runner.ts'
import { type ShellPart, shellParts, shellWords } from './shell-parts.ts'

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
  const bare = narrowed ? withoutOwnPaths(command, paths) : command
  return {
    command: appended(bare, runner, named),
    reporting: appended(insideCommand(bare, runner), runner, [...flags, ...named]),
    narrowed,
  }
}

/**
 * The command without the folders and patterns that it names itself and that would run more than the given paths:
 * `node --test test/`, `mocha 'test/*.js'`. A word behind an option may be its value, and stays.
 */
function withoutOwnPaths(command: string, paths: readonly string[]): string {
  const last = shellParts(command)?.at(-1)?.text
  if (paths.length === 0 || last === undefined || !command.trimEnd().endsWith(last)) return command
  const words = last.match(/(?:[^\s'"]+|'[^']*'|"[^"]*")+/g) ?? []
  const runner = words.findIndex((_, index) => runnerIn(words.slice(0, index + 1).join(' ')) !== undefined)
  if (runner === -1) return command
  const kept = words.filter((word, index) => {
    const [plain = ''] = shellWords(word)
    const before = words[index - 1] ?? ''
    const isValue = before.startsWith('-') && !before.includes('=') && !switches.test(before)
    if (index <= runner || isValue || plain.startsWith('-')) return true
    const folder = posix.normalize(plain).replace(/\/$/, '')
    const isAround = folder === '.' || paths.every((path) => isWithin(posix.normalize(path), folder))
    return !(isAround || /\*.*\.\w+$|\/\*+$/.test(plain))
  })
  return command.trimEnd().slice(0, -last.length) + kept.join(' ')
}

/** Options without a value, after which a path may stand. */
const switches =
  /^(?:--|--test|--run|-[qvxsb]+|-rA?|--recursive|--exit|--bail|--verbose|--quiet|--parallel|--coverage|--no-\S+|--check-leaks|--allow-uncaught|--esm|--runInBand|-i|--ci|--experimental-\S+|--enable-source-maps|--only|--color)$/

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
 * The runner's part of a chained command or of a script, for some paths or all tests, without the linters and type checkers
 * around it. Undefined if the command is neither, or its runner cannot be told paths. What stands in front, such as a
 * build, stays.
 */
export function runnerAlone(
  command: string,
  scripts: Scripts,
  { paths, reports }: { paths: readonly string[]; reports: string },
): ReportingCommand | undefined {
  const chain = chainOf(command, scripts, paths)
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
  const before = chain.parts.slice(0, at).filter((one) => !isCheck(one, scripts))
  // A package manager adds this folder to the path of its scripts.
  const path = chain.isScript ? 'export PATH="$PWD/node_modules/.bin:$PATH"; ' : ''
  const whole = (last: string) => path + [...before, last].join(' && ')
  return { command: whole(own.command), reporting: whole(own.reporting), narrowed: own.narrowed }
}

/** Linters and type checkers alone, also as a script. */
function isCheck(part: string, scripts: Scripts): boolean {
  const started = startedScript(part, scripts)
  const parts = started ? (partsOf(started.text, scripts) ?? [started.text]) : [part]
  return parts.every((one) => new RegExp(checkers).test(one))
}

/** The parts of a chain of `&&`, also where the command is a script of `package.json` that is one or names paths itself. */
function chainOf(
  command: string,
  scripts: Scripts,
  paths: readonly string[],
): { parts: string[]; isScript: boolean } | undefined {
  const parts = partsOf(command, scripts)
  if (parts === undefined) return undefined
  if (parts.length > 1) return { parts, isScript: false }
  const started = startedScript(command.trim(), scripts)
  if (started?.name === undefined || scripts.script(`pre${started.name}`) !== undefined) return undefined
  const inner = partsOf(started.text, scripts)
  const hasOwnPaths = withoutOwnPaths(started.text, paths) !== started.text
  const isTaken = inner?.[0] !== started.text
  return inner && (isTaken || inner.length > 1 || hasOwnPaths) ? { parts: inner, isScript: true } : undefined
}

function partsOf(command: string, scripts: Scripts): string[] | undefined {
  const parts = shellParts(command)
  if (!parts || parts.some(isMore)) return undefined
  return parts.flatMap(({ text }) => listedParts(text, scripts) ?? [text])
}

/** Of scripts side by side the runner alone: one in front of it, such as a server, might never end. */
function listedParts(text: string, scripts: Scripts): string[] | undefined {
  const { commands, isParallel } = listedScripts(text, scripts) ?? {}
  const runners = isParallel ? commands?.filter((one) => recogniseRunner(one, scripts).name !== undefined) : []
  return runners?.length ? runners : commands
}

/** More than a simple command that another one follows if it succeeds. */
function isMore({ text, operator, isPiped }: ShellPart): boolean {
  return isPiped || (operator !== '' && operator !== '&&') || /^cd\b|^[({]|[`$]/.test(text)
}
