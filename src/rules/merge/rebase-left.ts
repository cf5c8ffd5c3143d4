/** Finds what a rebase left behind: conflict markers, and imports of exports that the sibling removed. SPEC.md § RB1. */

import { factsByFile, type SyntaxFacts } from '../build/syntax-facts.ts'
import type { Problem } from '../schema/problem.ts'
import { pathsOf } from './default-imports.ts'

export interface RebasedText {
  file: string
  text: string
  /** The file on both sides: a marker that is already there is part of its text. */
  sides: readonly string[]
}

/** The first marker of each file, with its line. */
export function leftMarkers(files: readonly RebasedText[]): Problem[] {
  return files.flatMap(({ file, text, sides }) => {
    const own = new Set(sides.flatMap(linesOf))
    const index = linesOf(text).findIndex((line) => isMarker(line) && !own.has(line))
    if (index < 0) return []
    return [{ rule: 'RB1', message: `conflict markers are left in ${file}:${index + 1}`, path: file }]
  })
}

export interface RebasedTrees {
  /** The merge base, the sibling's version and the rebased version. */
  base: readonly SyntaxFacts[]
  canon: readonly SyntaxFacts[]
  after: readonly SyntaxFacts[]
}

/** Imports of exports that the sibling removed or renamed, except those in the sibling's own files. */
export function danglingImports({ base, canon, after }: RebasedTrees): Problem[] {
  const [old, theirs, young] = [base, canon, after].map(factsByFile) as [Facts, Facts, Facts]
  const gone = new Map([...old.keys()].map((file) => [file, removedFrom(file, old, theirs, young)]))
  return after.flatMap((importer) => {
    const known = new Set(takenBy(theirs.get(importer.file), gone))
    const still = takenBy(importer, gone).filter((one) => !known.has(one))
    return [...new Set(still)].map((one) => {
      const [name, file] = one.split('\0')
      const message = `it still imports ${name} from ${file}, which no longer exports it`
      return { rule: 'RB1', message, path: importer.file }
    })
  })
}

type Facts = Map<string, SyntaxFacts>

function removedFrom(file: string, old: Facts, theirs: Facts, young: Facts): Set<string> {
  const trees = [theirs.get(file), young.get(file)]
  if (!old.get(file)?.parsed || trees.some((facts) => facts && !facts.parsed)) return new Set()
  const left = new Set(trees.flatMap(exportsOf))
  // A module that re-exports everything from another exports more than its own names.
  if ([...left].some((name) => name.startsWith('*'))) return new Set()
  return new Set(exportsOf(old.get(file)).filter((name) => !left.has(name)))
}

function exportsOf(facts: SyntaxFacts | undefined): string[] {
  return (facts?.symbols ?? []).filter(({ exported }) => exported).map(({ name }) => name)
}

/** `name\0file` of each removed export that a file imports. */
function takenBy(importer: SyntaxFacts | undefined, gone: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  return (importer?.imports ?? []).flatMap(({ module, names, taken }) => {
    const paths =
      importer!.language === 'python' ? pythonPaths(importer!.file, module) : pathsOf(importer!.file, module)
    const file = paths.find((path) => gone.has(path))
    if (file === undefined) return []
    return (taken ?? names).filter((name) => gone.get(file)!.has(name)).map((name) => `${name}\0${file}`)
  })
}

/** Python: one dot is the file's folder, each further dot one folder up; without dots, the root or its `src`. */
function pythonPaths(from: string, module: string): string[] {
  const dots = /^\.*/.exec(module)![0].length
  const steps = module.slice(dots).split('.').filter(Boolean)
  const folder = from.split('/').slice(0, -1)
  const starts = dots > 0 ? [folder.slice(0, Math.max(0, folder.length - dots + 1))] : [[], ['src'], folder]
  return starts.flatMap((start) => {
    const plain = [...start, ...steps].join('/')
    return [`${plain}.py`, plain === '' ? '__init__.py' : `${plain}/__init__.py`]
  })
}

function isMarker(line: string): boolean {
  return /^(<{7}|>{7}|\|{7})( |$)/.test(line)
}

function linesOf(text: string): string[] {
  return text.split(/\r?\n/)
}
