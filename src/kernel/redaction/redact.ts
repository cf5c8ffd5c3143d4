/** Removes secrets from whatever is about to be written or shown. Reads the environment once, when created. */

import { secretShapes } from './secret-shapes.ts'
import { looksSecret, spellings } from './secret-spellings.ts'

export interface Redactor {
  /** Replaces every secret by `[redacted:NAME]`, in keys too; returns the same object if there was none. */
  redact<T>(value: T): T
  redactText(text: string): string
}

export interface RedactorOptions {
  env: Record<string, string | undefined>
  /** Environment variables that the configuration declares secret: always redacted. */
  secretNames?: readonly string[]
  /** Secrets that are in no variable, such as a token from a file, by the name to show for them. */
  values?: Readonly<Record<string, string>>
}

export function createRedactor(options: RedactorOptions): Redactor {
  return redactorOf(literals(options))
}

/** Replaces what looks like a key or token, knowing no actual secrets. For messages about a user's own files. */
export function redactShapes(text: string): string {
  return shapesOnly.redactText(text)
}

function redactorOf(names: Map<string, string>): Redactor {
  // One expression, so that a text is scanned once however many secrets there are. The longest literal comes first: a
  // secret that begins like another would otherwise leave its end behind.
  const longestFirst = [...names.keys()].sort((a, b) => b.length - a.length)
  const shapes = secretShapes.map((shape) => `${shape.before ?? '()'}(${shape.pattern})`)
  const alternatives = [...(longestFirst.length > 0 ? [longestFirst.map(escapeLiteral).join('|')] : []), ...shapes]
  const expression = new RegExp(alternatives.join('|'), 'g')

  const redactText = (text: string): string => {
    if (text.length < shortestSecret) return text
    return text.replace(expression, (match: string, ...groups: unknown[]) => {
      const shape = secretShapes.findIndex((_, index) => groups[2 * index + 1] !== undefined)
      if (shape < 0) return `[redacted:${names.get(match)}]`
      return `${groups[2 * shape]}[redacted:${secretShapes[shape]!.name}]`
    })
  }
  // Cache keys: most of them are those of our own events.
  const cleanKeys = new Set<string>()
  const redactKey = (key: string): string => {
    if (cleanKeys.has(key)) return key
    const redacted = redactText(key)
    if (redacted === key && key.length <= maxCachedKeyLength && cleanKeys.size < maxCachedKeys) cleanKeys.add(key)
    return redacted
  }
  return { redact: (value) => redactValue(value, redactText, redactKey), redactText }
}

/** No literal and no shape is shorter than this. */
const shortestSecret = 6
const maxCachedKeys = 1000
const maxCachedKeyLength = 40

function redactValue<T>(value: T, redactText: (text: string) => string, redactKey: (key: string) => string): T {
  return walk(value) as T

  function walk(node: unknown): unknown {
    if (typeof node === 'string') return redactText(node)
    if (Array.isArray(node)) return walkArray(node)
    return isRecord(node) ? walkRecord(node) : node
  }

  function walkArray(array: unknown[]): unknown[] {
    let copy: unknown[] | undefined
    for (let index = 0; index < array.length; index++) {
      const replaced = walk(array[index])
      if (replaced === array[index]) continue
      copy ??= array.slice()
      copy[index] = replaced
    }
    return copy ?? array
  }

  function walkRecord(record: Record<string, unknown>): Record<string, unknown> {
    const keys = Object.keys(record)
    for (const key of keys) {
      const value = record[key]
      if (redactKey(key) !== key || walk(value) !== value)
        return fromEntries(keys.map((name) => [redactKey(name), walk(record[name])]))
    }
    return record
  }
}

/** Two keys that were secrets of one shape now have the same name: keep both values. */
function fromEntries(entries: [string, unknown][]): Record<string, unknown> {
  const seen = new Set<string>()
  return Object.fromEntries(
    entries.map(([key, value]) => {
      let unique = key
      for (let copy = 2; seen.has(unique); copy++) unique = `${key}#${copy}`
      seen.add(unique)
      return [unique, value]
    }),
  )
}

function isRecord(node: unknown): node is Record<string, unknown> {
  if (typeof node !== 'object' || node === null) return false
  const prototype = Object.getPrototypeOf(node)
  return prototype === Object.prototype || prototype === null
}

/** Every spelling of every secret, with the name to show in its place. A configured name wins over others. */
function literals({ env, secretNames = [], values = {} }: RedactorOptions): Map<string, string> {
  const names = new Map<string, string>()
  const add = (name: string, value: string | undefined) => {
    for (const spelling of spellings(value?.trim() ?? '')) if (!names.has(spelling)) names.set(spelling, name)
  }
  for (const [name, value] of Object.entries(values)) add(name, value)
  for (const name of secretNames) add(name, env[name])
  for (const [name, value] of Object.entries(env)) if (looksSecret(name, value)) add(name, value)
  return names
}

function escapeLiteral(literal: string): string {
  return literal.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
}

const shapesOnly = redactorOf(new Map())
