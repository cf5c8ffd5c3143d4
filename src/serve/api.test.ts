/** The routes and fields that other programs rely on: more may come, none may go. */
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { api } from './api.ts'

interface Shape {
  properties?: Record<string, unknown>
  required?: string[]
  anyOf?: Shape[]
}

const shapeOf = (schema: z.ZodType): Shape => z.toJSONSchema(schema, { unrepresentable: 'any', io: 'input' }) as Shape
const fieldsOf = (shape: Shape): string[] =>
  [shape, ...(shape.anyOf ?? [])].flatMap(({ properties = {} }) => Object.keys(properties))

/** Fields of the body and of the response; `?` may be left out of a body. */
const promised: [keyof typeof api, { status?: number; body?: string; response?: string }][] = [
  ['GET /api/health', {}],
  ['GET /api/openapi.json', {}],
  ['GET /api/agents', { response: 'agents' }],
  ['POST /api/rooms', { body: 'name? agents?', response: 'id' }],
  ['GET /api/rooms', { response: 'rooms' }],
  ['GET /api/rooms/:room', { response: 'id name agents' }],
  [
    'POST /api/rooms/:room/messages',
    {
      status: 202,
      body: 'text target? mode? participants? speaker? max_rounds? message_id?',
      response: 'message_id session_id',
    },
  ],
  ['GET /api/rooms/:room/transcript', { response: 'items' }],
  ['GET /api/sessions/:session', { response: 'id goal participants round max_rounds status end_reason items' }],
  ['POST /api/sessions/:session/stop', { status: 202 }],
  ['POST /api/plans', { status: 202, body: 'goal mode? preset? answers?', response: 'id' }],
  ['GET /api/plans/:plan', { response: 'seq' }],
  ['POST /api/builds', { status: 202, body: 'spec strategy? merge?', response: 'id' }],
  ['GET /api/builds/:build', { response: 'seq' }],
  ['POST /api/ships', { status: 202, body: 'goal mode? merge?', response: 'id' }],
  ['GET /api/ships/:ship', { response: 'seq' }],
  ['GET /api/runs', { response: 'runs' }],
  ['POST /api/runs/:run/stop', {}],
  ['POST /api/runs/:run/resume', {}],
  ['POST /api/runs/:run/fork', {}],
  ['GET /api/questions', { response: 'questions' }],
  ['POST /api/questions/:question/answer', { body: 'choice? text?' }],
  ['GET /api/features', { response: 'features' }],
  ['GET /api/features/:feature', {}],
  ['GET /api/events', {}],
  ['POST /api/decide/:rule', {}],
]

describe('the HTTP surface', () => {
  it.each(promised)('has %s', (name, { status, body, response }) => {
    const route = api[name] as { status?: number; body?: z.ZodType; response?: z.ZodType }
    if (status !== undefined) expect(route.status).toBe(status)
    const shape = route.body ? shapeOf(route.body) : {}
    for (const field of body?.split(' ') ?? []) {
      expect(fieldsOf(shape)).toContain(field.replace('?', ''))
      expect([field, shape.required?.includes(field) ?? false]).toEqual([field, !field.endsWith('?')])
    }
    if (response) expect(fieldsOf(shapeOf(route.response!))).toEqual(expect.arrayContaining(response.split(' ')))
  })
})
