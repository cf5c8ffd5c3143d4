/** The places in a file where a small change gives other behaviour: conditions, results, comparisons. VF12. */
import { isUtf8 } from 'node:buffer'
import { type Node, Parser } from 'web-tree-sitter'
import type { MutableNode } from '../../rules/review/mutations.ts'
import { grammarLanguage, startParsers } from './grammars.ts'
import { isDeclarationFile, languageOf } from './languages.ts'

/** In bytes. A larger file is hardly written by hand. */
const longestMutated = 256 * 1024

/** Undefined where there is no grammar, or the text does not parse as it is. Positions are those of the text as decoded. */
export async function mutableNodes(file: string, content: Buffer): Promise<MutableNode[] | undefined> {
  if (content.length > longestMutated || !isUtf8(content) || isDeclarationFile(file)) return undefined
  const text = content.toString('utf8')
  const { grammar } = languageOf(file, text)
  if (!grammar) return undefined
  await startParsers()
  const parser = new Parser()
  try {
    parser.setLanguage(grammarLanguage(grammar))
    const tree = parser.parse(text)
    if (!tree) return undefined
    try {
      if (tree.rootNode.hasError) return undefined
      return mutablesIn(tree.rootNode).map(({ kind, node, beginning }) => ({
        file,
        kind,
        start: node.startIndex,
        end: node.endIndex,
        line: node.startPosition.row + 1,
        endLine: node.endPosition.row + 1,
        text: text.slice(node.startIndex, node.endIndex),
        ...(beginning === undefined ? {} : { beginning }),
        language: grammar === 'python' ? 'python' : 'script',
      }))
    } finally {
      tree.delete()
    }
  } catch (error) {
    if (error instanceof RangeError || error instanceof WebAssembly.RuntimeError) return undefined
    throw error
  } finally {
    parser.delete()
  }
}

interface Mutable {
  kind: MutableNode['kind']
  node: Node
  beginning?: string
}

function mutablesIn(root: Node): Mutable[] {
  const mutables: Mutable[] = []
  const open = [root]
  for (let node = open.pop(); node; node = open.pop()) {
    mutables.push(...mutablesAt(node))
    for (let index = node.namedChildren.length - 1; index >= 0; index--) open.push(node.namedChildren[index]!)
  }
  return mutables
}

function mutablesAt(node: Node): Mutable[] {
  switch (node.type) {
    case 'if_statement':
    case 'elif_clause':
    case 'ternary_expression':
      return conditionOf(node)
    case 'conditional_expression':
      return node.namedChildren[1] ? [{ kind: 'condition', node: node.namedChildren[1] }] : []
    case 'return_statement':
      return resultIn(withoutBrackets(codeIn(node)[0]))
    case 'arrow_function': {
      const body = node.childForFieldName('body')
      return body?.type === 'statement_block' ? [] : resultIn(withoutBrackets(body ?? undefined))
    }
    case 'binary_expression': {
      const sign = node.childForFieldName('operator')
      return sign && isComparison(sign) ? [{ kind: 'comparison', node: sign }] : []
    }
    case 'comparison_operator':
      return node.children.filter(isComparison).map((sign) => ({ kind: 'comparison', node: sign }))
    default:
      return []
  }
}

function conditionOf(node: Node): Mutable[] {
  const condition = withoutBrackets(node.childForFieldName('condition') ?? undefined)
  return condition ? [{ kind: 'condition', node: condition }] : []
}

/** A result that calls the function off by a bare `return` has no value to replace. */
function resultIn(value: Node | undefined): Mutable[] {
  if (!value) return []
  const beginning = beginningOf(value)
  return [{ kind: 'result', node: value, ...(beginning === undefined ? {} : { beginning }) }]
}

/** Of a text that is put together, the part that is written out in front. */
function beginningOf(value: Node): string | undefined {
  if (value.type === 'template_string') {
    const [first, ...more] = value.namedChildren
    return first?.type === 'string_fragment' && more.length > 0 ? `\`${first.text}\`` : undefined
  }
  let first: Node | null = value
  while (first && (first.type === 'binary_expression' || first.type === 'binary_operator')) {
    if (first.childForFieldName('operator')?.type !== '+') return undefined
    first = first.childForFieldName('left')
  }
  return first && first !== value && first.type === 'string' ? first.text : undefined
}

function withoutBrackets(node: Node | undefined): Node | undefined {
  let inner = node
  while (inner?.type === 'parenthesized_expression') inner = codeIn(inner)[0]
  return inner
}

function codeIn(node: Node): Node[] {
  return node.namedChildren.filter((child): child is Node => child !== null && child.type !== 'comment')
}

function isComparison(node: Node | null): node is Node {
  return node !== null && /^(?:[<>]=?|[!=]==?)$/.test(node.type)
}
