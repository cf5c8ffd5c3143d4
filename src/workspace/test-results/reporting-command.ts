/** Extends a test command so that it reports test names: in a report file, or by verbose output. */
import { join } from 'node:path'
import type { Runner } from './recognise-runner.ts'

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
  const flags = runner.arguments === 'none' ? [] : flagsOf(runner, report, reports)
  return {
    command: appended(command, runner, named),
    reporting: `${variables(runner, report)}${appended(insideCommand(command, runner), runner, [...flags, ...named])}`,
    narrowed,
  }
}

/** Discovery takes one folder and no files; without discovery, unittest takes files and no folders. */
function narrowedUnittest(command: string, paths: readonly string[]): ReportingCommand {
  const [path = ''] = paths
  const start = command.replace(/(-m\s+unittest)\b[\s\S]*$/, '$1')
  const areFiles = paths.every((each) => each.endsWith('.py'))
  if (!areFiles && paths.length > 1) return { command, reporting: insideCommand(command, unittest), narrowed: false }
  const plain = areFiles ? `${start} ${paths.map(quoted).join(' ')}` : `${start} discover -s ${quoted(path)}`
  return { command: plain, reporting: insideCommand(plain, unittest), narrowed: true }
}

const unittest: Pick<Runner, 'name'> = { name: 'unittest' }

function flagsOf({ name, text }: Runner, report: string, reports: string): string[] {
  switch (name) {
    case 'vitest':
      return ['--reporter=default', '--reporter=json', quoted(`--outputFile.json=${report}`)]
    case 'jest':
      return ['--json', quoted(`--outputFile=${report}`)]
    case 'mocha':
      return ['--reporter', quoted(join(reports, 'reporter.cjs'))]
    case 'ava':
      return /\s--tap\b/.test(text) ? [] : ['--tap']
    case 'tap':
      return ['--reporter=tap']
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

/** Environment variables reach the runner through any number of scripts. The user's values come first. */
function variables({ name, text }: Runner, report: string): string {
  switch (name) {
    case 'node':
      // Node needs one destination per reporter, so a command with its own reporters stays unchanged.
      if (/--test-reporter/.test(text)) return ''
      return added(
        'NODE_OPTIONS',
        `--test-reporter=spec --test-reporter-destination=stdout --test-reporter=tap --test-reporter-destination=${report}`,
      )
    case 'pytest':
      return `${withoutBytecode}${added('PYTEST_ADDOPTS', `--junitxml=${report} -o junit_family=xunit1 --continue-on-collection-errors`)}`
    case 'go':
      return added('GOFLAGS', '-v')
    default:
      return ''
  }
}

/** Bytecode next to the sources would count as the agent's work if no ignore file excludes it. */
const withoutBytecode = 'export PYTHONDONTWRITEBYTECODE=1; '

function added(name: string, value: string): string {
  return `export ${name}="\${${name}:+$${name} }"${quoted(value)}; `
}

/** Inserts options that have to follow the runner's name directly. */
function insideCommand(command: string, { name }: Pick<Runner, 'name'>): string {
  if (name === 'unittest') return withoutBytecode + command.replace(/-m\s+unittest\b(?:\s+discover\b)?/, '$& -v')
  if (name === 'cargo' && !/--no-fail-fast/.test(command)) {
    return command.replace(/(\bcargo\s+(?:\+\S+\s+)?(?:test|t))(?=$|\s)/, '$1 --no-fail-fast')
  }
  return command
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

export function quoted(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}
