/** Paths that execute or instruct: a change to one of them affects everyone who merges it. SPEC.md § TR2. */
import { executedParts } from './executed-parts.ts'

export const sensitiveKinds = {
  hook: 'runs when git does something',
  ci: 'runs in continuous integration',
  editor: 'runs or configures programs when the folder is opened',
  shell: 'changes the environment when the folder is entered',
  packages: 'runs or configures programs when packages are installed',
  agents: 'instructs coding agents',
  runner: 'runs or configures programs when tests are run',
  scripts: 'changes scripts or hooks in a manifest',
} as const

export type SensitiveKind = keyof typeof sensitiveKinds

export interface SensitiveChange {
  path: string
  kind: SensitiveKind
}

export interface FileChange {
  path: string
  /** The text on either side, for manifests; absent where there is no such file. */
  before?: string | undefined
  after?: string | undefined
}

/**
 * Patterns of whole paths, in lower case, because some file systems ignore case. `**` at the start means any folder; a
 * slash at the end, everything below.
 */
const table: Record<Exclude<SensitiveKind, 'scripts' | 'runner'>, readonly string[]> = {
  hook: [
    '**/.git/',
    '**/.husky/',
    '**/.githooks/',
    '**/.git-hooks/',
    '**/git-hooks/',
    '**/.hooks/',
    '**/.lefthook/',
    '**/.lefthook-local/',
    '**/.lefthook*',
    '**/lefthook*.y*ml',
    '**/lefthook*.toml',
    '**/lefthook*.json',
    '**/.pre-commit-config.y*ml',
    '**/.pre-commit-hooks.y*ml',
    '**/.overcommit.yml',
    '**/.huskyrc*',
    '**/husky.config.*',
    '**/.simple-git-hooks.*',
    '**/simple-git-hooks.*',
    '**/.lintstagedrc*',
    '**/lint-staged.config.*',
    '**/commitlint.config.*',
    '**/captainhook.json',
    '**/grumphp.yml*',
    '**/.gitattributes',
    '**/.gitmodules',
    '**/.gitconfig',
    '**/.lfsconfig',
  ],
  ci: [
    '.github/workflows/',
    '.github/actions/',
    '.github/dependabot.y*ml',
    '.github/renovate.json*',
    '**/renovate.json*',
    '**/.renovaterc*',
    '**/action.y*ml',
    '.gitea/',
    '.forgejo/',
    '.gitlab-ci.y*ml',
    '.gitlab/',
    '.circleci/',
    '.travis.y*ml',
    '**/appveyor.y*ml',
    '**/.appveyor.y*ml',
    '**/azure-pipelines*.y*ml',
    '.azure-pipelines/',
    '**/jenkinsfile*',
    'bitbucket-pipelines.y*ml',
    '.drone.y*ml',
    '.drone.star',
    '.woodpecker*',
    '.woodpecker/',
    '.buildkite/',
    '.teamcity/',
    '.semaphore/',
    '.cirrus.*',
    '**/cloudbuild.y*ml',
    '**/cloudbuild.json',
    '**/buildspec*.y*ml',
    'wercker.y*ml',
    'codefresh.y*ml',
    '**/netlify.toml',
    '**/vercel.json',
    '**/render.y*ml',
    '.ci/',
    '.builds/',
    '.build.yml',
  ],
  editor: [
    '**/.vscode/',
    '**/.idea/',
    '**/.fleet/',
    '**/.zed/',
    '**/.devcontainer/',
    '**/.devcontainer.json',
    '**/*.code-workspace',
    '**/*.sublime-project',
    '**/.dir-locals.el',
    '**/.dir-locals-2.el',
    '**/.exrc',
    '**/.nvimrc',
    '**/.nvim.lua',
    '**/.vimrc',
    '**/.lvimrc',
    '**/.gdbinit',
    '**/.lldbinit',
    '**/.replit',
    '**/.vim/',
    '**/.helix/',
    '**/.lazy.lua',
    '**/.run/',
    // An editor with the linter's extension runs it.
    '**/eslint.config.*',
    '**/.eslintrc.js',
    '**/.eslintrc.cjs',
    '**/prettier.config.*',
    '**/.prettierrc.*js',
    '**/.prettierrc.*ts',
    '**/.pylintrc',
    '**/pylintrc',
    '.gitpod.y*ml',
    '.gitpod.dockerfile',
    '.vs/',
  ],
  shell: [
    '**/.envrc',
    '**/.env',
    '**/.env.local',
    '**/.env.development',
    '**/.env.production',
    '**/.env.test',
    '**/.autoenv*',
    '**/.in',
    '**/.bashrc',
    '**/.bash_profile',
    '**/.profile',
    '**/.zshrc',
    '**/.zshenv',
    '**/.mise.toml',
    '**/mise.toml',
    '**/.mise/',
    '**/.config/mise*',
    '**/.config/mise/',
    '**/devbox.json',
    '**/flake.nix',
    '**/shell.nix',
    '**/default.nix',
    '**/devenv.nix',
    // Run by an interpreter that is started in the folder.
    '**/.rprofile',
    '**/.irbrc',
    '**/.pryrc',
    '**/.ghci',
    '**/.pdbrc',
    '**/.iex.exs',
    '**/.ocamlinit',
  ],
  packages: [
    '**/.npmrc',
    '**/.yarnrc*',
    '**/.yarn/',
    '**/.pnp.*',
    '**/.pnpmfile.*',
    '**/pnpmfile.*',
    '**/bunfig.toml',
    '**/binding.gyp',
    '**/setup.py',
    '**/pip.conf',
    '**/.pip/',
    '**/.pypirc',
    '**/.condarc',
    '**/.cargo/',
    '**/build.rs',
    '**/.bundle/',
    '**/.gemrc',
    '**/extconf.rb',
    '**/nuget.config',
    '**/.mvn/',
    '**/mvnw*',
    '**/gradlew*',
    '**/gradle/wrapper/',
    '**/init.gradle*',
    '**/directory.build.props',
    '**/directory.build.targets',
    '**/conanfile.py',
    '**/.bazelrc',
  ],
  agents: [
    '**/claude.md',
    '**/claude.local.md',
    '**/agents.md',
    '**/agent.md',
    '**/agents.override.md',
    '**/gemini.md',
    '**/qwen.md',
    '**/warp.md',
    '**/crush.md',
    '**/skill.md',
    '**/.claude/',
    '**/.claude-plugin/',
    '**/.agents/',
    '**/.codex/',
    '**/.gemini/',
    '**/.qwen/',
    '**/.opencode/',
    '**/opencode.json*',
    '**/.cursor/',
    '**/.cursorrules',
    '**/.windsurf/',
    '**/.windsurfrules',
    '**/.clinerules',
    '**/.clinerules/',
    '**/.roo/',
    '**/.roorules*',
    '**/.kiro/',
    '**/.junie/',
    '**/.amazonq/',
    '**/.continue/',
    '**/.trae/',
    '**/.augment/',
    '**/.augment-guidelines',
    '**/.warp/',
    '**/.crush/',
    '**/.crush.json',
    '**/crush.json',
    '**/.goosehints',
    '**/.aider*',
    '**/.mcp.json',
    '**/mcp.json',
    '.github/copilot-instructions.md',
    '.github/instructions/',
    '.github/prompts/',
    '.github/agents/',
    '.github/chatmodes/',
    '**/convene.yaml',
    '**/.convene/',
  ],
}

/** Settings of test runners, and files that they load by themselves. */
const runnerSettings: readonly string[] = [
  '**/vitest.*',
  '**/vite.config.*',
  '**/jest.*',
  '**/jest-*.config.*',
  '**/.mocharc*',
  '**/mocha.opts',
  '**/ava.config.*',
  '**/.taprc',
  '**/.tap/',
  '**/karma.conf.*',
  '**/playwright.config.*',
  '**/cypress.config.*',
  '**/jasmine.json',
  '**/jasmine.mjs',
  '**/web-test-runner.config.*',
  '**/wtr.config.*',
  '**/uvu.config.*',
  '**/.nycrc*',
  '**/.c8rc*',
  '**/babel.config.*',
  '**/.babelrc*',
  '**/.swcrc',
  '**/pytest.ini',
  '**/.pytest.ini',
  '**/pytest.toml',
  '**/.pytest.toml',
  '**/tox.ini',
  '**/noxfile.py',
  '**/conftest.py',
  '**/.coveragerc',
  '**/sitecustomize.py',
  '**/usercustomize.py',
  '**/*.pth',
  '**/phpunit.xml*',
  '**/.rspec',
]

const byKind = Object.entries({ ...table, runner: runnerSettings }).map(
  ([kind, patterns]) => [kind as SensitiveKind, anyOf(patterns)] as const,
)
const runnerPattern = anyOf(runnerSettings)

/** Sensitive changes in the order given, each once. Manifests count only where their scripts or hooks change. */
export function sensitiveChanges(changes: readonly FileChange[]): SensitiveChange[] {
  return changes.flatMap((change) => {
    const kind = sensitiveKind(change)
    return kind === null ? [] : [{ path: change.path, kind }]
  })
}

/** Whether a path belongs to the settings of a test runner (TR7). */
export function isRunnerSetting(path: string): boolean {
  return runnerPattern.test(path.toLowerCase())
}

/** Manifests whose text decides; the others are judged by their path alone. */
export function isManifestWithScripts(path: string): boolean {
  return executedParts(path, '') !== null
}

function sensitiveKind({ path, before, after }: FileChange): SensitiveKind | null {
  const lower = path.toLowerCase()
  for (const [kind, pattern] of byKind) if (pattern.test(lower)) return kind
  if (!isManifestWithScripts(path)) return null
  return executedParts(path, before ?? '') === executedParts(path, after ?? '') ? null : 'scripts'
}

/** One expression for all: every file of a change is compared with each of them, several times in a build. */
function anyOf(patterns: readonly string[]): RegExp {
  return new RegExp(patterns.map(sourceOf).join('|'), 's')
}

function sourceOf(pattern: string): string {
  const inAnyFolder = pattern.startsWith('**/')
  const below = pattern.endsWith('/')
  const body = pattern
    .slice(inAnyFolder ? 3 : 0, below ? -1 : undefined)
    .replace(/[.+?^${}()|[\]\\]/g, '\\$&')
    .replaceAll('*', '[^/]*')
  return `${inAnyFolder ? '(?:^|/)' : '^'}${body}${below ? '/.' : '$'}`
}
