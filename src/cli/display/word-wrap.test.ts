import fc from 'fast-check'
import { expect, it } from 'vitest'
import { wordWrap, wrapText } from './word-wrap.ts'

function wrapped(text: string, columns: number, pieces = [text]): string {
  const wrap = wordWrap(columns)
  return pieces.map((piece) => wrap.add(piece)).join('') + wrap.end()
}

it('breaks between words, not inside them', () => {
  expect(wrapped('whoever owns the cache pays', 12)).toBe('whoever owns\nthe cache\npays')
  expect(wrapped('a-word-that-is-longer-than-the-line x', 12)).toBe('a-word-that-is-longer-than-the-line\nx')
  expect(wrapped('one\n\n  two three', 10)).toBe('one\n\n  two\nthree')
})

it('indents the further lines of a whole text', () => {
  expect(wrapText('ask these agents from now on', 16, 4)).toBe('ask these\n    agents from\n    now on')
  expect(wrapText('ask these agents', 16)).toBe('ask these agents')
  expect(wrapText('ask these agents from now on', undefined, 4)).toBe('ask these agents from now on')
})

it('leaves code and tables as they are', () => {
  const code = '```js\nconst answer = add(1, 2)\n```\n    indented code stays whole\n| a cell | another cell |\n'
  expect(wrapped(code, 12)).toBe(code)
})

it('shows a word once it is whole', () => {
  const wrap = wordWrap(12)
  expect(wrap.add('who')).toBe('')
  expect(wrap.add('ever ow')).toBe('whoever')
  expect(wrap.add('ns the')).toBe(' owns')
  expect(wrap.end()).toBe('\nthe')
})

it('shows a word that no line can hold as it comes, such as a sentence without blanks', () => {
  const wrap = wordWrap(6)
  expect(wrap.add('好的')).toBe('')
  expect(wrap.add('，我来')).toBe('好的，我来')
  expect(wrap.add('解释')).toBe('解释')
  expect(wrap.add('。 a b')).toBe('。\na')
  expect(wrap.end()).toBe(' b')
})

it('shows the same words however they arrive', () => {
  const text = fc.array(fc.constantFrom('a', 'bcd', ' ', '  ', '\n', '漢字', '```', '|'), { maxLength: 40 })
  fc.assert(
    fc.property(text, fc.integer({ min: 4, max: 30 }), (pieces, columns) => {
      const whole = pieces.join('')
      const inPieces = wrapped(whole, columns, pieces)
      expect(inPieces).toBe(wrapped(whole, columns))
      expect(inPieces.split(/\s+/).join(' ').trim()).toBe(whole.split(/\s+/).join(' ').trim())
    }),
  )
})
