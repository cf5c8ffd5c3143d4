/** Classes and objects of a TypeScript or JavaScript file, member by member; what is left of the body stays with the whole. */
import type { SymbolDraft } from './drafts.ts'
import type { Enclosing } from './script-declarations.ts'
import {
  functionSignature,
  isFunction,
  isPrivateMember,
  literalType,
  modifiers,
  parameterDrafts,
} from './script-signatures.ts'
import { scriptTokens, statementTokens } from './script-tokens.ts'
import { childOf, fieldOf, hasChild, namedChildren, type SyntaxNode } from './source-tree.ts'
import { TokenList } from './token-list.ts'

export function classDrafts(node: SyntaxNode, name: string, enclosing: Enclosing): SymbolDraft[] {
  const whole = {
    root: enclosing.root ?? name,
    name: `${enclosing.prefix}${name}`,
    ...(enclosing.isHidden && { isHidden: true }),
  }
  const members = namedChildren(fieldOf(node, 'body')!)
  const isOfClass = ({ type }: SyntaxNode) => type === 'index_signature' || type === 'class_static_block'
  const blocks = members.filter(({ type }) => type === 'class_static_block')
  const indexes = members.filter(({ type }) => type === 'index_signature')
  const sign = (shown: string) => [
    ...(enclosing.decorators ?? []),
    ...modifiers(node),
    'class',
    shown,
    ...scriptTokens(fieldOf(node, 'type_parameters'), childOf(node, 'class_heritage'), ...indexes).tokens,
  ]
  const body = blocks.length > 0 ? { body: statementTokens(blocks) } : {}
  const within = { ...enclosing, root: whole.root, prefix: `${whole.name}.` }
  let decorators: SyntaxNode[] = []
  const drafts = members.flatMap((member) => {
    if (member.type === 'decorator') {
      decorators.push(member)
      return []
    }
    const before = scriptTokens(...decorators).tokens
    decorators = []
    return isOfClass(member) ? [] : memberDrafts(member, within, before)
  })
  return [{ ...whole, kind: 'class', sign, ...body }, ...drafts]
}

/** The functions in an object. Where its type is stated, that is what callers see, and not what the object holds. */
export function objectMembers(node: SyntaxNode, name: string, enclosing: Enclosing, isTyped: boolean) {
  const within = {
    root: enclosing.root ?? name,
    prefix: `${enclosing.prefix}${name}.`,
    isHidden: isTyped || enclosing.isHidden,
  }
  const rest = new TokenList()
  rest.word('{')
  const drafts = namedChildren(node).flatMap((entry, index) => {
    if (index > 0) rest.word(',')
    const value = entry.type === 'pair' ? fieldOf(entry, 'value') : entry
    const key = fieldOf(entry, entry.type === 'pair' ? 'key' : 'name')
    if (!key || !value || !isFunction(value)) {
      rest.append(scriptTokens(entry))
      return []
    }
    rest.append(scriptTokens(key))
    return [methodDraft(value, memberName(key), within)]
  })
  rest.word('}')
  return { drafts, rest }
}

/** Quotes around a name do not make it another. */
export function memberName(name: SyntaxNode): string {
  if (name.type === 'string') return name.text.slice(1, -1)
  return scriptTokens(name).tokens.join('')
}

function memberDrafts(member: SyntaxNode, enclosing: Enclosing, decorators: readonly string[]): SymbolDraft[] {
  const nameNode = fieldOf(member, 'name') ?? fieldOf(member, 'property')
  if (!nameNode) return []
  const name = memberName(nameNode)
  const within = { ...enclosing, isHidden: enclosing.isHidden || isPrivateMember(member) }
  if (!isFunction(member)) return [fieldDraft(member, name, within)]
  const method = methodDraft(member, name, within, decorators)
  return name === 'constructor' ? [method, ...parameterProperties(member, enclosing)] : [method]
}

function methodDraft(
  node: SyntaxNode,
  name: string,
  enclosing: Enclosing,
  before: readonly string[] = [],
): SymbolDraft {
  const body = fieldOf(node, 'body')
  return {
    root: enclosing.root!,
    name: `${enclosing.prefix}${name}`,
    kind: 'method',
    ...(enclosing.isHidden ? { isHidden: true } : {}),
    ...(node.type === 'abstract_method_signature' ? { isAbstract: true } : {}),
    sign: () => [...before, ...functionSignature(node, name)],
    ...(body ? { body: scriptTokens(body), parameters: parameterDrafts(node) } : {}),
  }
}

function fieldDraft(member: SyntaxNode, name: string, enclosing: Enclosing): SymbolDraft {
  const [value, type] = [fieldOf(member, 'value'), fieldOf(member, 'type')]
  const stated = scriptTokens(type).tokens
  if (value && isFunction(value)) return methodDraft(value, name, enclosing, [...modifiers(member), ...stated])
  const implied = stated.length > 0 ? stated : [':', ...literalType(value)]
  const isAbstract = hasChild(member, 'abstract')
  const optional = hasChild(member, '?') ? ['?'] : []
  return {
    root: enclosing.root!,
    name: `${enclosing.prefix}${name}`,
    kind: 'constant',
    ...(enclosing.isHidden ? { isHidden: true } : {}),
    ...(isAbstract ? { isAbstract } : {}),
    sign: () => [...modifiers(member), name, ...optional, ...(implied.length > 1 ? implied : [])],
    ...(value ? { body: scriptTokens(value) } : {}),
  }
}

/** A parameter of the constructor with a modifier is a field as well. */
function parameterProperties(constructorNode: SyntaxNode, enclosing: Enclosing): SymbolDraft[] {
  const parameters = namedChildren(fieldOf(constructorNode, 'parameters') ?? constructorNode)
  return parameters.flatMap((parameter) => {
    const isField = parameter.children.some(({ type }) =>
      ['accessibility_modifier', 'override_modifier', 'readonly'].includes(type),
    )
    const pattern = fieldOf(parameter, 'pattern')
    if (!isField || pattern?.type !== 'identifier') return []
    const isHidden = enclosing.isHidden || isPrivateMember(parameter)
    const optional = parameter.type === 'optional_parameter' ? ['?'] : []
    const type = scriptTokens(fieldOf(parameter, 'type')).tokens
    const sign = () => [...modifiers(parameter), pattern.text, ...optional, ...type]
    const draft: SymbolDraft = {
      root: enclosing.root!,
      name: `${enclosing.prefix}${pattern.text}`,
      kind: 'constant',
      sign,
    }
    return [isHidden ? { ...draft, isHidden } : draft]
  })
}
