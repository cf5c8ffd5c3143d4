/** Settings of test runners and package managers belong to the tests. SPEC.md § TR7. */
import { isWithin } from '../build/path-confinement.ts'
import type { Author } from '../build/touched-paths.ts'
import { executedParts } from './executed-parts.ts'
import { jsonParts, type ManifestParts } from './manifest-parts.ts'
import { isRunnerSetting } from './sensitive-paths.ts'

interface SpecWords {
  description: string
  acceptanceCriteria: readonly { text: string }[]
  targetPath: string
  testPath: string
}

/** The roles whose work the tests judge: they may not decide how tests run. */
export function isJudged(by: Author): boolean {
  return by === 'impl' || by === 'merger'
}

const packageSettings =
  /(?:^|\/)(?:\.npmrc|\.yarnrc[^/]*|\.pnpmfile\.[^/]+|bunfig\.toml|pip\.conf|\.condarc|\.cargo\/config(?:\.toml)?)$/i

/** Modules that Python would load in place of the test library: it looks in these folders first, and in each folder of tests. */
const shadowing =
  /^(?:(?:src|lib)\/|tests?\/(?:[^/]+\/)*)?(?:_?pytest|pluggy|unittest|doctest|nose2?|hypothesis)(?:\.py|\/__init__\.py)$/i

/** Whether the path alone, or the text together with it, may hold such settings. */
export function mayBeSetting(path: string): boolean {
  return isRunnerSetting(path) || packageSettings.test(path) || shadowing.test(path) || runnerParts(path, '') !== null
}

/** The paths whose settings differ. */
export function settingsChanged(
  changes: readonly { path: string; before?: string | undefined; after?: string | undefined }[],
): string[] {
  return changes
    .filter(({ path, before, after }) => {
      if (isRunnerSetting(path) || packageSettings.test(path)) return before !== after
      // A project that is a test library has such a module already.
      if (shadowing.test(path)) return before === undefined
      return runnerParts(path, before ?? '') !== runnerParts(path, after ?? '')
    })
    .map(({ path }) => path)
}

/** Whether the spec itself asks for this file: it is its target, its test, or named in its words. */
export function isNamedInSpec(path: string, spec: SpecWords): boolean {
  if (isWithin(path, spec.targetPath) || isWithin(path, spec.testPath)) return true
  const name = path.slice(path.lastIndexOf('/') + 1)
  return [spec.description, ...spec.acceptanceCriteria.map(({ text }) => text)].some((words) => words.includes(name))
}

const runnerKeys = ['jest', 'vitest', 'mocha', 'ava', 'tap', 'nyc', 'c8', 'babel']

/** A package with one of these names is what its own tests import under it, and such a program what `npx` starts. */
const ofTests =
  /^(?:assert|vitest|@vitest\/.*|jest|@jest\/.*|expect|chai|_?mocha|ava|tap|tape|uvu|jasmine|should|power-assert|playwright|@playwright\/test|cypress|karma|wtr|c8|nyc|tsx|ts-node|node|npm|eslint|tsc|biome|prettier|xo|tsd)$/

/** The parts of a manifest with the runner's settings, where they can be told from the others. */
export const runnerManifestParts: ManifestParts = {
  'package.json': [...runnerKeys, 'name', 'bin'],
  'pyproject.toml': /^tool\.(?:pytest|tox|nox|coverage)\b/,
  'setup.cfg': /^(?:tool:)?pytest/,
}

/** The runner's part of a manifest; null for other files. */
function runnerParts(path: string, text: string): string | null {
  if (/(?:^|\/)pnpm-workspace\.yaml$/i.test(path)) return pnpmSettings(text)
  const parts = executedParts(path, text)
  if (parts === null || !/(?:^|\/)package\.json$/i.test(path)) return parts
  return [jsonParts(text, runnerKeys), ...takenNames(text)].join('\n')
}

/** Names of the test library or of a tool that a manifest takes for itself. */
function takenNames(manifest: string): string[] {
  try {
    const { name, bin } = JSON.parse(manifest) as { name?: unknown; bin?: unknown }
    const programs = typeof bin === 'object' && bin !== null ? Object.keys(bin) : []
    return [name, ...programs].filter((one): one is string => typeof one === 'string' && ofTests.test(one))
  } catch {
    return []
  }
}

/** Everything but the list of packages and their versions: a shell for scripts, options of Node, patches. */
function pnpmSettings(text: string): string {
  let isListing = false
  return text
    .split(/\r?\n/)
    .filter((line) => {
      if (line.trim() === '' || /^\s*#/.test(line)) return false
      const key = /^(?:(['"]?)([\w-]+)\1\s*:(?=\s|$)|\S)/.exec(line)
      // A dash that belongs to a key may stand at the start of its line.
      if (key && !line.startsWith('- ')) isListing = key[2] !== undefined && /^(?:packages|catalogs?)$/.test(key[2])
      return !isListing
    })
    .join('\n')
}
