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

it('[AS1] takes null where only null is a value that fits', () => {
  const traced = z.strictObject({ actual: z.preprocess((given) => JSON.stringify(given), z.string()) })
  expect(readBySchema('{"actual": null}', traced)).toMatchObject({ value: { actual: 'null' } })
})

it('[AS1] refuses a reply that is nested too deeply, and does not crash', () => {
  const deep = '['.repeat(20_000) + ']'.repeat(20_000)
  expect(readBySchema(deep, schema).ok).toBe(false)
  expect(readBySchema(`{"reason": "vague", "notes": ${deep}}`, schema).ok).toBe(false)
})

it('[AS1] says that a field must not be null', () => {
  expect(readBySchema('{"reason": null}', schema)).toMatchObject({
    ok: false,
    problem: expect.stringContaining('reason'),
  })
})
