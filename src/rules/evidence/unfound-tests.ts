/** Test files that are there and that the test command runs none of. No author can make it run theirs. SPEC.md § VF2, VF9. */
import { isWithin } from '../build/path-confinement.ts'
import type { TestFacts, TestNames } from '../build/test-facts.ts'
import { isTestFileName, isTypeTest, looksLikeTest } from '../build/test-paths.ts'

export interface UnfoundTests {
  /** Relative to the project. */
  files: readonly string[]
  /** The package that they belong to; `.` for the project itself. */
  folder: string
}

/**
 * Files that may hold tests of the same kind as those at `near`, in the same folders. Elsewhere may lie tests that the command
 * leaves out on purpose, such as those of another package or in a browser. Those at `near` come first. Without `near`, all that
 * are named like tests.
 */
export function comparableTests(files: readonly string[], near?: readonly string[]): string[] {
  const tests = files.filter((path) => !isTypeTest(path))
  if (near === undefined) return tests.filter(isTestFileName)
  const isNamed = near.some(isTestFileName)
  const isBeside = (path: string) =>
    near.some((one) => languageOf(one) === languageOf(path) && folderOf(one) === folderOf(path) && areAlike(one, path))
  const isLike = isNamed ? isTestFileName : looksLikeTest
  const beside = tests.filter(
    (path) => isLike(path) && (isBeside(path) || near.some((folder) => isWithin(path, folder))),
  )
  return [...new Set([...tests.filter((path) => near.includes(path)), ...beside])]
}

/** The package of a file: the nearest folder above it with a manifest. */
export function packageOf(path: string, files: ReadonlySet<string>): string {
  for (let folder = folderOf(path); folder !== '.'; folder = folderOf(folder))
    if (manifests.some((name) => files.has(`${folder}/${name}`))) return folder
  return '.'
}

export interface RunOfTests {
  names: TestNames
  tests: readonly Pick<TestFacts, 'file'>[]
  isEmpty?: boolean
}

/** Whether a run of the test command had no test of these files, as far as can be told. */
export function runsNoneOf(files: readonly string[], { names, tests, isEmpty = false }: RunOfTests): boolean {
  if (isEmpty) return true
  if (names !== 'reported' || tests.length === 0) return false
  return tests.every(({ file }) => file !== undefined && !files.some((path) => isWithin(file, path)))
}

/** A command that runs the tests of this package, if its runner is known. */
export function starterOf(runner: string | undefined, folder = '.'): string | undefined {
  const starter = runner === undefined ? undefined : starters[runner]
  return starter === undefined || folder === '.' ? starter : `cd ${folder} && ${starter}`
}

/** For the person who configured the command; nobody who wrote tests is blamed. */
export function unfoundMessage(
  { command, runner, cause }: { command: string; runner?: string | undefined; cause?: string | undefined },
  { files, folder }: UnfoundTests,
): string {
  const [first = '', ...more] = files
  const which = more.length === 0 ? first : `${first} and ${more.length} more test files beside it`
  const why = cause === undefined ? '' : `: ${cause.replace(/\.$/, '')}`
  const starter = starterOf(runner, folder)
  const example = starter === undefined ? '' : `, such as \`${starter}\``
  return (
    `build.test: \`${command}\` runs no test of ${which}, neither on the untouched tree nor with the new tests${why}. ` +
    `This is not counted as an attempt. Write build: {test: <command>} into convene.yaml that runs ${more.length === 0 ? 'it' : 'them'}${example}`
  )
}

/** Runners that are packages of npm. */
export const packagedStarters: Readonly<Record<string, string>> = {
  vitest: 'npx vitest run',
  jest: 'npx jest',
  mocha: 'npx mocha',
  ava: 'npx ava',
  jasmine: 'npx jasmine',
  tap: 'npx tap',
  tape: "npx tape 'test/*.js'",
  uvu: 'npx uvu test',
}

const starters: Readonly<Record<string, string>> = {
  ...packagedStarters,
  node: 'node --test',
  pytest: 'python3 -m pytest',
}

const manifests = ['package.json', 'pyproject.toml', 'setup.py', 'go.mod', 'Cargo.toml']

/** `a.spec.ts` may be for a browser where `a.test.ts` is for the unit tests. */
function areAlike(one: string, other: string): boolean {
  const [mark, otherMark] = [one, other].map((path) => /[._](test|tests|spec|e2e|cy)\.\w+$/.exec(path)?.[1])
  return mark === undefined || otherMark === undefined || mark === otherMark
}

function folderOf(path: string): string {
  const end = path.lastIndexOf('/')
  return end === -1 ? '.' : path.slice(0, end)
}

function languageOf(path: string): string {
  const ending = /\.(\w+)$/.exec(path)?.[1] ?? ''
  return /^[cm]?[jt]sx?$/.test(ending) ? 'js' : ending
}
