/** The parts of a manifest that a tool executes, in a form that can be compared. SPEC.md § TR2. */
import { type ManifestParts, partsIn } from './manifest-parts.ts'

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

const executed: ManifestParts = {
  'package.json': packageKeys,
  'composer.json': ['scripts', 'config', 'extra'],
  'deno.json': ['tasks', 'imports', 'importMap'],
  'deno.jsonc': ['tasks', 'imports', 'importMap'],
  'pyproject.toml':
    /^(?:build-system|tool\.(?:pytest|tox|nox|hatch|pdm\.scripts|poe|taskipy|coverage|setuptools|poetry\.scripts|poetry\.build|pixi\.tasks|uv)\b)/,
  'setup.cfg': /^(?:tool:pytest|pytest|options\.entry_points|aliases|flake8:local-plugins)/,
  'cargo.toml': /^(?:package|build-dependencies|target)\b/,
}

/** Null if the file is no manifest with such parts. Text that cannot be read counts as a whole. */
export function executedParts(path: string, text: string): string | null {
  const parts = partsIn(path, text, executed)
  return /(?:^|\/)cargo\.toml$/i.test(path) ? parts!.replace(/^(?!build\b|links\b).*$/gm, '') : parts
}
