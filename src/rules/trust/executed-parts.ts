/** The parts of a manifest that a tool executes, in a form that can be compared. SPEC.md § TR2. */

/** Keys of package.json that run something or configure what runs. */
const packageKeys = [
  'scripts',
  'husky',
  'lint-staged',
  'simple-git-hooks',
  'pre-commit',
  'pre-push',
  'gitHooks',
  'lefthook',
  'jest',
  'vitest',
  'mocha',
  'ava',
  'tap',
  'nyc',
  'c8',
  'babel',
  'packageManager',
  'gypfile',
  'pnpm',
  'imports',
]

const pythonTables =
  /^(?:build-system|tool\.(?:pytest|tox|nox|hatch|pdm\.scripts|poe|taskipy|coverage|setuptools|poetry\.scripts|poetry\.build|pixi\.tasks|uv)\b)/
const cargoTables = /^(?:package|build-dependencies|target)\b/

/** Null if the file is no manifest with such parts. Text that cannot be read counts as a whole. */
export function executedParts(path: string, text: string): string | null {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase()
  switch (name) {
    case 'package.json':
      return jsonParts(text, packageKeys)
    case 'composer.json':
      return jsonParts(text, ['scripts', 'config', 'extra'])
    case 'deno.json':
    case 'deno.jsonc':
      return jsonParts(text, ['tasks', 'imports', 'importMap'])
    case 'pyproject.toml':
      return tables(text, pythonTables)
    case 'setup.cfg':
      return tables(text, /^(?:tool:pytest|pytest|options\.entry_points|aliases|flake8:local-plugins)/)
    case 'cargo.toml':
      return tables(text, cargoTables).replace(/^(?!build\b|links\b).*$/gm, '')
    default:
      return null
  }
}

function jsonParts(text: string, keys: readonly string[]): string {
  if (text.trim() === '') return '{}'
  try {
    const whole: unknown = JSON.parse(text)
    if (typeof whole !== 'object' || whole === null || Array.isArray(whole)) return text
    const parts = keys.filter((key) => Object.hasOwn(whole, key))
    return JSON.stringify(Object.fromEntries(parts.map((key) => [key, (whole as Record<string, unknown>)[key]])))
  } catch {
    return text
  }
}

/** The lines of the tables whose names match, without comments and blank lines. */
function tables(text: string, wanted: RegExp): string {
  let inside = false
  return text
    .split(/\r?\n/)
    .filter((line) => {
      const header = /^\s*\[\[?\s*([^\]]+?)\s*\]/.exec(line)?.[1]
      if (header !== undefined) inside = wanted.test(header.replaceAll(/["']/g, ''))
      return inside && line.trim() !== '' && !/^\s*[#;]/.test(line)
    })
    .join('\n')
}
