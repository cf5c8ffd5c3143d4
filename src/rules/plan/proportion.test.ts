import { describe, expect, it } from 'vitest'
import { sizePlan } from './proportion.ts'

describe('the size of a plan', () => {
  it.each([
    ['Fix the empty last line in src/read.js', 'rapid', true],
    ['ms() throws on an empty string; return undefined, fix the message', 'rapid', true],
    ['Add a --json flag to src/cli/list.ts', 'rapid', true],
    ['`parseDuration` accepts 1w', 'rapid', true],
    ['formatDate shows the wrong month', 'rapid', true],
    ['Export parse() and format() from src/index.ts', 'rapid', true],
    ['Fix `parse`, `format` and `stringify` for negative numbers', 'standard', false],
    ['Rename a1_b a2_b a3_b a4_b a5_b a6_b a7_b a8_b a9_b', 'advanced', false],
    ['Publish the TypeScript package on GitHub', 'standard', false],
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
    expect(sizePlan('Fix `read` in src/read.js').because).toMatch(/1 file and 1 symbol named/)
    expect(sizePlan('Turn rows into a report').because).toBe('an ordinary change: no file named, no risk found')
  })

  it('[RK4] a long request is not small, whatever file it names', () => {
    expect(sizePlan(`Fix src/read.js ${'and this '.repeat(40)}`).small).toBe(false)
  })
})
