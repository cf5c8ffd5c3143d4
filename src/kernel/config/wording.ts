/** Words values and expectations in messages. Never repeats a value that may be a secret. */
import { redactShapes } from '../redaction/redact.ts'
import type { SchemaNode } from './json-schema.ts'

/** What a value is, for "must be a number, not …". */
export function describeValue(value: unknown): string {
  if (value === undefined || value === null) return 'nothing'
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'object') return 'a map'
  if (typeof value !== 'string') return String(value)
  if (holdsSecret(value)) return 'what looks like a secret'
  return JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value)
}

/** Looks like a key or token rather than like the name of a variable, a model or a file. */
export function holdsSecret(value: unknown): boolean {
  if (typeof value !== 'string') return false
  if (
    redactShapes(value) !== value ||
    /^(?:sk|pk|rk|gh[pousr]|github_pat|xox[a-z]|glpat|hf|gsk|AIza|AKIA|eyJ)[-_A-Za-z0-9]{12,}/.test(value)
  ) {
    return !/^[A-Z][A-Z0-9_]*$/.test(value)
  }
  return /^[\w+/=.-]{20,}$/.test(value) && /[a-z]/.test(value) && /[A-Z]/.test(value) && /\d/.test(value)
}

/** What a key takes, for "must be …". */
export function expectationOf(nodes: readonly SchemaNode[]): string {
  const firstMap = nodes.find((node) => node.type === 'object')
  const distinct = nodes.filter((node) => node.type !== 'object' || node === firstMap)
  const phrases = [...new Set(distinct.map(phraseOf))]
  return phrases.length > 0 ? phrases.join(', or ') : 'something else'
}

function phraseOf(node: SchemaNode): string {
  if (node.const !== undefined) return String(node.const)
  if (node.enum) return `one of ${node.enum.join(', ')}`
  switch (node.type) {
    case 'integer':
      return `a whole number${rangeOf(node)}`
    case 'number':
      return `a number${rangeOf(node)}`
    case 'boolean':
      return 'true or false'
    case 'string':
      return 'text'
    case 'array':
      return `a list${lengthOf(node)} of ${node.items ? phraseOf(node.items).replace(/^(?:a|an) /, '') : 'values'}`
    case 'object':
      return node.properties && Object.keys(node.properties).length > 0
        ? `a map with keys such as ${Object.keys(node.properties).slice(0, 3).join(', ')}`
        : 'a map'
    default:
      return expectationOf(node.anyOf ?? node.oneOf ?? [])
  }
}

function rangeOf({ minimum, maximum, exclusiveMinimum }: SchemaNode): string {
  if (minimum !== undefined && maximum !== undefined) return ` from ${minimum} to ${maximum}`
  if (exclusiveMinimum !== undefined && maximum !== undefined) return ` above ${exclusiveMinimum}, at most ${maximum}`
  if (exclusiveMinimum !== undefined) return ` above ${exclusiveMinimum}`
  if (minimum !== undefined) return ` of at least ${minimum}`
  return maximum === undefined ? '' : ` of at most ${maximum}`
}

function lengthOf({ minItems, maxItems }: SchemaNode): string {
  return minItems !== undefined && minItems === maxItems ? ` of ${minItems}` : ''
}

export function valueAt(value: unknown, path: readonly string[]): unknown {
  let here = value
  for (const segment of path) {
    if (typeof here !== 'object' || here === null || !Object.hasOwn(here, segment)) return undefined
    here = (here as Record<string, unknown>)[segment]
  }
  return here
}
