import { describe, expect, it } from 'vitest'
import { exampleSpec, readSpec } from './spec-text.ts'

const problems = (text: string) => {
  const read = readSpec(text)
  return 'problems' in read ? read.problems : []
}

describe('a spec as it is written', () => {
  it('reads its own example, as YAML and as JSON', () => {
    const read = readSpec(exampleSpec)
    expect(read).toMatchObject({ spec: { id: 'slug', targetPath: 'src/slug.ts' } })
    expect(readSpec(JSON.stringify('spec' in read ? read.spec : null))).toEqual(read)
  })

  it('says on which line something is wrong', () => {
    const text = exampleSpec.replace('id: slug', 'id: no blanks').replace('text: Letters', 'txt: Letters')
    expect(problems(text)).toEqual([
      { line: 1, path: 'id', message: 'the id cannot name a branch' },
      { line: 4, path: 'acceptanceCriteria.0.text', message: 'is missing' },
      { line: 5, path: 'acceptanceCriteria.0', message: 'txt: unknown field' },
    ])
  })

  it('says what is missing or empty in plain words', () => {
    expect(problems(exampleSpec.replace(/description: .*/, 'description: ""'))).toEqual([
      { line: 2, path: 'description', message: 'is empty' },
    ])
    expect(problems(exampleSpec.replace(/testPath: .*\n/, ''))).toEqual([
      { line: 1, path: 'testPath', message: 'is missing' },
    ])
    expect(problems('')).toEqual([{ line: 1, path: '', message: 'the spec is empty' }])
  })

  it('says where it cannot be read at all', () => {
    const [first] = problems('id: "open\ndescription: x\n')
    expect(first).toMatchObject({ path: '' })
    expect(first!.line).toBeGreaterThan(0)
    expect(problems('- a list')[0]).toMatchObject({ line: 1 })
  })
})
