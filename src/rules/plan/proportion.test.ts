import { describe, expect, it } from 'vitest'
import { sizePlan } from './proportion.ts'

describe('the size of a plan', () => {
  it.each([
    ['Fix the empty last line in src/read.js', 'rapid', true],
    ['ms() throws on an empty string; return undefined, fix the message', 'rapid', true],
    ['Add a --json flag to src/cli/list.ts', 'rapid', true],
    ['Turn a file of rows into a report', 'standard', false],
    ['Rename read in src/a.js and src/b.js', 'standard', false],
    ['Introduce a new plugin system', 'advanced', false],
    ['Fix the password check in src/user.js', 'advanced', false],
    ['Charge the credit card through the billing api and store the password', 'complete', false],
    ['A quick prototype of a report', 'rapid', false],
  ])('[RK4] %s → %s', (goal, mode, small) => {
    expect(sizePlan(goal)).toMatchObject({ mode, small })
  })

  it('[RK4] says why in one line', () => {
    expect(sizePlan('Fix src/read.js').because).toBe('a small change: 1 file named, no risk found, nothing new')
    expect(sizePlan('Turn rows into a report').because).toBe('an ordinary change: no file named, no risk found')
  })

  it('[RK4] a long request is not small, whatever file it names', () => {
    expect(sizePlan(`Fix src/read.js ${'and this '.repeat(40)}`).small).toBe(false)
  })
})
