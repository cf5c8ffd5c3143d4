/** Settings of test runners and package managers belong to the tests. SPEC.md § TR7. */
import { isWithin } from '../build/path-confinement.ts'
import type { Author } from '../build/touched-paths.ts'
import { executedParts } from './executed-parts.ts'
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

/** Settings of linters and type checkers, which may be a part of the test command. */
const checkerSettings =
  /(?:^|\/)(?:[tj]sconfig(?:\.[\w.-]+)?\.json|\.eslintrc[^/]*|eslint\.config\.[^/]+|\.eslintignore|biome\.jsonc?|\.prettier(?:rc[^/]*|ignore)|prettier\.config\.[^/]+|(?:\.xo-config|xo\.config)[^/]*|\.oxlintrc[^/]*|tslint\.json|\.?stylelint(?:rc|\.config)[^/]*|\.?mypy\.ini|\.flake8|\.?ruff\.toml|\.?pylintrc|pyrightconfig\.json|\.golangci\.[^/]+|\.?(?:rustfmt|clippy)\.toml|\.rubocop[^/]*)$/i

/**
 * The settings of checkers among these changes: work may change them if it passes without the change too. New ones may belong
 * to a new package; a new list of ignored files does not.
 */
export function checkerSettingsAmong(changes: readonly { path: string; status: string }[]): string[] {
  const found = changes.filter(({ path }) => checkerSettings.test(path))
  return found.filter(({ path, status }) => status !== 'added' || /ignore$/i.test(path)).map(({ path }) => path)
}

/** Whether the path alone, or the text together with it, may hold such settings. */
export function mayBeSetting(path: string): boolean {
  return isRunnerSetting(path) || packageSettings.test(path) || runnerParts(path, '') !== null
}

/** The paths whose settings differ. */
export function settingsChanged(
  changes: readonly { path: string; before?: string | undefined; after?: string | undefined }[],
): string[] {
  return changes
    .filter(({ path, before, after }) => {
      if (isRunnerSetting(path) || packageSettings.test(path)) return before !== after
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

export function settingsMatter(paths: readonly string[]): string {
  return `the tests pass only with changed settings (${paths.join(', ')}); with the project's own they do not`
}

/** The runner's part of a manifest; null for other files. */
function runnerParts(path: string, text: string): string | null {
  const parts = executedParts(path, text)
  if (parts === null || !/(?:^|\/)package\.json$/i.test(path)) return parts
  try {
    const { jest, vitest, mocha, ava, tap, nyc, c8, babel } = JSON.parse(parts) as Record<string, unknown>
    return JSON.stringify({ jest, vitest, mocha, ava, tap, nyc, c8, babel })
  } catch {
    return parts
  }
}
