/** TypeScript and JavaScript as tokens: reformatting a text (white space, semicolons, trailing commas, quotes) changes none. */
import { scriptGlobals, scriptMethods } from './builtin-names.ts'
import { fieldOf, type SyntaxNode } from './source-tree.ts'
import { plainQuotes, TokenList } from './token-list.ts'

export function scriptTokens(...nodes: readonly (SyntaxNode | undefined)[]): TokenList {
  const out = new TokenList()
  for (const node of nodes) if (node) emit(node, undefined, out)
  return out
}

/** Statements with one separator between them, however they were written. */
export function statementTokens(statements: readonly SyntaxNode[]): TokenList {
  const out = new TokenList()
  emitList(statements, undefined, out, ';')
  return out
}

const names = new Set([
  'identifier',
  'property_identifier',
  'private_property_identifier',
  'shorthand_property_identifier',
  'shorthand_property_identifier_pattern',
  'type_identifier',
  'statement_identifier',
])

/** What lies between the braces is a list of statements or of members. */
const lists = new Set(['statement_block', 'class_body', 'interface_body', 'object_type'])
const closing = new Set([')', ']', '}', '>'])
const tags = new Set(['jsx_opening_element', 'jsx_closing_element', 'jsx_self_closing_element'])
const elements = new Set(['jsx_element', 'jsx_self_closing_element'])
const wrappers = new Set(['return_statement', 'variable_declarator', 'assignment_expression'])

function emit(node: SyntaxNode, parent: SyntaxNode | undefined, out: TokenList): void {
  const { type, children } = node
  if (children.length === 0) emitLeaf(node, parent, out)
  else if (lists.has(type)) emitBraces(node, out)
  else if (type === 'switch_case' || type === 'switch_default') emitCase(node, out)
  else if (type === 'template_string' || type === 'template_literal_type') emitTemplate(node, out)
  else if (type === 'parenthesized_expression' && isNeedless(node, parent)) emit(children[1]!, parent, out)
  else if (type === 'for_statement') emitFor(node, out)
  else if (tags.has(type)) emitTag(node, out)
  else if (typesOfFunctions.has(type)) emitFunctionType(node, out)
  else emitChildren(node, out)
}

/** Types of functions and methods name their parameters for readers alone. */
const typesOfFunctions = new Set(['function_type', 'constructor_type', 'method_signature', 'call_signature'])

function emitFunctionType(node: SyntaxNode, out: TokenList): void {
  const isNamed = (child: SyntaxNode) => child.field === 'pattern' && child.type === 'identifier'
  const emitParameter = (parameter: SyntaxNode, list: SyntaxNode) => {
    if (!parameter.children.some(isNamed)) return emit(parameter, list, out)
    for (const child of parameter.children)
      if (isNamed(child)) out.word('_')
      else emit(child, parameter, out)
  }
  for (const child of node.children) {
    if (child.type !== 'formal_parameters') emit(child, node, out)
    else
      for (const [index, parameter] of child.children.entries())
        if (parameter.isNamed || !isLayout(parameter, index, child)) emitParameter(parameter, child)
  }
}

function emitChildren(node: SyntaxNode, out: TokenList): void {
  for (const [index, child] of node.children.entries()) {
    const isBare = child.field === 'parameter' && node.type === 'arrow_function'
    if (isBare) out.word('(')
    if (child.isNamed || !isLayout(child, index, node)) emit(child, node, out)
    if (isBare) out.word(')')
  }
}

function emitLeaf(node: SyntaxNode, parent: SyntaxNode | undefined, out: TokenList): void {
  if (node.type === 'jsx_text') emitMarkupText(node, out)
  else if (node.type === 'string') out.word(plainQuotes(node.text))
  else if (names.has(node.type) && !isBuiltin(node, parent)) out.name(node.text)
  else if (node.text !== '') out.word(node.text)
}

function isBuiltin(node: SyntaxNode, parent: SyntaxNode | undefined): boolean {
  if (node.type === 'identifier') return scriptGlobals.has(node.text)
  if (node.type !== 'property_identifier' || parent?.type !== 'member_expression') return false
  const object = fieldOf(parent, 'object')
  return scriptMethods.has(node.text) || (object?.type === 'identifier' && scriptGlobals.has(object.text))
}

function isLayout(sign: SyntaxNode, index: number, { type, children }: SyntaxNode): boolean {
  if (sign.type === ';') return type !== 'empty_statement'
  if (sign.type === ',') {
    const [before, after] = [children[index - 1], children[index + 1]]
    return Boolean(before?.isNamed && after && !after.isNamed && closing.has(after.type))
  }
  if (sign.type === '|') return type === 'union_type' && index === 0
  return sign.type === '&' && type === 'intersection_type' && index === 0
}

/** A list has no trailing separator, and an empty statement in it does nothing. */
function emitList(nodes: readonly SyntaxNode[], parent: SyntaxNode | undefined, out: TokenList, separator: string) {
  let isFirst = true
  for (const node of nodes) {
    if (!node.isNamed || node.type === 'empty_statement') continue
    if (!isFirst) out.word(separator)
    isFirst = false
    emit(node, parent, out)
  }
}

function emitBraces(node: SyntaxNode, out: TokenList): void {
  const [first, last] = [node.children[0]!, node.children.at(-1)!]
  out.word(first.text)
  emitList(node.children, node, out, ';')
  out.word(last.text)
}

function emitCase(node: SyntaxNode, out: TokenList): void {
  const body = node.children.filter((child) => child.field === 'body')
  for (const child of node.children) if (child.field !== 'body') emit(child, node, out)
  emitList(body, node, out, ';')
}

/** The two separators in a loop's head stand for something. */
function emitFor(node: SyntaxNode, out: TokenList): void {
  for (const child of node.children) {
    emit(child, node, out)
    const isOwnSeparator = child.field === 'initializer' && child.children.at(-1)?.type === ';'
    if (isOwnSeparator && child.type !== 'empty_statement') out.word(';')
  }
}

function emitTemplate({ children }: SyntaxNode, out: TokenList): void {
  let text = ''
  for (const child of children) {
    if (child.type !== 'template_substitution' && child.type !== 'template_type') {
      text += child.text
      continue
    }
    out.word(`${text}…`)
    text = '…'
    for (const inner of child.children) if (inner.isNamed) emit(inner, child, out)
  }
  out.word(text)
}

/** The tags of the page and their attributes are fixed words; a component's are names. */
function emitTag(node: SyntaxNode, out: TokenList): void {
  const name = fieldOf(node, 'name')
  const isFixed = name?.type === 'identifier' && /^[a-z]/.test(name.text)
  for (const child of node.children) {
    if (child === name && isFixed) out.word(child.text)
    else if (isFixed && child.type === 'jsx_attribute') emitFixedAttribute(child, out)
    else emit(child, node, out)
  }
}

function emitFixedAttribute(node: SyntaxNode, out: TokenList): void {
  for (const child of node.children) {
    if (child.type === 'property_identifier') out.word(child.text)
    else emit(child, node, out)
  }
}

/** White space with a line break in it is layout; any other is part of the page. */
function emitMarkupText({ text }: SyntaxNode, out: TokenList): void {
  const lines = text.split('\n').map((line, index, all) => {
    const start = index === 0 ? line : line.trimStart()
    return index === all.length - 1 ? start : start.trimEnd()
  })
  const plain = lines.filter((line) => line !== '').join(' ')
  if (plain !== '') out.word(plain)
}

/** Parentheses that formatters add when a line grows long. */
function isNeedless(node: SyntaxNode, parent: SyntaxNode | undefined): boolean {
  const inner = node.children[1]
  if (!inner || node.children.length !== 3) return false
  if (elements.has(inner.type)) return true
  return parent !== undefined && wrappers.has(parent.type) && inner.type !== 'sequence_expression'
}
