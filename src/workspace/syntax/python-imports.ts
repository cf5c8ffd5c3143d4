/** What a Python file takes from other modules, at its top or anywhere within. */
import type { ImportFacts } from '../../rules/build/syntax-facts.ts'
import { pythonTokens } from './python-tokens.ts'
import { merged } from './script-imports.ts'
import { childOf, fieldOf, hasChild, innerNodes, namedChildren, type SyntaxNode } from './source-tree.ts'

export interface PythonImport {
  /** As it is written: `os.path`, `.parser`. */
  module: string
  /** `isKept`: renamed to itself, which says that it is meant for others too. */
  names: { local: string; name: string; isKept: boolean }[]
  isWildcard: boolean
}

/** One statement may import several modules. */
export function pythonImports(statement: SyntaxNode): PythonImport[] {
  const names = statement.children.filter(({ field }) => field === 'name').map(importedName)
  if (statement.type === 'import_statement') {
    return names.map((one) => ({ module: one.name, names: [localOf(one)], isWildcard: false }))
  }
  const source = fieldOf(statement, 'module_name')
  const module = source ? pythonTokens(source).tokens.join('') : '__future__'
  return [{ module, names, isWildcard: hasChild(statement, 'wildcard_import') }]
}

export function pythonImportFacts(root: SyntaxNode): ImportFacts[] {
  const found: ImportFacts[] = []
  for (const node of innerNodes(root)) {
    if (node.type === 'call') found.push(...loadedModules(node))
    else if (node.type.endsWith('import_statement') || node.type === 'import_from_statement') {
      for (const one of pythonImports(node)) found.push(...factsOf(one))
    }
  }
  return merged(found)
}

/** `from concurrent import futures` may be a module of that name as well as something in it. */
function factsOf({ module, names }: PythonImport): ImportFacts[] {
  const locals = names.map(({ local }) => local)
  const isRenamed = names.some(({ local, name }) => local !== name && name !== module)
  return [{ module, names: locals, ...(isRenamed ? { taken: names.map(({ name }) => name) } : {}) }]
}

function loadedModules(call: SyntaxNode): ImportFacts[] {
  const callee = pythonTokens(fieldOf(call, 'function')).tokens.join('')
  if (callee !== '__import__' && callee !== 'importlib.import_module' && callee !== 'import_module') return []
  const argument = namedChildren(fieldOf(call, 'arguments') ?? call)[0]
  const content = argument?.type === 'string' ? childOf(argument, 'string_content') : undefined
  return content ? [{ module: content.text, names: [] }] : []
}

/** Ways in which the file runs text as code; a function of its own by such a name is none. */
export function pythonEvaluations(root: SyntaxNode): string[] {
  const own = new Set<string>()
  const called = new Set<string>()
  for (const node of innerNodes(root)) {
    if (node.type === 'function_definition') own.add(fieldOf(node, 'name')?.text ?? '')
    const callee = node.type === 'call' ? pythonTokens(fieldOf(node, 'function')).tokens.join('') : ''
    const name = callee.replace(/^builtins\./, '')
    if (name === 'eval' || name === 'exec') called.add(name)
  }
  return [...called].filter((name) => !own.has(name))
}

function importedName(node: SyntaxNode): { local: string; name: string; isKept: boolean } {
  const name = pythonTokens(fieldOf(node, 'name') ?? node).tokens.join('')
  const alias = fieldOf(node, 'alias')?.text
  return { local: alias ?? name, name, isKept: alias === name }
}

/** `import os.path` brings `os` into the file. */
function localOf(one: { local: string; name: string; isKept: boolean }) {
  return one.local === one.name ? { ...one, local: one.name.split('.')[0]! } : one
}
