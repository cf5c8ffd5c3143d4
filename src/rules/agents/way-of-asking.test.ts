import { describe, expect, it } from 'vitest'
import { mayWorkHeadless, wayOfAsking } from './way-of-asking.ts'

describe('how a coding agent is asked', () => {
  it('[AG6] over the protocol if something speaks it', () => {
    expect(wayOfAsking({ wantsHeadless: false, hasAdapter: true, hasHeadless: true })).toBe('acp')
  })

  it('[AG6] headless where only its own program is there, or where the configuration wants it', () => {
    expect(wayOfAsking({ wantsHeadless: false, hasAdapter: false, hasHeadless: true })).toBe('headless')
    expect(wayOfAsking({ wantsHeadless: true, hasAdapter: true, hasHeadless: true })).toBe('headless')
  })

  it('[AG6] not at all without a program', () => {
    expect(wayOfAsking({ wantsHeadless: false, hasAdapter: false, hasHeadless: false })).toBe('missing')
    expect(wayOfAsking({ wantsHeadless: true, hasAdapter: true, hasHeadless: false })).toBe('missing')
  })

  it('[AG6] never writes headless where a person is to be asked', () => {
    expect(mayWorkHeadless('ask', true)).toBe(false)
    expect(mayWorkHeadless('ask', false)).toBe(true)
    expect(mayWorkHeadless('worktree', true)).toBe(true)
    expect(mayWorkHeadless('deny', true)).toBe(true)
  })
})
