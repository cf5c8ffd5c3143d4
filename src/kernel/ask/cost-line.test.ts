import { expect, it } from 'vitest'
import { costLine } from './cost-line.ts'

const cost = { asks: 4, calls: 7, tokens: 34_567, usd: 0.5 }

it.each([
  [400, '0 s'],
  [51_000, '51 s'],
  [471_000, '7 min 51 s'],
  [3_780_000, '1 h 3 min'],
])('has the time of %d milliseconds at its end', (milliseconds, words) => {
  expect(costLine(cost, milliseconds)).toBe(`4 asks with 7 requests, 34,567 tokens, $0.50, ${words}`)
})

it('[BU1] says that a price is unknown, and shows small ones', () => {
  expect(costLine({ ...cost, usd: null }, 0)).toContain('tokens, cost unknown, ')
  expect(costLine({ ...cost, usd: 0.0012 }, 0)).toContain('tokens, $0.0012, ')
})
