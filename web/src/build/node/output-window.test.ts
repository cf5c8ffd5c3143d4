import { describe, expect, it } from 'vitest'
import { byteLabel, readableOutput, windowBefore, windowBytes } from './output-window.ts'

const bytes = (text: string) => new TextEncoder().encode(text)

describe('what a command printed', () => {
  it('is read from its end, a window at a time', () => {
    const last = windowBefore(windowBytes * 2 + 10)
    expect(last).toEqual({ start: windowBytes + 10, end: windowBytes * 2 + 10 })
    expect(windowBefore(windowBefore(last.start).start)).toEqual({ start: 0, end: 10 })
    expect(windowBefore(0)).toEqual({ start: 0, end: 0 })
  })

  it('shows no half character at the edge of a window', () => {
    const text = bytes('äöü€')
    expect(readableOutput(text.subarray(1), false)).toBe('öü€')
    expect(readableOutput(text.subarray(text.length - 2), false)).toBe('')
    expect(readableOutput(text, true)).toBe('äöü€')
  })

  it('loses the colours of a terminal, and nothing else', () => {
    expect(readableOutput(bytes('\u001b[31mred\u001b[0m [31m\r\nnext'), true)).toBe('red [31m\nnext')
    expect(readableOutput(bytes('\u001b]8;;http://x\u0007link\u001b]8;;\u0007'), true)).toBe('link')
  })

  it('is measured in words', () => {
    expect([12, 1500, 25_000, 3_200_000].map(byteLabel)).toEqual(['12 bytes', '1.5 kB', '25 kB', '3.2 MB'])
  })
})
