/** Settings of linters, formatters and type checkers, which may be a part of the test command. SPEC.md § TR7. */
import { type CompilerChange, compilerChange, isCompilerSetting } from './compiler-settings.ts'
import { type ManifestParts, partsIn } from './manifest-parts.ts'

export interface SettingsChange {
  path: string
  /** Undefined if the file did not exist, or no longer does. */
  before?: string | undefined
  after?: string | undefined
}

const files =
  /(?:^|\/)(?:[tj]sconfig(?:\.[\w.-]+)?\.json|\.eslintrc[^/]*|eslint\.config\.[^/]+|\.eslintignore|\.?biome\.jsonc?|\.prettier(?:rc[^/]*|ignore)|prettier\.config\.[^/]+|(?:\.xo-config|xo\.config)[^/]*|\.?ox(?:lint|fmt)(?:rc|\.config)[^/]*|\.oxlintignore|\.?dprint\.jsonc?|tslint\.json|\.?stylelint(?:rc|\.config|ignore)[^/]*|\.?mypy\.ini|\.flake8|\.?ruff\.toml|\.?pylintrc(?:\.toml)?|pyrightconfig\.json|\.golangci\.[^/]+|\.?(?:rustfmt|clippy)\.toml|\.editorconfig|\.jshintrc|\.yamllint[^/]*|\.rubocop[^/]*)$/i

/** The parts of a manifest with such settings. */
export const checkerManifestParts: ManifestParts = {
  'package.json': [
    'eslintConfig',
    'eslintIgnore',
    'xo',
    'standard',
    'semistandard',
    'ts-standard',
    'prettier',
    'stylelint',
    'tsd',
    'typeCoverage',
    'size-limit',
    'remarkConfig',
  ],
  'deno.json': ['lint', 'fmt', 'compilerOptions'],
  'deno.jsonc': ['lint', 'fmt', 'compilerOptions'],
  'pyproject.toml':
    /^tool\.(?:ruff|mypy|pyright|basedpyright|pyre|ty|pylint|flake8|pycodestyle|pydocstyle|black|isort|bandit|vulture|codespell)\b/,
  'setup.cfg': /^(?:flake8|mypy|pylint|pycodestyle|pydocstyle|isort|yapf|codespell)\b/,
  'tox.ini': /^(?:flake8|mypy|pylint|pycodestyle|pydocstyle|isort)\b/,
  'cargo.toml': /^(?:workspace\.)?lints\b/,
}

/** Whether the path alone, or the text together with it, may hold such settings. */
export function mayBeCheckerSetting(path: string): boolean {
  return files.test(path) || partsIn(path, '', checkerManifestParts) !== null
}

/** The changes that change such settings. A new file counts too: nested beside code, it replaces the project's own. */
export function checkerSettingsAmong<Change extends SettingsChange>(changes: readonly Change[]): Change[] {
  return changes.filter(({ path, before, after }) => {
    if (files.test(path)) return before !== after
    const [was, is] = [before, after].map((text) => partsIn(path, text ?? '', checkerManifestParts))
    return was !== is
  })
}

/** The changes that loosen what a compiler checks. */
export function looseningAmong<Change extends SettingsChange>(changes: readonly Change[]): Change[] {
  return changes.filter((change) => isCompilerSetting(change.path) && compilerChange(change).kind === 'loosened')
}

/** What the change of a compiler's settings says, line by line, if work may need it; null for all others. */
export function neededSettings(change: SettingsChange): string[] | null {
  if (!isCompilerSetting(change.path)) return null
  const found: CompilerChange = compilerChange(change)
  return found.kind === 'needed' ? found.lines.map((line) => `${change.path}: ${line}`) : null
}

export function settingsMatter(paths: readonly string[]): string {
  return `the tests pass only with changed settings (${paths.join(', ')}); with the project's own they do not`
}

export function settingsQuestion(spec: string, lines: readonly string[]): { text: string; detail: string } {
  const what = lines.length === 1 ? 'a changed setting' : `${lines.length} changed settings`
  return {
    text: `${spec}: the work passes its checks only with ${what} of a checker. Allow the change?`,
    detail: lines.map((line) => `- ${line}`).join('\n'),
  }
}

export function settingsRefused(lines: readonly string[]): string {
  return `these settings may not be changed, and were put back (${lines.join('; ')}); do without the change`
}
