import { describe, expect, it } from 'vitest'
import { beyondReplyLimit } from './reply-limits.ts'

describe('the size of a reply', () => {
  it('[TR5] ends a call beyond 16 MB or 1,000 tool calls, and says which', () => {
    expect(beyondReplyLimit('bytes', 16 * 1024 * 1024)).toBeNull()
    expect(beyondReplyLimit('bytes', 16 * 1024 * 1024 + 1)).toContain('16 MB')
    expect(beyondReplyLimit('toolCalls', 1000)).toBeNull()
    expect(beyondReplyLimit('toolCalls', 1001)).toContain('1,000 tool calls')
  })
})
