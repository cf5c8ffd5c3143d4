/** The declarations of a Python file as drafts of symbols: functions, classes with their members, constants, types. */
import type { SymbolDraft } from './drafts.ts'
import { pythonFunctionSignature, pythonLiteralType, pythonParameterDrafts } from './python-signatures.ts'
import { blockTokens, pythonTokens } from './python-tokens.ts'
import { descendants, fieldOf, namedChildren, type SyntaxNode } from './source-tree.ts'
import type { TokenList } from './token-list.ts'

export interface Declared {
  root?: string
  /** `Outer.`, or nothing. */
  prefix: string
  isHidden?: boolean
  /** In a file of signatures only, nothing has a body. */
  isStubFile: boolean
  /** In a class that leaves things open for others to fill in. */
  isOpenClass?: boolean
}

/** Nothing where the statement declares nothing. */
export function pythonDrafts(statement: SyntaxNode, place: Declared): SymbolDraft[] {
  if (statement.type === 'decorated_definition') {
    const decorators = namedChildren(statement).filter(({ type }) => type === 'decorator')
    return definitionDrafts(fieldOf(statement, 'definition')!, place, decorators)
  }
  if (statement.type === 'type_alias_statement') return typeDraft(statement, place)
  const expression = statement.type === 'expression_statement' ? statement.children[0] : undefined
  if (expression?.type === 'assignment') return assignmentDrafts(expression, place)
  return definitionDrafts(statement, place, [])
}

export function isAssignment({ type }: SyntaxNode): boolean {
  return type === 'assignment' || type === 'augmented_assignment'
}

function definitionDrafts(node: SyntaxNode, place: Declared, decorators: readonly SyntaxNode[]): SymbolDraft[] {
  if (node.type === 'function_definition') return [functionDraft(node, place, decorators)]
  return node.type === 'class_definition' ? classDrafts(node, place, decorators) : []
}

function functionDraft(node: SyntaxNode, place: Declared, decorators: readonly SyntaxNode[]): SymbolDraft {
  const name = fieldOf(node, 'name')!.text
  const body = blockTokens(fieldOf(node, 'body')!.children)
  const marks = new Set(pythonTokens(...decorators).tokens)
  const isMarked = ['abstractmethod', 'abstractproperty', 'overload'].some((mark) => marks.has(mark))
  const isAbstract = isMarked || place.isStubFile || (place.isOpenClass === true && isLeftOpen(fieldOf(node, 'body')!))
  return {
    ...draftAt(name, place),
    kind: place.prefix ? 'method' : 'function',
    sign: (shown) => pythonFunctionSignature(node, place.prefix ? name : shown, decorators),
    parameters: pythonParameterDrafts(node),
    body,
    ...(isAbstract ? { isAbstract } : {}),
  }
}

function classDrafts(node: SyntaxNode, place: Declared, decorators: readonly SyntaxNode[]): SymbolDraft[] {
  const own = draftAt(fieldOf(node, 'name')!.text, place)
  const bases = fieldOf(node, 'superclasses')
  const within: Declared = {
    ...place,
    root: own.root,
    prefix: `${own.name}.`,
    isHidden: own.isHidden,
    isOpenClass: pythonTokens(bases).tokens.some((token) => ['Protocol', 'ABC', 'ABCMeta'].includes(token)),
  }
  const statements = namedChildren(fieldOf(node, 'body')!)
  const members = statements.map((statement) => pythonDrafts(statement, within))
  const rest = statements.flatMap((statement, index) => {
    if (members[index]!.length === 0) return [statement]
    const target = statement.children[0]?.type === 'assignment' ? fieldOf(statement.children[0], 'left') : undefined
    return target ? [target] : []
  })
  const sign = (shown: string) => [
    ...pythonTokens(...decorators).tokens,
    'class',
    place.prefix ? fieldOf(node, 'name')!.text : shown,
    ...pythonTokens(fieldOf(node, 'type_parameters'), bases).tokens,
  ]
  const body = blockTokens(rest)
  return [{ ...own, kind: 'class', sign, ...(rest.length > 0 ? { body } : {}) }, ...members.flat()]
}

/** `a = b = 1` and `a, b = 1, 2` declare both. What is not a plain name (`a.b`, `a[0]`) declares nothing. */
function assignmentDrafts(assignment: SyntaxNode, place: Declared): SymbolDraft[] {
  const targets: SyntaxNode[] = []
  let value: SyntaxNode | undefined = assignment
  for (; value?.type === 'assignment'; value = fieldOf(value, 'right')) targets.push(fieldOf(value, 'left')!)
  const names = targets.flatMap((target) =>
    target.type.endsWith('pattern') || target.type === 'pattern_list' ? namedChildren(target) : [target],
  )
  if (!names.every(({ type }) => type === 'identifier')) return []
  if (targets.length === 1 && names.length === 1 && targets[0]!.type === 'identifier') {
    return [constantDraft(names[0]!.text, assignment, value, place)]
  }
  const body = pythonTokens(assignment)
  return names.map(({ text }) => ({ ...draftAt(text, place), kind: 'constant', sign: (shown) => [shown], body }))
}

function constantDraft(name: string, node: SyntaxNode, value: SyntaxNode | undefined, place: Declared): SymbolDraft {
  const type = pythonTokens(fieldOf(node, 'type')).tokens
  if (value?.type === 'lambda') return lambdaDraft(name, value, type, place)
  const isField = place.prefix !== '' && type.length > 0 && value !== undefined
  const shownType = type.length > 0 ? [':', ...type] : pythonLiteralType(value)
  const body: TokenList | undefined = value && pythonTokens(value)
  return {
    ...draftAt(name, place),
    kind: 'constant',
    sign: (shown) => [place.prefix ? name : shown, ...shownType, ...(isField ? ['=', '...'] : [])],
    ...(body ? { body } : {}),
  }
}

function lambdaDraft(name: string, lambda: SyntaxNode, type: readonly string[], place: Declared): SymbolDraft {
  return {
    ...draftAt(name, place),
    kind: place.prefix ? 'method' : 'function',
    sign: (shown) => [...pythonFunctionSignature(lambda, place.prefix ? name : shown, []), ...type],
    parameters: pythonParameterDrafts(lambda),
    body: pythonTokens(fieldOf(lambda, 'body')),
  }
}

function typeDraft(statement: SyntaxNode, place: Declared): SymbolDraft[] {
  const name = [...descendants(fieldOf(statement, 'left')!)].find(({ type }) => type === 'identifier')!.text
  const tokens = pythonTokens(statement).tokens
  const at = tokens.indexOf(name)
  const sign = (shown: string) => [...tokens.slice(0, at), shown, ...tokens.slice(at + 1)]
  return [{ ...draftAt(name, place), kind: 'type', sign }]
}

/** A docstring, `pass`, `...` or a refusal: nothing is done here. */
function isLeftOpen(body: SyntaxNode): boolean {
  return namedChildren(body).every((statement) => {
    const inner = statement.type === 'expression_statement' ? statement.children[0]?.type : statement.type
    if (inner === 'raise_statement') return pythonTokens(statement).tokens.includes('NotImplementedError')
    return inner === 'string' || inner === 'ellipsis' || inner === 'pass_statement'
  })
}

function draftAt(name: string, { root, prefix, isHidden }: Declared) {
  const isOwn = name.startsWith('_') && !/^__.+__$/.test(name)
  const hidden = isHidden || (prefix !== '' && isOwn)
  return { root: root ?? name, name: `${prefix}${name}`, ...(hidden ? { isHidden: true } : {}) }
}
