import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ChangeEntry } from '../build/exits.ts'
import { file, imports, symbol, textFile } from '../build/syntax-facts.fixture.ts'
import { moduleSymbol } from '../build/syntax-facts.ts'
import { mechanical, type RebaseFacts } from './mechanical.ts'

const renamed: ChangeEntry[] = [
  { symbol: 'parse', changeType: 'RemovedExport', reason: '' },
  { symbol: 'parseAll', changeType: 'NewExport', reason: '' },
]

function check(before: string, after: string, more: Partial<RebaseFacts> = {}) {
  return mechanical({
    before: [file('a.ts', [symbol('run', before)])],
    after: [file('a.ts', [symbol('run', after)])],
    ...more,
  })
}

describe('mechanical edits', () => {
  it('[RB2] imports may change', () => {
    const before = [file('a.ts', [symbol('run', 'return parse(x)')], { imports: imports('./old.ts') })]
    const after = [file('a.ts', [symbol('run', 'return parse(x)')], { imports: imports('./new.ts') })]
    expect(mechanical({ before, after })).toEqual({ mechanical: true, violations: [] })
  })

  it('[RB2] signatures and types may change', () => {
    const before = [
      file('a.ts', [symbol('run', 'return x', { signature: 'run(x: A)' }), symbol('T', '', { kind: 'type' })]),
    ]
    const after = [
      file('a.ts', [symbol('run', 'return x', { signature: 'run(x: B)' }), symbol('U', '', { kind: 'type' })]),
    ]
    expect(mechanical({ before, after }).mechanical).toBe(true)
  })

  it('[RB2] a rename may change bodies where it holds everywhere', () => {
    expect(check('return parse(x) + parse(y)', 'return parseAll(x) + parseAll(y)').mechanical).toBe(true)
    expect(check('return parse(x) + parse(y)', 'return parseAll(x) + parse(y)').mechanical).toBe(false)
  })

  it('[RB2] a rename must hold in every body', () => {
    const two = (first: string, second: string) => [
      file('a.ts', [symbol('f', first)]),
      file('b.ts', [symbol('g', second)]),
    ]
    const everywhere = { before: two('parse(x)', 'parse(y)'), after: two('parseAll(x)', 'parseAll(y)') }
    expect(mechanical(everywhere).mechanical).toBe(true)
    const half = { before: two('parse(x)', 'parse(y)'), after: two('parseAll(x)', 'parse(y)') }
    expect(mechanical(half).violations).toMatchObject([
      { file: 'a.ts', symbol: 'f', why: expect.stringMatching(/parseAll/) },
    ])
    expect(mechanical({ ...half, announced: renamed }).mechanical).toBe(true)
  })

  it('[RB2] calling another known function instead is no rename', () => {
    const draft = (call: string) => [file('a.ts', [symbol('f', `return ${call}(x)`), symbol('g', 'return sub(y)')])]
    expect(mechanical({ before: draft('add'), after: draft('sub') }).violations).toMatchObject([{ symbol: 'f' }])
    const swapped = (one: string, other: string) => [
      file('a.ts', [symbol('f', `${one}(x)`), symbol('g', `${one}(${other})`)]),
    ]
    const swap = mechanical({ before: swapped('add', 'sub'), after: swapped('sub', 'sub') })
    expect(swap.mechanical).toBe(false)
  })

  it('[RB2] a rename may not take a name that is in use', () => {
    const draft = (call: string, from: string) => [
      file('a.ts', [symbol('run', `return ${call}(x)`)], { imports: [{ module: './math.ts', names: [from] }] }),
    ]
    const before = [...draft('add', 'add'), file('math.ts', [symbol('add', ''), symbol('sub', '')])]
    const after = [...draft('sub', 'sub'), before[1]!]
    expect(mechanical({ before, after }).mechanical).toBe(false)
  })

  it.each([
    ['return x', 'return x + 1', 'added to'],
    ['log(x); return x', 'return x', 'taken from'],
    ['return 1', 'return 2', 'given another number'],
    ["return 'a'", "return 'b'", 'given another text'],
    ['if (a) return b', 'if (!a) return b', 'turned round'],
    ['return a - b', 'return b - a', 'turned round by its names'],
    ['return f(a, b)', 'return f(a, a)', 'given one name for two'],
    ['return f(a)', 'return 5 (a)', 'given a number for a name'],
  ])('[RB2] a body %s → %s (%s) is refused', (before, after) => {
    const { mechanical, violations } = check(before, after)
    expect(mechanical).toBe(false)
    expect(violations[0]).toMatchObject({ file: 'a.ts', symbol: 'run' })
  })

  it.each([
    ['return parse(x)', 'return parse(x, {})', 'a plain value more'],
    ['return parse(x, y + 1)', 'return parse(y + 1, x)', 'in another order'],
    ['return parse(x, y + 1)', 'return parse({ text: x, at: y + 1 })', 'gathered into a record'],
    ['return parse(x, y)', 'return parse(x, at: y)', 'named'],
    ['return parse(x, y)', 'return parse(x)', 'one less'],
    ['return parse(x, y)', 'return parse(options, x, y)', 'one more in front'],
    ['return parse(parse(x))', 'return parse(parse(x, -1), options.depth)', 'inside one another'],
    ['return parse(f(g(x), [1, 2]))', "return parse(f(g(x), [1, 2]), 'strict', null)", 'beside a long one'],
  ])('[RB2] a call %s → %s (%s) fits a signature that was announced as changed', (before, after) => {
    const announced: ChangeEntry[] = [{ symbol: 'parse', changeType: 'SignatureChange', reason: '' }]
    expect(check(before, after, { announced })).toEqual({ mechanical: true, violations: [] })
    expect(check(before, after).mechanical).toBe(false)
    const other = after.replaceAll('parse(', 'parseAll(')
    expect(check(before, other, { announced: renamed })).toEqual({ mechanical: true, violations: [] })
    const base = [file('a.ts')]
    expect(check(before, after, { announced, base, canon: base }).mechanical).toBe(true)
  })

  it.each([
    ['return parse(x) + y', 'return parse(y, 1) + y', 'another argument'],
    ['return parse(x)', "return parse('')", 'a constant instead of the argument'],
    ['return parse(x)', 'return parse(x, compute(x))', 'a call more'],
    ['return parse(x)', 'return parse(x, y + 1)', 'something computed'],
    ['return parse(x)', 'return parse(x, () => y)', 'a function more'],
    ['return parse(x) + 1', 'return parse(x, 1) + 2', 'something else in the body'],
    ['return parse(x)', 'return parse(x, y = 1)', 'an assignment'],
    ['return other(x)', 'return other(x, 1)', 'another call'],
    ['return parse(x)', 'return parse', 'no call'],
    ['return parse(x)', 'return parse(x, 1', 'brackets that do not close'],
  ])('[RB2] a call %s → %s (%s) is refused all the same', (before, after) => {
    const announced: ChangeEntry[] = [{ symbol: 'parse', changeType: 'SignatureChange', reason: '' }]
    expect(check(before, after, { announced }).mechanical).toBe(false)
  })

  it('[RB2] Python names its arguments with a sign that elsewhere assigns', () => {
    const announced: ChangeEntry[] = [{ symbol: 'parse', changeType: 'SignatureChange', reason: '' }]
    const draft = (body: string) => [file('a.py', [symbol('run', body)], { language: 'python' })]
    const rebase = (after: string) => mechanical({ before: draft('return parse(x)'), after: draft(after), announced })
    expect(rebase('return parse(x, strict=True)')).toEqual({ mechanical: true, violations: [] })
    expect(rebase('return parse(x, strict=f(x))').mechanical).toBe(false)
  })

  it('[RB2] a nameless export is called by the name that each file gives it', () => {
    const library = (signature: string) => file('index.js', [symbol('default', 'return a', { signature })])
    const draft = (body: string) =>
      file('lib/use.js', [symbol('use', body)], { imports: [{ module: '..', names: ['parse'] }] })
    const base = [library('default(a)')]
    const canon = [library('default(a, b)')]
    const rebase = (body: string, theirs = canon) =>
      mechanical({
        base,
        canon: theirs,
        before: [...base, draft('return parse(x)')],
        after: [...theirs, draft(body)],
      })
    expect(rebase('return parse(x, 1)')).toEqual({ mechanical: true, violations: [] })
    expect(rebase('return parse(x, 1)', base).violations).toMatchObject([{ symbol: 'use' }])
    expect(rebase('return parse(x, f(1))').mechanical).toBe(false)
  })

  it('[RB2] logic that is new or gone is refused', () => {
    const draft = [file('a.ts', [symbol('run', 'return x')])]
    const more = [file('a.ts', [symbol('run', 'return x'), symbol('extra', 'return y + y')])]
    expect(mechanical({ before: draft, after: more }).violations).toMatchObject([
      { symbol: 'extra', why: expect.stringMatching(/added/) },
    ])
    expect(mechanical({ before: more, after: draft }).violations).toMatchObject([{ symbol: 'extra' }])
    expect(mechanical({ before: draft, after: [] }).mechanical).toBe(false)
    expect(
      mechanical({ before: draft, after: [...draft, file('b.ts', [symbol('other', 'return 1')])] }).mechanical,
    ).toBe(false)
  })

  it('[RB2] a statement outside every function is logic too', () => {
    const draft = (body: string) => [file('a.ts', [symbol(moduleSymbol, body, { kind: 'module', exported: false })])]
    expect(mechanical({ before: draft('start(1)'), after: draft('start(2)') }).mechanical).toBe(false)
  })

  it('[RB2] a declaration may be renamed with its uses', () => {
    const draft = (name: string) => [file('a.ts', [symbol(name, 'return x * 2'), symbol('run', `return ${name}(x)`)])]
    expect(mechanical({ before: draft('double'), after: draft('twice') }).mechanical).toBe(true)
    const half = [file('a.ts', [symbol('twice', 'return x * 2'), symbol('run', 'return double(x)')])]
    expect(mechanical({ before: draft('double'), after: half }).mechanical).toBe(false)
  })

  it('[RB2] code taken unchanged from the sibling is accepted', () => {
    const before = [file('a.ts', [symbol('ours', 'return x')])]
    const canon = [file('a.ts', [symbol('theirs', 'return y + 1')]), file('b.ts', [symbol('more', 'return z')])]
    const both = [file('a.ts', [symbol('ours', 'return x'), symbol('theirs', 'return y + 1')]), canon[1]!]
    expect(mechanical({ before, canon, after: both })).toEqual({ mechanical: true, violations: [] })
    const bent = [file('a.ts', [symbol('ours', 'return x'), symbol('theirs', 'return y + 2')]), canon[1]!]
    expect(mechanical({ before, canon, after: bent }).violations).toMatchObject([{ symbol: 'theirs' }])
    expect(mechanical({ before, canon, after: before }).violations).toMatchObject([
      { symbol: 'theirs' },
      { symbol: 'more' },
    ])
  })

  it('[RB2] an export the sibling announced as gone may go', () => {
    const before = [file('a.ts', [symbol('parse', 'return 1'), symbol('run', 'return parse(x)')])]
    const after = [file('a.ts', [symbol('parseAll', 'return all(1)'), symbol('run', 'return parseAll(x)')])]
    const canon = [file('a.ts', [symbol('parseAll', 'return all(1)')])]
    expect(mechanical({ before, after, canon, announced: renamed })).toEqual({ mechanical: true, violations: [] })
    expect(mechanical({ before, after, canon }).violations).toMatchObject([{ symbol: 'parse' }])
  })
})

describe('with what both sides started from', () => {
  const tree = (body: string, name = 'run') => [file('a.ts', [symbol(name, body)])]

  it('[RB2] each side keeps its own change', () => {
    const sides = { base: tree('return 1'), before: tree('return 2'), canon: tree('return 1') }
    expect(mechanical({ ...sides, after: tree('return 2') }).mechanical).toBe(true)
    expect(mechanical({ ...sides, after: tree('return 1') }).violations).toMatchObject([
      { why: expect.stringMatching(/draft/) },
    ])
    const theirs = { base: tree('return 1'), before: tree('return 1'), canon: tree('return 3') }
    expect(mechanical({ ...theirs, after: tree('return 3') }).mechanical).toBe(true)
    expect(mechanical({ ...theirs, after: tree('return 1') }).violations).toMatchObject([
      { why: expect.stringMatching(/sibling/) },
    ])
  })

  it('[RB2] a body that both changed cannot be put together mechanically', () => {
    const sides = { base: tree('return 1'), before: tree('return 2'), canon: tree('return 3') }
    for (const body of ['return 2', 'return 3', 'return 2 + 3']) {
      expect(mechanical({ ...sides, after: tree(body) }).violations).toMatchObject([
        { why: expect.stringMatching(/both/) },
      ])
    }
    const agreed = { base: tree('return 1'), before: tree('return 2'), canon: tree('return 2') }
    expect(mechanical({ ...agreed, after: tree('return 2') }).mechanical).toBe(true)
  })

  it('[RB2] a draft’s change survives a rename by its sibling', () => {
    const sides = {
      base: tree('return parse(x)'),
      before: tree('return parse(x) + 1'),
      canon: tree('return parseAll(x)'),
    }
    expect(mechanical({ ...sides, after: tree('return parseAll(x) + 1'), announced: renamed }).mechanical).toBe(true)
    expect(mechanical({ ...sides, after: tree('return parseAll(x)'), announced: renamed }).mechanical).toBe(false)
  })

  it('[RB2] what one side deleted, and the other left alone, may go', () => {
    const none = [file('a.ts')]
    expect(mechanical({ base: tree('return 1'), before: tree('return 1'), canon: none, after: none }).mechanical).toBe(
      true,
    )
    expect(mechanical({ base: tree('return 1'), before: none, canon: tree('return 1'), after: none }).mechanical).toBe(
      true,
    )
    expect(mechanical({ base: tree('return 1'), before: tree('return 2'), canon: none, after: none }).mechanical).toBe(
      false,
    )
    expect(mechanical({ base: none, before: tree('return 1'), canon: none, after: none }).mechanical).toBe(false)
  })

  it('[RB2] any disjoint changes put together are mechanical, and losing any of them is not', () => {
    const all: string[] = ['a', 'b', 'c', 'd', 'e', 'f']
    const names = fc.uniqueArray(fc.constantFrom(...all), { minLength: 1 })
    fc.assert(
      fc.property(names, names, (ours, theirs) => {
        const build = (number: (name: string) => number) => [
          file(
            'x.ts',
            all.map((name) => symbol(name, `return ${number(name)}`)),
          ),
        ]
        const mine = ours.filter((name) => !theirs.includes(name))
        const base = build(() => 0)
        const before = build((name) => (mine.includes(name) ? 1 : 0))
        const canon = build((name) => (theirs.includes(name) ? 2 : 0))
        const merged = build((name) => (mine.includes(name) ? 1 : theirs.includes(name) ? 2 : 0))
        expect(mechanical({ base, before, canon, after: merged }).violations).toEqual([])
        expect(mechanical({ base, before, canon, after: before }).mechanical).toBe(false)
        expect(mechanical({ base, before, canon, after: canon }).mechanical).toBe(mine.length === 0)
      }),
    )
  })
})

describe('files that are not parsed', () => {
  const text = (...lines: string[]) => [textFile('run.sh', lines.join('\n'))]

  it('[RB2] hold both sides’ lines, in order, and no others', () => {
    const sides = {
      base: text('start', 'end'),
      before: text('start', 'ours', 'end'),
      canon: text('start', 'theirs', 'end'),
    }
    expect(mechanical({ ...sides, after: text('start', 'theirs', '  ours', '', 'end') }).mechanical).toBe(true)
    expect(mechanical({ ...sides, after: text('start', 'theirs', 'ours', 'new', 'end') }).mechanical).toBe(false)
    expect(mechanical({ ...sides, after: text('start', 'theirs', 'end') }).violations).toMatchObject([
      { file: 'run.sh', why: expect.stringMatching(/draft/) },
    ])
    expect(mechanical({ ...sides, after: text('start', 'ours', 'end') }).violations).toMatchObject([
      { why: expect.stringMatching(/sibling/) },
    ])
    expect(mechanical({ ...sides, after: text('end', 'theirs', 'ours', 'start') }).mechanical).toBe(false)
  })

  it('[RB2] that stopped parsing are refused', () => {
    const before = [file('a.ts', [symbol('run', 'return 1')])]
    const after = [textFile('a.ts', '<<<<<<< ours', 'typescript')]
    expect(mechanical({ before, after })).toMatchObject({ mechanical: false, violations: [{ file: 'a.ts' }] })
  })

  it('[RB2] that are not code have no logic to change', () => {
    expect(
      mechanical({ before: [textFile('README.md', 'a', null)], after: [textFile('README.md', 'b', null)] }).mechanical,
    ).toBe(true)
  })
})
