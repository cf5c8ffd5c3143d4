import { describe, expect, it } from 'vitest'
import { file, symbol, textFile } from '../build/syntax-facts.fixture.ts'
import { impact } from './impact.ts'

describe('the impact of a merge', () => {
  it('[MG3] is breaking where an export is removed', () => {
    const { impactLevel, changes } = impact(
      [file('a.ts', [symbol('add'), symbol('sub')])],
      [file('a.ts', [symbol('add')])],
    )
    expect(impactLevel).toBe('Breaking')
    expect(changes).toEqual([{ symbol: 'sub', changeType: 'RemovedExport', reason: expect.stringMatching(/a\.ts/) }])
  })

  it('[MG3] is breaking where an export is no longer exported, or its file is gone', () => {
    const hidden = [file('a.ts', [symbol('add', '', { exported: false })])]
    expect(impact([file('a.ts', [symbol('add')])], hidden).changes).toMatchObject([{ changeType: 'RemovedExport' }])
    expect(impact([file('a.ts', [symbol('add')])], []).impactLevel).toBe('Breaking')
  })

  it('[MG3] is breaking where a signature changes, and not where only its layout does', () => {
    const before = [file('a.ts', [symbol('add', '', { signature: 'add(a: number, b: number): number' })])]
    const having = (signature: string) => [file('a.ts', [symbol('add', '', { signature })])]
    expect(impact(before, having('add(a: string, b: number): number'))).toMatchObject({
      impactLevel: 'Breaking',
      changes: [{ symbol: 'add', changeType: 'SignatureChange' }],
    })
    expect(impact(before, having('add(\n  a: number,\n  b: number,\n): number;')).impactLevel).toBe('Trivial')
    const constant = [file('a.ts', [{ ...before[0]!.symbols[0]!, kind: 'constant' as const }])]
    expect(impact(before, constant).impactLevel).toBe('Breaking')
  })

  it('[MG3] is additive where an export is new', () => {
    expect(impact([], [file('a.ts', [symbol('add'), symbol('helper', '', { exported: false })])])).toMatchObject({
      impactLevel: 'Additive',
      changes: [{ symbol: 'add', changeType: 'NewExport' }],
    })
  })

  it('[MG3] is additive where only the body of an export changes', () => {
    const change = impact([file('a.ts', [symbol('add', 'return 1')])], [file('a.ts', [symbol('add', 'return 2')])])
    expect(change).toMatchObject({
      impactLevel: 'Additive',
      changes: [{ symbol: 'add', changeType: 'BehaviorChange' }],
    })
  })

  it('[MG3] is trivial where nothing exported is touched', () => {
    const inner = (body: string) => [file('a.ts', [symbol('add', 'x'), symbol('inner', body, { exported: false })])]
    expect(impact(inner('return 1'), inner('return 2'))).toEqual({ impactLevel: 'Trivial', changes: [], unparsed: [] })
    expect(impact([], [])).toEqual({ impactLevel: 'Trivial', changes: [], unparsed: [] })
    expect(impact([textFile('README.md', 'a', null)], [textFile('README.md', 'b', null)]).impactLevel).toBe('Trivial')
  })

  it('[MG3] lists changes by file and name, and the gravest gives the level', () => {
    const before = [file('b.ts', [symbol('gone')]), file('a.ts', [symbol('same'), symbol('body', 'x')])]
    const after = [file('a.ts', [symbol('same'), symbol('body', 'y'), symbol('another')]), file('b.ts')]
    const { impactLevel, changes } = impact(before, after)
    expect(changes.map(({ symbol, changeType }) => `${symbol} ${changeType}`)).toEqual([
      'another NewExport',
      'body BehaviorChange',
      'gone RemovedExport',
    ])
    expect(impactLevel).toBe('Breaking')
  })

  it('[MG3] sees an overload that is gone', () => {
    const overloads = (...types: string[]) => [
      file(
        'a.ts',
        types.map((type) => symbol('add', '', { signature: `add(${type})` })),
      ),
    ]
    expect(impact(overloads('string', 'number'), overloads('string')).changes).toMatchObject([
      { symbol: 'add', changeType: 'RemovedExport' },
    ])
  })

  it('[MG3] without a syntax tree compares the text, and says so', () => {
    const before = [textFile('run.sh', 'echo a')]
    expect(impact(before, before)).toEqual({ impactLevel: 'Trivial', changes: [], unparsed: ['run.sh'] })
    expect(impact(before, [textFile('run.sh', 'echo b')])).toMatchObject({
      impactLevel: 'Additive',
      changes: [{ symbol: 'run.sh', changeType: 'BehaviorChange' }],
      unparsed: ['run.sh'],
    })
    expect(impact([], before).changes).toMatchObject([{ changeType: 'NewExport' }])
    expect(impact(before, []).impactLevel).toBe('Breaking')
  })

  it('[MG3] takes a file that has stopped parsing for breaking', () => {
    const broken = [textFile('a.ts', 'export functio', 'typescript')]
    expect(impact([file('a.ts', [symbol('add')])], broken)).toMatchObject({
      impactLevel: 'Breaking',
      unparsed: ['a.ts'],
    })
  })

  it('[MG3] names such as constructor and __proto__ are names like any other', () => {
    const names = ['constructor', '__proto__', 'toString']
    const after = [
      file(
        'a.ts',
        names.map((name) => symbol(name)),
      ),
    ]
    expect(impact([file('a.ts')], after).changes.map((change) => change.symbol)).toEqual([...names].sort())
  })
})
