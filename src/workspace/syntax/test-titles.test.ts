import { describe, expect, it } from 'vitest'
import { reader } from './syntax.fixture.ts'

describe('test titles', () => {
  it('are found in TypeScript, tables and variants included', () => {
    const text = `
      describe('a group', () => {
        it('adds', () => {})
        test.only("it's done", async () => {})
        it.each([[1, 2]])('adds %i and %i', () => {})
        it.each\`a\`('of a table', () => {})
        test.skipIf(x)('not always', () => {})
        it(\`is \${kind}\`, () => {})
        it('is ' + 'joined', () => {})
        test('outer', async (t) => { await t.test('inner', () => {}) })
        expect(/x/.test('no title')).toBe(pattern.test('neither'))
        it(title, () => {})
      })`
    expect(reader.testTitles('a.test.ts', text)).toEqual([
      'adds',
      "it's done",
      'adds %i and %i',
      'of a table',
      'not always',
      `is \${kind}`,
      'is joined',
      'outer',
      'inner',
    ])
  })

  it('are found in Python, in test classes too', () => {
    const text = [
      'def test_one(): pass',
      'def helper(): pass',
      '@mark.slow',
      'async def test_two(): pass',
      'class TestRoom:',
      '    def test_three(self): pass',
      '    def other(self): pass',
      'class Old(unittest.TestCase):',
      '    def test_four(self): pass',
      'class Plain:',
      '    def test_none(self): pass',
    ].join('\n')
    expect(reader.testTitles('test_a.py', text)).toEqual(['test_one', 'test_two', 'test_three', 'test_four'])
  })

  it('returns none for unreadable sources', () => {
    expect(reader.testTitles('a.test.ts', "it('x'")).toEqual([])
    expect(reader.testTitles('a_test.go', 'func TestA(t *testing.T) {}')).toEqual([])
    expect(reader.testTitles('a.test.ts', Buffer.from([0, 1]))).toEqual([])
  })
})

describe('empty tests', () => {
  it('are those that do nothing, apart from a comment or a docstring', () => {
    const script = `
      test('nothing', () => {})
      test('a comment', async () => { /* later */ })
      test('with options', { timeout: 1 }, function () {})
      test('checks', () => { assert(f()) })
      test('returns', () => f())
      test('named elsewhere', check)`
    expect(reader.emptyTests('a.test.js', script)).toEqual(['nothing', 'a comment', 'with options'])
    const python = [
      'def test_nothing(): pass',
      'def test_dots(): ...',
      'def test_words():',
      '    """It adds."""',
      'def test_checks():',
      '    """It adds."""',
      '    assert add(1, 1) == 2',
    ]
    expect(reader.emptyTests('test_a.py', python.join('\n'))).toEqual(['test_nothing', 'test_dots', 'test_words'])
  })
})
