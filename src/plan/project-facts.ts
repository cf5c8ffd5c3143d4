/** Gathers facts about a repository without a model. */
import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { promisify } from 'node:util'
import { detectProject } from '../agents/detect/detect-project.ts'
import { thisMachine } from '../agents/detect/machine.ts'
import { Repository } from '../workspace/git/repository.ts'

export interface ProjectFacts {
  /** False without a repository; the other facts are then unknown. */
  repository: boolean
  files: number
  /** By number of files, most frequent first. */
  languages: { name: string; files: number }[]
  layout: { folder: string; files: number }[]
  dependencies: { manifest: string; names: string[] }[]
  commands: { tool?: string; setup?: string; build?: string; test?: string }
  testFiles: number
  /** Files changed most often recently. */
  hotFiles: { path: string; changes: number }[]
  conventions: { file: string; text: string }[]
}

const languages: Record<string, string> = {
  '.ts': 'TypeScript',
  '.tsx': 'TypeScript',
  '.mts': 'TypeScript',
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
  '.sql': 'SQL',
  '.css': 'CSS',
  '.html': 'HTML',
}

export async function gatherFacts(folder: string, env: NodeJS.ProcessEnv): Promise<ProjectFacts> {
  const { tool, setup, build, test } = detectProject(thisMachine(env), folder)
  const commands = definedOf({ tool, setup, build, test })
  const repository = await Repository.open(folder).catch(() => null)
  const [paths, hotFiles] = repository ? await Promise.all([trackedFiles(repository), hotFilesOf(folder)]) : [[], []]
  return {
    repository: repository !== null,
    files: paths.length,
    languages: counted(paths.flatMap((path) => languages[extname(path).toLowerCase()] ?? [])).slice(0, 8),
    layout: counted(paths.filter((path) => path.includes('/')).map((path) => path.split('/')[0]!))
      .slice(0, 15)
      .map(({ name, files }) => ({ folder: name, files })),
    dependencies: dependenciesIn(folder),
    commands,
    testFiles: paths.filter((path) => /(^|\/)(tests?|__tests__|spec)\/|[._-](test|spec)\.|(^|\/)test_/.test(path))
      .length,
    hotFiles,
    conventions: ['AGENTS.md', 'CLAUDE.md', 'CONTRIBUTING.md', 'README.md'].flatMap((file) => {
      const text = readIf(join(folder, file))
      return text ? [{ file, text: text.slice(0, 4000) }] : []
    }),
  }
}

/** For the prompt and for `research.md`. */
export function describeFacts(facts: ProjectFacts): string {
  if (!facts.repository) return 'There is no repository here: nothing is known about existing code.'
  const list = (items: string[]) => items.join(', ') || 'none'
  const lines = [
    `- ${facts.files} tracked files, ${facts.testFiles} of them tests`,
    `- Languages: ${list(facts.languages.map(({ name, files }) => `${name} (${files})`))}`,
    `- Layout: ${list(facts.layout.map(({ folder, files }) => `${folder}/ (${files})`))}`,
    ...facts.dependencies.map(({ manifest, names }) => `- ${manifest}: ${list(names.slice(0, 40))}`),
    `- Commands: ${list(Object.entries(facts.commands).map(([name, command]) => `${name} \`${command}\``))}`,
    `- Changed most often lately: ${list(facts.hotFiles.map(({ path, changes }) => `${path} (${changes})`))}`,
  ]
  const rules = facts.conventions.slice(0, 2).map(({ file, text }) => `### ${file}\n${text}`)
  return [lines.join('\n'), ...rules].join('\n\n')
}

async function trackedFiles(repository: Repository): Promise<string[]> {
  return (await repository.listFiles(await repository.head())).slice(0, 100_000)
}

async function hotFilesOf(folder: string): Promise<ProjectFacts['hotFiles']> {
  try {
    const args = ['log', '-n', '300', '--no-merges', '--name-only', '--format=', '--', '.']
    const { stdout } = await promisify(execFile)('git', args, { cwd: folder, maxBuffer: 32 * 1024 * 1024 })
    const paths = stdout.split('\n').filter((line) => line !== '')
    return counted(paths)
      .slice(0, 10)
      .map(({ name, files }) => ({ path: name, changes: files }))
  } catch {
    return []
  }
}

function dependenciesIn(folder: string): ProjectFacts['dependencies'] {
  const found: ProjectFacts['dependencies'] = []
  const manifest = parsed(readIf(join(folder, 'package.json')))
  if (manifest) {
    const names = [manifest.dependencies, manifest.devDependencies].flatMap((group) => Object.keys(group ?? {}))
    found.push({ manifest: 'package.json', names })
  }
  for (const file of ['requirements.txt', 'Cargo.toml', 'go.mod', 'pyproject.toml', 'Gemfile']) {
    const text = readIf(join(folder, file))
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

function parsed(text: string | undefined): { dependencies?: object; devDependencies?: object } | undefined {
  try {
    return text === undefined ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}

function readIf(path: string): string | undefined {
  try {
    return existsSync(path) ? readFileSync(path, 'utf8') : undefined
  } catch {
    return undefined
  }
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
