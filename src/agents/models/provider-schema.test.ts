import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { proposalSchema } from '../../rules/room/proposal.ts'
import { type JsonSchema, providerSchema } from './provider-schema.ts'
import { modelProviders } from './providers.ts'

const envelope = z.strictObject({
  message: z.string().min(1),
  handoff: z.strictObject({ to: z.enum(['gpt', 'claude']), task: z.string().min(1).max(500) }).optional(),
  final: z.boolean().optional(),
})

/** Shaped like the exits of a build ask. */
const exits = z.union([
  z.strictObject({ TestsPassed: z.strictObject({ iterations: z.int().min(0), commitHash: z.string().nullish() }) }),
  z.strictObject({ Approved: z.strictObject({ pairs: z.array(z.tuple([z.string(), z.string()])) }) }),
  z.strictObject({ Stuck: z.strictObject({ reason: z.enum(['time', 'tests']), tried: z.array(z.string()).max(5) }) }),
])

const tagged = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('yes'), why: z.string() }),
  z.object({ kind: z.literal('no'), what: z.number().default(1) }),
])

const tree = z.object({
  name: z.string(),
  get children() {
    return z.array(tree)
  },
})

const schemas = { envelope, proposal: proposalSchema, exits, tagged }

describe.each(Object.entries(schemas))('the schema of %s', (_, schema) => {
  it.each(modelProviders)('uses nothing that %s refuses', (provider) => {
    const made = providerSchema(provider, schema)?.schema
    expect(made?.type).toBe('object')
    for (const node of nodesOf(made!)) {
      expect(taken, JSON.stringify(node)).toEqual(expect.arrayContaining(Object.keys(node)))
      expect(node.type ?? node.anyOf ?? node.enum, JSON.stringify(node)).toBeDefined()
      if (node.type !== 'object') continue
      expect(node.additionalProperties).toBe(false)
      expect(Object.keys(node.properties!)).toEqual(expect.arrayContaining(node.required!))
    }
  })

  it.each(['openai', 'openai-compatible'] as const)(
    'requires every property for %s, as strict mode demands',
    (provider) => {
      for (const node of nodesOf(providerSchema(provider, schema)!.schema)) {
        if (node.type === 'object') expect(node.required).toEqual(Object.keys(node.properties!))
      }
    },
  )
})

const taken = ['type', 'description', 'enum', 'anyOf', 'properties', 'required', 'additionalProperties', 'items']

function nodesOf(schema: JsonSchema): JsonSchema[] {
  const parts = [
    ...Object.values(schema.properties ?? {}),
    ...(schema.anyOf ?? []),
    ...(schema.items ? [schema.items] : []),
  ]
  return [schema, ...parts.flatMap(nodesOf)]
}

describe('providerSchema', () => {
  it('writes limits into the description, where a model can read them', () => {
    const { schema } = providerSchema('google', z.object({ task: z.string().max(500).describe('What to do') }))!
    expect(schema.properties?.task).toEqual({ type: 'string', description: 'What to do · characters at most 500' })
  })

  it('turns a union into one object whose common properties are required', () => {
    const { schema } = providerSchema('anthropic', tagged)!
    expect(Object.keys(schema.properties!)).toEqual(['kind', 'why', 'what'])
    expect(schema.required).toEqual(['kind'])
    expect(schema.properties?.kind?.anyOf).toEqual([
      { type: 'string', enum: ['yes'] },
      { type: 'string', enum: ['no'] },
    ])
  })

  it.each([
    ['an open map', z.object({ scores: z.record(z.string(), z.number()) })],
    ['anything', z.object({ value: z.unknown() })],
    ['a list at the root', z.array(z.string())],
    ['text', z.string()],
    ['a tree', tree],
  ])('leaves %s to the prompt', (_, schema) => {
    for (const provider of modelProviders) expect(providerSchema(provider, schema)).toBeNull()
  })

  it('leaves a schema with many optional properties to the prompt if Anthropic would refuse it', () => {
    const many = z.object(
      Object.fromEntries(Array.from({ length: 11 }, (_, index) => [`p${index}`, z.string().optional()])),
    )
    expect(providerSchema('anthropic', many)).toBeNull()
    expect(providerSchema('openai', many)).not.toBeNull()
  })
})

describe('restore', () => {
  const restore = (schema: z.ZodType, value: unknown) => {
    const text = providerSchema('openai', schema)!.restore(JSON.stringify(value))
    const restored: unknown = JSON.parse(text)
    expect(schema.safeParse(restored).success).toBe(true)
    return restored
  }

  it('removes nulls of absent properties, at every depth', () => {
    const nested = z.object({
      list: z.array(z.object({ a: z.string(), b: z.object({ c: z.int().optional() }).optional() })),
    })
    expect(restore(envelope, { message: 'hi', handoff: null, final: null })).toEqual({ message: 'hi' })
    expect(
      restore(nested, {
        list: [
          { a: '1', b: null },
          { a: '2', b: { c: null } },
        ],
      }),
    ).toEqual({
      list: [{ a: '1' }, { a: '2', b: {} }],
    })
  })

  it('removes the exits that were not chosen', () => {
    const chosen = { TestsPassed: { iterations: 1, commitHash: null }, Approved: null, Stuck: null }
    expect(restore(exits, chosen)).toEqual({ TestsPassed: { iterations: 1, commitHash: null } })
  })

  it('keeps a null that is an answer', () => {
    const schema = z.object({ winner: z.string().nullable(), note: z.string().nullable().optional() })
    expect(restore(schema, { winner: null, note: null })).toEqual({ winner: null, note: null })
  })

  it('removes them in a fence and among words, too', () => {
    const { restore: restored } = providerSchema('openai', envelope)!
    expect(restored('Here:\n```json\n{"message": "hi $&", "final": null}\n```')).toBe(
      'Here:\n```json\n{"message":"hi $&"}\n```',
    )
  })

  it('leaves every other text unchanged', () => {
    const { restore: untouched } = providerSchema('openai', envelope)!
    for (const text of ['{ "message" : "hi" }', 'no JSON', '', '```json\n{"message":"hi"}\n```']) {
      expect(untouched(text)).toBe(text)
    }
  })
})
