/**
 * Finds the exports of `src/rules` that the product never reaches. An export is reached when a product file outside the
 * rules imports it by name, or when a declaration of a reached one refers to it. A test that calls it does not count.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'

interface RuleFile {
  /** Each top-level declaration with its own source text. */
  declarations: Map<string, string>
  exported: Set<string>
  /** Local name → where it comes from. */
  imported: Map<string, Symbol>
}

interface Symbol {
  file: string
  name: string
}

const root = resolve(import.meta.dirname, '../..')
const rules = join(root, 'src/rules')
const productFolders = ['src', 'web/src', 'scripts', 'hooks']

/** Everything exported and unreached, as `file › name`, sorted. */
export function unreachedExports(): string[] {
  const ruleFiles = new Map(sourcesIn(rules).map((file) => [file, readRuleFile(file)]))
  const reached = new Set<string>()
  const key = ({ file, name }: Symbol) => `${file} › ${name}`
  const reach = (symbol: Symbol): void => {
    const source = ruleFiles.get(symbol.file)
    const text = source?.declarations.get(symbol.name)
    if (!source || text === undefined || reached.has(key(symbol))) return
    reached.add(key(symbol))
    for (const word of referredTo(text)) {
      if (source.declarations.has(word)) reach({ file: symbol.file, name: word })
      const elsewhere = source.imported.get(word)
      if (elsewhere) reach(elsewhere)
    }
  }
  for (const symbol of importsOfRules()) reach(symbol)
  return [...ruleFiles]
    .flatMap(([file, { exported }]) => [...exported].map((name) => key({ file, name })))
    .filter((symbol) => !reached.has(symbol))
    .map((symbol) => relative(rules, symbol))
    .sort()
}

/** What the product imports from the rules. The catalogue counts: it loads what `convene decide` runs. */
function importsOfRules(): Symbol[] {
  return productFolders
    .flatMap((folder) => sourcesIn(join(root, folder)))
    .filter((file) => !file.startsWith(rules) || file.endsWith('/catalogue.ts'))
    .flatMap((file) => {
      const text = readSource(file)
      return [...importedNames(file, text).values(), ...loadedNames(file, text)]
    })
}

/** The identifiers in a piece of source; neither properties (`.name`) nor words inside quotes. */
function referredTo(text: string): Set<string> {
  return new Set(text.replace(/'[^'\n]*'/g, "''").match(/(?<![\w$]|(?<!\.\.)\.)[A-Za-z_$][\w$]*/g))
}

function readRuleFile(file: string): RuleFile {
  const text = readSource(file)
  const declarations = new Map<string, string>()
  const exported = new Set<string>()
  // Biome's layout: a top-level declaration starts in the first column and lasts until the next one does.
  for (const statement of text.split(/^(?=[a-z])/m)) {
    const declared = /^(export )?(?:declare )?(?:async )?(?:const|let|function\*?|class|interface|type) (\w+)/.exec(
      statement,
    )
    if (!declared) continue
    declarations.set(declared[2]!, `${declarations.get(declared[2]!) ?? ''}${statement.slice(declared[0].length)}`)
    if (declared[1]) exported.add(declared[2]!)
  }
  return { declarations, exported, imported: importedNames(file, text) }
}

function importedNames(file: string, text: string): Map<string, Symbol> {
  const names = new Map<string, Symbol>()
  for (const [, list, target] of text.matchAll(/^(?:import|export) (?:type )?\{([^}]*)\} from ['"](\.[^'"]*)['"]/gm)) {
    for (const item of list!.split(',')) {
      const [name, alias] = item
        .trim()
        .replace(/^type /, '')
        .split(' as ')
      if (name) names.set(alias ?? name, { file: resolve(dirname(file), target!), name })
    }
  }
  return names
}

/** A dynamic import reaches the exports that the same file reads as properties. */
function loadedNames(file: string, text: string): Symbol[] {
  const properties = [...text.matchAll(/\.(\w+)/g)].map((match) => match[1]!)
  return [...text.matchAll(/import\(\s*['"](\.[^'"]*)['"]\s*\)/g)].flatMap(([, target]) =>
    properties.map((name) => ({ file: resolve(dirname(file), target!), name })),
  )
}

function sourcesIn(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name)
    if (statSync(path).isDirectory()) return sourcesIn(path)
    return /\.(ts|tsx|mjs)$/.test(name) && !/\.(test|fixture)\.tsx?$/.test(name) ? [path] : []
  })
}

/** Without comments, whose words would count as references. */
function readSource(file: string): string {
  return readFileSync(file, 'utf8')
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/(^|\s)\/\/.*$/gm, '')
}
