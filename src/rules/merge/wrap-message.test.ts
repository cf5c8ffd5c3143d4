import { expect, it } from 'vitest'
import { wrapMessage } from './wrap-message.ts'

const word = (count: number) => Array(count).fill('word').join(' ')

it('[MG1] wraps paragraphs and items at 72 columns, items with a hanging indent', () => {
  const text = `${word(20)}\n\n- ${word(20)}\n  ${word(2)}\n1. ${word(16)}\n   - ${word(15)}\n\nThe\nend.`
  expect(wrapMessage(text)).toBe(
    [
      word(14),
      word(6),
      '',
      `- ${word(14)}`,
      `  ${word(8)}`,
      `1. ${word(14)}`,
      `   ${word(2)}`,
      `   - ${word(13)}`,
      `     ${word(2)}`,
      '',
      'The end.',
    ].join('\n'),
  )
})

it('[MG1] leaves code, tables, addresses and lines that were ended on purpose as they are', () => {
  const address = `https://example.org/${'a'.repeat(80)}`
  const kept = [
    'It runs:',
    '',
    `    ${word(20)}`,
    `    more`,
    '',
    '```',
    word(20),
    '',
    '',
    'x',
    '```',
    '',
    `| ${word(20)} |`,
    '',
    'One sentence.',
    'Another one.',
    address,
    'after it',
  ]
  expect(wrapMessage(kept.join('\n'))).toBe(kept.join('\n').replace('\n\n\nx', '\n\nx'))
})

it('[MG1] begins no line with a comment or an item that is none, and keeps control characters out', () => {
  expect(wrapMessage(`${word(14)} #12 and - so on`)).toBe(`${word(13)}\nword #12 and - so on`)
  expect(wrapMessage('a\u001b[31m b\tc')).toBe('a [31m b c')
})
