/** What changed manifests and lock files would install or run that the base does not. SPEC.md § TR3. */

export interface ManifestChange {
  path: string
  /** Absent where there is no such file. */
  before?: string | undefined
  after?: string | undefined
}

export interface DependencyChanges {
  /** New or changed dependencies, each in a line: `left-pad ^1.3.0 (package.json)`. */
  dependencies: string[]
  /** Changed settings of package managers: they decide where packages come from and what runs them. */
  settings: string[]
  /** Manifests whose scripts around an installation changed; these never run with the network on. */
  scripts: string[]
}

export const dependencyPolicies = ['ask', 'allow', 'refuse'] as const

/** Scripts that a package manager runs by itself around an installation. */
const installScripts = [
  'preinstall',
  'install',
  'postinstall',
  'preprepare',
  'prepare',
  'postprepare',
  'prepublish',
  'dependencies',
]

const packageGroups = [
  'dependencies',
  'devDependencies',
  'optionalDependencies',
  'peerDependencies',
  'overrides',
  'resolutions',
  'bundledDependencies',
  'bundleDependencies',
  'workspaces',
  'packageManager',
  'require',
  'require-dev',
  'repositories',
  'imports',
]

const settingsName =
  /^(?:\.npmrc|\.yarnrc.*|\.pnpmfile\..*|pnpm-workspace\.yaml|rust-toolchain.*|gradle-wrapper\.properties|gradle\.properties|setup\.py|conanfile\..*)$/

/**
 * What nobody was asked about yet: `changed` since the work began and also since each of the `others`, commits whose own
 * changes were asked about (a branch that the node was rebased onto), without the lines that are allowed.
 */
export function unaskedChanges(
  changed: DependencyChanges,
  others: readonly DependencyChanges[],
  allowed: ReadonlySet<string>,
): DependencyChanges {
  const isNew = (kind: 'dependencies' | 'settings') => (line: string) =>
    !allowed.has(line) && others.every((other) => other[kind].includes(line))
  return {
    dependencies: changed.dependencies.filter(isNew('dependencies')),
    settings: changed.settings.filter(isNew('settings')),
    scripts: changed.scripts,
  }
}

/** `changes` are manifests and lock files alone. */
export function dependencyChanges(changes: readonly ManifestChange[]): DependencyChanges {
  const found: DependencyChanges = { dependencies: [], settings: [], scripts: [] }
  for (const { path, before = '', after = '' } of changes) {
    const name = path.slice(path.lastIndexOf('/') + 1)
    if (settingsName.test(name)) {
      if (after.trim() !== before.trim()) found.settings.push(path)
      continue
    }
    const [old, now] = [entriesOf(name, before), entriesOf(name, after)]
    for (const entry of now) if (!old.has(entry)) found.dependencies.push(`${entry} (${path})`)
    if (name === 'package.json' && scriptsOf(before) !== scriptsOf(after)) found.scripts.push(path)
  }
  return found
}

export function asksAboutDependencies({ dependencies, settings }: DependencyChanges): boolean {
  return dependencies.length + settings.length > 0
}

/** One text for one set of changes, so that a person is asked once about it. */
export function dependencyQuestion({ dependencies, settings }: DependencyChanges): { text: string; detail: string } {
  const parts = [
    ...(dependencies.length > 0
      ? [`${dependencies.length} new or changed ${dependencies.length === 1 ? 'dependency' : 'dependencies'}`]
      : []),
    ...(settings.length > 0 ? ['changed settings of a package manager'] : []),
  ]
  const lines = [...dependencies, ...settings].map((line) => `- ${line}`)
  const shown =
    lines.length > mostShown ? [...lines.slice(0, mostShown), `- … and ${lines.length - mostShown} more`] : lines
  return { text: `The work brings ${parts.join(' and ')}. Install and run it?`, detail: shown.join('\n') }
}

const mostShown = 100

export const dependenciesRefused = (changes: DependencyChanges): string =>
  `new dependencies are not allowed here; do without them:\n${dependencyQuestion(changes).detail}`

function entriesOf(name: string, text: string): Set<string> {
  if (text.trim() === '') return new Set()
  if (/^(?:package|composer|deno|vcpkg)\.jsonc?$/.test(name)) return jsonEntries(text)
  if (name === 'package-lock.json' || name === 'npm-shrinkwrap.json') return lockEntries(text)
  if (name === 'pyproject.toml') return new Set(pythonLines(text))
  if (/^(?:Cargo\.toml|Pipfile)$/.test(name))
    return new Set(tableLines(text, /dependencies|packages|patch|replace|source/))
  return new Set(plainLines(text))
}

function jsonEntries(text: string): Set<string> {
  const whole = parsed(text)
  if (whole === null) return new Set([`a manifest that cannot be read: ${text.slice(0, 80)}`])
  const entries = packageGroups.flatMap((group) => {
    const value = whole[group]
    if (typeof value !== 'object' || value === null) return value === undefined ? [] : [`${group} ${String(value)}`]
    return Object.entries(value).map(([key, version]) =>
      Array.isArray(value)
        ? `${group} ${JSON.stringify(version)}`
        : `${key} ${typeof version === 'string' ? version : JSON.stringify(version)}`,
    )
  })
  return new Set(entries)
}

/** Packages with version, source and hash: a lock file alone can replace a package by another. */
function lockEntries(text: string): Set<string> {
  const whole = parsed(text)
  if (whole === null) return new Set([`a lock file that cannot be read: ${text.slice(0, 80)}`])
  const packages = (whole.packages ?? whole.dependencies ?? {}) as Record<string, Record<string, unknown>>
  return new Set(
    Object.entries(packages).flatMap(([place, about]) => {
      if (place === '' || typeof about !== 'object' || about === null) return []
      const { version = '', resolved = '', integrity = '' } = about
      const script = about.hasInstallScript === true ? ', runs an install script' : ''
      return [`${place.replace(/^.*node_modules\//, '')} ${version} from ${resolved} ${integrity}${script}`]
    }),
  )
}

function parsed(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null
  } catch {
    return null
  }
}

function plainLines(text: string): string[] {
  return text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !/^(?:#|\/\/|;)/.test(line))
}

function tableLines(text: string, wanted: RegExp): string[] {
  let inside = false
  return plainLines(text).filter((line) => {
    const header = /^\[\[?\s*([^\]]+?)\s*\]/.exec(line)?.[1]
    if (header !== undefined) {
      inside = wanted.test(header)
      return inside && /\.(?:dependencies|dev-dependencies|build-dependencies)\./.test(header)
    }
    return inside
  })
}

/** The lists of requirements of a Python project, and the tables that other tools keep theirs in. */
function pythonLines(text: string): string[] {
  let table = ''
  let isList = false
  return plainLines(text).filter((line) => {
    const header = /^\[\[?\s*([^\]]+?)\s*\]\]?$/.exec(line)?.[1]
    if (header !== undefined) {
      table = header
      isList = false
      return false
    }
    if (/dependenc|build-system|sources?\b|index/.test(table)) return true
    if (table !== 'project') return false
    if (/^(?:dependencies|optional-dependencies)\s*=/.test(line)) isList = true
    const wanted = isList
    if (isList && /\]\s*$/.test(line)) isList = false
    return wanted && !/^(?:dependencies\s*=\s*\[|\])$/.test(line)
  })
}

function scriptsOf(text: string): string {
  const scripts = parsed(text)?.scripts
  if (typeof scripts !== 'object' || scripts === null) return ''
  return JSON.stringify(installScripts.map((name) => (scripts as Record<string, unknown>)[name] ?? null))
}
