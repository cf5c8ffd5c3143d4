/** Detects from a project's files how to set it up, build and test it. Runs nothing. */
import { join } from 'node:path'
import type { Finding } from './detect.ts'
import type { Machine } from './machine.ts'

export interface ProjectDetection extends Finding {
  /** The tool that runs the project, such as `pnpm` or `cargo`. */
  tool?: string
  /** The program that its commands start, and how to get it. */
  needs?: { program: string; fix: string }
  setup?: string
  build?: string
  test?: string
}

/** Returns a tool's commands for a folder, or nothing if the folder is not such a project. */
type Recognise = (project: Project) => Commands | undefined

interface Commands {
  tool: string
  /** The program that must be installed, and how to install it. */
  needs: string
  fix: string
  setup?: string
  build?: string
  test?: string
}

interface Project {
  has(file: string): boolean
  read(file: string): string | undefined
  files: readonly string[]
  list(folder: string): readonly string[]
  isInstalled(program: string): boolean
}

export function detectProject(machine: Machine, folder: string): ProjectDetection {
  const project: Project = {
    has: (file) => machine.exists(join(folder, file)),
    read: (file) => machine.read(join(folder, file)),
    files: machine.list(folder),
    list: (below) => machine.list(join(folder, below)),
    isInstalled: (program) => machine.find(program) !== undefined,
  }
  const found = recognisers.flatMap((recognise) => recognise(project) ?? [])
  // A repository may match several tools: prefer one with tests.
  const chosen = found.find((commands) => commands.test) ?? found[0]
  if (!chosen) {
    return {
      name: 'project',
      state: 'missing',
      detail: 'no set-up or test command found',
      fix: 'write build: {test: <command>} into convene.yaml',
    }
  }
  const { tool, needs, fix, setup, build, test } = chosen
  const commands = {
    tool,
    needs: { program: needs, fix },
    ...(setup && { setup }),
    ...(build && { build }),
    ...(test && { test }),
  }
  if (!needs.startsWith('./') && !machine.find(needs)) {
    return {
      name: 'project',
      state: 'broken',
      detail: `a ${tool} project, but ${needs} is not on the PATH`,
      fix,
      ...commands,
    }
  }
  if (!test) {
    return {
      name: 'project',
      state: 'missing',
      detail: `a ${tool} project without a test command`,
      fix: 'write build: {test: <command>} into convene.yaml',
      ...commands,
    }
  }
  return {
    name: 'project',
    state: 'ok',
    detail: `${tool}: ${[setup, build, test].filter(Boolean).join(' · ')}`,
    ...commands,
  }
}

const recognisers: Recognise[] = [node, cargo, go, python, maven, gradle, cabal, make, plainPython]

function node(project: Project): Commands | undefined {
  const { has, read } = project
  const manifest = parsedManifest(read('package.json'))
  if (!manifest) return undefined
  const tool = nodeTool(manifest, has)
  const { test, build } = manifest.scripts ?? {}
  const needsBuild = typeof build === 'string' && !buildsItself(tool, manifest, has)
  // `npm init` writes a test script that always fails.
  const hasTest = typeof test === 'string' && !/no test specified/.test(test)
  const inPackages = workspaceTest(tool, manifest, has)
  const start = nodeProgram(tool, manifest, project)
  const run = (words: string) => `${start}${words.slice(tool.length)}`
  return {
    tool,
    needs: start.split(' ')[0]!,
    fix: `npm install -g ${tool}`,
    setup: run(nodeSetup(tool, has, read)),
    build: needsBuild ? run(`${tool} run build`) : undefined,
    test: hasTest ? run(tool === 'bun' ? 'bun run test' : `${tool} test`) : inPackages && run(inPackages),
  }
}

/** Whether the test script runs the build script first, so that a build of its own would only repeat it. */
function buildsItself(tool: string, { packageManager, scripts }: Manifest, has: Project['has']): boolean {
  // Yarn from version 2 on and pnpm 7 run no `pretest`.
  const runsPretest =
    tool === 'yarn' ? !has('.yarnrc.yml') : !(typeof packageManager === 'string' && /^pnpm@7\b/.test(packageManager))
  const run = [runsPretest ? scripts?.pretest : undefined, scripts?.test].filter((one) => typeof one === 'string')
  return run.some((script) => script.split(/&&|;/).some((part) => runsBuild.test(part.trim())))
}

const runsBuild = /^(?:npm run(?:-script)?|(?:pnpm|yarn|bun)(?: run)?) build$/

/**
 * A package manager that is not on the PATH comes with Node (corepack) in the version that the project names, or from the
 * registry in the version that its lock file needs.
 */
function nodeProgram(tool: string, { packageManager }: Manifest, { isInstalled, read, has }: Project): string {
  if ((tool !== 'pnpm' && tool !== 'yarn') || isInstalled(tool)) return tool
  const named = typeof packageManager === 'string' ? /@([^+]+)/.exec(packageManager)?.[1] : undefined
  const hasNpx = isInstalled('npx')
  // Without a named version corepack takes the newest, which may not read the lock file.
  if (isInstalled('corepack') && (named !== undefined || !hasNpx)) return `corepack ${tool}`
  return hasNpx ? `npx --yes ${published(tool, named ?? versionByLock(tool, read, has))}` : tool
}

/** Yarn from version 2 on is published under another name. */
function published(tool: string, version: string): string {
  return tool === 'yarn' && !version.startsWith('1') ? `@yarnpkg/cli-dist@${version}` : `${tool}@${version}`
}

function versionByLock(tool: string, read: Project['read'], has: Project['has']): string {
  if (tool === 'yarn') return has('.yarnrc.yml') ? '4' : '1'
  const format = /^lockfileVersion:\s*['"]?(\d+)/m.exec(read('pnpm-lock.yaml') ?? '')?.[1]
  return format === '5' ? '7' : format === '6' ? '8' : '9'
}

/** A workspace without a test script of its own: the tests of its packages, also after one that fails. */
function workspaceTest(tool: string, { workspaces }: Manifest, has: Project['has']): string | undefined {
  if (tool === 'pnpm') return has('pnpm-workspace.yaml') ? 'pnpm -r --no-bail test' : undefined
  if (workspaces === undefined) return undefined
  if (tool === 'yarn') return has('.yarnrc.yml') ? 'yarn workspaces foreach -A run test' : 'yarn workspaces run test'
  return tool === 'npm' ? 'npm test --workspaces --if-present' : undefined
}

interface Manifest {
  workspaces?: unknown
  packageManager?: unknown
  scripts?: { pretest?: unknown; test?: unknown; build?: unknown }
}

function parsedManifest(text: string | undefined): Manifest | undefined {
  try {
    const value: unknown = JSON.parse(text ?? '')
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}

function nodeTool({ packageManager }: Manifest, has: Project['has']): string {
  const named = typeof packageManager === 'string' ? /^(npm|pnpm|yarn|bun)@/.exec(packageManager)?.[1] : undefined
  if (named) return named
  if (has('pnpm-lock.yaml')) return 'pnpm'
  if (has('yarn.lock')) return 'yarn'
  return has('bun.lock') || has('bun.lockb') ? 'bun' : 'npm'
}

/** A lock file that git ignores is in no clean checkout. Reads the patterns of the project's own folder. */
function isIgnored(file: string, read: Project['read']): boolean {
  const patterns = (read('.gitignore') ?? '').split(/\r?\n/).map((line) => line.trim().replace(/^\//, ''))
  const matches = (pattern: string) =>
    new RegExp(
      `^${pattern
        .split('*')
        .map((part) => RegExp.escape(part))
        .join('.*')}$`,
    ).test(file)
  return patterns.some((pattern) => pattern !== '' && !/[#!/]/.test(pattern) && matches(pattern))
}

function nodeSetup(tool: string, has: Project['has'], read: Project['read']): string {
  switch (tool) {
    case 'pnpm':
      return has('pnpm-lock.yaml') ? 'pnpm install --frozen-lockfile' : 'pnpm install'
    case 'yarn':
      return has('yarn.lock')
        ? has('.yarnrc.yml')
          ? 'yarn install --immutable'
          : 'yarn install --frozen-lockfile'
        : 'yarn install'
    case 'bun':
      return 'bun install'
    default:
      return has('npm-shrinkwrap.json') || (has('package-lock.json') && !isIgnored('package-lock.json', read))
        ? 'npm ci'
        : 'npm install'
  }
}

function cargo({ has }: Project): Commands | undefined {
  if (!has('Cargo.toml')) return undefined
  return {
    tool: 'cargo',
    needs: 'cargo',
    fix: 'curl -sSf https://sh.rustup.rs | sh',
    setup: 'cargo fetch',
    build: 'cargo build',
    test: 'cargo test',
  }
}

function go({ has }: Project): Commands | undefined {
  if (!has('go.mod')) return undefined
  return {
    tool: 'go',
    needs: 'go',
    fix: 'install Go from https://go.dev/dl',
    setup: 'go mod download',
    build: 'go build ./...',
    test: 'go test ./...',
  }
}

function python(project: Project): Commands | undefined {
  const { has, read } = project
  const manifest = read('pyproject.toml') ?? ''
  const requirements = ['requirements-dev.txt', 'dev-requirements.txt', 'requirements.txt'].filter(has)
  const marks = ['setup.py', 'setup.cfg', 'pytest.ini', 'tox.ini']
  if (!manifest && requirements.length === 0 && !marks.some(has)) return undefined
  if (has('uv.lock')) {
    return { tool: 'uv', needs: 'uv', fix: 'pip install uv', setup: 'uv sync', test: 'uv run pytest' }
  }
  if (has('poetry.lock') || /^\[tool\.poetry\]/m.test(manifest)) {
    return {
      tool: 'poetry',
      needs: 'poetry',
      fix: 'pip install poetry',
      setup: 'poetry install',
      test: 'poetry run pytest',
    }
  }
  const mentionsPytest = (file: string) => /pytest/.test(read(file) ?? '')
  const usesPytest =
    ['pyproject.toml', 'setup.cfg', 'tox.ini', ...requirements].some(mentionsPytest) ||
    ['pytest.ini', 'conftest.py', 'tests/conftest.py'].some(has)
  const isPackage = manifest !== '' || has('setup.py')
  const install = [
    ...requirements.map((file) => `-r ${file}`),
    ...(isPackage ? ['-e .'] : []),
    // A manifest may only configure pytest, or list it as an optional extra.
    ...(usesPytest && !requirements.some(mentionsPytest) ? ['pytest'] : []),
  ]
  const program = install.length > 0 ? '.venv/bin/python' : 'python3'
  const test = usesPytest ? 'pytest' : discovery(project)
  return {
    ...pythonProgram,
    setup: install.length > 0 ? `python3 -m venv .venv && .venv/bin/pip install ${install.join(' ')}` : undefined,
    test: test && `${program} -m ${test}`,
  }
}

/** Scripts with tests but no configuration. A Makefile takes precedence. */
function plainPython(project: Project): Commands | undefined {
  const test = discovery(project)
  return test === undefined ? undefined : { ...pythonProgram, test: `python3 -m ${test}` }
}

const pythonProgram = {
  tool: 'python',
  needs: 'python3',
  fix: 'install Python 3 from https://www.python.org/downloads',
}

/** Without a folder, unittest searches only folders that are packages. */
function discovery({ has, list, files }: Project): string | undefined {
  const isTest = (file: string) => /^test.*\.py$/.test(file)
  const folder = ['tests', 'test'].find((each) => list(each).some(isTest))
  if (folder) return `unittest discover -s ${folder}${has(`${folder}/__init__.py`) ? ' -t .' : ''}`
  return files.some(isTest) ? 'unittest discover' : undefined
}

/** Tests run without a network, and Maven fetches the test runner on the first run: so the set-up runs the tests once. */
function maven({ has }: Project): Commands | undefined {
  if (!has('pom.xml')) return undefined
  const command = has('mvnw') ? './mvnw' : 'mvn'
  return {
    tool: 'maven',
    needs: command,
    fix: 'install Maven from https://maven.apache.org/install.html',
    setup: `${command} -B -q -Dmaven.test.failure.ignore=true dependency:go-offline test`,
    build: `${command} -B -q -DskipTests package`,
    test: `${command} -B test`,
  }
}

function gradle({ has }: Project): Commands | undefined {
  const isGradle = ['build.gradle', 'build.gradle.kts', 'settings.gradle', 'settings.gradle.kts'].some(has)
  if (!isGradle) return undefined
  const command = has('gradlew') ? './gradlew' : 'gradle'
  return {
    tool: 'gradle',
    needs: command,
    fix: 'install Gradle from https://gradle.org/install',
    setup: `${command} assemble testClasses && { ${command} test || true; }`,
    build: `${command} assemble`,
    test: `${command} test`,
  }
}

function cabal({ has, files }: Project): Commands | undefined {
  const ghcup = 'install GHC and cabal from https://www.haskell.org/ghcup'
  if (has('stack.yaml'))
    return {
      tool: 'stack',
      needs: 'stack',
      fix: ghcup,
      setup: 'stack build --test --only-dependencies',
      build: 'stack build',
      test: 'stack test',
    }
  if (!files.some((file) => file === 'cabal.project' || file.endsWith('.cabal'))) return undefined
  return {
    tool: 'cabal',
    needs: 'cabal',
    fix: ghcup,
    setup: 'cabal update && cabal build all --enable-tests --only-dependencies',
    build: 'cabal build all',
    test: 'cabal test all',
  }
}

function make({ has, read }: Project): Commands | undefined {
  const file = ['Makefile', 'makefile', 'GNUmakefile'].find(has)
  if (!file) return undefined
  const text = read(file) ?? ''
  const target = (name: string) => (new RegExp(`^${name}\\s*:(?!=)`, 'm').test(text) ? `make ${name}` : undefined)
  return {
    tool: 'make',
    needs: 'make',
    fix: 'install make',
    setup: target('setup') ?? target('deps') ?? target('install-deps'),
    build: target('build') ?? target('all'),
    test: target('test') ?? target('check'),
  }
}
