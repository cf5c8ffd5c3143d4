/** The JSON Schema of `convene.yaml`, for editors and for error messages. */
import { z } from 'zod'
import { configSchema } from './schema.ts'

export interface SchemaNode {
  type?: string
  description?: string
  properties?: Record<string, SchemaNode>
  additionalProperties?: boolean | SchemaNode
  items?: SchemaNode
  anyOf?: SchemaNode[]
  oneOf?: SchemaNode[]
  enum?: unknown[]
  const?: unknown
  minimum?: number
  maximum?: number
  exclusiveMinimum?: number
  minItems?: number
  maxItems?: number
  default?: unknown
}

let made: SchemaNode | undefined

export function configJsonSchema(): SchemaNode {
  made ??= {
    ...(z.toJSONSchema(configSchema, { io: 'input', target: 'draft-7', override: tidy }) as SchemaNode),
    description: 'The configuration of Convene, convene.yaml.',
  }
  return made
}

/** The schemas that apply at a path: several for a union, none for an unknown path. */
export function nodesAt(path: readonly string[], value: unknown): SchemaNode[] {
  let nodes = branches(configJsonSchema(), value)
  let here = value
  for (const segment of path) {
    here = child(here, segment)
    nodes = nodes.flatMap((node) => {
      const next = step(node, segment)
      return next === undefined ? [] : branches(next, here)
    })
  }
  return nodes
}

/** The valid keys of the map at a path. */
export function keysAt(path: readonly string[], value: unknown): string[] {
  return [...new Set(nodesAt(path, value).flatMap((node) => Object.keys(node.properties ?? {})))]
}

function step(node: SchemaNode, segment: string): SchemaNode | undefined {
  if (node.properties && Object.hasOwn(node.properties, segment)) return node.properties[segment]
  if (node.items && /^\d+$/.test(segment)) return node.items
  return typeof node.additionalProperties === 'object' ? node.additionalProperties : undefined
}

/** An agent's `provider` selects its form; elsewhere every form is possible. */
function branches(node: SchemaNode, value: unknown): SchemaNode[] {
  const forms = node.oneOf ?? node.anyOf
  if (forms === undefined) return [node]
  const provider = child(value, 'provider')
  const chosen = forms.filter((form) => form.properties?.provider?.const === provider)
  return (chosen.length > 0 ? chosen : forms).flatMap((form) => branches(form, value))
}

function child(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
  return (value as Record<string, unknown>)[key]
}

/** Removes the bounds of safe integers, which mean nothing to a reader. */
function tidy({ jsonSchema }: { jsonSchema: { minimum?: number; maximum?: number } }): void {
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
}
