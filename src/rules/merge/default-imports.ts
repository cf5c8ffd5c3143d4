/** Finds the local names of default imports whose signature changed. SPEC.md § RB2. */
import { type SyntaxFacts, sameSignature } from '../build/syntax-facts.ts'

/** The default imports of a file from modules whose default export has another signature in `after` than in `before`. */
export function resignedDefaults(
  importer: SyntaxFacts | undefined,
  before: ReadonlyMap<string, SyntaxFacts>,
  after: ReadonlyMap<string, SyntaxFacts>,
): Set<string> {
  const names = (importer?.imports ?? []).flatMap(({ module, names }) => {
    const file = pathsOf(importer!.file, module).find((path) => before.has(path))
    if (file === undefined) return []
    const [old, young] = [before, after].map((tree) => tree.get(file)?.symbols.find(({ name }) => name === 'default'))
    return old && young && !sameSignature(old, young) ? names : []
  })
  return new Set(names)
}

/** The files that a module specifier may refer to, seen from a file. */
export function pathsOf(from: string, module: string): string[] {
  if (!/^\.\.?(\/|$)/.test(module)) return []
  const path: string[] = from.split('/').slice(0, -1)
  for (const step of module.split('/')) {
    if (step === '..') path.pop()
    else if (step !== '.' && step !== '') path.push(step)
  }
  const plain = path.join('/')
  const extensions = ['js', 'cjs', 'mjs', 'ts', 'jsx', 'tsx']
  const index = plain === '' ? 'index' : `${plain}/index`
  return [plain, ...extensions.flatMap((extension) => [`${plain}.${extension}`, `${index}.${extension}`])]
}
