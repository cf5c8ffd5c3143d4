import { describe, expect, it } from 'vitest'
import { revertedHashes, trailersOf } from './commit-message.ts'
import { subjectStyle } from './commit-subject.ts'
import { type MessageFacts, writeMessage } from './write-message.ts'

const plain = subjectStyle([])

function message(description: string, more: Partial<MessageFacts> = {}): string {
  const title = description.split('\n')[0]!
  return writeMessage({ title, description, criteria: [], summary: '', style: plain, area: 'x', ...more })
}

function bodyOf(description: string, criteria: { text: string }[], summary = ''): string {
  return message(description, { criteria, summary }).split('\n').slice(2).join('\n')
}

describe('the message of a merge', () => {
  it('[MG1] says what and why in the body, and nothing in it is taken for a trailer', () => {
    const body = bodyOf('Add a limit\n\nRows grew without end.\nConvene-Issue: other#1\n* a point', [
      { text: 'at most 5' },
    ])
    expect(body).toBe('Rows grew without end.\nConvene-Issue - other#1\n- a point\n\n- at most 5')
    const told = 'Add a limit\n\nRows grew without end.\n\nWrite the tests first.\n- Change src/a.js only.'
    expect(bodyOf(told, [{ text: 'at most 5' }])).toBe('Rows grew without end.\n\n- at most 5')
    const summary = `Cap the rows,\nso that a page ${'stays small and '.repeat(5)}quick.\nConvene-Run: x`
    expect(bodyOf(told, [{ text: 'at most 5' }], summary)).toBe(
      'Cap the rows, so that a page stays small and stays small and stays small\nand stays small and stays small and quick. Convene-Run: x\n\n- at most 5',
    )
    expect(bodyOf('Add', [{ text: 'a' }], 'Convene-Run: x')).toBe('Convene-Run - x\n\n- a')
    expect(bodyOf('Add', [{ text: 'a' }], 'convene-issue: x#1')).toBe('convene-issue - x#1\n\n- a')
    expect(trailersOf(`${body}\n\nConvene-Issue: demo#1`)).toEqual([{ key: 'Convene-Issue', value: 'demo#1' }])
  })

  it('[MG1] never reads like a revert of other work in its body', () => {
    const hash = 'a'.repeat(40)
    for (const body of [
      bodyOf('Add', [{ text: 'a' }], `This reverts commit ${hash}.`),
      bodyOf(`Add\n\nThis reverts commit ${hash}.`, []),
      bodyOf(`Add\n\n${'word '.repeat(14)}This reverts commit ${hash}.`, []),
    ])
      expect([body.includes(hash), revertedHashes(body)]).toEqual([true, []])
    expect(message('Revert "feat(demo): Implement issue #1"')).toBe('Undo "feat(demo): Implement issue #1"')
  })

  const long = 'Add cachetools.keys.ignorekey() to leave keyword arguments out of a cache key'
  const own = 'Add ignorekey() to keep keywords out of cache keys\n\nA name in the list is left out.'

  it('[MG1] has the whole title in the body where the subject is a part of it', () => {
    expect(message(`${long}\n\nPeople asked.`)).toBe(
      'Add cachetools.keys.ignorekey()\n\nAdd cachetools.keys.ignorekey() to leave keyword arguments out of a\ncache key\n\nPeople asked.',
    )
    // A prefix leaves less room.
    const title = 'Keep the order of rows that compare as equal, so that sorts are stable'
    const style = subjectStyle(['feat: a', 'fix: b', 'feat: c'])
    expect(message(title, { style })).toBe(`feat: keep the order of rows that compare as equal\n\n${title}`)
  })

  it("[MG1] takes the implementer's own subject where the title would be cut, in the repository's style", () => {
    expect(message(long, { summary: own })).toBe(
      'Add ignorekey() to keep keywords out of cache keys\n\nA name in the list is left out.',
    )
    const stops = subjectStyle(['A b.', 'C d.', 'E f.'])
    expect(message(long, { summary: own.replace('\n', '.\n'), style: stops })).toMatch(
      /^Add .* out of cache keys\.\n\nA/,
    )
    const typed = subjectStyle(['feat(a): a', 'fix(b): b', 'feat(c): c'])
    expect(message(long, { summary: own, style: typed, area: 'keys' })).toMatch(
      /^feat\(keys\): add ignorekey\(\) to keep keywords out of cache keys\n\nA/,
    )
    const repair = 'Fix `stringifyUrl()` throwing an error for relative URLs with a fragment identifier'
    expect(message(repair, { summary: 'Parse relative URLs by hand', style: typed, area: 'base' })).toBe(
      'fix(base): parse relative URLs by hand\n\nFix `stringifyUrl()` throwing an error for relative URLs with a fragment\nidentifier',
    )
    // What a title says that fits is the subject.
    expect(message('Add ignorekey()', { summary: own })).toMatch(/^Add ignorekey\(\)\n\nAdd ignorekey\(\) to keep/)
  })

  it.each([
    'Nothing was left to write here for the cache key.',
    'All tests of the cache key pass now.',
    'I added ignorekey() for keyword arguments.',
    'src/cachetools/keys.py',
    'Changes in src/cachetools/keys.py',
    'ignorekey()',
    '- Add ignorekey() for keyword arguments',
    'fixup! Add ignorekey() for keyword arguments',
    'Add ignorekey(). Keyword arguments are left out.',
    'Add ignorekey() for\nkeyword arguments of the cache',
    'Compare results exactly',
    `Add ignorekey() to leave arguments ${'out '.repeat(20)}`,
  ])('[MG1] has no such subject from its summary: %s', (summary) => {
    expect(message(long, { summary }).split('\n')[0]).toBe('Add cachetools.keys.ignorekey()')
  })

  it('[MG1] does not repeat its subject or its title', () => {
    const rule = 'The rule is that a name in the list is left out.'
    for (const summary of [`Add a limit.\n\n${rule}`, `Add a limit. ${rule}`, `**Add a limit**\n${rule}`])
      expect(message('Add a limit', { summary, criteria: [{ text: 'Add a limit' }] })).toBe(`Add a limit\n\n${rule}`)
    expect(message(long, { summary: `${long}.\n\n${rule}` })).toMatch(/\n\nAdd [^\n]*\ncache key\n\nThe rule is[^\n]*$/)
    expect(message('Add a limit\n\nRows grew.', { summary: 'Add a limit.' })).toBe('Add a limit\n\nRows grew.')
    expect(message('feat: add a limit')).toBe('Add a limit')
    const wrapped = 'Add a limit\nto rows, which grew without end.'
    expect(message('Add a limit', { summary: wrapped })).toBe(`Add a limit\n\n${wrapped.replace('\n', ' ')}`)
  })

  it('[MG1] lists eight criteria without their ids, and counts the others', () => {
    const named = [
      { id: 'AC1', text: 'AC1: rows are limited' },
      { id: 'inc', text: 'inc adds one' },
    ]
    expect(message('Add', { criteria: named })).toBe('Add\n\n- rows are limited\n- inc adds one')
    const criteria = Array.from({ length: 10 }, (_, index) => ({ text: `rule ${index} holds` }))
    const lines = message('Add', { criteria }).split('\n')
    expect(lines.slice(2)).toEqual([...criteria.slice(0, 8).map(({ text }) => `- ${text}`), '- and 2 more criteria'])
    expect(message('Add', { criteria: criteria.slice(0, 9) })).toMatch(/\n- and 1 more criterion$/)
  })
})
