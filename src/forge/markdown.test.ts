import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fenced, inlineCode, lastPart, plainWords } from './markdown.ts'

describe('markdown', () => {
  it('[GH2] no output can end its fence', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('`', '```', '````', '~~~', '\n', ' ', 'x', '\r', '\u0007')), (parts) => {
        const lines = fenced(parts.join('')).split('\n')
        const fence = /^`+/.exec(lines[0]!)![0]
        const ends = lines.slice(1).filter((line) => new RegExp(`^ {0,3}${fence}`).test(line))
        expect(ends).toEqual([fence])
        expect(lines.at(-1)).toBe(fence)
      }),
    )
  })

  it('[GH2] colours, cursor moves and direction marks are taken out of an output', () => {
    expect(fenced('\u001b[31mFAIL\u001b[0m a\u0007b\u202ec\r\n\u001b]0;title\u0007ok')).toBe(
      '```text\nFAIL abc\nok\n```',
    )
  })

  it('[GH2] code in a line ends where it should', () => {
    expect(inlineCode('src/a.ts')).toBe('`src/a.ts`')
    expect(inlineCode('a`b``c')).toBe('```a`b``c```')
    expect(inlineCode('`a`')).toBe('`` `a` ``')
    expect(inlineCode('a\nb')).toBe('`a b`')
  })

  it('[GH2] words call nobody, link no issue, and are no Markdown', () => {
    const words = plainWords('ask @octocat about #12 or GH-3\n<!-- hide --> **bold** [x](y) acme/shop#9 a@b.de')
    expect(words).not.toMatch(/@\p{L}/u)
    expect(words).not.toMatch(/#\d|GH-\d/)
    expect(words).not.toMatch(/(?<!\\)[<>*[\]]/)
    expect(words.replaceAll('\u200b', '').replaceAll('\\', '')).toBe(
      'ask @octocat about #12 or GH-3 <!-- hide --> **bold** [x](y) acme/shop#9 a@b.de',
    )
    expect(plainWords('# no heading')).toBe('\\# no heading')
    expect(plainWords('1. no list')).toBe('1\\. no list')
  })

  it('[GH2] the last part of an output is kept, and what is left out is counted', () => {
    const output = Array.from({ length: 100 }, (_, index) => `line ${index}`).join('\n')
    expect(lastPart(output, { lines: 2, characters: 1000 })).toEqual({ text: 'line 98\nline 99', leftOut: 98 })
    expect(lastPart(output, { lines: 50, characters: 20 })).toEqual({ text: 'line 98\nline 99', leftOut: 98 })
    expect(lastPart('short\n', { lines: 2, characters: 100 })).toEqual({ text: 'short', leftOut: 0 })
    expect(lastPart('x'.repeat(50), { lines: 2, characters: 10 })).toEqual({ text: `…${'x'.repeat(10)}`, leftOut: 0 })
  })
})
