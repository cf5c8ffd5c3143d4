/** Gathers facts about a repository without a model: from the files of its last commit, and from recent history. */
import { extname } from 'node:path'
import { detectProject } from '../agents/detect/detect-project.ts'
import { thisMachine } from '../agents/detect/machine.ts'
import { faultOf } from '../kernel/runs/patient-run.ts'
import { fileRole } from '../rules/context/file-role.ts'
import { knowledgeFiles, projectDescription, projectRules } from '../rules/context/project-rules.ts'
import { isTestFile, testRunners } from '../rules/context/test-files.ts'
import { cutAtBoundary } from '../rules/text/cut-at-boundary.ts'
import { lowerHeadings } from '../rules/text/markdown-sections.ts'
import { runGit } from '../workspace/git/git.ts'
import { hasGitFolder } from '../workspace/git/has-git-folder.ts'
import { Repository } from '../workspace/git/repository.ts'
import { changesBefore, recentCommits } from '../workspace/source/changes-before.ts'
import { TreeFiles } from '../workspace/source/tree-files.ts'

export interface ProjectFacts {
  /** False without a repository; the other facts are then unknown. */
  repository: boolean
  /** The first paragraph of its readme. */
  about?: string
  files: number
  /** By number of files, most frequent first. */
  languages: { name: string; files: number }[]
  layout: { folder: string; files: number }[]
  dependencies: { manifest: string; names: string[] }[]
  commands: { tool?: string; setup?: string; build?: string; test?: string }
  /** Of package.json, by name. */
  scripts?: Record<string, string>
  testFiles: number
  /** By whose conventions files count as tests. */
  testRunners?: string[]
  testExamples?: string[]
  /** Files changed most often recently, of those that still exist. */
  hotFiles: { path: string; changes: number }[]
  /** Rules for contributors. */
  conventions: { file: string; text: string }[]
}

const languages: Record<string, string> = {
  '.ts': 'TypeScript',
  '.tsx': 'TypeScript',
  '.mts': 'TypeScript',
  '.cts': 'TypeScript',
  '.js': 'JavaScript',
  '.mjs': 'JavaScript',
  '.cjs': 'JavaScript',
  '.jsx': 'JavaScript',
  '.py': 'Python',
  '.go': 'Go',
  '.rs': 'Rust',
  '.java': 'Java',
  '.kt': 'Kotlin',
  '.rb': 'Ruby',
  '.php': 'PHP',
  '.cs': 'C#',
  '.c': 'C',
  '.cpp': 'C++',
  '.swift': 'Swift',
  '.hs': 'Haskell',
  '.ex': 'Elixir',
  '.sql': 'SQL',
  '.css': 'CSS',
  '.html': 'HTML',
}

const manifests = ['requirements.txt', 'Cargo.toml', 'go.mod', 'pyproject.toml', 'Gemfile'] as const
/** Of each file with rules for contributors. */
const longestRules = 4000

/** Commands of the configuration. */
export type ConfiguredCommands = Pick<ProjectFacts['commands'], 'setup' | 'build' | 'test'>

/** A command that is configured is the fact; the others are detected. */
export async function gatherFacts(
  folder: string,
  env: NodeJS.ProcessEnv,
  configured: ConfiguredCommands = {},
): Promise<ProjectFacts> {
  const detected = detectProject(thisMachine(env), folder)
  const tool = Object.values(configured).some(Boolean) ? undefined : detected.tool
  const setup = configured.setup ?? detected.setup
  const build = configured.build ?? detected.build
  const test = configured.test ?? detected.test
  const commands = definedOf({ tool, setup, build, test })
  const repository = await Repository.open(folder).catch((error) => {
    // TR10: a plan must not be made as if there were no code, just because git cannot read it now.
    if (hasGitFolder(folder) && faultOf(error) !== null) throw error
    return null
  })
  if (!repository) return { ...nothing, commands }
  const commit = await repository.head()
  const tree = await repository.folderOf(commit).catch(() => null)
  if (tree === null) return { ...nothing, repository: true, commands }
  const [files, changes] = await Promise.all([
    TreeFiles.read(repository.root, tree, (hash) => repository.readObject(hash)),
    changesBefore(repository, commit),
  ])
  const read = (path: string) =>
    files.text(path).then(
      ({ text }) => text,
      () => undefined,
    )
  const paths = files.files.map(({ path }) => path)
  const manifest = parsed(await read('package.json'))
  const known = new Set(paths)
  const knowledge = await Promise.all(
    knowledgeFiles.filter((file) => known.has(file)).map(async (name) => ({ name, text: (await read(name)) ?? '' })),
  )
  const about = projectDescription(knowledge)
  const runners = testRunners(manifest ? [manifest] : [], paths, test)
  const tests = paths.filter((path) => isTestFile(path, runners))
  return {
    repository: true,
    ...(about === '' ? {} : { about }),
    files: paths.length,
    languages: counted(paths.flatMap((path) => languages[extname(path).toLowerCase()] ?? [])).slice(0, 8),
    layout: counted(paths.filter((path) => path.includes('/')).map((path) => path.split('/')[0]!))
      .slice(0, 15)
      .map(({ name, files: count }) => ({ folder: name, files: count })),
    dependencies: await dependenciesIn(manifest, read),
    commands,
    ...(manifest?.scripts ? { scripts: textsIn(manifest.scripts) } : {}),
    testFiles: tests.length,
    testRunners: runners,
    testExamples: tests.slice(0, 3),
    hotFiles: hotFiles(changes, known),
    conventions: projectRules(knowledge).map(({ name, text }) => {
      return { file: name, text: cutAtBoundary(text, longestRules, `… (cut; ${name} has more)`) }
    }),
  }
}

/** RK4: the code files of the last commit that are no tests; empty without a repository. */
export async function sourceFiles(
  folder: string,
  env: NodeJS.ProcessEnv,
  { test = detectProject(thisMachine(env), folder).test }: ConfiguredCommands = {},
): Promise<string[]> {
  const repository = await Repository.open(folder).catch(() => null)
  const tree = repository && (await repository.folderOf(await repository.head()).catch(() => null))
  if (!repository || tree === null) return []
  const files = await TreeFiles.read(repository.root, tree, (hash) => repository.readObject(hash))
  const paths = files.files.map(({ path }) => path)
  const manifest = parsed(
    await files.text('package.json').then(
      ({ text }) => text,
      () => undefined,
    ),
  )
  const runners = testRunners(manifest ? [manifest] : [], paths, test)
  return paths.filter((path) => codeEnding(path) && !isTestFile(path, runners) && fileRole(path, true, []) === 'source')
}

/** RK4: of these names, those that occur in the last commit; all of them where git cannot say. */
export async function knownNames(folder: string, names: readonly string[]): Promise<Set<string>> {
  const occurs = async (name: string) => {
    const last = name.split(/[.#]/).at(-1)!
    const found = await runGit(['grep', '-q', '-I', '-w', '-F', '-e', last, 'HEAD', '--', '.'], { folder })
    return found.code !== 1
  }
  const found = await Promise.all(names.map((name) => occurs(name).catch(() => true)))
  return new Set(names.filter((_, index) => found[index]))
}

/** Styles and pages are no code that a change of behaviour is made in. */
function codeEnding(path: string): boolean {
  const name = languages[extname(path).toLowerCase()]
  return name !== undefined && !['CSS', 'HTML', 'SQL'].includes(name)
}

const nothing: ProjectFacts = {
  repository: false,
  files: 0,
  languages: [],
  layout: [],
  dependencies: [],
  commands: {},
  testFiles: 0,
  hotFiles: [],
  conventions: [],
}

/** For the prompt and for `research.md`. */
export function describeFacts(facts: ProjectFacts): string {
  if (!facts.repository) return 'There is no repository here: nothing is known about existing code.'
  const list = (items: string[]) => items.join(', ') || 'none'
  const lines = [
    ...(facts.about ? [`- About: ${facts.about}`] : []),
    `- ${facts.files} tracked files, ${describeTests(facts)}`,
    `- Languages: ${list(facts.languages.map(({ name, files }) => `${name} (${files})`))}`,
    `- Layout: ${list(facts.layout.map(({ folder, files }) => `${folder}/ (${files})`))}`,
    ...facts.dependencies.map(({ manifest, names }) => `- ${manifest}: ${list(names.slice(0, 40))}`),
    `- Commands: ${list(Object.entries(facts.commands).map(([name, command]) => `${name} \`${command}\``))}`,
    ...(facts.scripts ? [`- Scripts: ${list(describeScripts(facts.scripts))}`] : []),
    `- Changed most often in the last ${recentCommits} commits: ${list(facts.hotFiles.map(({ path, changes }) => `${path} (${changes})`))}`,
  ]
  const rules = facts.conventions.slice(0, 2).map(({ file, text }) => `### ${file}\n${lowerHeadings(text)}`)
  return [lines.join('\n'), ...rules].join('\n\n')
}

function describeTests({ testFiles, testRunners: runners = [], testExamples = [] }: ProjectFacts): string {
  const by = runners.length > 0 ? ` by the conventions of ${runners.join(' and ')}` : ''
  const such =
    testExamples.length > 0 ? ` (${testExamples.join(', ')}${testFiles > testExamples.length ? ', …' : ''})` : ''
  return `${testFiles} of them tests${by}${such}`
}

function describeScripts(scripts: Record<string, string>): string[] {
  return Object.entries(scripts)
    .slice(0, 15)
    .map(([name, script]) => `${name} \`${script.slice(0, 100)}\``)
}

/** Lock files and generated files change with everything else and say nothing. */
function hotFiles(changes: ReadonlyMap<string, number>, existing: ReadonlySet<string>): ProjectFacts['hotFiles'] {
  return [...changes]
    .filter(([path]) => existing.has(path) && fileRole(path, true, []) !== 'other')
    .map(([path, count]) => ({ path, changes: count }))
    .sort((a, b) => b.changes - a.changes || (a.path < b.path ? -1 : 1))
    .slice(0, 10)
}

interface Manifest {
  scripts?: Record<string, unknown>
  dependencies?: Record<string, unknown>
  devDependencies?: Record<string, unknown>
}

async function dependenciesIn(
  manifest: Manifest | undefined,
  read: (path: string) => Promise<string | undefined>,
): Promise<ProjectFacts['dependencies']> {
  const found: ProjectFacts['dependencies'] = []
  if (manifest) {
    const names = [manifest.dependencies, manifest.devDependencies].flatMap((group) => Object.keys(group ?? {}))
    found.push({ manifest: 'package.json', names })
  }
  for (const file of manifests) {
    const text = await read(file)
    if (text)
      found.push({
        manifest: file,
        names: text
          .split('\n')
          .map((line) => line.trim())
          .filter(looksLikeDependency),
      })
  }
  return found
}

function looksLikeDependency(line: string): boolean {
  return line !== '' && !/^[#[/]|^(module|go|require|\)|source)\b/.test(line) && line.length < 120
}

function parsed(text: string | undefined): Manifest | undefined {
  try {
    const value: unknown = text === undefined ? undefined : JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}

function textsIn(values: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  )
}

function counted(names: string[]): { name: string; files: number }[] {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return [...counts]
    .map(([name, files]) => ({ name, files }))
    .sort((a, b) => b.files - a.files || (a.name < b.name ? -1 : 1))
}

function definedOf<Values extends Record<string, unknown>>(
  values: Values,
): { [Key in keyof Values]?: NonNullable<Values[Key]> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as never
}
