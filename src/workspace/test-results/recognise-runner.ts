/** Recognises the test runner from a command and the scripts it starts. */
import { shellParts, shellWords } from './shell-parts.ts'

export type RunnerName =
  | 'vitest'
  | 'jest'
  | 'node'
  | 'mocha'
  | 'ava'
  | 'tap'
  | 'tape'
  | 'uvu'
  | 'jasmine'
  | 'playwright'
  | 'bun'
  | 'deno'
  | 'pytest'
  | 'unittest'
  | 'go'
  | 'cargo'
  | 'maven'
  | 'gradle'
  | 'phpunit'

export interface Runner {
  name?: RunnerName
  /** How appended arguments reach the runner: after ` -- `, directly, or not at all. */
  arguments: 'after-dashes' | 'appended' | 'none'
  /** Whether test files can be appended to the command. */
  takesPaths: boolean
  /** The command, and everything it is known to start. */
  text: string
}

export interface Scripts {
  /** A script of `package.json`. */
  script(name: string): string | undefined
  /** The names of all scripts of `package.json`. */
  names(): readonly string[]
  /** The recipe of a target of the Makefile. */
  recipe(target: string): string | undefined
}

export function recogniseRunner(command: string, scripts: Scripts, depth = 0): Runner {
  const split = shellParts(command)
  const parts = split?.map(({ text }) => text) ?? command.split(/&&|\|\||;|\n/).map((part) => part.trim())
  const last = parts.findLast((part) => part !== '') ?? ''
  // Arguments appended to a group or a pipe reach no runner.
  const piped = !split || split.at(-1)?.isPiped === true || /^[({]/.test(last)
  const listed = depth < 5 ? listedScripts(last, scripts) : undefined
  if (listed) {
    const inner = recogniseRunner(listed.commands.join(' && '), scripts, depth + 1)
    return { ...inner, arguments: 'none', takesPaths: false, text: `${command}\n${inner.text}` }
  }
  const started = depth < 5 ? startedScript(last, scripts) : undefined
  const others = depth < 5 ? parts.slice(0, -1).map((part) => recogniseRunner(part, scripts, depth + 1).name) : []
  const other = others.findLast((name) => name !== undefined)
  // With two runners it is unknown which of them has the files that are appended.
  const isClosed = piped || other !== undefined
  if (started) {
    const inner = recogniseRunner(started.text, scripts, depth + 1)
    const own = isClosed ? 'none' : started.arguments
    const name = inner.name ?? other
    return {
      ...inner,
      ...(name ? { name } : {}),
      // npm consumes options itself, including those from an outer npm.
      arguments: own === 'none' || inner.arguments !== 'appended' ? 'none' : own,
      takesPaths: inner.takesPaths && own !== 'none',
      text: `${command}\n${inner.text}`,
    }
  }
  const name = runnerIn(last) ?? other
  return {
    ...(name ? { name } : {}),
    arguments: isClosed ? 'none' : dashes(last),
    takesPaths: !isClosed && !pathless.test(last) && !['go', 'cargo', 'maven', 'gradle', 'uvu'].includes(name ?? ''),
    text: command,
  }
}

/** Matches a program by name or path, but not a test folder with the name of a runner. */
const word = (name: string) => new RegExp(`(?:^|[\\s'"]|\\./|bin/|vitest/)${name}(?=$|[\\s'"])`)

const runners: [RunnerName, RegExp][] = [
  ['vitest', word('vitest(?:\\.mjs)?')],
  ['jest', word('(?:jest(?:\\.js)?|react-scripts(?:\\.js)?\\s+test)')],
  ['mocha', word('_?mocha(?:\\.c?js)?')],
  ['ava', word('ava')],
  ['tape', word('tape')],
  ['tap', word('tap')],
  ['uvu', word('uvu')],
  ['jasmine', word('jasmine(?:\\.js)?')],
  ['playwright', word('playwright(?:/cli\\.js)?\\s+test')],
  ['node', /(?:^|[\s/'"])(?:node|tsx)\b[^|]*\s--test(?=$|\s)/],
  ['bun', word('bun\\s+test')],
  ['deno', word('deno\\s+test')],
  ['pytest', word('(?:pytest|py\\.test)')],
  ['unittest', /-m\s+unittest\b/],
  ['go', word('go\\s+test')],
  ['cargo', /(?:^|[\s/])cargo\s+(?:\+\S+\s+)?(?:test|t)(?=$|\s)/],
  ['maven', word('mvnw?')],
  ['gradle', word('gradlew?')],
  ['phpunit', word('phpunit')],
]

/** Tools that take targets or packages instead of files. */
const pathless = /^(?:\w+=\S*\s+)*(?:make|gmake|just|task|ninja|ctest|bazel|cabal|stack|dotnet|turbo|nx|lerna)\b/

export function runnerIn(part: string): RunnerName | undefined {
  return runners.find(([, pattern]) => pattern.test(part))?.[0]
}

function dashes(part: string): Runner['arguments'] {
  return /^(?:\w+=\S*\s+)*npm\s/.test(part) && !/\s--(?:\s|$)/.test(part) ? 'after-dashes' : 'appended'
}

export interface ListedScripts {
  commands: string[]
  /** They run side by side: none prepares anything for the next. */
  isParallel: boolean
}

/** The commands behind tools that run several scripts: `run-s lint unit`, `concurrently npm:lint npm:unit`. */
export function listedScripts(part: string, scripts: Scripts): ListedScripts | undefined {
  const [tool = '', ...rest] = shellWords(part.replace(/^(?:\w+=\S*\s+)*(?:npx\s+(?:-y\s+|--yes\s+)?)?/, ''))
  const isList = /^(?:run-[sp]|npm-run-all2?)$/.test(tool)
  if (!isList && tool !== 'concurrently') return undefined
  const isValue = (at: number) => valued[isList ? 'list' : 'concurrently'].test(rest[at - 1] ?? '')
  const plain = rest.filter((word, at) => !word.startsWith('-') && !isValue(at))
  const commands = plain.flatMap((word) => {
    const named = isList ? word.split(/\s/)[0]! : /^(?:npm|yarn|pnpm|bun):(.+)$/.exec(word)?.[1]
    return named === undefined ? [word] : matching(named, scripts).map((name) => `npm run ${name}`)
  })
  const isParallel = !isList || tool === 'run-p' || rest.some((word) => /^(?:-p|--parallel)$/.test(word))
  return commands.length === 0 ? undefined : { commands, isParallel }
}

/** Options whose value is the next word. */
const valued = {
  list: /^--(?:max-parallel|npm-path)$/,
  concurrently:
    /^(?:-n|--names|--name-separator|-c|--prefix-colors|-p|--prefix|-l|--prefix-length|-t|--timestamp-format|-s|--success|-m|--max-processes|--restart-(?:tries|after)|--(?:kill-)?signal|-ks|--kill-timeout|--hide|--default-input-target)$/,
}

/** A name, or a pattern such as `test:*`. */
function matching(name: string, scripts: Scripts): string[] {
  if (!name.includes('*')) return [name]
  const escaped = name.replace(/[.+?^${}()|[\]\\]/g, '\\$&')
  const pattern = new RegExp(`^${escaped.replaceAll('**', '\0').replaceAll('*', '[^:]*').replaceAll('\0', '.*')}$`)
  return scripts.names().filter((one) => pattern.test(one))
}

/** The script or recipe that a part of a command starts. */
export function startedScript(
  part: string,
  scripts: Scripts,
): { text: string; arguments: Runner['arguments']; name?: string } | undefined {
  const words = part.replace(/^(?:\w+=\S*\s+)*(?:corepack\s+|npx\s+(?:-y|--yes)\s+(?=pnpm|@?yarn))?/, '').split(/\s+/)
  const [tool = '', ...rest] = words
  if (/^g?make$/.test(tool)) {
    const recipe = scripts.recipe(rest.find((each) => !each.startsWith('-') && !each.includes('=')) ?? '')
    return recipe === undefined ? undefined : { text: recipe, arguments: 'none' }
  }
  if (!/^(?:npm|bun|(?:pnpm|yarn|@yarnpkg\/cli-dist)(?:@\S+)?)$/.test(tool)) return undefined
  // The script belongs to another package.
  if (rest.some((each) => /^(?:--prefix|--workspaces?|--filter|-w|-r|-C|-F|--cwd|--dir|workspaces?)(?:=|$)/.test(each)))
    return undefined
  const plain = rest.filter((each) => !each.startsWith('-'))
  const name = /^(?:run|run-script)$/.test(plain[0] ?? '') ? plain[1] : plain[0]
  if (tool === 'bun' && plain[0] === 'test') return undefined
  const script = /^(?:t|tst)$/.test(name ?? '') ? 'test' : (name ?? '')
  const text = scripts.script(script)
  return text === undefined ? undefined : { text, arguments: dashes(part), name: script }
}
