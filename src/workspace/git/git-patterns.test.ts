import { describe, expect, it } from 'vitest'
import { everythingExcept, ignorePattern } from './git-patterns.ts'

describe('literal paths for git', () => {
  it('as lines of an ignore file', () => {
    expect(ignorePattern('node_modules')).toBe('/node_modules')
    expect(ignorePattern('!a/#b')).toBe('/!a/#b')
    expect(ignorePattern('x*[1]?\\ ')).toBe('/x\\*\\[1\\]\\?\\\\\\ ')
  })

  it('as exclusions, with everything below them', () => {
    expect(everythingExcept([])).toEqual(['.'])
    expect(everythingExcept(['.env', 'ü*', '[x]'])).toEqual([
      '.',
      ':(top,exclude,glob)[.]env',
      ':(top,exclude,glob)[.]env/**',
      ':(top,exclude,glob)??\\*',
      ':(top,exclude,glob)??\\*/**',
      ':(top,exclude,glob)?x\\]',
      ':(top,exclude,glob)?x\\]/**',
    ])
  })
})
