import { expect, it } from 'vitest'
import { z } from 'zod'
import { readBySchema } from './reply.ts'

const schema = z.strictObject({
  reason: z.string(),
  questions: z.object({ value: z.array(z.string()).optional(), risk: z.array(z.string()).optional() }).optional(),
})

it('[AS1] takes null for a field that was left out, and keeps those beside it', () => {
  const reply = { reason: 'vague', questions: { value: null, risk: ['What if it fails?'] }, notes: null }
  expect(readBySchema(JSON.stringify(reply), schema)).toMatchObject({
    value: { reason: 'vague', questions: { risk: ['What if it fails?'] } },
  })
})

it('[AS1] says that a field must not be null', () => {
  expect(readBySchema('{"reason": null}', schema)).toMatchObject({
    ok: false,
    problem: expect.stringContaining('reason'),
  })
})
