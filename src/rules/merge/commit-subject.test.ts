import { describe, expect, it } from 'vitest'
import { revertedHashes, revertLayers, trailersOf } from './commit-message.ts'
import { commitBody, commitSubject, shortSubject, subjectStyle } from './commit-subject.ts'

describe("a commit in the repository's own style", () => {
  it.each([
    ['conventional commits', ['feat: add a', 'fix(core): mend b', 'Merge branch x', 'chore: c'], 'feat: add a limit'],
    ['capitalised words', ['Add a', 'Mend b', 'Remove c'], 'Add a limit'],
    ['small letters', ['add a', 'mend b', 'remove c'], 'add a limit'],
    ['a package in front', ['parser: add a', 'cli: mend b', 'parser: drop c'], 'parser: add a limit'],
    ['capitals behind the prefix', ['parser: Add a', 'cli: Mend b', 'x: Drop c'], 'parser: Add a limit'],
    ['full stops', ['Add a.', 'Mend b.', 'Remove c.'], 'Add a limit.'],
    ['no history', [], 'Add a limit'],
    ['scopes', ['feat(core): add a', 'fix(cli): mend b', 'chore: c'], 'feat(parser): add a limit'],
    ['a convention between releases', ['1.2.0', 'fix: a', 'v1.1.9', 'feat: b', 'Release 1.1.0'], 'feat: add a limit'],
    ['types of their own', ['break: drop Node 4', 'types: add a', 'deps: mend b'], 'feat: add a limit'],
    [
      'a convention that came later',
      [...Array(12).fill('feat: newer'), 'Older', ...Array(45).fill('Much older')],
      'feat: add a limit',
    ],
    [
      'a convention that was given up',
      [...Array(20).fill('Newer words'), ...Array(15).fill('feat: older')],
      'Add a limit',
    ],
  ])('[MG1] follows %s', (_, subjects, subject) => {
    expect(commitSubject('Add a limit.', subjectStyle(subjects), 'parser')).toBe(subject)
  })

  it('[MG1] says fix for a repair, leaves names alone and stays on one line', () => {
    const style = subjectStyle(['feat: a', 'feat: b', 'feat: c'])
    expect(commitSubject('Fix the limit', style, 'x')).toBe('fix: fix the limit')
    expect(commitSubject('HTTP headers are read', style, 'x')).toBe('feat: HTTP headers are read')
    const scoped = subjectStyle(['feat(a): a', 'feat(b): b', 'feat(c): c'])
    expect(commitSubject('parser: keep quotes', scoped, 'parser')).toBe('feat(parser): keep quotes')
    expect(commitSubject('parser: keep quotes', subjectStyle(['a: b', 'c: d', 'e: f']), 'parser')).toBe(
      'parser: keep quotes',
    )
    expect(commitSubject('parseRow keeps quotes', subjectStyle([]), 'x')).toBe('parseRow keeps quotes')
    expect(commitSubject(`one\ntwo ${'x'.repeat(100)}`, style, 'x')).toBe('feat: one two')
  })

  it('[MG1] is never cut in the middle of a word or a clause, and then the body has the whole title', () => {
    const title =
      'Keep the order of rows that compare as equal, so that two sorts in a row give what people expect from them'
    expect(commitSubject(title, subjectStyle([]), 'x')).toBe('Keep the order of rows that compare as equal')
    const plain = 'Accept every kind of number that the parser of the standard library accepts in the same place'
    expect(commitSubject(plain, subjectStyle([]), 'x')).toBe('Accept every kind of number')
    const list = 'Add the events idle, empty, next and completed to the queue and describe each of them in the readme'
    expect(commitSubject(list, subjectStyle([]), 'x')).toBe(
      'Add the events idle, empty, next and completed to the queue and describe',
    )
    const late =
      'When the queue is paused and a task is added with a higher priority, run it first after start is called'
    expect(commitSubject(late, subjectStyle([]), 'x')).toBe('Run it first after start is called')
    expect(commitBody(title, [{ text: 'stable' }])).toBe(`${title}\n\n- stable`)
    expect(shortSubject('x'.repeat(100))).toBe('x'.repeat(72))
  })

  it('[MG1] a short subject says nothing else than the whole', () => {
    expect(shortSubject('Add the recipe rest(items, n = 1), which gives all of the items but the first n')).toBe(
      'Add the recipe rest(items, n = 1)',
    )
    expect(shortSubject('Add toRoman to the package for numbers, the inverse of fromRoman and its kin')).toBe(
      'Add toRoman to the package for numbers',
    )
  })

  it('[MG1] says what and why in the body, and nothing in it is taken for a trailer', () => {
    const body = commitBody('Add a limit\n\nRows grew without end.\nConvene-Issue: other#1\n* a point', [
      { text: 'at most 5' },
    ])
    expect(body).toBe('Rows grew without end.\nConvene-Issue - other#1\n- a point\n\n- at most 5')
    const told = 'Add a limit\n\nRows grew without end.\n\nWrite the tests first.\n- Change src/a.js only.'
    expect(commitBody(told, [{ text: 'at most 5' }])).toBe('Rows grew without end.\n\n- at most 5')
    const summary = `Cap the rows,\nso that a page ${'stays small and '.repeat(5)}quick.\nConvene-Run: x`
    expect(commitBody(told, [{ text: 'at most 5' }], summary)).toBe(
      'Cap the rows, so that a page stays small and stays small and stays small\nand stays small and stays small and quick. Convene-Run: x\n\n- at most 5',
    )
    expect(commitBody('Add', [{ text: 'a' }], 'Convene-Run: x')).toBe('Convene-Run - x\n\n- a')
    expect(commitBody('Add', [{ text: 'a' }], 'convene-issue: x#1')).toBe('convene-issue - x#1\n\n- a')
    const message = `${body}\n\nConvene-Issue: demo#1`
    expect(trailersOf(message)).toEqual([{ key: 'Convene-Issue', value: 'demo#1' }])
  })

  it('[MG1] never reads like a revert of other work', () => {
    const hash = 'a'.repeat(40)
    for (const body of [
      commitBody('Add', [{ text: 'a' }], `This reverts commit ${hash}.`),
      commitBody(`Add\n\nThis reverts commit ${hash}.`, []),
    ])
      expect([body.includes(hash), revertedHashes(body)]).toEqual([true, []])
    for (const title of ['Revert "feat(demo): Implement issue #1"', 'revert: feat(demo): Implement issue #1'])
      expect(revertLayers(commitSubject(title, subjectStyle([]), 'x')).flips).toBe(0)
  })
})
