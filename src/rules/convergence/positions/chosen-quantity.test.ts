import { describe, expect, it } from 'vitest'
import { chosenQuantities, compareQuantities } from './chosen-quantity.ts'

const read = (text: string) => chosenQuantities(text.split(' '))
const compare = (one: string, other: string) => compareQuantities(read(one), read(other))

describe('[CV5] numbers that are decided on', () => {
  it('leaves out what is only compared with, and pronouns', () => {
    expect(read('anything above 60 hurts')).toEqual([])
    expect(read('the two belong together')).toEqual([])
    expect(read('take 48 and not 12').map(({ rejected }) => rejected)).toEqual([false, true])
    expect(read('no branch should live longer than 2 days').map(({ rejected }) => rejected)).toEqual([false])
  })

  it.each([
    ['take 48 and not 12', '48 will do', 1],
    ['take 48 and not 12', '12 will do', -1],
    ['drop version 18', 'drop version 18 as well', 1],
    ['drop version 18', 'keep version 18', -1],
    ['keep it for 2 weeks', 'keep it for 14 days', 1],
    ['keep it for 2 weeks', 'delete 5 tables', 0],
    ['hire 3 engineers', 'add 4 servers', 0],
    ['hire 3 engineers', 'put 5 on it', -1],
    ['start at 23:00', 'start at 3:30', -1],
  ])('%s, %s: %i', (one, other, expected) => {
    expect(compare(one, other)).toBe(expected)
  })
})
