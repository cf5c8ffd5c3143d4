import { describe, expect, it } from 'vitest'
import { revertLayers } from './commit-message.ts'
import { commitSubject, type SubjectStyle, subjectStyle } from './commit-subject.ts'
import { shortSubject } from './short-subject.ts'

const subjectOf = (title: string, style: SubjectStyle, area: string) => commitSubject(title, style, area).subject

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
    expect(subjectOf('Add a limit.', subjectStyle(subjects), 'parser')).toBe(subject)
  })

  it('[MG1] says fix for a repair, leaves names alone and stays on one line', () => {
    const style = subjectStyle(['feat: a', 'feat: b', 'feat: c'])
    expect(subjectOf('Fix the limit', style, 'x')).toBe('fix: fix the limit')
    expect(subjectOf('HTTP headers are read', style, 'x')).toBe('feat: HTTP headers are read')
    const scoped = subjectStyle(['feat(a): a', 'feat(b): b', 'feat(c): c'])
    expect(subjectOf('parser: keep quotes', scoped, 'parser')).toBe('feat(parser): keep quotes')
    expect(subjectOf('parser: keep quotes', subjectStyle(['a: b', 'c: d', 'e: f']), 'parser')).toBe(
      'parser: keep quotes',
    )
    expect(subjectOf('parseRow keeps quotes', subjectStyle([]), 'x')).toBe('parseRow keeps quotes')
    expect(subjectOf(`one\ntwo ${'x'.repeat(100)}`, style, 'x')).toBe('feat: one two')
  })

  it('[MG1] is never cut in the middle of a word or a clause', () => {
    const title =
      'Keep the order of rows that compare as equal, so that two sorts in a row give what people expect from them'
    expect(subjectOf(title, subjectStyle([]), 'x')).toBe('Keep the order of rows that compare as equal')
    const plain = 'Accept every kind of number that the parser of the standard library accepts in the same place'
    expect(subjectOf(plain, subjectStyle([]), 'x')).toBe('Accept every kind of number')
    const list = 'Add the events idle, empty, next and completed to the queue and describe each of them in the readme'
    expect(subjectOf(list, subjectStyle([]), 'x')).toBe(
      'Add the events idle, empty, next and completed to the queue and describe',
    )
    const late =
      'When the queue is paused and a task is added with a higher priority, run it first after start is called'
    expect(subjectOf(late, subjectStyle([]), 'x')).toBe('Run it first after start is called')
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

  it.each([
    [
      'Add cachetools.keys.ignorekey() to leave keyword arguments out of a cache key',
      'Add cachetools.keys.ignorekey()',
    ],
    [
      'Let cachetools.func decorated functions test for and discard single entries',
      'Let cachetools.func decorated functions test for and discard',
    ],
    [
      "Fix `stringifyUrl()` throwing 'Invalid URL' for relative URLs with a fragment identifier",
      "Fix `stringifyUrl()` throwing 'Invalid URL' for relative URLs",
    ],
    [
      'Let parsers of dates with a time zone keep the name of the zone and of all its aliases',
      'Let parsers of dates with a time zone keep the name of the zone',
    ],
    [
      'Change `query.stringifyUrl(url)` in the module to accept URLs (relative ones too) as objects',
      'Change `query.stringifyUrl(url)` in the module to accept URLs',
    ],
    ['Make the parser say "expected a number of seconds or the time of a coming day" there', 'Make the parser say'],
  ])('[MG1] cut short, "%s" has no word or half a phrase that needs the rest', (title, subject) => {
    expect(shortSubject(title, 71)).toBe(subject)
  })

  it('[MG1] never reads like a revert of other work', () => {
    for (const title of ['Revert "feat(demo): Implement issue #1"', 'revert: feat(demo): Implement issue #1'])
      expect(revertLayers(subjectOf(title, subjectStyle([]), 'x')).flips).toBe(0)
  })
})
