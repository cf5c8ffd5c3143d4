import { describe, expect, it } from 'vitest'
import { findFiles } from './find-files.ts'

const paths = ['README.md', 'src/retry.ts', 'src/room/round.ts', 'src/room/rooms.ts', 'test/retry.test.ts']

describe('finding files', () => {
  it('[RD15] puts paths that begin with it first, then names, then the rest', () => {
    expect(findFiles(paths, 're')).toEqual(['README.md', 'src/retry.ts', 'test/retry.test.ts'])
    expect(findFiles(paths, 'src/r')).toEqual(['src/room/', 'src/retry.ts', 'src/room/rooms.ts', 'src/room/round.ts'])
    expect(findFiles(paths, 'ROUND')).toEqual(['src/room/round.ts'])
    expect(findFiles(paths, 'room/ro')).toEqual(['src/room/rooms.ts', 'src/room/round.ts'])
  })

  it('[RD15] offers nothing for what is typed in full or found nowhere, and no more than asked for', () => {
    expect(findFiles(paths, 'README.md')).toEqual([])
    expect(findFiles(paths, 'nothing')).toEqual([])
    expect(findFiles(paths, '', 2)).toEqual(['src/', 'test/'])
  })
})
