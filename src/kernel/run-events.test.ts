import { describe, expect, it } from 'vitest'
import { isStopped, stoppedCode } from './run-events.ts'

describe('isStopped', () => {
  it('goes by the code, not by the reason', () => {
    expect(isStopped({ reason: 'stopped', code: stoppedCode })).toBe(true)
    expect(isStopped({ reason: 'stopped', code: 'setup_failed' })).toBe(false)
    expect(isStopped({ reason: 'the journal no longer fits' })).toBe(false)
  })

  it('recognises a stop in a log that was written before stops had a code', () => {
    expect(isStopped({ reason: 'stopped' })).toBe(true)
  })
})
