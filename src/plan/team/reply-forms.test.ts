/** Every field that a schema asks a model for is explained by the form that its prompt shows. */
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { alignmentSchema } from '../../rules/convergence/align.ts'
import {
  amendmentSchema,
  ballotSchema,
  comparedIssuesSchema,
  contradictionsSchema,
  findingGroupsSchema,
  findingsSchema,
  issuesSchema,
  scoresSchema,
  synthesisReplySchema,
  viewSchema,
  weighedSchema,
} from '../replies.ts'
import { type ReplyForm, replyForms } from './reply-forms.ts'

const schemas: Record<ReplyForm, z.ZodType> = {
  'a view of your own': viewSchema,
  'a synthesis': synthesisReplySchema,
  'findings of a review': findingsSchema,
  'an amendment': amendmentSchema,
  contradictions: contradictionsSchema,
  'a vote': ballotSchema,
  scores: scoresSchema,
  'an alignment of positions': alignmentSchema,
  'groups of findings': findingGroupsSchema,
  'weighed findings': weighedSchema,
  issues: issuesSchema,
  'issues and contradictions': comparedIssuesSchema,
}

/** Filled in by Convene. */
const ours: Partial<Record<ReplyForm, string[]>> = { 'findings of a review': ['by'] }

describe('the form of a reply', () => {
  it.each(Object.keys(replyForms) as ReplyForm[])('[CX2] %s: explains every field of its schema', (form) => {
    const fields = namesIn(z.toJSONSchema(schemas[form], { io: 'input', unrepresentable: 'any' }))
    expect(fields.length).toBeGreaterThan(0)
    const unexplained = fields.filter((name) => !replyForms[form].includes(`"${name}"`))
    expect(unexplained.filter((name) => !ours[form]?.includes(name))).toEqual([])
  })
})

function namesIn(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  const { properties, items, anyOf = [], oneOf = [], allOf = [] } = schema as Record<string, never>
  const own = Object.entries(properties ?? {}).flatMap(([name, value]) => [name, ...namesIn(value)])
  return [...new Set([...own, ...namesIn(items), ...[...anyOf, ...oneOf, ...allOf].flatMap(namesIn)])]
}
