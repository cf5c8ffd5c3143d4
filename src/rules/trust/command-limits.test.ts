import { describe, expect, it } from 'vitest'
import { commandLimits, limitMessage, reachedLimit, wroteTooMuch } from './command-limits.ts'
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

  it.each([
    [153, ''],
    [1, 'Error: EFBIG: file too large, write\n    at Object.writeSync'],
    [1, 'OSError: [Errno 27] File too large'],
    [101, 'called `Result::unwrap()`: File too large (os error 27)'],
    [1, 'write /tmp/out: file too large\nFAIL'],
    [1, "dd: error writing 'huge': File too large"],
    [1, 'cat: write error: File too large\n'],
    [1, 'File size limit exceeded\n'],
    [1, 'sh: line 1:  7 File size limit exceeded (core dumped)\n'],
  ])('[TR11] know a refused write by the signal or by the system’s own words (%i %s)', (code, tail) => {
    expect(wroteTooMuch(code, tail)).toBe(true)
    expect(wroteTooMuch(0, tail)).toBe(false)
  })

  it.each([
    'not ok 1 - upload answers 413: File too large',
    "AssertionError: expected 'File too large' to equal 'ok'",
    'the upload form shows File too large',
    'ok 3 - maps EFBIG to 413\nnot ok 4 - maps ENOENT to 404',
    'Error: File size limit exceeded for avatar.png',
    'Upload failed: File size limit exceeded',
  ])('[TR11] leave alone what a program says about files of its users (%s)', (tail) => {
    expect(wroteTooMuch(1, tail)).toBe(false)
  })

  it('[TR11] name their key when they end a command', () => {
    expect(limitMessage('memory', limits)).toContain('4096 MB of memory (build.limits.memory_mb)')
    expect(limitMessage('processes', limits)).toContain('512 processes and threads')
    expect(limitMessage('file', limits)).toContain('1024 MB (build.limits.file_mb)')
  })
})
