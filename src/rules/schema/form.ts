/** Writes the form of a reply for an agent: `{"name": text, "tags"?: [text]}`. Short, and readable without knowing JSON Schema. */
import { z } from 'zod'

interface Shape {
  type?: string | string[]
  properties?: Record<string, Shape>
  required?: string[]
  additionalProperties?: boolean | Shape
  items?: Shape | boolean
  prefixItems?: Shape[]
  anyOf?: Shape[]
  oneOf?: Shape[]
  enum?: unknown[]
  const?: unknown
  description?: string
}

/** The alternatives of a reply that may have several forms, else its only form. */
export function replyForms(schema: z.ZodType): string[] {
  const shape = z.toJSONSchema(schema, { unrepresentable: 'any', io: 'input' }) as Shape
  return (shape.anyOf ?? shape.oneOf ?? [shape]).map(written)
}

function written(shape: Shape): string {
  const { anyOf, oneOf, properties, items, prefixItems } = shape
  if (shape.const !== undefined) return JSON.stringify(shape.const)
  if (shape.enum) return shape.enum.map((one) => JSON.stringify(one)).join(' | ')
  const alternatives = anyOf ?? oneOf
  if (alternatives) {
    const forms = alternatives.filter(({ type }) => type !== 'null').map(written)
    return [...new Set(forms)].join(' | ')
  }
  if (shape.description && !properties) return shape.description
  if (prefixItems) return `[${prefixItems.map(written).join(', ')}]`
  if (shape.type === 'array') return `[${typeof items === 'object' ? inList(written(items)) : '…'}]`
  if (properties) return objectOf(properties, shape.required ?? [])
  if (typeof shape.additionalProperties === 'object') return `{name: ${written(shape.additionalProperties)}}`
  return words[String(shape.type)] ?? '…'
}

function objectOf(properties: Record<string, Shape>, required: readonly string[]): string {
  const fields = Object.entries(properties).map(
    ([name, shape]) => `"${name}"${required.includes(name) ? '' : '?'}: ${written(shape)}`,
  )
  return `{${fields.join(', ')}}`
}

/** `["a" | "b"]` reads as a list of one; `["a" | "b", …]` does not. */
const inList = (form: string) => (form.includes(' | ') ? `${form}, …` : form)

const words: Record<string, string> = {
  string: 'text',
  number: 'number',
  integer: 'whole number',
  boolean: 'true or false',
  object: '{…}',
}
