/** Recognises the test runner from a command and the scripts it starts. */

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
  /** The recipe of a target of the Makefile. */
  recipe(target: string): string | undefined
}

export function recogniseRunner(command: string, scripts: Scripts, depth = 0): Runner {
  const parts = command.split(/&&|\|\||;|\n/).map((part) => part.trim())
  const last = parts.findLast((part) => part !== '') ?? ''
  const piped = /[^|]\|[^|]/.test(last) || /[<>]/.test(last)
  const started = depth < 5 ? startedScript(last, scripts) : undefined
  if (started) {
    const inner = recogniseRunner(started.text, scripts, depth + 1)
    const own = piped ? 'none' : started.arguments
    return {
      ...inner,
      // npm consumes options itself, including those from an outer npm.
      arguments: own === 'none' || inner.arguments !== 'appended' ? 'none' : own,
      takesPaths: inner.takesPaths && own !== 'none',
      text: `${command}\n${inner.text}`,
    }
  }
  const inLast = runnerIn(last)
  const name = inLast ?? parts.map(runnerIn).findLast((found) => found !== undefined)
  const isElsewhere = piped || name !== inLast
  return {
    ...(name ? { name } : {}),
    arguments: isElsewhere ? 'none' : dashes(last),
    takesPaths: !isElsewhere && !pathless.test(last) && !['go', 'cargo', 'maven', 'gradle', 'uvu'].includes(name ?? ''),
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
