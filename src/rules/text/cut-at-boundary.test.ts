import { describe, expect, it } from 'vitest'
import { cutAtBoundary } from './cut-at-boundary.ts'

describe('a long text', () => {
  it('[CX2] is cut where a paragraph, a line or a word ends, with a mark', () => {
    expect(cutAtBoundary('short', 20)).toBe('short')
    expect(cutAtBoundary('one two three\n\nIf the value is an array, more', 20)).toBe('one two three\n… (cut)')
    expect(cutAtBoundary('one two three four five', 12)).toBe('one two\n… (cut)')
    expect(cutAtBoundary('x'.repeat(30), 10, '… (more)')).toBe(`${'x'.repeat(10)}\n… (more)`)
  })

  it('[CX2] keeps no code fence open', () => {
    expect(cutAtBoundary('```sh\nnpm install ufo\nyarn add ufo\n```\nmore', 26)).toBe(
      '```sh\nnpm install ufo\n```\n… (cut)',
    )
  })
})
