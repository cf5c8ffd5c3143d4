import { describe, expect, it } from 'vitest'
import { mirroredTypes, mirrorLine } from './event-names.ts'

const ts = '2025-12-17T12:00:00.250Z'
const line = (type: string, data: Record<string, unknown>) => JSON.stringify(mirrorLine({ seq: 9, ts, type, data }))

describe('the mirror of a feature', () => {
  it('[EV1] has flat lines with its own names and fields', () => {
    const at = '{"ts":"2025-12-17T12:00:00Z","event":'
    expect(line('issue.started', { issue: 1, session: 's1', more: true })).toBe(
      `${at}"issue_started","issue":1,"session":"s1","seq":9}`,
    )
    expect(line('tests.written', { issue: 1, count: 12 })).toBe(`${at}"tests_written","issue":1,"count":12,"seq":9}`)
    expect(line('implementation.completed', { issue: 1 })).toBe(`${at}"implementation_complete","issue":1,"seq":9}`)
    expect(line('verification.failed', { issue: 1, failures: 3 })).toBe(
      `${at}"verification_failed","issue":1,"failures":3,"seq":9}`,
    )
    expect(line('retry.started', { issue: 1, attempt: 2 })).toBe(`${at}"retry_started","issue":1,"attempt":2,"seq":9}`)
    expect(line('issue.done', { issue: 1, commit: 'abc123' })).toBe(
      `${at}"issue_done","issue":1,"commit":"abc123","seq":9}`,
    )
    expect(mirroredTypes).toHaveLength(6)
  })

  it('[EV1] seq distinguishes equal lines', () => {
    const first = mirrorLine({ seq: 1, ts, type: 'implementation.completed', data: { issue: 1 } })
    const second = mirrorLine({ seq: 2, ts, type: 'implementation.completed', data: { issue: 1 } })
    expect(first).not.toEqual(second)
  })

  it('[EV1] keeps nothing else', () => {
    for (const type of ['issue.labelled', 'constructor', '__proto__', 'toString', '']) {
      expect(mirrorLine({ seq: 1, ts, type, data: { issue: 1 } })).toBeNull()
    }
    expect(mirrorLine({ seq: 1, ts, type: 'issue.done', data: {} })).toBeNull()
    expect(mirrorLine({ seq: 1, ts: 0, type: 'issue.done', data: { issue: 1 } })?.ts).toBe('1970-01-01T00:00:00Z')
    expect(mirrorLine({ seq: 1, ts: 'soon', type: 'issue.done', data: { issue: 1 } })?.ts).toBe('soon')
  })
})
