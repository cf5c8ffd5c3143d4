import { describe, expect, it } from 'vitest'
import { everythingExcept, ignorePattern } from './git-patterns.ts'

describe('paths that git is to take for themselves', () => {
  it('as lines of an ignore file', () => {
    expect(ignorePattern('node_modules')).toBe('/node_modules')
    expect(ignorePattern('!a/#b')).toBe('/!a/#b')
    expect(ignorePattern('x*[1]?\\ ')).toBe('/x\\*\\[1\\]\\?\\\\\\ ')
  })

  it('as what is left out, with all that lies below', () => {
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
