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
    ['Fix `parse`, `format` and `stringify` for negative numbers', 'rapid', true],
    ['Rename a1_b a2_b a3_b a4_b a5_b a6_b a7_b a8_b a9_b', 'advanced', false],
    ['Publish the TypeScript package on GitHub', 'standard', false],
    ['Turn a file of rows into a report', 'standard', false],
    ['Rename read in src/a.js and src/b.js', 'rapid', true],
    ['Let src/a.js and src/b.js share one reader', 'standard', false],
    ['Introduce a new plugin system', 'advanced', false],
    ['Fix the password check in src/user.js', 'standard', false],
    ['Fix the password check and the deploy key in src/user.js', 'advanced', false],
    ['Check the password on every page', 'advanced', false],
    ['Charge the credit card through the billing api and store the password', 'complete', false],
    ['A quick prototype of a report', 'rapid', false],
  ])('[RK4] %s → %s', (goal, mode, small) => {
    expect(sizePlan(goal)).toMatchObject({ mode, small })
  })

  it.each([
    ['Add a new option to `parse`', []],
    ['Support weeks and months', ['index.js', 'index.d.ts', 'bench/run.js', 'eslint.config.js']],
    ['Return the number of pending rows in the report', ['src/a.js', 'src/b.js', 'src/c.js', 'src/report.ts']],
    ['Let the priority queue drop its oldest entry', ['a.ts', 'b.ts', 'c.ts', 'source/priority-queue.ts']],
  ])('[RK4] a line that changes one place of the project is small: %s', (goal, sources) => {
    expect(sizePlan(goal, { sources })).toMatchObject({ mode: 'rapid', small: true })
  })

  it.each([
    ['two files are meant', 'Let the report show each row', ['a.ts', 'b.ts', 'src/row.ts', 'src/report.ts']],
    ['no file is meant', 'Support weeks and months', ['a.ts', 'b.ts', 'c.ts', 'd.ts']],
    ['it makes something', 'Turn a file of rows into a report', ['src/read.js']],
    ['it is something new', 'Add a plugin system', ['index.js']],
    ['it has several lines', 'Add weeks\nAdd months', ['index.js']],
    ['it is risky', 'Accept a password', ['index.js']],
  ])('[RK4] a line is not small if %s', (_, goal, sources) => {
    expect(sizePlan(goal, { sources }).small).toBe(false)
  })

  it('[RK4] names the place that it found', () => {
    const because = (goal: string, ...sources: string[]) => sizePlan(goal, { sources }).because
    expect(because('Support weeks', 'index.js')).toBe(
      'a small change: the project has 1 source file, no risk found, nothing new',
    )
    expect(because('Show the report in cents', 'a.js', 'b.js', 'c.js', 'report.js')).toMatch(/it is about report\.js/)
  })

  it('[RK4] says why in one line', () => {
    expect(sizePlan('Fix src/read.js').because).toBe('a small change: 1 file named, no risk found, nothing new')
    expect(sizePlan('Fix `read` in src/read.js').because).toMatch(/1 file and 1 symbol named/)
    expect(sizePlan('Turn rows into a report').because).toBe('an ordinary change: no file named, no risk found')
  })

  it('[RK4] a long request is not small, whatever file it names', () => {
    expect(sizePlan(`Fix src/read.js ${'and this '.repeat(60)}`).small).toBe(false)
  })
})
