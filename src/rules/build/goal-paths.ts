/** Where a goal or an issue without paths is built: in the file its words mean, the project's entry, or a new file. SPEC.md § GR12. */
import { isTestFile, testRunners } from '../context/test-files.ts'

export interface GoalPaths {
  targetPath: string
  testPath: string
}

/** A file and what it declares for others. */
export interface Declaring {
  path: string
  symbols: readonly { name: string }[]
}

const source = /\.(?:[cm]?[jt]sx?|py|go|rs|java|kt|rb|php|hs|cs|swift|ex)$/
const entries = /^(?:(?:src|lib|source)\/)?(?:index|main|mod|lib)\.\w+$/

/** `files` are the project's files, relative to it; `id` names what has no file yet. */
export function goalPaths(goal: string, files: readonly string[], id: string): GoalPaths {
  const { tests, code } = parted(files)
  const target = namedIn(goal, code) ?? code.find((path) => entries.test(path) && source.test(path))
  const extension = extensionOf(target ?? commonest(code))
  const targetPath = target ?? `src/${id}.${extension}`
  return { targetPath, testPath: namedIn(goal, tests) ?? testOf(targetPath, tests) ?? newTest(id, extension) }
}

/**
 * The existing files that an issue's words mean: the one that they name, or the one that declares most of the names in them,
 * and its tests.
 */
export function meantPaths(
  words: string,
  files: readonly string[],
  declared: readonly Declaring[] = [],
): Partial<GoalPaths> {
  const { tests, code } = parted(files)
  const targetPath = namedIn(words, code) ?? declaring(words, declared, code)
  const testPath = namedIn(words, tests) ?? (targetPath === undefined ? undefined : testOf(targetPath, tests))
  return { ...(targetPath === undefined ? {} : { targetPath }), ...(testPath === undefined ? {} : { testPath }) }
}

function parted(files: readonly string[]): { tests: string[]; code: string[] } {
  const runners = testRunners([], files)
  const isTest = (path: string) =>
    isTestFile(path, runners) || /(?:^|[/_.-])tests?\//.test(path) || /(?:^|\/)test\.\w+$/.test(path)
  return { tests: files.filter(isTest), code: files.filter((path) => !isTest(path)) }
}

/** Names that are no ordinary words: `SelectPrompt`, `read_rows`, `select()`. */
const distinctive = /\b(?:[a-z]\w*[A-Z]\w*|[A-Z]\w*[a-z]\w*[A-Z]\w*|[a-zA-Z]+_\w+)\b|\b[a-zA-Z]\w*(?=\()/g

/** The file that alone declares the names which occur most. */
function declaring(words: string, declared: readonly Declaring[], code: readonly string[]): string | undefined {
  const own = declared.filter(({ path }) => code.includes(path) && source.test(path))
  const votes = new Map<string, number>()
  for (const [name] of words.matchAll(distinctive)) {
    const found = own.filter(({ symbols }) => symbols.some((symbol) => symbol.name === name))
    if (found.length === 1) votes.set(found[0]!.path, (votes.get(found[0]!.path) ?? 0) + 1)
  }
  const [most, next] = [...votes].sort(([, one], [, other]) => other - one)
  return most && most[1] > (next?.[1] ?? 0) ? most[0] : undefined
}

/** The test named like the file; of several, the one that lies nearest. */
function testOf(target: string, tests: readonly string[]): string | undefined {
  const near = (path: string) => [...path].findIndex((character, at) => character !== target[at])
  const same = tests.filter((path) => source.test(path) && stemOf(path) === stemOf(target))
  return same.sort((one, other) => near(other) - near(one))[0]
}

/** The first file that the goal names: by its path, or by a name that only one file has. */
function namedIn(goal: string, files: readonly string[]): string | undefined {
  const words = goal.match(/[\w@.-]+(?:\/[\w@.-]+)*/g) ?? []
  for (const word of words.map((each) => each.replace(/^\.\/|[.]+$/g, ''))) {
    if (!source.test(word)) continue
    const found = files.filter((path) => path === word || path.endsWith(`/${word}`))
    if (files.includes(word)) return word
    if (found.length === 1) return found[0]
  }
  return undefined
}

const stemOf = (path: string) =>
  path
    .replace(/^.*\//, '')
    .replace(/\.\w+$/, '')
    .replace(/^test[_-]|[._-](?:test|spec)$/gi, '')

function extensionOf(path: string | undefined): string {
  return /\.(\w+)$/.exec(path ?? '')?.[1] ?? 'js'
}

/** A file of the kind that the project has most of. */
function commonest(files: readonly string[]): string | undefined {
  const counts = new Map<string, number>()
  const written = files.filter((path) => source.test(path))
  for (const path of written) counts.set(extensionOf(path), (counts.get(extensionOf(path)) ?? 0) + 1)
  const most = Math.max(0, ...counts.values())
  return written.find((path) => counts.get(extensionOf(path)) === most)
}

const newTest = (id: string, extension: string) =>
  extension === 'py' ? `tests/test_${id.replaceAll('-', '_')}.py` : `test/${id}.test.${extension}`
