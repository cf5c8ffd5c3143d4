/** Python code as tokens: marks blocks, since indentation matters, and leaves out all other layout. */
import { pythonBuiltins } from './builtin-names.ts'
import type { SyntaxNode } from './source-tree.ts'
import { plainQuotes, TokenList } from './token-list.ts'

export function pythonTokens(...nodes: readonly (SyntaxNode | undefined)[]): TokenList {
  const out = new TokenList()
  for (const node of nodes) if (node) emit(node, undefined, out)
  return out
}

/** A function's own block is not marked: it is where the tokens begin and end. */
export function blockTokens(statements: readonly SyntaxNode[]): TokenList {
  const out = new TokenList()
  emitStatements(statements, out)
  return out
}

/** As `blockTokens`, for statements outside every declaration: what is imported there is told by the imports. */
export function moduleTokens(statements: readonly SyntaxNode[]): TokenList {
  return blockTokens(statements.map(withoutImports))
}

export const importStatements: ReadonlySet<string> = new Set([
  'import_statement',
  'import_from_statement',
  'future_import_statement',
])

const closing = new Set([')', ']', '}'])
const wrappers = new Set([
  'assignment',
  'augmented_assignment',
  'return_statement',
  'if_statement',
  'elif_clause',
  'while_statement',
  'assert_statement',
])

function emit(node: SyntaxNode, parent: SyntaxNode | undefined, out: TokenList): void {
  const { type, children } = node
  if (type === 'block') emitBlock(node, out)
  else if (children.length === 0) emitLeaf(node, parent, out)
  else if (type === 'string') emitString(node, out)
  else if (isNeedless(node, parent)) emit(children[1]!, parent, out)
  else for (const [index, child] of children.entries()) if (!isLayout(child, index, node)) emit(child, node, out)
}

/** Parentheses that formatters add when a line grows long. */
function isNeedless({ type, children }: SyntaxNode, parent: SyntaxNode | undefined): boolean {
  if (type !== 'parenthesized_expression' || children.length !== 3) return false
  return parent !== undefined && wrappers.has(parent.type)
}

function emitLeaf(node: SyntaxNode, parent: SyntaxNode | undefined, out: TokenList): void {
  if (node.type === 'identifier' && !isBuiltin(node, parent)) out.name(node.text)
  else if (node.text !== '') out.word(node.text)
}

function isBuiltin(node: SyntaxNode, parent: SyntaxNode | undefined): boolean {
  const isOwn = parent?.type === 'attribute' && node.field === 'attribute'
  const isArgument = parent?.type === 'keyword_argument' && node.field === 'name'
  return !isOwn && !isArgument && pythonBuiltins.has(node.text)
}

/** The comma of a tuple of one, or of an index, is what makes it one. */
function isLayout(sign: SyntaxNode, index: number, { type, children }: SyntaxNode): boolean {
  if (sign.isNamed || sign.type !== ',') return false
  const after = children[index + 1]
  if (!after || after.isNamed || !closing.has(after.type) || type === 'subscript') return false
  return !(type === 'tuple' && children.length === 4) && !(type === 'tuple_pattern' && children.length === 4)
}

function emitBlock(node: SyntaxNode, out: TokenList): void {
  out.word('<indent>')
  emitStatements(node.children, out)
  out.word('<dedent>')
}

function emitStatements(statements: readonly SyntaxNode[], out: TokenList): void {
  let isFirst = true
  for (const statement of statements) {
    if (!statement.isNamed) continue
    if (!isFirst) out.word(';')
    isFirst = false
    emit(statement, undefined, out)
  }
}

function emitString({ children }: SyntaxNode, out: TokenList): void {
  let text = ''
  for (const child of children) {
    if (child.type !== 'interpolation') {
      text += child.text
      continue
    }
    out.word(`${text}…`)
    text = '…'
    for (const inner of child.children.slice(1, -1)) emit(inner, child, out)
  }
  out.word(plainQuotes(text))
}

function withoutImports(node: SyntaxNode): SyntaxNode {
  if (node.children.length === 0 || node.type === 'function_definition') return node
  const kept = node.children.filter((child) => !importStatements.has(child.type))
  return { ...node, children: kept.map(withoutImports) }
}
