/** Writes the key tables of `docs/configuration.md` from the configuration's JSON Schema. */

interface SchemaNode {
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  default?: unknown
  description?: string
  properties?: Record<string, SchemaNode>
  anyOf?: SchemaNode[]
  items?: SchemaNode
}

const begin = '<!-- generated: node scripts/config-schema.ts -->'
const end = '<!-- end of the generated part -->'

/** `page` with everything between the two markers replaced. */
export function withConfigReference(page: string, schema: SchemaNode): string {
  const [head, rest] = page.split(begin)
  const tail = rest?.split(end)[1]
  if (head === undefined || tail === undefined)
    throw new Error(`docs/configuration.md has lost its markers: put back a line "${begin}" and a line "${end}".`)
  return `${head}${begin}\n${configReference(schema)}\n${end}${tail}`
}

function configReference(schema: SchemaNode): string {
  return Object.entries(schema.properties ?? {})
    .filter(([name]) => name !== '$schema')
    .map(([name, node]) => section(name, node))
    .join('\n')
}

function section(name: string, node: SchemaNode): string {
  const rows = keysBelow(name, node).map(
    ({ path, key }) => `| \`${path}\` | ${valueType(key)} | ${defaultOf(key)} | ${cell(key.description ?? '')} |`,
  )
  const table = rows.length === 0 ? [] : ['', '| key | value | default | meaning |', '|---|---|---|---|', ...rows]
  return [`### ${name}`, '', node.description ?? '', ...table, ''].join('\n')
}

function keysBelow(prefix: string, node: SchemaNode): { path: string; key: SchemaNode }[] {
  return Object.entries(node.properties ?? {}).flatMap(([name, key]) => {
    const path = `${prefix}.${name}`
    return key.properties ? keysBelow(path, key) : [{ path, key }]
  })
}

function valueType(node: SchemaNode): string {
  if (node.enum) return node.enum.map((value) => `\`${cell(String(value))}\``).join(' ')
  if (node.const !== undefined) return `\`${cell(String(node.const))}\``
  if (node.anyOf) return [...new Set(node.anyOf.map(valueType))].join(' or ')
  if (node.type === 'array') return node.items ? `list of ${valueType(node.items)}` : 'list'
  return [node.type ?? 'any'].flat().join(' or ')
}

function defaultOf({ default: value }: SchemaNode): string {
  const isEmpty = value === undefined || (typeof value === 'object' && Object.keys(value ?? {}).length === 0)
  return isEmpty ? '' : `\`${cell(JSON.stringify(value))}\``
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ')
}
