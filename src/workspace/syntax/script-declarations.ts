/** The declarations of a TypeScript or JavaScript file as drafts of symbols: functions, constants, types, namespaces. */
import type { SymbolDraft } from './drafts.ts'
import { classDrafts, memberName, objectMembers } from './script-classes.ts'
import { boundNames, functionSignature, isFunction, literalType, parameterDrafts } from './script-signatures.ts'
import { scriptTokens, statementTokens } from './script-tokens.ts'
import { childOf, fieldOf, namedChildren, type SyntaxNode } from './source-tree.ts'

export interface Enclosing {
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

const topLevel: Enclosing = { prefix: '' }

/** Nothing where the statement declares nothing. */
export function declarationDrafts(node: SyntaxNode, enclosing = topLevel): SymbolDraft[] {
  const { type } = node
  if (isFunction(node)) return functionDraft(node, fieldOf(node, 'name')?.text ?? 'default', enclosing)
  if (type === 'class_declaration' || type === 'abstract_class_declaration' || type === 'class') {
    return classDrafts(node, fieldOf(node, 'name')?.text ?? 'default', enclosing)
  }
  if (type === 'lexical_declaration' || type === 'variable_declaration') {
    return node.children
      .filter((child) => child.type === 'variable_declarator')
      .flatMap((one) => variable(one, enclosing))
  }
  if (type === 'interface_declaration' || type === 'type_alias_declaration') return typeDraft(node, enclosing)
  if (type === 'enum_declaration') return typeDraft(node, enclosing, fieldOf(node, 'body'))
  if (type === 'import_alias') return aliasDraft(node, enclosing)
  if (type === 'ambient_declaration') return ambientDrafts(node, enclosing)
  if (type === 'internal_module' || type === 'module') return namespaceDrafts(node, enclosing)
  const only = namedChildren(node)[0]
  if (type === 'expression_statement' && only?.type === 'internal_module') return namespaceDrafts(only, enclosing)
  return []
}

/** A value under a name: what it is decides what becomes of it. */
export function valueDrafts(name: string, value: SyntaxNode | undefined, enclosing: Enclosing, stated?: SyntaxNode) {
  const { inner, types } = unwrapped(value)
  const type = scriptTokens(stated, ...types).tokens
  if (inner && isFunction(inner)) return functionDraft(inner, name, enclosing, type)
  if (inner?.type === 'class') return classDrafts(inner, name, enclosing)
  const members = inner?.type === 'object' ? objectMembers(inner, name, enclosing, type.length > 0) : undefined
  const implied = type.length > 0 ? type : [':', ...literalType(inner)]
  const draft: SymbolDraft = {
    ...draftAt(name, enclosing),
    kind: 'constant',
    sign: (shown) => [shown, ...(implied.length > 1 ? implied : [])],
    ...(value ? { body: members ? members.rest : scriptTokens(value) } : {}),
  }
  return [draft, ...(members?.drafts ?? [])]
}

export function draftAt(name: string, { root, prefix, isHidden }: Enclosing) {
  return { root: root ?? name, name: `${prefix}${name}`, ...(isHidden ? { isHidden } : {}) }
}

function functionDraft(
  node: SyntaxNode,
  name: string,
  enclosing: Enclosing,
  /** The type that is stated for the constant which holds it: callers see that alone. */
  stated: readonly string[] = [],
): SymbolDraft[] {
  const body = fieldOf(node, 'body')
  return [
    {
      ...draftAt(name, enclosing),
      kind: 'function',
      sign: (shown) => (stated.length > 0 ? [shown, ...stated] : functionSignature(node, shown)),
      ...(body ? { body: scriptTokens(body), parameters: parameterDrafts(node) } : {}),
    },
  ]
}

function variable(node: SyntaxNode, enclosing: Enclosing): SymbolDraft[] {
  const [pattern, value] = [fieldOf(node, 'name')!, fieldOf(node, 'value')]
  if (pattern.type === 'identifier') return valueDrafts(pattern.text, value, enclosing, fieldOf(node, 'type'))
  const body = scriptTokens(pattern, childOf(node, '='), value)
  return boundNames(pattern).map((name) => ({
    ...draftAt(name, enclosing),
    kind: 'constant' as const,
    sign: (shown: string) => [shown],
    body,
  }))
}

/** A type is its whole text. An enum's values are looked at when the program runs, so they are logic too. */
function typeDraft(node: SyntaxNode, enclosing: Enclosing, values?: SyntaxNode): SymbolDraft[] {
  const name = fieldOf(node, 'name')!
  const before = node.children.slice(0, node.children.indexOf(name))
  const after = node.children.slice(node.children.indexOf(name) + 1)
  const body = values && !enclosing.isAmbient ? scriptTokens(values) : undefined
  return [
    {
      ...draftAt(name.text, enclosing),
      kind: 'type',
      sign: (shown) => [...scriptTokens(...before).tokens, shown, ...withoutEnd(scriptTokens(...after).tokens)],
      ...(body ? { body } : {}),
    },
  ]
}

function aliasDraft(node: SyntaxNode, enclosing: Enclosing): SymbolDraft[] {
  const [name, target] = namedChildren(node)
  const body = scriptTokens(target)
  return [{ ...draftAt(name!.text, enclosing), kind: 'constant', sign: (shown) => [shown], body }]
}

function ambientDrafts(node: SyntaxNode, enclosing: Enclosing): SymbolDraft[] {
  const declared = namedChildren(node).at(-1)!
  if (declared.type === 'statement_block') return augmentation('global', declared, enclosing)
  return declarationDrafts(declared, { ...enclosing, isAmbient: true })
}

/** What is added to another module, or to all of them, is held as one text. */
function augmentation(name: string, block: SyntaxNode, enclosing: Enclosing): SymbolDraft[] {
  const text = statementTokens(block.children).tokens
  return [{ ...draftAt(name, enclosing), kind: 'type', sign: (shown) => [shown, '{', ...text, '}'] }]
}

function namespaceDrafts(node: SyntaxNode, enclosing: Enclosing): SymbolDraft[] {
  const [nameNode, block] = [fieldOf(node, 'name')!, fieldOf(node, 'body')]
  if (nameNode.type === 'string') return augmentation(`module ${memberName(nameNode)}`, block ?? node, enclosing)
  const name = scriptTokens(nameNode).tokens.join('')
  const own = draftAt(name, enclosing)
  const within = (isExported: boolean): Enclosing => ({
    ...enclosing,
    root: own.root,
    prefix: `${own.name}.`,
    isHidden: enclosing.isHidden || (!isExported && !enclosing.isAmbient),
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
