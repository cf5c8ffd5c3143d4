/** What a caller sees of a TypeScript or JavaScript function: types and which arguments may be left out, never their names. */
import type { ParameterDraft } from './drafts.ts'
import { scriptTokens } from './script-tokens.ts'
import { childOf, descendants, fieldOf, hasChild, namedChildren, type SyntaxNode } from './source-tree.ts'

const functions = new Set([
  'arrow_function',
  'function_expression',
  'generator_function',
  'function_declaration',
  'generator_function_declaration',
  'function_signature',
  'method_definition',
  'method_signature',
  'abstract_method_signature',
])

export function isFunction(node: SyntaxNode): boolean {
  return functions.has(node.type)
}

const seenModifiers = new Set(['static', 'get', 'set', 'abstract', 'readonly', 'accessor', 'const'])

/** `async` and `*` say nothing that a stated return type does not say. */
export function functionSignature(node: SyntaxNode, name: string): string[] {
  const returns = fieldOf(node, 'return_type')
  const parameters = fieldOf(node, 'parameters')
  const single = fieldOf(node, 'parameter')
  const kinds = node.children.filter(({ type }) => type === 'async' || type === '*').map(({ type }) => type)
  const shown = (parameters ? namedChildren(parameters) : single ? [single] : []).map(parameterSignature)
  return [
    ...modifiers(node),
    ...(returns ? [] : kinds),
    name,
    ...(hasChild(node, '?') ? ['?'] : []),
    ...scriptTokens(fieldOf(node, 'type_parameters')).tokens,
    '(',
    ...shown.flatMap((one, index) => (index > 0 ? [',', ...one] : one)),
    ')',
    ...scriptTokens(returns).tokens,
  ]
}

export function parameterDrafts(node: SyntaxNode): ParameterDraft[] {
  const parameters = fieldOf(node, 'parameters')
  const single = fieldOf(node, 'parameter')
  const list = parameters ? namedChildren(parameters) : single ? [single] : []
  return list.map((parameter) => {
    const { pattern, value } = partsOf(parameter)
    const equals = value && childOf(parameter, '=')
    const plain = pattern.type === 'rest_pattern' ? namedChildren(pattern)[0] : pattern
    const isTakenApart = [...descendants(pattern)].some(
      ({ type }) => type === 'pair_pattern' || type === 'array_pattern' || type.endsWith('assignment_pattern'),
    )
    return {
      names: boundNames(plain ?? pattern),
      tokens: scriptTokens(pattern, equals, value),
      hasLogic: value !== undefined || isTakenApart,
    }
  })
}

/** Words before a member's name that callers notice. What is public is not said. */
export function modifiers(node: SyntaxNode): string[] {
  return node.children.flatMap((child) => {
    if (child.type === 'decorator') return scriptTokens(child).tokens
    if (child.type === 'accessibility_modifier') return visibility(child) === 'protected' ? ['protected'] : []
    return !child.isNamed && seenModifiers.has(child.type) ? [child.type] : []
  })
}

export function isPrivateMember(node: SyntaxNode): boolean {
  const name = fieldOf(node, 'name') ?? fieldOf(node, 'property') ?? fieldOf(node, 'pattern')
  const modifier = childOf(node, 'accessibility_modifier')
  return name?.type === 'private_property_identifier' || (modifier !== undefined && visibility(modifier) === 'private')
}

/** The names that a pattern gives to what it takes. */
export function boundNames(pattern: SyntaxNode): string[] {
  const { type } = pattern
  if (type === 'identifier' || type === 'shorthand_property_identifier_pattern') return [pattern.text]
  if (type === 'pair_pattern') return patternNames(fieldOf(pattern, 'value'))
  if (type.endsWith('assignment_pattern')) return patternNames(fieldOf(pattern, 'left'))
  if (type === 'rest_pattern' || type === 'object_pattern' || type === 'array_pattern') {
    return namedChildren(pattern).flatMap(boundNames)
  }
  return []
}

/** The type that a literal has, where none is stated. */
export function literalType(value: SyntaxNode | undefined): string[] {
  if (!value) return []
  if (value.type === 'number') return [value.text.endsWith('n') ? 'bigint' : 'number']
  if (value.type === 'string' || value.type === 'template_string') return ['string']
  if (value.type === 'true' || value.type === 'false') return ['boolean']
  if (value.type === 'regex') return ['RegExp']
  return []
}

function patternNames(pattern: SyntaxNode | undefined): string[] {
  return pattern ? boundNames(pattern) : []
}

function visibility(modifier: SyntaxNode): string {
  return modifier.children[0]?.type ?? modifier.text
}

function partsOf(parameter: SyntaxNode): { pattern: SyntaxNode; type?: SyntaxNode; value?: SyntaxNode } {
  const { type } = parameter
  if (type === 'required_parameter' || type === 'optional_parameter') {
    const pattern = fieldOf(parameter, 'pattern') ?? fieldOf(parameter, 'name') ?? parameter
    return { pattern, type: fieldOf(parameter, 'type'), value: fieldOf(parameter, 'value') }
  }
  if (type !== 'assignment_pattern') return { pattern: parameter }
  return { pattern: fieldOf(parameter, 'left') ?? parameter, value: fieldOf(parameter, 'right') }
}

function parameterSignature(parameter: SyntaxNode): string[] {
  const { pattern, type, value } = partsOf(parameter)
  const isRest = pattern.type === 'rest_pattern'
  const isOptional = parameter.type === 'optional_parameter' || value !== undefined
  return [
    ...parameter.children.filter((child) => child.type === 'decorator').flatMap((child) => scriptTokens(child).tokens),
    ...(isRest ? ['...'] : []),
    ...(pattern.type === 'this' ? ['this', ':'] : []),
    ...(type ? scriptTokens(type).tokens.slice(1) : impliedType(pattern, value)),
    ...(isOptional ? ['?'] : []),
  ]
}

/** Without a type, the properties that are taken out of an argument tell callers what to pass. */
function impliedType(pattern: SyntaxNode, value: SyntaxNode | undefined): string[] {
  if (pattern.type === 'array_pattern') return ['[', ']']
  if (pattern.type !== 'object_pattern') {
    const implied = literalType(value)
    return implied.length > 0 ? implied : ['_']
  }
  const taken = namedChildren(pattern).flatMap((one) => {
    if (one.type === 'rest_pattern') return []
    const isOptional = one.type.endsWith('assignment_pattern') || fieldOf(one, 'value')?.type === 'assignment_pattern'
    const key = fieldOf(one, 'key') ?? fieldOf(one, 'left') ?? one
    return [`${scriptTokens(key).tokens.join(' ')}${isOptional ? '?' : ''}`]
  })
  return ['{', ...taken.sort().flatMap((key, index) => (index > 0 ? [',', key] : [key])), '}']
}
