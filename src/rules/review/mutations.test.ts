import { describe, expect, it } from 'vitest'
import { addedLines, chosenMutations, type MutableNode, mutationTime, noticesNothing } from './mutations.ts'

const node = (kind: MutableNode['kind'], line: number, text: string, more: Partial<MutableNode> = {}): MutableNode => ({
  file: 'src/a.js',
  kind,
  start: line * 100,
  end: line * 100 + text.length,
  line,
  endLine: line,
  text,
  language: 'script',
  ...more,
})
const added = new Map([['src/a.js', new Set([1, 2, 3, 4, 5, 6])]])
const changes = (nodes: MutableNode[], most = 20) =>
  chosenMutations({ nodes, added, most }).map(({ line, replacement }) => [line, replacement])

describe('mutations of new code', () => {
  it('[VF12] drop a branch, return a constant, or swap a comparison', () => {
    expect(changes([node('condition', 1, 'a > b')])).toEqual([[1, 'false']])
    expect(changes([node('condition', 1, 'a > b', { language: 'python' })])).toEqual([[1, 'False']])
    expect(changes([node('result', 1, 'a + b')])).toEqual([[1, 'null']])
    expect(changes([node('result', 1, 'a + b', { language: 'python' })])).toEqual([[1, 'None']])
    expect(changes([node('result', 1, 'true')])).toEqual([[1, 'false']])
    expect(changes([node('comparison', 1, '<')])).toEqual([[1, '<=']])
    expect(changes([node('comparison', 1, '===')])).toEqual([[1, '!==']])
  })

  it('[VF12] keep the beginning of a text, which a test of its start alone does not notice', () => {
    expect(changes([node('result', 1, "'Hello, ' + name", { beginning: "'Hello, '" })])).toEqual([[1, "'Hello, '"]])
  })

  it('[VF12] leave code alone that is constant already, or compares in a way that has no opposite', () => {
    const same = [node('condition', 1, 'false'), node('result', 2, 'null'), node('comparison', 3, 'instanceof')]
    expect(changes(same)).toEqual([])
  })

  it('[VF12] stay inside the lines that the work added', () => {
    const nodes = [node('result', 7, 'a'), node('result', 6, 'b', { endLine: 7 }), node('result', 6, 'c')]
    expect(changes(nodes)).toEqual([[6, 'null']])
    expect(changes([node('result', 1, 'a', { file: 'src/b.js' })])).toEqual([])
  })

  it('[VF12] are few, of different kinds, and the same ones in any order of the candidates', () => {
    const nodes = [
      node('result', 1, 'a'),
      node('result', 2, 'b'),
      node('condition', 3, 'c'),
      node('comparison', 4, '>'),
      node('condition', 5, 'd'),
    ]
    const four = [
      [3, 'false'],
      [1, 'null'],
      [4, '>='],
      [5, 'false'],
    ]
    expect(changes(nodes, 4)).toEqual(four)
    expect(changes([...nodes].reverse(), 4)).toEqual(four)
    expect(changes(nodes, 0)).toEqual([])
    expect(changes([])).toEqual([])
  })

  it('[VF12] say in a few words what was changed', () => {
    const nodes = [
      node('condition', 1, 'a\n  > b'),
      node('result', 2, `\`${'x'.repeat(200)}\``),
      node('comparison', 3, '<'),
    ]
    const [dropped, constant, swapped] = chosenMutations({ nodes, added, most: 4 }).map(({ change }) => change)
    expect(dropped).toBe('the branch on `a > b` is never taken')
    expect(constant).toBe(`the result is \`null\` instead of \`'${'x'.repeat(79)} …\``)
    expect(swapped).toBe('`<` became `<=`')
  })

  it('[VF12] count a line as added only if the text did not have it before', () => {
    expect([...addedLines(['a\nb\n'], 'b\r\nc\na\nd\n')]).toEqual([2, 4])
    expect([...addedLines([], 'a\nb')]).toEqual([1, 2])
  })

  it('[VF12] count a line as new although the same one stands elsewhere', () => {
    const old = 'def a(d):\n    if k in d:\n        return 1\n'
    const inserted = 'def b(d):\n    if k in d:\n        return 2\n'
    expect([...addedLines([old], `${old}${inserted}`)]).toEqual([4, 5, 6])
    expect([...addedLines([old], `${inserted}${old}`)]).toHaveLength(3)
  })

  it('[VF12] leave out the lines of a sibling, which the text had not where the tests were red but has on the new base', () => {
    const [red, base] = ['a\nstub\n', 'a\ntheirs\n']
    expect([...addedLines([red, base], 'a\nours\ntheirs\n')]).toEqual([2])
  })

  it('[VF12] run for at most three times as long as the tests, and at least ten seconds', () => {
    expect(mutationTime(200)).toBe(10_000)
    expect(mutationTime(20_000)).toBe(60_000)
  })
})

describe('tests that were tried on mutations', () => {
  it.each([
    [[], false],
    [['unclear'], false],
    [['unnoticed'], true],
    [['unnoticed', 'unclear'], false],
    [['unnoticed', 'unnoticed', 'unclear'], true],
    [['unnoticed', 'unnoticed', 'noticed'], false],
    [['noticed'], false],
  ] as const)('[VF12] are weak if they noticed none: %j', (outcomes, isWeak) => {
    expect(noticesNothing(outcomes.map((outcome) => ({ outcome })))).toBe(isWeak)
  })
})
