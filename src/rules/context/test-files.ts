/** Which files are tests, by the conventions of the runners that a project uses. SPEC.md § RD14. */

/** Conventions by runner, as their documentation gives them. A runner that takes any file by argument is listed by its usual names. */
const conventions: Readonly<Record<string, readonly RegExp[]>> = {
  vitest: [/\.(?:test|spec)\.[cm]?[jt]sx?$/],
  jest: [/(?:^|\/)__tests__\/.*\.[cm]?[jt]sx?$/, /(?:^|[./])(?:test|spec)\.[cm]?[jt]sx?$/],
  mocha: [/(?:^|\/)tests?\/(?!(?:fixtures?|helpers?|support)\/).*\.[cm]?[jt]sx?$/, /\.(?:test|spec)\.[cm]?[jt]sx?$/],
  ava: [
    /(?:^|\/)(?:src\/|source\/)?test\.[cm]?[jt]s$/,
    /(?:^|\/)test-[^/]*\.[cm]?[jt]s$/,
    /\.(?:test|spec)\.[cm]?[jt]s$/,
    /(?:^|\/)(?:tests?|__tests__)\/(?!(?:.*\/)?(?:__)?(?:helper|fixture)s?(?:__)?\/)(?:.*\/)?[^_/][^/]*\.[cm]?[jt]s$/,
  ],
  'node:test': [
    /(?:^|\/)tests?\/(?!fixtures?\/).*\.[cm]?[jt]s$/,
    /(?:^|[./_-])test\.[cm]?[jt]s$/,
    /(?:^|\/)test-[^/]*\.[cm]?[jt]s$/,
  ],
  tap: [/(?:^|\/)(?:tests?|__tests__)\/(?!fixtures?\/).*\.[cm]?[jt]sx?$/, /(?:^|[./])(?:test|spec)\.[cm]?[jt]sx?$/],
  tape: [/(?:^|\/)tests?\/(?!fixtures?\/).*\.[cm]?[jt]s$/, /(?:^|[./])test\.[cm]?[jt]s$/],
  uvu: [/(?:^|\/)tests?\/(?!fixtures?\/).*\.[cm]?[jt]s$/, /(?:^|[./])(?:test|spec)\.[cm]?[jt]s$/],
  jasmine: [/(?:^|\/)spec\/.*[sS]pec\.[cm]?[jt]s$/],
  playwright: [/\.(?:test|spec)\.[cm]?[jt]sx?$/],
  bun: [/[._](?:test|spec)\.[cm]?[jt]sx?$/],
  deno: [/(?:^|[./_])test\.[cm]?[jt]sx?$/],
  pytest: [/(?:^|\/)test_[^/]*\.py$/, /_test\.py$/],
  unittest: [/(?:^|\/)test[^/]*\.py$/],
  go: [/_test\.go$/],
  cargo: [/(?:^|\/)tests\/[^/]+\.rs$/],
  junit: [/(?:^|\/)src\/test\/.*\.(?:java|kt)$/],
  rspec: [/_spec\.rb$/],
  minitest: [/(?:^|\/)test\/.*(?:_test|\/test_[^/]*)\.rb$/],
  phpunit: [/Test\.php$/],
  exunit: [/_test\.exs$/],
}

/** Names that say by themselves that a file is a test, for projects whose runner is unknown. */
const plainNames = [/\.(?:test|spec)\.[cm]?[jt]sx?$/]

/** Each of these packages is a runner by itself. */
const runnerPackages: Readonly<Record<string, string>> = {
  vitest: 'vitest',
  jest: 'jest',
  mocha: 'mocha',
  ava: 'ava',
  tap: 'tap',
  tape: 'tape',
  uvu: 'uvu',
  jasmine: 'jasmine',
  '@playwright/test': 'playwright',
}

export interface PackageManifest {
  scripts?: Readonly<Record<string, unknown>>
  dependencies?: Readonly<Record<string, unknown>>
  devDependencies?: Readonly<Record<string, unknown>>
}

/** The test runners of a project, from its manifests, its test command and the names of its files. */
export function testRunners(
  manifests: readonly PackageManifest[],
  paths: readonly string[],
  testCommand = '',
): string[] {
  const found = new Set<string>()
  const commands = [testCommand]
  for (const { scripts, dependencies, devDependencies } of manifests) {
    for (const name of Object.keys({ ...dependencies, ...devDependencies }))
      if (Object.hasOwn(runnerPackages, name)) found.add(runnerPackages[name]!)
    commands.push(...Object.values(scripts ?? {}).filter((script) => typeof script === 'string'))
  }
  for (const command of commands) {
    if (/\bnode\b[^&|;]*\s--test\b/.test(command)) found.add('node:test')
    if (/\bbun test\b/.test(command)) found.add('bun')
    if (/\bdeno test\b/.test(command)) found.add('deno')
    if (/\bpytest\b/.test(command)) found.add('pytest')
    if (/\bunittest\b/.test(command)) found.add('unittest')
    for (const [name, runner] of Object.entries(runnerPackages))
      if (new RegExp(`(?:^|[\\s/])${name.replace('@playwright/test', 'playwright test')}(?![\\w/-])`).test(command))
        found.add(runner)
  }
  const has = (pattern: RegExp) => paths.some((path) => pattern.test(path))
  if (has(/(?:^|\/)(?:pytest\.ini|conftest\.py)$/)) found.add('pytest')
  else if (!found.has('pytest') && !found.has('unittest') && has(/\.py$/)) found.add('pytest')
  if (has(/(?:^|\/)go\.mod$/)) found.add('go')
  if (has(/(?:^|\/)Cargo\.toml$/)) found.add('cargo')
  if (has(/(?:^|\/)(?:pom\.xml|build\.gradle(?:\.kts)?)$/)) found.add('junit')
  if (has(/_spec\.rb$/)) found.add('rspec')
  if (has(/(?:^|\/)test\/.*_test\.rb$/)) found.add('minitest')
  if (has(/(?:^|\/)phpunit\.xml(?:\.dist)?$/)) found.add('phpunit')
  if (has(/(?:^|\/)mix\.exs$/)) found.add('exunit')
  return [...found].sort()
}

export function isTestFile(path: string, runners: readonly string[]): boolean {
  if (/(?:^|\/)(?:node_modules|vendor)\//.test(path)) return false
  const named = runners.flatMap((runner) => (Object.hasOwn(conventions, runner) ? conventions[runner]! : []))
  return [...named, ...plainNames].some((pattern) => pattern.test(path))
}
