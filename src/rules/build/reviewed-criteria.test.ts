import { describe, expect, it } from 'vitest'
import { changedBehaviour, reviewedCriteria, uncheckedCriteria, untestedBehaviour } from './reviewed-criteria.ts'
import { file, symbol, textFile } from './syntax-facts.fixture.ts'

describe('criteria that the reviewer checks', () => {
  it('[VF14] are those that the spec marks and those that an agent left to it', () => {
    const criteria = [
      { id: 'code', text: 'adds' },
      { id: 'docs', text: 'the README names it', kind: 'review' as const },
      { id: 'types', text: 'Options has a field' },
    ]
    expect(reviewedCriteria(criteria, [{ criterionId: 'types', reason: 'a declaration' }])).toEqual([
      { id: 'docs', text: 'the README names it' },
      { id: 'types', text: 'Options has a field', reason: 'a declaration' },
    ])
  })

  it('[VF14] an approval says of each where it is met', () => {
    const reviewed = [{ id: 'docs', text: 'the README names it' }]
    expect(uncheckedCriteria(reviewed, [{ criterionId: 'docs' }])).toEqual([])
    expect(uncheckedCriteria(reviewed, [{ criterionId: 'code' }])).toEqual([
      { rule: 'VF14', message: expect.stringMatching(/^Approved does not say that you checked docs \("the README/) },
    ])
  })

  it('[VF14] an approval may not see one met in a file that the work does not change', () => {
    const reviewed = [{ id: 'docs', text: 'the README names it' }]
    const said = (finding: string, already?: boolean) =>
      uncheckedCriteria(reviewed, [{ criterionId: 'docs', finding, already }], {
        files: ['CHANGELOG.md', 'README.md', 'docs/README.md', 'src/a.ts', 'bin/run', 'str'],
        changed: ['docs/README.md', 'src/a.ts'],
      })
    expect(said('README.md, Usage: shows it')).toEqual([])
    expect(said('docs/README.md:12 names it')).toEqual([])
    expect(said('the usage section, e.g. a list for str.trim')).toEqual([])
    expect(said('the type of run is a str')).toEqual([])
    expect(said('CHANGELOG.md has a line')).toEqual([
      { rule: 'VF14', message: expect.stringMatching(/met in CHANGELOG\.md, which the work does not change/) },
    ])
    expect(said('CHANGELOG.md has a line; docs/README.md too')).toEqual([])
    expect(said('CHANGELOG.md has a line', true)).toEqual([])
  })

  it('[VF14] may not be all of them where the work changes what a program does', () => {
    expect(untestedBehaviour(['docs'], [])).toEqual([])
    expect(untestedBehaviour([], ['src/a.ts'])).toEqual([])
    expect(untestedBehaviour(['docs'], ['src/a.ts'])).toEqual([
      { rule: 'VF14', message: expect.stringContaining('write a test for at least one of them') },
    ])
  })
})

describe('a change of behaviour', () => {
  const type = (text: string) => symbol('Options', text, { kind: 'type', signature: text })
  const before = [file('src/a.ts', [symbol('add', 'return 1'), type('{ a }')]), textFile('README.md', 'old', null)]

  it('[VF14] is not a document, a type, a declaration or a comment', () => {
    const after = [
      file('src/a.ts', [symbol('add', 'return 1'), type('{ a; b }')]),
      textFile('README.md', 'new', null),
      file('index.d.ts', [symbol('add', '')]),
      textFile('LICENSE', 'free', null),
    ]
    expect(changedBehaviour(before, after)).toEqual([])
  })

  it.each([
    ['another body', [file('src/a.ts', [symbol('add', 'return 2'), type('{ a }')])]],
    ['a new function', [file('src/a.ts', [symbol('add', 'return 1'), symbol('sub', ''), type('{ a }')])]],
    ['a function that is gone', [file('src/a.ts', [type('{ a }')])]],
    ['a file that is gone', []],
    ['code that cannot be read', [textFile('src/a.ts', 'return (', 'typescript')]],
  ])('[VF14] is %s', (_, after) => {
    expect(changedBehaviour(before, [...after, textFile('README.md', 'new', null)])).toEqual(['src/a.ts'])
  })

  it('[VF14] is a changed file of settings', () => {
    expect(changedBehaviour([], [textFile('package.json', '{}', null)])).toEqual(['package.json'])
  })
})
