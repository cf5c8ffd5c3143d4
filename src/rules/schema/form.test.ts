import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { exitSchemaAt } from '../build/exits.ts'
import { replyForms } from './form.ts'

describe('the form of a reply', () => {
  it('[AS2] names fields, optional fields, choices and lists', () => {
    const schema = z.strictObject({
      name: z.string(),
      level: z.enum(['HIGH', 'LOW']),
      count: z.int().nullish(),
      tags: z.array(z.string()).default([]),
      parts: z.array(z.object({ id: z.string(), done: z.boolean() })),
      scores: z.record(z.string(), z.number()).optional(),
    })
    expect(replyForms(schema)).toEqual([
      '{"name": text, "level": "HIGH" | "LOW", "count"?: whole number, "tags"?: [text], ' +
        '"parts": [{"id": text, "done": true or false}], "scores"?: {name: number}}',
    ])
  })

  it('[AS2] lists the alternatives of a place in the build graph', () => {
    const forms = replyForms(exitSchemaAt('tdd:write-tests'))
    expect(forms.map((form) => form.slice(0, form.indexOf(':')))).toEqual(['{"TestsReady"', '{"InvalidScaffold"'])
    expect(forms[0]).toContain('"testFiles": [')
  })
})
