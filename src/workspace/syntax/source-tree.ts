/** A syntax tree as plain data, without comments: it is copied out of the parser's memory, which is freed at once. */
import { type Language, Parser, type TreeCursor } from 'web-tree-sitter'
import { grammarLanguage } from './grammars.ts'
import type { Grammar } from './languages.ts'
import { type MendedSource, mendSource } from './mended-source.ts'

export interface SyntaxNode {
  /** What kind of node it is; of a sign or a keyword, the word itself. */
  readonly type: string
  readonly isNamed: boolean
  /** What part of its parent it is; signs and keywords have none. */
  readonly field: string | undefined
  /** Of a leaf. */
  readonly text: string
  readonly children: readonly SyntaxNode[]
}

const none: readonly SyntaxNode[] = []

/** Nothing where the text does not parse, or nests deeper than the stack allows. */
export function parseSource(grammar: Grammar, text: string): SyntaxNode | undefined {
  const parser = new Parser()
  try {
    parser.setLanguage(grammarLanguage(grammar))
    const root = parseWith(parser, grammar, text)
    if (root || grammar === 'python') return root
    const mended = mendSource(text)
    return mended && parseWith(parser, grammar, mended.text, mended.restore)
  } catch (error) {
    if (error instanceof RangeError || error instanceof WebAssembly.RuntimeError) return undefined
    throw error
  } finally {
    parser.delete()
  }
}

export function fieldOf(node: SyntaxNode, field: string): SyntaxNode | undefined {
  return node.children.find((child) => child.field === field)
}

export function childOf(node: SyntaxNode, ...types: readonly string[]): SyntaxNode | undefined {
  return node.children.find((child) => types.includes(child.type))
}

export function hasChild(node: SyntaxNode, type: string): boolean {
  return node.children.some((child) => child.type === type)
}

export function namedChildren(node: SyntaxNode): SyntaxNode[] {
  return node.children.filter((child) => child.isNamed)
}

/** Every node below, the node itself first, in the order of the text. */
export function* descendants(node: SyntaxNode): Generator<SyntaxNode> {
  const open = [node]
  for (let next = open.pop(); next; next = open.pop()) {
    yield next
    for (let index = next.children.length - 1; index >= 0; index--) open.push(next.children[index]!)
  }
}

function parseWith(parser: Parser, grammar: Grammar, text: string, restore?: MendedSource['restore']) {
  const tree = parser.parse(text)
  if (!tree) return undefined
  const cursor = tree.walk()
  try {
    if (tree.rootNode.hasError) return undefined
    const textBetween = (start: number, end: number) => text.slice(start, end)
    const restored = (start: number, end: number) => restore!(text.slice(start, end))
    const types = kindsOf(grammar, tree.language)
    return copyNode(cursor, types[cursor.nodeTypeId]!, types, restore ? restored : textBetween)
  } finally {
    cursor.delete()
    tree.delete()
  }
}

/** As `descendants`, without the leaves. */
export function* innerNodes(node: SyntaxNode): Generator<SyntaxNode> {
  const open = [node]
  for (let next = open.pop(); next; next = open.pop()) {
    yield next
    for (let index = next.children.length - 1; index >= 0; index--) {
      const child = next.children[index]!
      if (child.children.length > 0) open.push(child)
    }
  }
}

interface Kind {
  type: string
  isNamed: boolean
  /** `leaf`: what stands inside, if anything, is text. */
  reading: 'skipped' | 'sign' | 'leaf' | 'node'
}

const skipped = new Set(['comment', 'html_comment', 'hash_bang_line', 'line_continuation'])

/** A Python string may hold code, and is taken apart. */
const leaves = new Set([
  'identifier',
  'property_identifier',
  'type_identifier',
  'shorthand_property_identifier',
  'number',
  'integer',
  'regex',
  'string_content',
  'string_fragment',
  'format_specifier',
])

const kinds = new Map<Grammar, Kind[]>()

/** A question to the parser costs more than its answer, so what a kind of node tells is asked once. */
function kindsOf(grammar: Grammar, language: Language): Kind[] {
  const known = kinds.get(grammar)
  if (known) return known
  const made = language.types.map((type, id): Kind => {
    const isNamed = language.nodeTypeIsNamed(id)
    const isLeaf = leaves.has(type) || (type === 'string' && grammar !== 'python')
    return { type, isNamed, reading: skipped.has(type) ? 'skipped' : !isNamed ? 'sign' : isLeaf ? 'leaf' : 'node' }
  })
  kinds.set(grammar, made)
  return made
}

type TextBetween = (start: number, end: number) => string

function copyNode(cursor: TreeCursor, kind: Kind, types: readonly Kind[], textBetween: TextBetween): SyntaxNode {
  const { type, isNamed, reading } = kind
  if (reading === 'sign') return { type, isNamed, field: undefined, text: type, children: none }
  const field = cursor.currentFieldName ?? undefined
  if (reading === 'leaf' || !cursor.gotoFirstChild()) {
    return { type, isNamed, field, text: textBetween(cursor.startIndex, cursor.endIndex), children: none }
  }
  const children: SyntaxNode[] = []
  do {
    const inner = types[cursor.nodeTypeId]!
    if (inner.reading !== 'skipped') children.push(copyNode(cursor, inner, types, textBetween))
  } while (cursor.gotoNextSibling())
  cursor.gotoParent()
  return { type, isNamed, field, text: '', children }
}
