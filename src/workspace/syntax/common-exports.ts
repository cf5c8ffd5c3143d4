/** Exports as CommonJS writes them: `module.exports = …`, `exports.name = …`, and what compilers make of it. */

import type { ScriptReading } from './script.ts'
import { memberName } from './script-classes.ts'
import { valueDrafts } from './script-declarations.ts'
import { requiredModule } from './script-imports.ts'
import { isFunction } from './script-signatures.ts'
import { scriptTokens } from './script-tokens.ts'
import { fieldOf, namedChildren, type SyntaxNode } from './source-tree.ts'

/** Whether the statement was an export and is done with. */
export function readCommonExport(statement: SyntaxNode, reading: ScriptReading): boolean {
  const expression = namedChildren(statement)[0]
  if (expression?.type === 'call_expression') return readDefinedProperty(expression, reading)
  if (expression?.type !== 'assignment_expression') return false
  const target = scriptTokens(fieldOf(expression, 'left')).tokens.join('')
  const name = /^(?:module\.)?exports\.([\p{ID_Start}_$][\p{ID_Continue}$]*)$/u.exec(target)?.[1]
  const value = fieldOf(expression, 'right')!
  if (name) return readNamed(name, value, reading)
  if (target !== 'module.exports') return false
  if (value.type === 'object') return readObject(value, reading)
  return readWhole(value, reading)
}

function readWhole(value: SyntaxNode, { exports, drafts }: ScriptReading): boolean {
  const module = requiredModule(value)
  if (module !== undefined) exports.addForeign(`* from ${module}`, [])
  else if (value.type === 'identifier') exports.addDefault(value.text)
  else {
    const made = valueDrafts('default', value, { prefix: '' })
    drafts.push(...made)
    exports.addDefault('default')
  }
  return true
}

/** Compilers first set every export to nothing, so as to have it there. */
function readNamed(name: string, value: SyntaxNode, { exports, drafts }: ScriptReading): boolean {
  if (value.type === 'assignment_expression' || scriptTokens(value).tokens.join(' ') === 'void 0') return false
  if (value.type === 'identifier') exports.add(value.text, name)
  else {
    drafts.push(...valueDrafts(name, value, { prefix: '' }))
    exports.add(name)
  }
  return true
}

/** An object with anything but plain entries, and what it takes over from others, is exported as one. */
function readObject(object: SyntaxNode, reading: ScriptReading): boolean {
  const entries = namedChildren(object).filter(({ type }) => type !== 'comment')
  const isPlain = ({ type, children }: SyntaxNode) =>
    type === 'shorthand_property_identifier' ||
    type === 'spread_element' ||
    ((type === 'pair' || type === 'method_definition') &&
      children.every((child) => child.type !== 'computed_property_name' && child.type !== 'get'))
  if (!entries.every(isPlain)) return readWhole(object, reading)
  for (const entry of entries) {
    if (entry.type === 'shorthand_property_identifier') reading.exports.add(entry.text)
    else if (entry.type === 'spread_element') readSpread(entry, reading)
    else if (isFunction(entry)) readNamed(memberName(fieldOf(entry, 'name')!), entry, reading)
    else readNamed(memberName(fieldOf(entry, 'key')!), fieldOf(entry, 'value')!, reading)
  }
  return true
}

/** `...other`: which names that brings is not told here, only where they come from. */
function readSpread(spread: SyntaxNode, { exports }: ScriptReading): void {
  const [value] = namedChildren(spread)
  const source = scriptTokens(value).tokens
  exports.addForeign(`* from ${(value && requiredModule(value)) ?? source.join(' ')}`, source)
}

/** `Object.defineProperty(exports, 'name', { get … })`. */
function readDefinedProperty(call: SyntaxNode, { exports, drafts }: ScriptReading): boolean {
  if (scriptTokens(fieldOf(call, 'function')).tokens.join('') !== 'Object.defineProperty') return false
  const [target, key, descriptor] = namedChildren(fieldOf(call, 'arguments')!)
  if (target?.text !== 'exports' || key?.type !== 'string' || !descriptor) return false
  const name = memberName(key)
  if (name === '__esModule') return true
  const body = scriptTokens(descriptor)
  drafts.push({ root: name, name, kind: 'constant', sign: (shown) => [shown], body })
  exports.add(name)
  return true
}
