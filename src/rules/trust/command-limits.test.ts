import { describe, expect, it } from 'vitest'
import { commandLimits, limitMessage, reachedLimit } from './command-limits.ts'
import { defaultLimits } from './limits.ts'

describe('the limits of a command', () => {
  const limits = commandLimits(defaultLimits)

  it('[TR11] are those of build.limits, in bytes', () => {
    expect(limits).toEqual({ memoryBytes: 4096 * 1024 ** 2, processes: 512, fileBytes: 1024 ** 3 })
  })

  it('[TR11] hold for all processes of the command together, and exactly at the limit nothing ends', () => {
    expect(reachedLimit({ processes: 512, memoryBytes: limits.memoryBytes }, limits)).toBeUndefined()
    expect(reachedLimit({ processes: 513, memoryBytes: 0 }, limits)).toBe('processes')
    expect(reachedLimit({ processes: 1, memoryBytes: limits.memoryBytes + 1 }, limits)).toBe('memory')
  })

  it('[TR11] name their key when they end a command', () => {
    expect(limitMessage('memory', limits)).toContain('4096 MB of memory (build.limits.memory_mb)')
    expect(limitMessage('processes', limits)).toContain('512 processes and threads')
    expect(limitMessage('file', limits)).toContain('1024 MB (build.limits.file_mb)')
  })
})
