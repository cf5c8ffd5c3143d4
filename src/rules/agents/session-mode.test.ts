import { describe, expect, it } from 'vitest'
import { narrowedMode } from './session-mode.ts'

const order = ['read-only', 'agent', 'full']
const available = ['full', 'agent', 'read-only', 'new']
const mode = (current: string, ceiling: string) => narrowedMode({ current, available, order, ceiling })

describe('the mode of a coding agent', () => {
  it('[AG8] is narrowed to what the ask may do', () => {
    expect(mode('full', 'agent')).toBe('agent')
    expect(mode('agent', 'read-only')).toBe('read-only')
  })

  it('[AG8] is never widened', () => {
    expect(mode('read-only', 'agent')).toBeNull()
    expect(mode('agent', 'agent')).toBeNull()
  })

  it('[AG8] one that we do not know counts as too free', () => {
    expect(mode('new', 'agent')).toBe('agent')
  })

  it('[AG8] is a more careful one where the agent does not offer it', () => {
    const available = ['full', 'read-only']
    expect(narrowedMode({ current: 'full', available, order, ceiling: 'agent' })).toBe('read-only')
  })

  it('[AG8] is left alone where the agent has no careful mode', () => {
    expect(narrowedMode({ current: 'full', available: ['full'], order, ceiling: 'agent' })).toBeNull()
  })
})
