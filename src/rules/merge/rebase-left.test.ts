import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { file, symbol } from '../build/syntax-facts.fixture.ts'
import { danglingImports, leftMarkers } from './rebase-left.ts'

describe('what a rebase leaves undone', () => {
  it('[RB1] a conflict marker is named with its line, the first of each file', () => {
    const text = 'one\n<<<<<<< ours\ntwo\n=======\nthree\n>>>>>>> theirs\n'
    expect(leftMarkers([{ file: 'src/a.js', text, sides: ['one\ntwo\n', 'one\nthree\n'] }])).toEqual([
      { rule: 'RB1', message: 'conflict markers are left in src/a.js:2', path: 'src/a.js' },
    ])
  })

  it('[RB1] what either side has in its own text is no marker, and a line of equals signs alone is none', () => {
    const text = 'Title\n=======\n<<<<<<< an example\n'
    expect(leftMarkers([{ file: 'README.md', text, sides: [text] }])).toEqual([])
    expect(leftMarkers([{ file: 'README.md', text: 'Title\n=======\n', sides: [] }])).toEqual([])
  })

  it('[RB1] a text that one of the sides has is never refused', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('<<<<<<< a', '=======', '>>>>>>> b', 'x')), (lines) => {
        const text = lines.join('\n')
        expect(leftMarkers([{ file: 'a', text, sides: ['', text] }])).toEqual([])
      }),
    )
  })

  const base = [file('src/shared.js', [symbol('help')])]
  const canon = [file('src/shared.js', [symbol('assist')])]
  const importing = (module: string, names: string[], more = {}) =>
    file('src/user.js', [], { imports: [{ module, names, ...more }] })

  it('[RB1] an import of an export that the sibling removed is dangling', () => {
    const after = [...canon, importing('./shared.js', ['help'])]
    expect(danglingImports({ base, canon, after })).toEqual([
      {
        rule: 'RB1',
        path: 'src/user.js',
        message: 'it still imports help from src/shared.js, which no longer exports it',
      },
    ])
  })

  it('[RB1] the new name, also under the old one, another module, and what was never exported are not', () => {
    const lists = [
      importing('./shared.js', ['assist']),
      importing('./shared.js', ['help'], { taken: ['assist'] }),
      importing('./other.js', ['help']),
      importing('./shared.js', ['unknown']),
    ]
    for (const one of lists) expect(danglingImports({ base, canon, after: [...canon, one] })).toEqual([])
    expect(danglingImports({ base, canon: base, after: [...base, importing('./shared.js', ['help'])] })).toEqual([])
  })

  it('[RB1] an import that the sibling itself left dangling does not count against the rebase', () => {
    const user = importing('./shared.js', ['help'])
    expect(danglingImports({ base, canon: [...canon, user], after: [...canon, user] })).toEqual([])
  })

  it('[RB1] a Python module is found by its dots', () => {
    const old = [file('app/shared.py', [symbol('help')], { language: 'python' })]
    const young = [file('app/shared.py', [], { language: 'python' })]
    for (const module of ['.shared', 'app.shared']) {
      const user = file('app/user.py', [], { language: 'python', imports: [{ module, names: ['help'] }] })
      expect(danglingImports({ base: old, canon: young, after: [...young, user] })).toHaveLength(1)
    }
  })
})
