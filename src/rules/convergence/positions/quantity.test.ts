import { describe, expect, it } from 'vitest'
import { type Quantity, quantitiesIn, sameQuantity } from './quantity.ts'

describe('quantities', () => {
  it.each([
    ['1,000', '1000'],
    ['1k', 'one thousand'],
    ['a hundred', '100'],
    ['two hundred and five', '205'],
    ['twenty five', '25'],
    ['80%', '80 percent'],
    ['nine tenths', '90%'],
    ['7 days', 'one week'],
    ['half a minute', '30 s'],
    ['quarter of an hour', 'fifteen minutes'],
    ['2 gb', '2000 mb'],
    ['7 days', '7'],
  ])('[CV5] %s is the same quantity as %s', (one, other) => {
    expect(sameQuantity(only(one), only(other))).toBe(true)
  })

  it.each([
    ['7 days', '7 weeks'],
    ['1%', '10%'],
    ['1.5', '15'],
    ['one thousand', 'one million'],
    ['30 s', '30 minutes'],
  ])('[CV5] %s is not the same quantity as %s', (one, other) => {
    expect(sameQuantity(only(one), only(other))).toBe(false)
  })

  it('[CV5] finds every number of a clause and takes a lone "one" for a pronoun', () => {
    expect(values('keep 3 of the twenty files for one week, not that one')).toEqual([3, 20, 1])
    expect(values('the one and only')).toEqual([])
  })

  it('[CV5] reads number words in a row as separate numbers where they do not form one', () => {
    expect(values('five six')).toEqual([5, 6])
    expect(values('hundred')).toEqual([])
  })
})

function only(text: string): Quantity {
  const found = quantitiesIn(text.split(' '))
  expect(found).toHaveLength(1)
  return found[0]!
}

function values(text: string): number[] {
  return quantitiesIn(text.replaceAll(',', '').split(' ')).map(({ value }) => value)
}
