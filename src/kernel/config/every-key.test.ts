/** No key of convene.yaml is accepted and then ignored: product code reads it, or it accepts only the value in force. */
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { configJsonSchema, type SchemaNode } from './json-schema.ts'
import { ConfigError, parseConfig } from './load.ts'

/** The files that read each section. Keys have ordinary names: a match elsewhere proves nothing. */
const readers: Record<string, RegExp> = {
  agents: /^agents\/|^cli\/doctor\/|^kernel\/config\/load\.ts/,
  roles: /^app[./]|^rules\/build\/staffing\.ts/,
  room: /^app[./]|^room\/|^rules\/(?:room|turns)\//,
  plan: /^plan\/|^rules\/(?:plan|convergence)\//,
  build: /^app[./]|^build\/|^agents\/configured\.ts|^ship\/feature\/|^rules\/(?:build|trust)\//,
  source: /^app[./]|^agents\//,
  coordination: /^app[./]|^ship\//,
  ship: /^app[./]|^ship\//,
  forge: /^app[./]|^forge\//,
  budget: /^kernel\/budget\/|^rules\/budget\//,
  retry: /^app[./]|^agents\/configured\.ts|^kernel\/config\/load\.ts/,
  mcp: /^cli\/commands\/mcp\.ts/,
  auth: /^serve\/login\//,
  engine: /^app\/open-storage\.ts/,
  repository: /^app[./]|^build\/open-workspace\.ts/,
  project: /^app\/project-identity\.ts/,
  telemetry: /^app[./]/,
  sample: /^app[./]|^sample\.ts/,
}

const source = resolve(import.meta.dirname, '../..')
const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(
  (path) => path.endsWith('.ts') && !/\.(?:test|fixture)\.ts$/.test(path),
)
const texts = new Map(files.map((file) => [file, readFileSync(join(source, file), 'utf8')]))

interface Key {
  path: string[]
  node: SchemaNode
}

const keys = distinct(keysBelow(configJsonSchema(), []))
const isRemark = ({ node }: Key) => node.description?.startsWith('A remark for the reader: ') ?? false
const leaves = keys.filter(({ path }) => !keys.some((other) => other.path.join('.').startsWith(`${path.join('.')}.`)))

describe('every key of convene.yaml', () => {
  it('is read by the product, refuses every value but the one in force, or is a remark', () => {
    const ignored = leaves.filter((key) => !isRead(key.path) && !refusesOthers(key) && !isRemark(key))
    expect(ignored.map(({ path }) => path.join('.'))).toEqual([])
  })

  it('fails for a key that no reader of its section uses', () => {
    expect(isRead(['room', 'no_such_key'])).toBe(false)
    expect(isRead(['room', 'proposal_seconds'])).toBe(true)
    expect(isRead(['budget', 'proposal_seconds'])).toBe(false)
  })

  it('fails for a key that accepts another value', () => {
    const of = (dotted: string) => leaves.find(({ path }) => path.join('.') === dotted)!
    expect(refusesOthers(of('plan.specify_gate.points_per_dimension'))).toBe(true)
    expect(refusesOthers(of('plan.specify_gate.dimensions'))).toBe(true)
    expect(refusesOthers(of('plan.specify_gate.modes'))).toBe(false)
    expect(refusesOthers(of('budget.calls'))).toBe(false)
  })
})

function refusesOthers({ path, node }: Key): boolean {
  const other = otherValue(node)
  if (other === undefined) return false
  const value = path.reduceRight((below, part) => (part === '0' ? [below] : { [part]: below }), other)
  try {
    parseConfig(JSON.stringify(value), { folder: '/', env: {} })
    return false
  } catch (error) {
    return error instanceof ConfigError
  }
}

/** A value of the right kind that differs from the only one such a key has. */
function otherValue({ type, const: only, items }: SchemaNode): unknown {
  if (type === 'object') return { other: 1 }
  if (typeof only === 'number') return only + 1
  if (typeof only === 'boolean') return !only
  if (only !== undefined) return `${only} other`
  return items?.enum?.slice(1)
}

function isRead(path: string[]): boolean {
  const [section = '', key = ''] = [path[0], path.at(-1)]
  const access = new RegExp(`\\.${key}\\b(?!\\()|[{,]\\s*${key}\\b\\s*[,:}=]|'${key}'`)
  return files.some((file) => readers[section]?.test(file) && access.test(texts.get(file)!))
}

function keysBelow(node: SchemaNode, path: string[]): Key[] {
  const own = Object.entries(node.properties ?? {}).flatMap(([name, child]) => [
    { path: [...path, name], node: child },
    ...keysBelow(child, [...path, name]),
  ])
  const forms = [...(node.oneOf ?? []), ...(node.anyOf ?? [])].flatMap((form) => keysBelow(form, path))
  const others =
    typeof node.additionalProperties === 'object' ? keysBelow(node.additionalProperties, [...path, 'any']) : []
  const items = node.items ? keysBelow(node.items, [...path, '0']) : []
  return [...own, ...forms, ...others, ...items]
}

function distinct(all: Key[]): Key[] {
  return [...new Map(all.map((key) => [key.path.join('.'), key])).values()]
}
