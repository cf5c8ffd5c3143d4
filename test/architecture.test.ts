/** Checks the source tree against ARCHITECTURE.md: who imports whom, what rules may use, how large folders get. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { dirname, join, relative, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { unreachedExports } from './rules/unreached-exports.ts'

const source = resolve(import.meta.dirname, '../src')
const webSource = resolve(import.meta.dirname, '../web/src')

/** Which folders each folder of src may import from. Files directly in src belong to `app`, the composition root. */
const allowedImports: Record<string, string[]> = {
  rules: ['rules'],
  kernel: ['kernel', 'rules'],
  agents: ['agents', 'kernel', 'rules'],
  workspace: ['workspace', 'kernel', 'rules'],
  forge: ['forge', 'kernel', 'rules'],
  room: ['room', 'agents', 'kernel', 'rules'],
  plan: ['plan', 'agents', 'workspace', 'forge', 'kernel', 'rules'],
  build: ['build', 'agents', 'workspace', 'forge', 'kernel', 'rules'],
  ship: ['ship', 'build', 'plan', 'agents', 'workspace', 'forge', 'kernel', 'rules'],
  runs: ['runs', 'ship', 'build', 'plan', 'room', 'workspace', 'kernel', 'rules'],
  telemetry: ['telemetry', 'build', 'kernel', 'rules'],
  app: ['app', 'telemetry', 'runs', 'ship', 'build', 'plan', 'room', 'agents', 'workspace', 'forge', 'kernel', 'rules'],
  serve: ['serve', 'app', 'runs', 'room', 'plan', 'build', 'ship', 'kernel', 'rules'],
  calls: ['calls', 'serve', 'room', 'plan', 'build', 'ship', 'kernel', 'rules'],
  mcp: ['mcp', 'calls', 'serve', 'room', 'kernel', 'rules'],
  a2a: ['a2a', 'calls', 'serve', 'kernel', 'rules'],
  cli: [
    'cli',
    'mcp',
    'a2a',
    'calls',
    'serve',
    'app',
    'runs',
    'room',
    'plan',
    'build',
    'ship',
    'agents',
    'kernel',
    'rules',
  ],
}

/** The same for web/src: floors never import each other; the root files and `frame` compose them. */
const webFloors = ['room', 'plan', 'build', 'ship', 'runs', 'team', 'settings']
const allowedWebImports: Record<string, string[]> = {
  data: ['data'],
  ui: ['ui', 'data'],
  ...Object.fromEntries(webFloors.map((floor) => [floor, [floor, 'ui', 'data']])),
  frame: ['frame', 'ui', 'data'],
  app: ['app', 'frame', ...webFloors, 'ui', 'data'],
}

/** In a larger folder a reader no longer finds the file that matters. */
const maxFilesPerFolder = 30

/** The pure, browser-safe packages that rules may use. */
const rulePackages = ['zod', 'wink-porter2-stemmer']

/** Modules of src that the web app may run. */
const isBrowserSafe = (path: string) =>
  path.startsWith('rules/') ||
  /^runs\/overview(-figures|-lanes|-lines)?\.ts$/.test(path) ||
  (/(\/|-)(events|view)\.ts$/.test(path) && !path.startsWith('cli/')) ||
  path.startsWith('serve/api/') ||
  ['kernel/fold.ts', 'kernel/agent.ts', 'kernel/ask/cost.ts', 'serve/api.ts', 'serve/call.ts'].includes(path)

interface Import {
  /** The folder that `file` is relative to. */
  root: string
  file: string
  target: string
  typeOnly: boolean
}

const files = filesBelow(source).filter((path) => path.endsWith('.ts') && !isTest(path))
const imports = files.flatMap((file) => importsOf(file))
const webFiles = filesBelow(webSource).filter((path) => /\.tsx?$/.test(path) && !isTest(path))
const webImports = webFiles.flatMap((file) => importsOf(file, webSource))
const importsWithinWeb = webImports.filter((each) => isRelative(each.target) && !resolvedPath(each).startsWith('..'))

describe('architecture', () => {
  it('finds the source files and their imports', () => {
    expect(files.length).toBeGreaterThan(50)
    expect(imports.length).toBeGreaterThan(files.length)
  })

  it('each folder imports only the folders it may', () => {
    const wrong = imports
      .filter((each) => isRelative(each.target))
      .filter((each) => !allowedImports[topFolder(each.file)]?.includes(topFolder(resolvedPath(each))))
    expect(wrong.map(describeImport)).toEqual([])
  })

  it('rules are pure: no clock, randomness, I/O or async', () => {
    const impure =
      /\b(Date\.now|new Date\(\)|Math\.random|performance\.|crypto\.|process\.|setTimeout|setInterval|fetch\(|console\.|async |await )/
    const wrong = files
      .filter((file) => file.startsWith('rules/') && file !== 'rules/catalogue.ts')
      .filter((file) => impure.test(withoutComments(readFileSync(join(source, file), 'utf8'))))
    expect(wrong).toEqual([])
  })

  it('rules import only rules and the allowed packages', () => {
    const wrong = imports
      .filter((each) => each.file.startsWith('rules/') && !isRelative(each.target))
      .filter((each) => !rulePackages.includes(each.target))
    expect(wrong.map(describeImport)).toEqual([])
  })

  it('the product reaches every export of src/rules', () => {
    expect(unreachedExports()).toEqual([])
  })

  it('the command line and the web app load no schema of the API, only its types and call.ts', () => {
    const wrong = [...imports.filter(({ file }) => topFolder(file) === 'cli'), ...webImports]
      .filter((each) => !each.typeOnly && /(^|\/)serve\//.test(each.target) && !each.target.endsWith('serve/call.ts'))
      .concat(imports.filter((each) => each.file === 'serve/call.ts' && !each.typeOnly))
    expect(wrong.map(describeImport)).toEqual([])
  })

  it('browser-safe modules do not use Node', () => {
    const isNode = (target: string) => target.startsWith('node:') || builtinModules.includes(target)
    const wrong = imports
      .filter((each) => isBrowserSafe(each.file) && !each.typeOnly)
      .filter(
        (each) =>
          isNode(each.target) ||
          (isRelative(each.target) && !isBrowserSafe(resolvedPath(each)) && resolvedPath(each) !== 'kernel/events.ts'),
      )
    expect(wrong.map(describeImport)).toEqual([])
  })

  it('there are no barrel files and no default exports', () => {
    const wrong = files.filter(
      (file) => /(^|\/)index\.ts$/.test(file) || /^export default/m.test(readFileSync(join(source, file), 'utf8')),
    )
    expect(wrong).toEqual([])
  })

  it(`no folder has more than ${maxFilesPerFolder} source files`, () => {
    expect(oversizedFolders(files)).toEqual([])
  })

  it('folders do not import each other in a cycle, types included', () => {
    expect(cyclesIn(folderGraph(imports))).toEqual([])
  })

  it('files do not import each other in a cycle at run time', () => {
    const graph = new Map<string, string[]>()
    for (const each of imports)
      if (isRelative(each.target) && !each.typeOnly)
        graph.set(each.file, [...(graph.get(each.file) ?? []), resolvedPath(each)])
    expect(cyclesIn(graph)).toEqual([])
  })
})

describe('architecture of the web app', () => {
  it('finds the source files and their imports', () => {
    expect(webFiles.length).toBeGreaterThan(50)
    expect(importsWithinWeb.length).toBeGreaterThan(webFiles.length)
  })

  it('floors import only ui and data, and never each other', () => {
    const wrong = importsWithinWeb.filter(
      (each) => !allowedWebImports[topFolder(each.file)]?.includes(topFolder(resolvedPath(each))),
    )
    expect(wrong.map(describeImport)).toEqual([])
  })

  it('the web app runs only browser-safe modules of src', () => {
    const wrong = webImports
      .filter((each) => isRelative(each.target) && !each.typeOnly)
      .map((each) => ({ each, module: relative(source, resolve(webSource, resolvedPath(each))) }))
      .filter(({ module }) => !module.startsWith('..') && !isBrowserSafe(module))
    expect(wrong.map(({ each }) => describeImport(each))).toEqual([])
  })

  it(`no folder has more than ${maxFilesPerFolder} source files`, () => {
    expect(oversizedFolders(webFiles)).toEqual([])
  })

  it('folders do not import each other in a cycle, types included', () => {
    expect(cyclesIn(folderGraph(importsWithinWeb))).toEqual([])
  })
})

describe('ARCHITECTURE.md', () => {
  const root = resolve(source, '..')
  const page = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8')

  it('names only files that exist', () => {
    const named = [...page.matchAll(/`([a-z][\w-]*\/[\w./-]*\.ts)`/g)].map((match) => match[1]!)
    expect(named.length).toBeGreaterThan(10)
    const missing = named.filter((path) => !existsSync(join(root, path)) && !existsSync(join(source, path)))
    expect(missing).toEqual([])
  })

  it('answers each "Where is" question with a file that contains the given text', () => {
    const rows = [...page.matchAll(/^\| … (.+?) \| (.+?) \| `(.+?)` \|$/gm)].map((match) => match.slice(1, 4))
    expect(rows.length).toBeGreaterThanOrEqual(10)
    const unanswered = rows.filter(([, answer, text]) => {
      const paths = [...answer!.matchAll(/`(src\/[^`]+)`/g)].map((match) => join(root, match[1]!))
      return !paths.some((path) => textBelow(path).includes(text!))
    })
    expect(unanswered.map(([question]) => question)).toEqual([])
  })
})

function textBelow(path: string): string {
  if (!existsSync(path)) return ''
  const files = statSync(path).isDirectory() ? filesBelow(path).map((file) => join(path, file)) : [path]
  return files.map((file) => readFileSync(file, 'utf8')).join('\n')
}

function isRelative(target: string): boolean {
  return target.startsWith('.')
}

function filesBelow(folder: string, base = folder): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name)
    return statSync(path).isDirectory() ? filesBelow(path, base) : [relative(base, path)]
  })
}

function isTest(path: string): boolean {
  return /\.(test|fixture)\.ts$/.test(path)
}

function oversizedFolders(paths: readonly string[]): [string, number][] {
  const sizes = new Map<string, number>()
  for (const path of paths) sizes.set(dirname(path), (sizes.get(dirname(path)) ?? 0) + 1)
  return [...sizes].filter(([, size]) => size > maxFilesPerFolder)
}

function folderGraph(all: readonly Import[]): Map<string, string[]> {
  const graph = new Map<string, string[]>()
  for (const each of all.filter(({ target }) => isRelative(target))) {
    const [from, to] = [dirname(each.file), dirname(resolvedPath(each))]
    if (from !== to) graph.set(from, [...(graph.get(from) ?? []), to])
  }
  return graph
}

/** Static imports, re-exports and dynamic imports. */
function importsOf(file: string, root = source): Import[] {
  const text = withoutComments(readFileSync(join(root, file), 'utf8'))
  const found: Import[] = []
  for (const match of text.matchAll(/^(?:import|export)\s+(type\s+)?([^'"]*?\s+from\s+)?['"]([^'"]+)['"]/gm)) {
    const names = match[2] ?? ''
    const onlyTypes =
      Boolean(match[1]) ||
      (/^\{/.test(names.trim()) &&
        names
          .replace(/[{}]|from/g, '')
          .split(',')
          .every((name) => name.trim() === '' || name.trim().startsWith('type ')))
    found.push({ root, file, target: match[3]!, typeOnly: onlyTypes })
  }
  // A dynamic import loads later, so it cannot close a cycle at load time.
  for (const match of text.matchAll(/import\(\s*['"]([^'"]+)['"]\s*\)/g))
    found.push({ root, file, target: match[1]!, typeOnly: true })
  return found
}

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '')
}

function resolvedPath({ root, file, target }: Import): string {
  return relative(root, resolve(root, dirname(file), target))
}

/** The top-level folder of a file; root files belong to `app`. */
function topFolder(file: string): string {
  return file.includes('/') ? file.slice(0, file.indexOf('/')) : 'app'
}

function describeImport({ file, target }: Import): string {
  return `${file} imports ${target}`
}

function cyclesIn(graph: Map<string, string[]>): string[] {
  const found: string[] = []
  const done = new Set<string>()
  const visit = (node: string, path: string[]): void => {
    if (path.includes(node)) {
      found.push([...path.slice(path.indexOf(node)), node].join(' → '))
      return
    }
    if (done.has(node)) return
    for (const next of graph.get(node) ?? []) visit(next, [...path, node])
    done.add(node)
  }
  for (const node of graph.keys()) visit(node, [])
  return found
}
