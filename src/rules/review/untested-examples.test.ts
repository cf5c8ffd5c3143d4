import { describe, expect, it } from 'vitest'
import { untestedExamples } from './untested-examples.ts'

const examples = (text: string, ...tests: string[]) =>
  untestedExamples([{ id: 'c1', text }], tests).map(({ example }) => example)

describe('examples of a criterion', () => {
  it('[VF13] are named if no test holds them', () => {
    const text = 'every other value stays a string, among them quoted ones ("10", \'10\')'
    expect(examples(text, 'parse("a=10")')).toEqual(['"10"', "'10'"])
    expect(examples(text, `assert.equal(parse('a="10"').a, '10')`)).toEqual([])
    expect(examples(text, String.raw`parse("a=\"10\"")`)).toEqual([])
  })

  it('[VF13] may be laid out in another way', () => {
    expect(examples('`add(1, 2)` is 3', 'expect(add(1,2)).toBe(3)')).toEqual([])
    expect(examples('`add(1, 2)` is 3', 'expect(add(2,1)).toBe(3)')).toEqual(['add(1, 2)'])
    expect(examples('it says "not found"', 'match(/not found/)')).toEqual([])
  })

  it('[VF13] may be named behind "such as"', () => {
    const text = 'every iterable is accepted, such as a Set or a generator; nothing else is'
    expect(examples(text, "exclude(url, new Set(['a']))")).toEqual(['generator'])
    expect(examples(text, 'function* generator() {}; exclude(url, new Set())')).toEqual([])
    expect(examples('long names, for example those that nobody would ever want to type by hand', '')).toEqual([])
  })

  it('[VF13] are no apostrophes', () => {
    expect(examples("the caller's value isn't changed, nor its owner's")).toEqual([])
  })

  it('[VF13] are named at most six times', () => {
    expect(examples([...'abcdefgh'].map((letter) => `\`${letter}${letter}()\``).join(' '))).toHaveLength(6)
  })
})
