/** The declarations of a TypeScript or JavaScript file as drafts of symbols: functions, constants, types, namespaces. */
import type { SymbolDraft } from './drafts.ts'
import { classDrafts, memberName, objectMembers } from './script-classes.ts'
import { boundNames, functionSignature, isFunction, literalType, parameterDrafts } from './script-signatures.ts'
import { scriptTokens, statementTokens } from './script-tokens.ts'
import { childOf, fieldOf, namedChildren, type SyntaxNode } from './source-tree.ts'

export interface Place {
  /** The name at the top of the file that encloses it, where it is inside one. */
  root?: string
  /** `Outer.`, or nothing. */
  prefix: string
  isHidden?: boolean
  /** Declared and defined elsewhere. */
  isAmbient?: boolean
  /** Decorators that stand before `export`. */
  decorators?: readonly string[]
}

const topLevel: Place = { prefix: '' }

/** Nothing where the statement declares nothing. */
export function declarationDrafts(node: SyntaxNode, place = topLevel): SymbolDraft[] {
  const { type } = node
  if (isFunction(node)) return functionDraft(node, fieldOf(node, 'name')?.text ?? 'default', place)
  if (type === 'class_declaration' || type === 'abstract_class_declaration' || type === 'class') {
    return classDrafts(node, fieldOf(node, 'name')?.text ?? 'default', place)
  }
  if (type === 'lexical_declaration' || type === 'variable_declaration') {
    return node.children.filter((child) => child.type === 'variable_declarator').flatMap((one) => variable(one, place))
  }
  if (type === 'interface_declaration' || type === 'type_alias_declaration') return typeDraft(node, place)
  if (type === 'enum_declaration') return typeDraft(node, place, fieldOf(node, 'body'))
  if (type === 'import_alias') return aliasDraft(node, place)
  if (type === 'ambient_declaration') return ambientDrafts(node, place)
  if (type === 'internal_module' || type === 'module') return namespaceDrafts(node, place)
  const only = namedChildren(node)[0]
  if (type === 'expression_statement' && only?.type === 'internal_module') return namespaceDrafts(only, place)
  return []
}

/** A value under a name: what it is decides what becomes of it. */
export function valueDrafts(name: string, value: SyntaxNode | undefined, place: Place, stated?: SyntaxNode) {
  const { inner, types } = unwrapped(value)
  const type = scriptTokens(stated, ...types).tokens
  if (inner && isFunction(inner)) return functionDraft(inner, name, place, type)
  if (inner?.type === 'class') return classDrafts(inner, name, place)
  const members = inner?.type === 'object' ? objectMembers(inner, name, place, type.length > 0) : undefined
  const implied = type.length > 0 ? type : [':', ...literalType(inner)]
  const draft: SymbolDraft = {
    ...draftAt(name, place),
    kind: 'constant',
    sign: (shown) => [shown, ...(implied.length > 1 ? implied : [])],
    ...(value ? { body: members ? members.rest : scriptTokens(value) } : {}),
  }
  return [draft, ...(members?.drafts ?? [])]
}

export function draftAt(name: string, { root, prefix, isHidden }: Place) {
  return { root: root ?? name, name: `${prefix}${name}`, ...(isHidden ? { isHidden } : {}) }
}

function functionDraft(node: SyntaxNode, name: string, place: Place, type: readonly string[] = []): SymbolDraft[] {
  const body = fieldOf(node, 'body')
  return [
    {
      ...draftAt(name, place),
      kind: 'function',
      sign: (shown) => [...functionSignature(node, shown), ...type],
      ...(body ? { body: scriptTokens(body), parameters: parameterDrafts(node) } : {}),
    },
  ]
}

function variable(node: SyntaxNode, place: Place): SymbolDraft[] {
  const [pattern, value] = [fieldOf(node, 'name')!, fieldOf(node, 'value')]
  if (pattern.type === 'identifier') return valueDrafts(pattern.text, value, place, fieldOf(node, 'type'))
  const body = scriptTokens(pattern, childOf(node, '='), value)
  return boundNames(pattern).map((name) => ({
    ...draftAt(name, place),
    kind: 'constant' as const,
    sign: (shown: string) => [shown],
    body,
  }))
}

/** A type is its whole text. An enum's values are looked at when the program runs, so they are logic too. */
function typeDraft(node: SyntaxNode, place: Place, values?: SyntaxNode): SymbolDraft[] {
  const name = fieldOf(node, 'name')!
  const before = node.children.slice(0, node.children.indexOf(name))
  const after = node.children.slice(node.children.indexOf(name) + 1)
  const body = values && !place.isAmbient ? scriptTokens(values) : undefined
  return [
    {
      ...draftAt(name.text, place),
      kind: 'type',
      sign: (shown) => [...scriptTokens(...before).tokens, shown, ...withoutEnd(scriptTokens(...after).tokens)],
      ...(body ? { body } : {}),
    },
  ]
}

function aliasDraft(node: SyntaxNode, place: Place): SymbolDraft[] {
  const [name, target] = namedChildren(node)
  const body = scriptTokens(target)
  return [{ ...draftAt(name!.text, place), kind: 'constant', sign: (shown) => [shown], body }]
}

function ambientDrafts(node: SyntaxNode, place: Place): SymbolDraft[] {
  const declared = namedChildren(node).at(-1)!
  if (declared.type === 'statement_block') return augmentation('global', declared, place)
  return declarationDrafts(declared, { ...place, isAmbient: true })
}

/** What is added to another module, or to all of them, is held as one text. */
function augmentation(name: string, block: SyntaxNode, place: Place): SymbolDraft[] {
  const text = statementTokens(block.children).tokens
  return [{ ...draftAt(name, place), kind: 'type', sign: (shown) => [shown, '{', ...text, '}'] }]
}

function namespaceDrafts(node: SyntaxNode, place: Place): SymbolDraft[] {
  const [nameNode, block] = [fieldOf(node, 'name')!, fieldOf(node, 'body')]
  if (nameNode.type === 'string') return augmentation(`module ${memberName(nameNode)}`, block ?? node, place)
  const name = scriptTokens(nameNode).tokens.join('')
  const own = draftAt(name, place)
  const within = (isExported: boolean): Place => ({
    ...place,
    root: own.root,
    prefix: `${own.name}.`,
    isHidden: place.isHidden || (!isExported && !place.isAmbient),
  })
  const rest: SyntaxNode[] = []
  const inner = (block ? namedChildren(block) : []).flatMap((statement) => {
    const declaration = statement.type === 'export_statement' ? fieldOf(statement, 'declaration') : statement
    const drafts = declaration ? declarationDrafts(declaration, within(declaration !== statement)) : []
    if (drafts.length === 0) rest.push(statement)
    return drafts
  })
  const body = rest.length > 0 ? statementTokens(rest) : undefined
  const sign = (shown: string) => ['namespace', shown]
  return [{ ...own, kind: 'constant', sign, ...(body ? { body } : {}) }, ...inner]
}

/** The value behind parentheses and type assertions, and the types asserted. */
function unwrapped(value: SyntaxNode | undefined): { inner: SyntaxNode | undefined; types: SyntaxNode[] } {
  const types: SyntaxNode[] = []
  let inner = value
  while (inner && ['parenthesized_expression', 'as_expression', 'satisfies_expression'].includes(inner.type)) {
    const [first, type] = namedChildren(inner)
    if (inner.type === 'as_expression' && type) types.push(childOf(inner, 'as')!, type)
    inner = first
  }
  return { inner, types }
}

function withoutEnd(tokens: readonly string[]): readonly string[] {
  return tokens.at(-1) === ';' ? tokens.slice(0, -1) : tokens
}
