/** Finds what a test command runs besides the tests: scripts, recipes, files it names, and its runner's configuration. */
import { posix } from 'node:path'
import { isDocument } from '../../rules/build/reviewed-criteria.ts'
import { looksLikeTest } from '../../rules/build/test-paths.ts'
import { checkers } from '../../rules/build/verification.ts'
import { scriptsOf } from './project-scripts.ts'
import { listedScripts, type Scripts, startedScript } from './recognise-runner.ts'
import { commandElsewhere } from './working-folder.ts'
import { workspaceScript } from './workspace-packages.ts'

/** Returns the text of a file, or undefined if it is missing. */
export type ReadText = (path: string) => string | undefined

const makefiles = ['GNUmakefile', 'makefile', 'Makefile']

/** The changed files that change what these commands run. */
export function changedByCommand(
  commands: readonly string[],
  changed: readonly string[],
  before: ReadText,
  after: ReadText,
): string[] {
  const elsewhere = commands.flatMap((command) => {
    const { folder, command: inner } = commandElsewhere(command) ?? {}
    return folder === undefined || inner === undefined ? [] : inFolder(folder, [inner], changed, before, after)
  })
  const [was, is] = [before, after].map((read) => runsOf(commands, scriptsIn(read)))
  const inPackages = changedInPackages(was!, changed, before, after)
  const scripts = changed.filter((path) => path === 'package.json' || makefiles.includes(path))
  const bent = was!.join('\n') === is!.join('\n') ? [] : scripts
  const parts = was!.flatMap(partsOf)
  const named = changed.filter((path) => before(path) !== undefined && names(parts, path))
  const configured = changed.filter((path) => settingsIn(path, was!, before) !== settingsIn(path, was!, after))
  return [...new Set([...bent, ...named, ...configured, ...elsewhere, ...inPackages])]
}

function inFolder(
  folder: string,
  commands: readonly string[],
  changed: readonly string[],
  before: ReadText,
  after: ReadText,
): string[] {
  const within = changed.filter((path) => path.startsWith(`${folder}/`)).map((path) => path.slice(folder.length + 1))
  const below = (read: ReadText) => (path: string) => read(`${folder}/${path}`)
  return changedByCommand(commands, within, below(before), below(after)).map((path) => `${folder}/${path}`)
}

/** What a command such as `pnpm -r test` starts in packages: their own scripts, of those that had one before. */
function changedInPackages(
  runs: readonly string[],
  changed: readonly string[],
  before: ReadText,
  after: ReadText,
): string[] {
  const parts = runs.flatMap((text) => text.split(separators)).map((part) => part.trim())
  const names = [...new Set(parts.flatMap((part) => workspaceScript(part) ?? []))]
  if (names.length === 0) return []
  return [...new Set(changed.flatMap(foldersAbove))].flatMap((folder) => {
    const scripts = scriptsOf(before(`${folder}/package.json`) ?? '', '')
    const started = names.filter((name) => scripts.script(name) !== undefined).map((name) => `npm run ${name}`)
    return started.length === 0 ? [] : inFolder(folder, started, changed, before, after)
  })
}

/** The files that `changedByCommand` may read: those that changed, manifests and recipes of the folders above them. */
export function filesToRead(changed: readonly string[]): string[] {
  const named = ['package.json', ...makefiles]
  const above = changed.flatMap(foldersAbove).flatMap((folder) => named.map((name) => `${folder}/${name}`))
  return [...new Set([...named, ...above, ...changed])]
}

/** The folders that a path lies in, without the top. */
function foldersAbove(path: string): string[] {
  const folder = posix.dirname(path)
  return folder === '.' ? [] : [folder, ...foldersAbove(folder)]
}

const separators = /&&|\|\||[;|\n]/

/** The commands, and the text of everything they are known to start. */
function runsOf(commands: readonly string[], scripts: Scripts, depth = 0): string[] {
  return commands.flatMap((command) => {
    const parts = command.split(separators).map((part) => part.trim())
    const started = depth < 5 ? parts.flatMap((part) => startedBy(part, scripts)) : []
    return [command, ...runsOf(started, scripts, depth + 1)]
  })
}

function startedBy(part: string, scripts: Scripts): string[] {
  const listed = listedScripts(part, scripts)
  if (listed) return listed.commands
  const started = startedScript(part, scripts)
  if (!started) return []
  const deps = started.name === undefined ? [] : [`pre${started.name}`, `post${started.name}`]
  return [started.text, ...deps.flatMap((name) => scripts.script(name) ?? [])]
}

function scriptsIn(read: ReadText): Scripts {
  return scriptsOf(read('package.json') ?? '', makefiles.map(read).find((text) => text !== undefined) ?? '')
}

/**
 * A file may be named without its extension, a Python module with dots. What a checker or a bundler only reads is not part
 * of the command, except its settings; nor are documents.
 */
function names(parts: readonly CommandPart[], path: string): boolean {
  // A text file may list what is tested.
  if (isDocument(path) && !path.endsWith('.txt')) return false
  const short = path.replace(/\.[^./]+$/, '')
  return parts.some(({ words, tool, isPiped }) => {
    const isRead = tool === 'checker' || (tool === 'builder' && !isPiped && !isRunBuilt(parts, path))
    return words.some((word, index) => {
      if (isRead && !settingsOption.test(words[index - 1] ?? '')) return false
      const plain = posix.normalize(word)
      if (plain === path || (plain.includes('/') && plain === short)) return true
      return words[index - 1] === '-m' && word.replaceAll('.', '/') === short
    })
  })
}

interface CommandPart {
  words: string[]
  /** What only reads the files that it is given. */
  tool: 'checker' | 'builder' | undefined
  /** Another command gets what it prints. */
  isPiped: boolean
}

function partsOf(text: string): CommandPart[] {
  return text.split(/&&|\|\||[;&\n]/).flatMap((pipeline) =>
    pipeline.split('|').map((part, index, all) => ({
      words: part.split(/[\s'"`=<>()]+/).filter((word) => word !== ''),
      tool: isStarted(part, new RegExp(checkers)) ? 'checker' : isStarted(part, builders) ? 'builder' : undefined,
      isPiped: index < all.length - 1,
    })),
  )
}

/** Whether the part starts the tool itself, rather than a script that gets its name: `node check.js standard`. */
function isStarted(part: string, tool: RegExp): boolean {
  const found = tool.exec(part)
  return found !== null && launchers.test(part.slice(0, found.index + found[0].search(/[^\s/]/)))
}

const launchers =
  /^\s*(?:(?:\w+=\S*|-\S+|(?:np|bun|pnp|uv)x|[pc]?npm|yarn|bun|corepack|cross-env|env|exec|dlx|x|run|uv|poetry|pipenv|pdm|hatch|bundle|python[\d.]*|cargo|deno)\s+)*(?:\S*\/)?$/

/** A later part may run what a bundler made of the file: `tsc check.ts && node check.js`. */
function isRunBuilt(parts: readonly CommandPart[], path: string): boolean {
  const stem = (file: string) => posix.basename(file).replace(/\.\w+$/, '')
  const isOutput = (word: string) => /\.\w+$/.test(word) && stem(word) === stem(path) && !looksLikeTest(word)
  return parts.some(({ words, tool }) => tool === undefined && words.some(isOutput))
}

/** Tools that turn the files they are given into others. */
const builders =
  /(?:^|[\s/])(?:babel|browserify|bundt|esbuild|microbundle|parcel|postcss|rollup|sass|swc|terser|tsc|tsdown|tsup|uglifyjs|unbuild|webpack)(?=$|\s)/
/** What such a tool is told to run or to obey. */
const settingsOption =
  /^(?:-[cfpr]|--(?:project|require|import|loader|rulesdir|rcfile|(?:config|plugin|parser|preset|format|custom-|settings|load-plugins|ignore-?path)\S*))$/i

const configurations: [runner: RegExp, file: RegExp][] = [
  [/\bvitest\b/, /^(?:vite|vitest)\.(?:config|workspace)\.\w+$/],
  [/\bjest\b|react-scripts/, /^jest\.(?:config|setup|preset)\.\w+$/],
  [/\bmocha\b/, /^\.mocharc(?:\.\w+)?$/],
  [/\bava\b/, /^ava\.config\.\w+$/],
  [/\btap\b/, /^\.taprc$/],
  [/\bbun\b/, /^bunfig\.toml$/],
  [/\bdeno\b/, /^deno\.jsonc?$/],
  [/\bplaywright\b/, /^playwright\.config\.\w+$/],
  [/\b(?:pytest|py\.test|tox|nox)\b/, /^(?:\.?pytest\.(?:ini|toml)|tox\.ini|noxfile\.py|conftest\.py)$/],
  [/\bphpunit\b/, /^phpunit\.(?:dist\.)?xml(?:\.dist)?$/],
]

/** The part of a shared file that the runner reads; empty if it reads none. */
function settingsIn(path: string, runs: readonly string[], read: ReadText): string | undefined {
  const name = posix.basename(path)
  const text = runs.join('\n')
  if (configurations.some(([runner, file]) => file.test(name) && runner.test(text))) return read(path)
  if (name === 'package.json') return runnerKeys(read(path) ?? '')
  if (name !== 'pyproject.toml' && name !== 'setup.cfg') return undefined
  const sections = (read(path) ?? '').split(/^(?=\[)/m)
  return sections.filter((section) => /^\[(?:tool[.:])?pytest/.test(section)).join('')
}

function runnerKeys(manifest: string): string {
  try {
    const { jest, mocha, ava, tap } = JSON.parse(manifest) as Record<string, unknown>
    return JSON.stringify({ jest, mocha, ava, tap })
  } catch {
    return ''
  }
}
