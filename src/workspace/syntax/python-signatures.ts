/** What a caller sees of a Python function: names too, since arguments may be given by name; of a default, that there is one. */
import type { ParameterDraft } from './drafts.ts'
import { pythonTokens } from './python-tokens.ts'
import { descendants, fieldOf, hasChild, namedChildren, type SyntaxNode } from './source-tree.ts'

export function pythonFunctionSignature(node: SyntaxNode, name: string, decorators: readonly SyntaxNode[]): string[] {
  const returns = pythonTokens(fieldOf(node, 'return_type')).tokens
  return [
    ...pythonTokens(...decorators).tokens,
    ...(hasChild(node, 'async') ? ['async'] : []),
    name,
    ...pythonTokens(fieldOf(node, 'type_parameters')).tokens,
    '(',
    ...parametersOf(node).flatMap((one, index) => (index > 0 ? [',', ...shownParameter(one)] : shownParameter(one))),
    ')',
    ...(returns.length > 0 ? ['->', ...returns] : []),
  ]
}

/** The object a method belongs to always comes first, and is none of them. */
export function pythonParameterDrafts(node: SyntaxNode): ParameterDraft[] {
  const drafts = parametersOf(node).map((parameter): ParameterDraft => {
    const value = fieldOf(parameter, 'value')
    const name = boundName(parameter)
    const bound = fieldOf(parameter, 'name') ?? namedChildren(parameter)[0] ?? parameter
    return {
      names: name ? [name] : [],
      tokens: pythonTokens(bound, value && parameter.children.find(({ type }) => type === '='), value),
      hasLogic: value !== undefined,
    }
  })
  return drafts.filter(({ names }) => names[0] !== 'self' && names[0] !== 'cls')
}

/** The type of a literal, where none is stated. */
export function pythonLiteralType(value: SyntaxNode | undefined): string[] {
  const types: Record<string, string> = { integer: 'int', float: 'float', string: 'str', true: 'bool', false: 'bool' }
  const type = value && Object.hasOwn(types, value.type) ? types[value.type] : undefined
  return type ? [':', type] : []
}

function parametersOf(node: SyntaxNode): SyntaxNode[] {
  const list = fieldOf(node, 'parameters')
  return list ? namedChildren(list) : []
}

function shownParameter(parameter: SyntaxNode): string[] {
  const value = fieldOf(parameter, 'value')
  if (!value) return pythonTokens(parameter).tokens
  const before = parameter.children.slice(0, parameter.children.indexOf(value))
  return [...pythonTokens(...before).tokens, '...']
}

function boundName(parameter: SyntaxNode): string | undefined {
  for (const node of descendants(parameter)) if (node.type === 'identifier') return node.text
  return undefined
}
