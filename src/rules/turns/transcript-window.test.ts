import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { transcriptWindow } from './transcript-window.ts'

const letters = (text: string) => text.length
const items = (...lengths: number[]) =>
  lengths.map((length, at) => ({ at, text: String.fromCharCode(97 + at).repeat(length) }))
const kept = (lengths: number[], tokens = 3000) =>
  transcriptWindow(items(...lengths), letters, { items: 8, tokens }).map(({ at }) => at)

describe('the window', () => {
  it('[TN7] holds the last eight items, oldest first', () => {
    expect(kept(new Array<number>(11).fill(1))).toEqual([3, 4, 5, 6, 7, 8, 9, 10])
    expect(kept([1, 1])).toEqual([0, 1])
    expect(kept([])).toEqual([])
    expect(transcriptWindow(items(1, 1), letters, { items: 0, tokens: 10 })).toEqual([])
  })

  it('[TN7] stays within 3,000 tokens, dropping the oldest first', () => {
    expect(kept([1000, 1000, 1000, 1000])).toEqual([1, 2, 3])
    expect(kept([1000, 1000, 1000, 1001])).toEqual([2, 3])
    expect(kept([1, 2999, 1000, 1000])).toEqual([2, 3])
  })

  it('[TN7] cuts the start of the last two items instead of dropping them', () => {
    const window = transcriptWindow(
      [{ text: 'old' }, { text: `${'x'.repeat(5000)}END` }, { text: 'the task' }],
      letters,
    )
    expect(window).toHaveLength(2)
    expect(window[0]?.text).toMatch(/^\[…\] x+END$/)
    expect(window[0]!.text.length + window[1]!.text.length).toBe(3000)
    expect(transcriptWindow([{ text: '👍'.repeat(9) }], letters, { items: 8, tokens: 9 })[0]?.text).toBe('[…] 👍👍')
    expect(transcriptWindow([{ text: 'abcdef' }], letters, { items: 8, tokens: 4 })).toEqual([])
  })

  it('[TN7] is always a run of the last items within both limits, and changes no item but the cut one', () => {
    const anyItems = fc.array(fc.record({ text: fc.string({ maxLength: 40 }) }), { maxLength: 15 })
    fc.assert(
      fc.property(anyItems, fc.nat(10), fc.nat(100), (all, most, tokens) => {
        const before = structuredClone(all)
        const window = transcriptWindow(all, letters, { items: most, tokens })
        expect(all).toEqual(before)
        expect(window.length).toBeLessThanOrEqual(most)
        expect(window.reduce((sum, { text }) => sum + text.length, 0)).toBeLessThanOrEqual(tokens)
        const tail = all.slice(all.length - window.length)
        expect(window.slice(1)).toEqual(tail.slice(1))
        if (window[0]) expect(tail[0]!.text.endsWith(window[0].text.replace(/^\[…\] /, ''))).toBe(true)
      }),
    )
  })
})
