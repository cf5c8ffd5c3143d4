/**
 * Converts a reply's schema into one that the provider's structured output accepts. Providers refuse a whole request
 * over one unknown keyword, so this keeps only the common core; the caller validates the reply in any case.
 */
import { z } from 'zod'
import { lastFittingObject } from '../../rules/text/reply-json.ts'
import type { ModelProvider } from './providers.ts'

export interface ProviderSchema {
  schema: JsonSchema
  /** Removes from a reply what only this provider's rules added. In a fence or among words, too. */
  restore(text: string): string
}

export interface JsonSchema {
  type?: 'object' | 'array' | 'string' | 'number' | 'integer' | 'boolean' | 'null'
  description?: string
  enum?: (string | number | boolean | null)[]
  anyOf?: JsonSchema[]
  properties?: Record<string, JsonSchema>
  required?: string[]
  additionalProperties?: false
  items?: JsonSchema
}

/** `null` if the provider would refuse the schema: then only the prompt describes the reply's shape. */
export function providerSchema(provider: ModelProvider, schema: z.ZodType): ProviderSchema | null {
  const plain = portable(schema, 'input') ?? portable(schema, 'output')
  if (!plain) return null
  if (provider === 'openai' || provider === 'openai-compatible') return withEverythingRequired(plain)
  if (provider === 'anthropic' && optionalCount(plain) > anthropicOptionals) return null
  return { schema: plain, restore: (text) => text }
}

/** Above this, Anthropic's grammar compiler starts to refuse schemas. */
const anthropicOptionals = 10

function portable(schema: z.ZodType, io: 'input' | 'output'): JsonSchema | null {
  try {
    const converted = z.toJSONSchema(schema, { target: 'draft-7', io, unrepresentable: 'any' })
    return rootObject(simplify(converted as Foreign))
  } catch {
    return null
  }
}

type Foreign = Record<string, unknown>

/** Throws on schemas without a portable form: open maps, intersections, recursion, "anything". */
function simplify(node: Foreign): JsonSchema {
  const branches = node.anyOf ?? node.oneOf
  if (Array.isArray(branches)) return described({ anyOf: branches.map(simplify) }, node)
  if (Array.isArray(node.type)) return described({ anyOf: node.type.map((type) => ({ type })) }, node)
  if (node.const !== undefined) return described({ ...typeOf(node), enum: [node.const as string] }, node)
  if (Array.isArray(node.enum)) return described({ ...typeOf(node), enum: node.enum }, node)
  switch (node.type) {
    case 'object':
      return described(simplifyObject(node), node)
    case 'array':
      return described({ type: 'array', items: simplifyItems(node.items as Foreign | Foreign[]) }, node)
    case 'string':
    case 'number':
    case 'integer':
    case 'boolean':
    case 'null':
      return described({ type: node.type }, node)
    default:
      throw new Error('no portable form')
  }
}

function simplifyObject(node: Foreign): JsonSchema {
  const entries = Object.entries((node.properties as Record<string, Foreign> | undefined) ?? {})
  if (entries.length === 0 && node.additionalProperties !== false) throw new Error('an open map')
  const required = (node.required as string[] | undefined) ?? []
  return {
    type: 'object',
    properties: Object.fromEntries(entries.map(([name, property]) => [name, simplify(property)])),
    required: entries.map(([name]) => name).filter((name) => required.includes(name)),
    additionalProperties: false,
  }
}

/** No provider supports tuples: they become lists of any of their item types. */
function simplifyItems(items: Foreign | Foreign[]): JsonSchema {
  return Array.isArray(items) ? items.map(simplify).reduce(either) : simplify(items)
}

function typeOf(node: Foreign): Pick<JsonSchema, 'type'> {
  return typeof node.type === 'string' ? { type: node.type as JsonSchema['type'] } : {}
}

/** Not every provider enforces bounds: write them into the description, where the model can read them. */
function described(schema: JsonSchema, node: Foreign): JsonSchema {
  const bounds = boundNames.flatMap(([key, words]) => (isShown(node[key]) ? [`${words} ${node[key]}`] : []))
  const description = [node.description, bounds.join(', ')].filter(Boolean).join(' · ')
  return description ? { ...schema, description } : schema
}

const boundNames = [
  ['minLength', 'characters at least'],
  ['maxLength', 'characters at most'],
  ['minItems', 'items at least'],
  ['maxItems', 'items at most'],
  ['minimum', 'at least'],
  ['maximum', 'at most'],
  ['exclusiveMinimum', 'more than'],
  ['exclusiveMaximum', 'less than'],
  ['pattern', 'matching'],
  ['format', 'a'],
] as const

/** zod bounds every integer by the safe integers; those bounds tell a model nothing. */
function isShown(bound: unknown): boolean {
  if (typeof bound === 'number') return Math.abs(bound) < Number.MAX_SAFE_INTEGER
  return typeof bound === 'string'
}

/** Every provider requires an object at the root. A union of objects becomes one with all their properties. */
function rootObject(schema: JsonSchema): JsonSchema | null {
  if (schema.type === 'object') return schema
  const branches = (schema.anyOf ?? []).map(rootObject)
  if (branches.length === 0 || branches.includes(null)) return null
  return branches.map((branch) => branch!).reduce(mergeObjects)
}

function mergeObjects(a: JsonSchema, b: JsonSchema): JsonSchema {
  const properties = { ...a.properties }
  for (const [name, schema] of Object.entries(b.properties!)) {
    properties[name] = Object.hasOwn(properties, name) ? either(properties[name]!, schema) : schema
  }
  const required = a.required!.filter((name) => b.required!.includes(name))
  return { type: 'object', properties, required, additionalProperties: false }
}

function either(a: JsonSchema, b: JsonSchema): JsonSchema {
  if (JSON.stringify(a) === JSON.stringify(b)) return a
  return { anyOf: [...(a.anyOf ?? [a]), ...(b.anyOf ?? [b])] }
}

function optionalCount(schema: JsonSchema): number {
  const properties = Object.values(schema.properties ?? {})
  const own = properties.length - (schema.required?.length ?? 0)
  const parts = [...properties, ...(schema.anyOf ?? []), ...(schema.items ? [schema.items] : [])]
  return parts.reduce((sum, part) => sum + optionalCount(part), own)
}

/** OpenAI's strict mode has no optional properties: make them nullable; `restore` removes the nulls. */
function withEverythingRequired(plain: JsonSchema): ProviderSchema {
  const mayBeAbsent = new WeakSet<JsonSchema>()
  const require = (schema: JsonSchema): JsonSchema => ({
    ...schema,
    ...(schema.items ? { items: require(schema.items) } : {}),
    ...(schema.anyOf ? { anyOf: schema.anyOf.map(require) } : {}),
    ...(schema.properties ? requireAll(schema) : {}),
  })
  const requireAll = (schema: JsonSchema) => {
    const properties = Object.entries(schema.properties!).map(([name, property]) => {
      const required = require(property)
      if (schema.required!.includes(name) || allowsNull(property)) return [name, required] as const
      const nullable: JsonSchema = { anyOf: [...(required.anyOf ?? [required]), { type: 'null' }] }
      mayBeAbsent.add(nullable)
      return [name, nullable] as const
    })
    return { properties: Object.fromEntries(properties), required: properties.map(([name]) => name) }
  }
  const schema = require(plain)
  return { schema, restore: (text) => withoutAddedNulls(text, schema, mayBeAbsent) }
}

function allowsNull(schema: JsonSchema): boolean {
  return schema.type === 'null' || Boolean(schema.enum?.includes(null)) || Boolean(schema.anyOf?.some(allowsNull))
}

function withoutAddedNulls(text: string, schema: JsonSchema, mayBeAbsent: WeakSet<JsonSchema>): string {
  let removed = 0
  const clean = (value: unknown, node: JsonSchema): void => {
    for (const branch of node.anyOf ?? []) clean(value, branch)
    if (Array.isArray(value)) {
      for (const item of value) if (node.items) clean(item, node.items)
      return
    }
    if (typeof value !== 'object' || value === null) return
    for (const [name, property] of Object.entries(node.properties ?? {})) {
      const held = (value as Record<string, unknown>)[name]
      if (held === null && mayBeAbsent.has(property)) {
        delete (value as Record<string, unknown>)[name]
        removed++
      } else clean(held, property)
    }
  }
  try {
    const value: unknown = JSON.parse(text)
    clean(value, schema)
    return removed > 0 ? JSON.stringify(value) : text
  } catch {
    // A reply in a fence or among words is read later; its nulls must not make it worse than a bare one.
    const inner = lastFittingObject(text, () => true)
    return inner === null ? text : text.replace(inner, () => withoutAddedNulls(inner, schema, mayBeAbsent))
  }
}
