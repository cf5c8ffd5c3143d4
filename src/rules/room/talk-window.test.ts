import { describe, expect, it } from 'vitest'
import { lastLines, summariseThrough, talkNote, talkWindow } from './talk-window.ts'

const words = (text: string) => text.split(/\s+/).length
const line = (text: string, whole?: string) => ({ text, ...(whole === undefined ? {} : { whole }) })

describe('the window on a room', () => {
  it('[RD16] shows the last lines that fit, oldest first', () => {
    const lines = ['a', 'b b', 'c', 'd'].map((text) => line(text))
    expect(talkWindow(lines, words, { items: 3, tokens: 100 }).map(({ text }) => text)).toEqual(['b b', 'c', 'd'])
    expect(talkWindow(lines, words, { items: 9, tokens: 3 }).map(({ text }) => text)).toEqual(['c', 'd'])
    expect(talkWindow([], words)).toEqual([])
  })

  it('[RD16] keeps the content of attachments while it takes at most half of what is left', () => {
    const lines = [line('old @a', 'old @a x x x'), line('new @b', 'new @b x x x')]
    expect(talkWindow(lines, words, { items: 9, tokens: 14 }).map(({ text }) => text)).toEqual([
      'old @a',
      'new @b x x x',
    ])
    expect(talkWindow(lines, words, { items: 9, tokens: 40 }).map(({ text }) => text)).toEqual([
      'old @a x x x',
      'new @b x x x',
    ])
  })

  it('[RD16] says what is summarised and how many messages are missing', () => {
    expect(talkNote(undefined, 0)).toBeUndefined()
    expect(talkNote(undefined, 1)).toContain('1 message earlier in this room is not shown')
    expect(talkNote({ text: 'They chose Postgres.\n', messages: 12 }, 0)).toBe(
      'Summary of the first 12 messages in this room:\nThey chose Postgres.',
    )
    expect(talkNote({ text: 'x', messages: 12 }, 3)).toContain('3 messages after that are not shown')
  })

  it('[RD17] summarises all but half a window, once more than a window has come together', () => {
    const lines = Array.from({ length: 8 }, (_, index) => ({ seq: index + 1, tokens: 10 }))
    expect(summariseThrough(lines, { items: 8, tokens: 100 })).toBeNull()
    expect(summariseThrough([...lines, { seq: 9, tokens: 10 }], { items: 8, tokens: 100 })).toBe(5)
    expect(summariseThrough(lines, { items: 8, tokens: 79 })).toBe(5)
    expect(summariseThrough([{ seq: 1, tokens: 500 }], { items: 8, tokens: 100 })).toBeNull()
    expect(
      summariseThrough(
        [
          { seq: 1, tokens: 5 },
          { seq: 2, tokens: 500 },
        ],
        { items: 8, tokens: 100 },
      ),
    ).toBe(1)
  })

  it('[RD4] shortens the last lines for proposals', () => {
    const lines = [
      { from: 'you', text: 'old' },
      { from: 'you', text: 'Which\n  queue?' },
      { from: 'gpt', text: 'x'.repeat(50) },
    ]
    expect(lastLines(lines, 2, 20)).toBe(`you: Which queue?\ngpt: ${'x'.repeat(20)} […]`)
    expect(lastLines([])).toBe('')
  })
})
