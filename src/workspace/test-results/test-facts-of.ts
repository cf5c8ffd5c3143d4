/** Converts a runner's report into test facts for the rules. */
import { readdirSync, statSync } from 'node:fs'
import { basename, join, relative, resolve } from 'node:path'
import { findTests, type TestFacts } from '../../rules/build/test-facts.ts'
import { readLeftFileSync } from '../commands/read-left-file.ts'
import { classifyFailure } from './classify-failure.ts'
import { realFolder, resolveMissing } from './resolve-missing.ts'
import { type BrokenFile, type SeenTest, type TestReport, type Title, withoutColours } from './test-report.ts'
import { thrownIn } from './thrown-in.ts'
import { titlesInSource } from './titles-in-source.ts'

export function testFactsOf(report: TestReport, folder: string): TestFacts[] {
  const seen = report.tests.map((test) => factsOfTest(test, folder))
  // A file may break after some of its tests have run.
  const unseen = report.broken
    .flatMap((broken) => factsOfBroken(broken, folder))
    .filter(({ name, fullName }) => findTests(seen, fullName ?? name).length === 0)
  return [...seen, ...unseen]
}

function factsOfTest(test: SeenTest, folder: string): TestFacts {
  const { name, fullName, suite, state, failure, file, asserted, todo, reason: said } = test
  const path = file === undefined ? undefined : inProject(file, folder)
  const names = {
    name,
    ...(fullName ? { fullName } : {}),
    ...(suite ? { suite } : {}),
    ...(path ? { file: path } : {}),
    ...(todo ? { todo } : {}),
  }
  if (state === 'failed') return { ...names, ...reason(failure, folder, file, asserted) }
  return { ...names, outcome: state, ...(state === 'skipped' && said ? { message: shortMessage(said) } : {}) }
}

/** One fact per test title in the file's source; one for the file if there are none. A report may name any file. */
function factsOfBroken({ file, failure, fullName }: BrokenFile, folder: string): TestFacts[] {
  if (isElsewhere(file, folder)) {
    const why = reason(failure || 'Error: the file could not be run', folder, undefined)
    return [{ name: basename(file), hinted: true, ...why }]
  }
  return testFiles(resolve(folder, file)).flatMap((path): TestFacts[] => {
    const plain = relative(folder, path) || basename(path)
    const why = reason(failure || 'Error: the file could not be run', folder, path)
    const titles = titlesInSource(readLeftFileSync(path, { links: true }), plain)
    if (titles.length === 0) return [{ name: plain, file: plain, hinted: true, ...why }]
    return titles.map((title) => ({
      name: title.name,
      fullName: (fullName ?? usualName(plain))(title),
      suite: title.groups,
      file: plain,
      hinted: true as const,
      ...why,
    }))
  })
}

/** The runner's full name: pytest and Rust have their own forms, all others join with spaces. */
function usualName(file: string): (title: Title) => string {
  if (file.endsWith('.py')) return ({ groups, name }) => [file, ...groups, name].join('::')
  const divider = file.endsWith('.rs') ? '::' : ' '
  return ({ groups, name }) => [...groups, name].join(divider)
}

function reason(
  failure: string | undefined,
  folder: string,
  file: string | undefined,
  asserted?: boolean,
): Pick<TestFacts, 'outcome' | 'missing' | 'missingName' | 'message' | 'thrownIn'> {
  const found = classifyFailure(failure, asserted)
  const message = shortMessage(failure)
  const thrown = thrownIn(failure, folder)
  const said = { ...(message === '' ? {} : { message }), ...(thrown ? { thrownIn: thrown } : {}) }
  if (found.outcome !== 'import-error') return { outcome: found.outcome, ...said }
  const missing = found.module && resolveMissing(found.module, folder, file)
  if (!missing) return { outcome: 'import-error', ...said }
  const missingName = found.module && 'name' in found.module ? found.module.name : undefined
  return { outcome: 'import-error', missing, ...(missingName ? { missingName } : {}), ...said }
}

/** The first lines of an error, without its trace. */
function shortMessage(failure: string | undefined): string {
  const lines = withoutPythonTrace(withoutColours(failure ?? ''))
    .split('\n')
    .filter((line) => line.trim() !== '' && !/^\s+at |^\s*File "/.test(line))
  return lines.slice(0, 6).join('\n').slice(0, 500)
}

/** Python puts the exception below its trace. A doctest may expect one. */
function withoutPythonTrace(text: string): string {
  if (/^Expected(?::| nothing)\n/.test(text)) return text
  const at = text.lastIndexOf('Traceback (most recent call last):')
  const exception = at === -1 ? undefined : /^(?![ \t]|Traceback )[^\n]+/m.exec(text.slice(at))
  return exception ? text.slice(at + exception.index) : text
}

/** Undefined for a file outside the project. */
export function inProject(file: string, folder: string): string | undefined {
  const path = relative(folder, resolve(folder, file))
  return path === '' || path.startsWith('..') ? undefined : path
}

/** Neither the project nor below it. */
function isElsewhere(file: string, folder: string): boolean {
  return [folder, realFolder(folder)].every((root) => relative(root, resolve(root, file)).startsWith('..'))
}

/** A compile error breaks a whole folder: finds its test files. */
function testFiles(path: string): string[] {
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) return [path]
  const names = readdirSync(path, { recursive: true, encoding: 'utf8' }).sort()
  const own = names.filter((name) => !/(?:^|\/)(?:target|node_modules|vendor|\.[^/]+)\//.test(name))
  const go = own.filter((name) => name.endsWith('_test.go') && !name.includes('/'))
  const files = (go.length > 0 ? go : own.filter((name) => name.endsWith('.rs'))).map((name) => join(path, name))
  const withTests = files.filter((file) => titlesInSource(readLeftFileSync(file, { links: true }), file).length > 0)
  return withTests.length > 0 ? withTests : [path]
}
