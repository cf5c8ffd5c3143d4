import { describe, expect, it } from 'vitest'
import { agentFault, isRecent, isSpoken, startFault } from './agent-failure.ts'

describe('why a coding agent failed', () => {
  it.each([
    [{ code: -32000, words: 'anything' }, 'login'],
    [{ words: 'API Error: 401 {"type":"authentication_error"}' }, 'login'],
    [{ words: 'Gemini API key is missing or not configured.' }, 'login'],
    [{ words: 'Not logged in · Please run /login' }, 'login'],
    [{ words: 'Missing environment variable: `MOCK_KEY`.' }, 'login'],
    [{ words: 'API Error: 429 rate_limit_error' }, 'rate-limited'],
    [{ words: 'You have hit your usage limit.' }, 'rate-limited'],
    [{ words: 'insufficient_quota (429)' }, 'out-of-credit'],
    [{ words: 'Unknown model gpt-99' }, 'unknown-model'],
    [{ words: 'The model `x` does not exist' }, 'unknown-model'],
    [{ words: 'request timed out' }, 'timeout'],
    [{ words: 'unexpected status 503 Service Unavailable' }, 'unavailable'],
    [{ words: '' }, 'unavailable'],
  ])('[AG3] %j is %s', (failure, fault) => {
    expect(agentFault(failure)).toBe(fault)
  })

  it.each([
    [{}, 'broken'],
    [{ exitCode: 0 }, 'broken'],
    [{ hasWorked: true }, 'unavailable'],
    [{ exitCode: null }, 'unavailable'],
    [{ isSlow: true }, 'timeout'],
    [{ exitCode: 127, hasWorked: true }, 'not-startable'],
    [{ words: 'Not logged in', hasWorked: true }, 'login'],
  ])('[AG3] a start that failed with %j is %s', (start, fault) => {
    expect(startFault({ words: 'oh', exitCode: 1, isSlow: false, hasWorked: false, ...start })).toBe(fault)
  })

  it('[AG3] a version is old only if it can be read and is older', () => {
    expect(isRecent('0.99.1', '0.90')).toBe(true)
    expect(isRecent('0.9.4', '0.90')).toBe(false)
    expect(isRecent('v2.6.0-beta', '2.6')).toBe(true)
    expect(isRecent('1', '1.0.1')).toBe(false)
    expect(isRecent(undefined, '1')).toBe(true)
    expect(isRecent('nightly', '1')).toBe(true)
  })

  it('[AG3] only the same protocol version is spoken', () => {
    expect(isSpoken(1, 1)).toBe(true)
    expect([0, 2, '1', undefined, null].map((version) => isSpoken(version, 1))).toEqual([
      false,
      false,
      false,
      false,
      false,
    ])
  })
})
