import { describe, expect, it } from 'vitest'
import { inputError } from '../schema/rule.ts'
import { childFailure, childFailureSchema } from './child-failure.ts'

const failed = { child: 'lexer', criteria: ['c1', 'c2'], parentCriteria: ['c1', 'c2', 'c3'], failures: 1 }

describe('a failed child', () => {
  it('[GR6] is retried, taken over, dropped or escalated, as its parent says', () => {
    expect(childFailure(failed, { Retry: {} })).toEqual({ action: 'retry', child: 'lexer' })
    expect(childFailure(failed, { TakeOver: {} })).toEqual({ action: 'take-over', criteria: ['c1', 'c2'] })
    expect(childFailure(failed, { Drop: {} })).toEqual({ action: 'drop', dropped: ['c1', 'c2'], takenOver: [] })
    expect(childFailure(failed, { Escalate: { reason: 'too hard' } })).toEqual({ action: 'escalate', why: 'too hard' })
  })

  it('[GR6] without an answer escalates', () => {
    expect(childFailure(failed, undefined)).toMatchObject({ action: 'escalate', why: expect.stringMatching(/lexer/) })
  })

  it('[GR6] is not retried forever', () => {
    expect(childFailure({ ...failed, failures: 2 }, { Retry: null })).toMatchObject({ action: 'retry' })
    expect(childFailure({ ...failed, failures: 3 }, { Retry: null })).toMatchObject({ action: 'escalate' })
    expect(childFailure({ ...failed, failures: 1 }, { Retry: null }, { failures: 1 })).toMatchObject({
      action: 'escalate',
    })
  })

  it('[GR6] loses only the criteria that are named; the rest falls to the parent', () => {
    const decision = childFailure(failed, { Drop: { criteria: ['c2'] } })
    expect(decision).toEqual({ action: 'drop', dropped: ['c2'], takenOver: ['c1'] })
    expect(childFailure(failed, { Drop: { criteria: ['c9'] } })).toMatchObject({ action: 'escalate' })
  })

  it('[GR6] cannot take the last criteria of its parent with it', () => {
    expect(childFailure({ ...failed, parentCriteria: ['c1', 'c2'] }, { Drop: {} })).toMatchObject({
      action: 'escalate',
    })
  })

  it('[GR6] the parent’s reply is one of four, with any words beside it', () => {
    expect(childFailureSchema.parse({ Retry: { hint: 'try tables' } })).toEqual({ Retry: { hint: 'try tables' } })
    expect(childFailureSchema.parse({ Drop: null })).toEqual({ Drop: null })
    const parsed = childFailureSchema.safeParse({ Ignore: {} })
    expect(inputError(parsed.error!)).toMatchObject({ expected: 'Retry | TakeOver | Drop | Escalate' })
  })
})
