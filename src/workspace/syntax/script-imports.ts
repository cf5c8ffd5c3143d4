/** Reads the imports of a TypeScript or JavaScript file, in every form. */
import type { ImportFacts } from '../../rules/build/syntax-facts.ts'
import { boundNames } from './script-signatures.ts'
import { childOf, fieldOf, hasChild, innerNodes, namedChildren, type SyntaxNode } from './source-tree.ts'

export interface ImportedName {
  /** Its local name. */
  local: string
  /** Its exported name; `*` for the whole module. */
  name: string
  module: string
}

/** The names that a statement imports. */
export function importedNames(statement: SyntaxNode): ImportedName[] {
  const module = moduleOf(statement)
  const required = childOf(statement, 'import_require_clause')
  if (required) {
    const local = childOf(required, 'identifier')?.text ?? ''
    return [{ local, name: '*', module: moduleOf(required) }]
  }
  const clause = childOf(statement, 'import_clause')
  return (clause ? namedChildren(clause) : []).flatMap((part) => {
    if (part.type === 'identifier') return [{ local: part.text, name: 'default', module }]
    if (part.type === 'namespace_import') return [{ local: namedChildren(part)[0]!.text, name: '*', module }]
    return namedChildren(part).map((one) => specifier(one, module))
  })
}

/** `const x = require('y')` is an import by another name. */
export function requiredNames(declarator: SyntaxNode): ImportedName[] | undefined {
  let value = fieldOf(declarator, 'value')
  while (value?.type === 'member_expression') value = fieldOf(value, 'object')
  const module = value && requiredModule(value)
  if (module === undefined) return undefined
  const names = boundNames(fieldOf(declarator, 'name')!)
  return names.map((local) => ({ local, name: local, module }))
}

/** All imports: statements, re-exports, and calls that load a module, anywhere in the file. */
export function importFacts(program: SyntaxNode): ImportFacts[] {
  const found: ImportFacts[] = []
  const makers = madeLoaders(program)
  for (const node of innerNodes(program)) {
    if (node.type === 'import_statement') {
      const required = childOf(node, 'import_require_clause')
      const module = moduleOf(required ?? node)
      found.push({ module, ...namesOf(importedNames(node)) })
    } else if (node.type === 'export_statement' && fieldOf(node, 'source')) {
      const clause = childOf(node, 'export_clause')
      const names = clause ? namedChildren(clause).map((one) => specifierNames(one).name) : []
      found.push({ module: moduleOf(node), names })
    } else if (node.type === 'call_expression') {
      const module = requiredModule(node, makers.has(calleeName(node)))
      if (module !== undefined) found.push({ module, names: [] })
    } else if (node.type === 'variable_declarator') {
      const names = requiredNames(node)
      if (names?.length) found.push({ module: names[0]!.module, names: names.map(({ local }) => local) })
    }
  }
  return merged(found)
}

/** Of `name as alias`, where either may be a keyword or a text in quotes. */
export function specifierNames({ children }: SyntaxNode): { name: string; alias?: string } {
  const words = children.filter((child, index) => child.type !== 'type' || index === children.length - 1)
  const plain = ({ type, text }: SyntaxNode) => (type === 'string' ? text.slice(1, -1) : text)
  const name = plain(words[0]!)
  return words.length > 1 ? { name, alias: plain(words.at(-1)!) } : { name }
}

export function moduleOf(node: SyntaxNode): string {
  return fieldOf(node, 'source')?.text.slice(1, -1) ?? ''
}

/** The module that a call loads, if it is a literal. */
export function requiredModule(call: SyntaxNode, isLoader = false): string | undefined {
  if (call.type !== 'call_expression') return undefined
  const callee = fieldOf(call, 'function')
  const called = callee?.type === 'member_expression' ? fieldOf(callee, 'property')?.text : (callee?.text ?? '')
  const isMade = isLoader || (callee !== undefined && isLoaderMaker(callee))
  const loads = isMade || callee?.type === 'import' || called === 'require' || called === 'getBuiltinModule'
  const argument = namedChildren(fieldOf(call, 'arguments') ?? call)[0]
  if (!loads || argument === undefined) return undefined
  if (argument.type === 'string') return argument.text.slice(1, -1)
  const isPlain = argument.type === 'template_string' && !hasChild(argument, 'template_substitution')
  return isPlain
    ? argument.children
        .slice(1, -1)
        .map(({ text }) => text)
        .join('')
    : undefined
}

/** `createRequire(…)` gives a `require` by any name. */
function isLoaderMaker(node: SyntaxNode): boolean {
  if (node.type !== 'call_expression') return false
  const callee = fieldOf(node, 'function')
  return (callee?.type === 'member_expression' ? fieldOf(callee, 'property')?.text : callee?.text) === 'createRequire'
}

function madeLoaders(program: SyntaxNode): Set<string> {
  const made = new Set<string>()
  for (const node of innerNodes(program)) {
    const isNamed = node.type === 'variable_declarator' || node.type === 'assignment_expression'
    const value = isNamed ? fieldOf(node, node.type === 'variable_declarator' ? 'value' : 'right') : undefined
    if (!value) continue
    const isRequire = value.type === 'identifier' && (value.text === 'require' || made.has(value.text))
    if (isRequire || isLoaderMaker(value)) made.add((fieldOf(node, 'name') ?? fieldOf(node, 'left'))?.text ?? '')
  }
  made.delete('')
  return made
}

function calleeName(call: SyntaxNode): string {
  const callee = fieldOf(call, 'function')
  return callee?.type === 'identifier' ? callee.text : ''
}

const ownGlobals = new Set(['globalThis', 'window', 'global', 'self'])

/** How the file runs text as code. */
export function scriptEvaluations(program: SyntaxNode): string[] {
  const found = new Set<string>()
  for (const node of innerNodes(program)) {
    const isNew = node.type === 'new_expression'
    if (!isNew && node.type !== 'call_expression') continue
    const name = globalName(fieldOf(node, isNew ? 'constructor' : 'function'))
    if (name === 'eval' && !isNew) found.add('eval')
    if (name === 'Function') found.add('new Function')
  }
  return [...found]
}

/** Also in `(0, eval)(…)` and `globalThis.eval(…)`. */
function globalName(node: SyntaxNode | undefined): string | undefined {
  if (node?.type === 'identifier') return node.text
  if (node?.type === 'parenthesized_expression' || node?.type === 'sequence_expression')
    return globalName(namedChildren(node).at(-1))
  if (node?.type !== 'member_expression') return undefined
  const object = fieldOf(node, 'object')
  return object?.type === 'identifier' && ownGlobals.has(object.text) ? fieldOf(node, 'property')?.text : undefined
}

function specifier(node: SyntaxNode, module: string): ImportedName {
  const { name, alias } = specifierNames(node)
  return { local: alias ?? name, name, module }
}

function namesOf(imported: readonly { local: string; name: string }[]): Omit<ImportFacts, 'module'> {
  const names = imported.map(({ local }) => local)
  const isRenamed = imported.some(({ local, name }) => name !== local && name !== 'default' && name !== '*')
  return isRenamed ? { names, taken: imported.map(({ name }) => name) } : { names }
}

/** Each module once, in the order of the text. */
export function merged(found: readonly ImportFacts[]): ImportFacts[] {
  const byModule = Map.groupBy(found, ({ module }) => module)
  return [...byModule].map(([module, all]) => {
    const names = [...new Set(all.flatMap((one) => one.names))]
    if (!all.some(({ taken }) => taken)) return { module, names }
    return { module, names, taken: [...new Set(all.flatMap((one) => one.taken ?? one.names))] }
  })
}
