/** Tells from a command, and from the script it starts, which test runner will speak. */

export type RunnerName =
  | 'vitest'
  | 'jest'
  | 'node'
  | 'mocha'
  | 'ava'
  | 'tap'
  | 'tape'
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
  /** What is added at the end of the command reaches the runner: behind ` -- `, as it is, or not at all. */
  arguments: 'after-dashes' | 'appended' | 'none'
  /** A test file can be named at the end of the command. */
  takesPaths: boolean
  /** The command, and all that it is known to start. */
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
      // npm keeps options for itself, also those that another npm hands it.
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
    takesPaths: !isElsewhere && !pathless.test(last) && !['go', 'cargo', 'maven', 'gradle'].includes(name ?? ''),
    text: command,
  }
}

/** A program by its name or path; a folder of tests may bear the name of a runner too. */
const word = (name: string) => new RegExp(`(?:^|[\\s'"]|\\./|bin/|vitest/)${name}(?=$|[\\s'"])`)

const runners: [RunnerName, RegExp][] = [
  ['vitest', word('vitest(?:\\.mjs)?')],
  ['jest', word('(?:jest(?:\\.js)?|react-scripts(?:\\.js)?\\s+test)')],
  ['mocha', word('_?mocha(?:\\.c?js)?')],
  ['ava', word('ava')],
  ['tape', word('tape')],
  ['tap', word('tap')],
  ['node', /(?:^|[\s/])(?:node|tsx)\b[^|]*\s--test(?=$|\s)/],
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

/** Tools that take targets, packages or nothing where others take files. */
const pathless = /^(?:\w+=\S*\s+)*(?:make|gmake|just|task|ninja|ctest|bazel|cabal|stack|dotnet|turbo|nx|lerna)\b/

function runnerIn(part: string): RunnerName | undefined {
  return runners.find(([, pattern]) => pattern.test(part))?.[0]
}

function dashes(part: string): Runner['arguments'] {
  return /^(?:\w+=\S*\s+)*npm\s/.test(part) && !/\s--(?:\s|$)/.test(part) ? 'after-dashes' : 'appended'
}

/** What a part of a command starts by name; a script of `package.json` may have others before and after it. */
export function startedScript(
  part: string,
  scripts: Scripts,
): { text: string; arguments: Runner['arguments']; name?: string } | undefined {
  const words = part.replace(/^(?:\w+=\S*\s+)*/, '').split(/\s+/)
  const [tool = '', ...rest] = words
  if (/^g?make$/.test(tool)) {
    const recipe = scripts.recipe(rest.find((each) => !each.startsWith('-') && !each.includes('=')) ?? '')
    return recipe === undefined ? undefined : { text: recipe, arguments: 'none' }
  }
  if (!/^(?:npm|pnpm|yarn|bun)$/.test(tool)) return undefined
  // The script is then another package's.
  if (rest.some((each) => /^(?:--prefix|--workspaces?|--filter|-w|-r|-C|-F|--cwd|--dir|workspaces?)(?:=|$)/.test(each)))
    return undefined
  const plain = rest.filter((each) => !each.startsWith('-'))
  const name = /^(?:run|run-script)$/.test(plain[0] ?? '') ? plain[1] : plain[0]
  if (tool === 'bun' && plain[0] === 'test') return undefined
  const script = /^(?:t|tst)$/.test(name ?? '') ? 'test' : (name ?? '')
  const text = scripts.script(script)
  return text === undefined ? undefined : { text, arguments: dashes(part), name: script }
}
