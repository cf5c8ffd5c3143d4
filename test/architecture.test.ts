/** The arrows of ARCHITECTURE.md, read off the imports: a wrong one fails here. */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { dirname, join, relative, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { unreachedExports } from './rules/unreached-exports.ts'

const source = resolve(import.meta.dirname, '../src')
const webSource = resolve(import.meta.dirname, '../web/src')

/** Which folders a folder of src may import from. The composition root and the floors' order are the whole design. */
const arrows: Record<string, string[]> = {
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
  app: ['app', 'runs', 'ship', 'build', 'plan', 'room', 'agents', 'workspace', 'forge', 'kernel', 'rules'],
  serve: ['serve', 'app', 'runs', 'room', 'plan', 'build', 'ship', 'kernel', 'rules'],
  cli: ['cli', 'serve', 'app', 'runs', 'room', 'plan', 'build', 'ship', 'agents', 'kernel', 'rules'],
}

/** The same for web/src: floors never import each other; the files at its root and `frame` put the floors together. */
const webFloors = ['room', 'plan', 'build', 'ship', 'runs', 'settings']
const webArrows: Record<string, string[]> = {
  data: ['data'],
  ui: ['ui', 'data'],
  ...Object.fromEntries(webFloors.map((floor) => [floor, [floor, 'ui', 'data']])),
  frame: ['frame', 'ui', 'data'],
  app: ['app', 'frame', ...webFloors, 'ui', 'data'],
}

/** More files than this in one folder, and a reader no longer finds the one that matters. */
const filesPerFolder = 30

/** The pure packages that rules may use. */
const rulePackages = ['zod', 'wink-porter2-stemmer']

/** Modules that a browser folds events with. */
const browserSafe = (path: string) =>
  path.startsWith('rules/') ||
  /^runs\/overview(-figures|-lanes|-lines)?\.ts$/.test(path) ||
  (/(\/|-)(events|view)\.ts$/.test(path) && !path.startsWith('cli/')) ||
  path.startsWith('serve/api/') ||
  ['kernel/fold.ts', 'kernel/agent.ts', 'serve/api.ts'].includes(path)

interface Import {
  /** The folder that `file` is relative to. */
  root: string
  file: string
  target: string
  typeOnly: boolean
}

const files = walk(source).filter((path) => path.endsWith('.ts') && !isTest(path))
const imports = files.flatMap((file) => importsOf(file))
const webFiles = walk(webSource).filter((path) => /\.tsx?$/.test(path) && !isTest(path))
const webImports = webFiles.flatMap((file) => importsOf(file, webSource))
const withinWeb = webImports.filter((each) => inside(each.target) && !resolved(each).startsWith('..'))
describe('architecture', () => {
  it('reads the imports of a whole tree of sources', () => {
    expect(files.length).toBeGreaterThan(50)
    expect(imports.length).toBeGreaterThan(files.length)
  })

  it('lets each folder import only what its arrow allows', () => {
    const wrong = imports
      .filter((each) => inside(each.target))
      .filter((each) => !arrows[part(each.file)]?.includes(part(resolved(each))))
    expect(wrong.map(say)).toEqual([])
  })

  it('keeps rules pure: no clock, randomness, input, output or async', () => {
    const impure =
      /\b(Date\.now|new Date\(\)|Math\.random|performance\.|crypto\.|process\.|setTimeout|setInterval|fetch\(|console\.|async |await )/
    const wrong = files
      .filter((file) => file.startsWith('rules/') && file !== 'rules/catalogue.ts')
      .filter((file) => impure.test(withoutComments(readFileSync(join(source, file), 'utf8'))))
    expect(wrong).toEqual([])
  })

  it('lets rules import only the schema library and the allowed pure packages', () => {
    const wrong = imports
      .filter((each) => each.file.startsWith('rules/') && !inside(each.target))
      .filter((each) => !rulePackages.includes(each.target))
    expect(wrong.map(say)).toEqual([])
  })

  it('exports no rule that the product never reaches', () => {
    expect(unreachedExports()).toEqual([])
  })

  it('keeps what a browser loads free of Node', () => {
    const isNode = (target: string) => target.startsWith('node:') || builtinModules.includes(target)
    const wrong = imports
      .filter((each) => browserSafe(each.file) && !each.typeOnly)
      .filter(
        (each) =>
          isNode(each.target) ||
          (inside(each.target) && !browserSafe(resolved(each)) && resolved(each) !== 'kernel/events.ts'),
      )
    expect(wrong.map(say)).toEqual([])
  })

  it('has no inner barrels and no default exports', () => {
    const wrong = files.filter(
      (file) => /(^|\/)index\.ts$/.test(file) || /^export default/m.test(readFileSync(join(source, file), 'utf8')),
    )
    expect(wrong).toEqual([])
  })

  it('keeps folders small enough to read', () => {
    expect(tooLarge(files)).toEqual([])
  })

  it('has no import cycle between folders, types included', () => {
    expect(circles(folderGraph(imports))).toEqual([])
  })

  it('has no import cycle between files that matters at run time', () => {
    const graph = new Map<string, string[]>()
    for (const each of imports)
      if (inside(each.target) && !each.typeOnly) graph.set(each.file, [...(graph.get(each.file) ?? []), resolved(each)])
    expect(circles(graph)).toEqual([])
  })
})

describe('architecture of the web app', () => {
  it('reads the imports of a whole tree of sources', () => {
    expect(webFiles.length).toBeGreaterThan(50)
    expect(withinWeb.length).toBeGreaterThan(webFiles.length)
  })

  it('lets floors import only ui and data, and these never a floor', () => {
    const wrong = withinWeb.filter((each) => !webArrows[part(each.file)]?.includes(part(resolved(each))))
    expect(wrong.map(say)).toEqual([])
  })

  it('runs only browser-safe modules of src', () => {
    const wrong = webImports
      .filter((each) => inside(each.target) && !each.typeOnly)
      .map((each) => ({ each, module: relative(source, resolve(webSource, resolved(each))) }))
      .filter(({ module }) => !module.startsWith('..') && !browserSafe(module))
    expect(wrong.map(({ each }) => say(each))).toEqual([])
  })

  it('keeps folders small enough to read', () => {
    expect(tooLarge(webFiles)).toEqual([])
  })

  it('has no import cycle between folders, types included', () => {
    expect(circles(folderGraph(withinWeb))).toEqual([])
  })
})

function inside(target: string): boolean {
  return target.startsWith('.')
}

function walk(folder: string, base = folder): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name)
    return statSync(path).isDirectory() ? walk(path, base) : [relative(base, path)]
  })
}

function isTest(path: string): boolean {
  return /\.(test|fixture)\.ts$/.test(path)
}

function tooLarge(paths: readonly string[]): [string, number][] {
  const sizes = new Map<string, number>()
  for (const path of paths) sizes.set(dirname(path), (sizes.get(dirname(path)) ?? 0) + 1)
  return [...sizes].filter(([, size]) => size > filesPerFolder)
}

function folderGraph(all: readonly Import[]): Map<string, string[]> {
  const graph = new Map<string, string[]>()
  for (const each of all.filter(({ target }) => inside(target))) {
    const [from, to] = [dirname(each.file), dirname(resolved(each))]
    if (from !== to) graph.set(from, [...(graph.get(from) ?? []), to])
  }
  return graph
}

/** Static imports and re-exports. A dynamic import is a late arrow, but an arrow all the same. */
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
  // Loaded when it runs, so it closes no circle.
  for (const match of text.matchAll(/import\(\s*['"]([^'"]+)['"]\s*\)/g))
    found.push({ root, file, target: match[1]!, typeOnly: true })
  return found
}

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '')
}

function resolved({ root, file, target }: Import): string {
  return relative(root, resolve(root, dirname(file), target))
}

/** The folder a file belongs to; files at the root are part of the composition root. */
function part(file: string): string {
  return file.includes('/') ? file.slice(0, file.indexOf('/')) : 'app'
}

function say({ file, target }: Import): string {
  return `${file} imports ${target}`
}

function circles(graph: Map<string, string[]>): string[] {
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
