/** Where a goal that has no spec is built: in the file it names, the project's entry, or a new file. SPEC.md § GR12. */
import { isTestFile, testRunners } from '../context/test-files.ts'

export interface GoalPaths {
  targetPath: string
  testPath: string
}

const source = /\.(?:[cm]?[jt]sx?|py|go|rs|java|kt|rb|php|hs|cs|swift|ex)$/
const entries = /^(?:(?:src|lib|source)\/)?(?:index|main|mod|lib)\.\w+$/

/** `files` are the project's files, relative to it; `id` names what has no file yet. */
export function goalPaths(goal: string, files: readonly string[], id: string): GoalPaths {
  const runners = testRunners([], files)
  const [tests, code] = [files.filter((path) => isTest(path)), files.filter((path) => !isTest(path))]
  const target = namedIn(goal, code) ?? code.find((path) => entries.test(path) && source.test(path))
  const extension = extensionOf(target ?? commonest(code))
  const targetPath = target ?? `src/${id}.${extension}`
  const known = namedIn(goal, tests) ?? tests.find((path) => stemOf(path) === stemOf(targetPath))
  return { targetPath, testPath: known ?? newTest(id, extension) }

  function isTest(path: string): boolean {
    return isTestFile(path, runners) || /(?:^|[/_.-])tests?\//.test(path) || /(?:^|\/)test\.\w+$/.test(path)
  }
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
