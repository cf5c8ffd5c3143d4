import { dirname } from 'node:path'
import { describe, expect, it } from 'vitest'
import { programsIn } from './programs-in.ts'

describe('programs that a command names by path', () => {
  it('are visible with what is next to their bin; non-files and mere mentions are not', () => {
    const node = process.execPath
    expect(programsIn(`"${node}" --test`, undefined)).toEqual([dirname(dirname(node))])
    expect(programsIn(`CONFIG=${import.meta.filename} run`)).toEqual([import.meta.dirname])
    expect(programsIn('npm test', 'cat /no/such/file', 'ls /')).toEqual([])
  })
})
