/** The fields of events that other programs read, and the kinds of ask that scripts name: more may come, none may go. */
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { evidenceRecorded, mergeCompleted } from '../build/events.ts'
import { askKinds, failureReasons } from '../kernel/agent.ts'
import { askFinished, askStarted, permissionRequested, permissionResolved } from '../kernel/ask/ask-events.ts'
import { questionAnswered, questionAsked } from '../kernel/runs/question-events.ts'
import { roundResolved } from '../room/events.ts'

interface Shape {
  properties: Record<string, unknown>
  required?: string[]
}

const promised = [
  [roundResolved, 'round.resolved', 'mode rule winner runnerUp? responders overlap proposals limits'],
  [askStarted, 'ask.started', 'ask kind agent node? path? attempt'],
  [askFinished, 'ask.finished', 'ask kind agent node? path? attempt exit?'],
  [evidenceRecorded, 'evidence.recorded', 'command exit_code node path purpose commit tree'],
  [mergeCompleted, 'merge.completed', 'node mergeCommit author impactLevel changes'],
  [permissionRequested, 'permission.requested', 'agent ask tool title path? command?'],
  [permissionResolved, 'permission.resolved', 'decision by'],
  [questionAsked, 'question.asked', 'id run text choices? context'],
  [questionAnswered, 'question.answered', 'id choice? text?'],
] as const

describe('events that other programs read', () => {
  it.each(promised.map(([event, type, fields]) => ({ event, type, fields })))('$type has $fields', (row) => {
    expect(row.event.type).toBe(row.type)
    const { properties, required = [] } = z.toJSONSchema(row.event.schema as z.ZodType, {
      unrepresentable: 'any',
    }) as unknown as Shape
    for (const field of row.fields.split(' ')) {
      const name = field.replace('?', '')
      expect(Object.keys(properties)).toContain(name)
      expect([field, required.includes(name)]).toEqual([field, !field.endsWith('?')])
    }
  })

  it('asks are of these kinds, and fail in these ways', () => {
    const kinds =
      'answer micro-proposal turn agent-message phase review defend scaffold write-tests implement review-impl merge rebase judge-child child-failed failure-analysis select-issue summary align'
    expect(askKinds).toEqual(expect.arrayContaining(kinds.split(' ')))
    expect(failureReasons.toSorted()).toEqual(
      'disconnect malformed rate-limited refused timeout unavailable'.split(' '),
    )
  })
})
