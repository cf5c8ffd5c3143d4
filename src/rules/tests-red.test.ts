import { describe, expect, it } from 'vitest'
import type { TestFacts } from './test-facts.ts'
import { testsRed } from './tests-red.ts'

const planned = [{ criterionId: 'c1', plannedTestName: 'adds two numbers' }]
const red = (test: Partial<TestFacts>) =>
  testsRed({ planned, toBeWritten: ['src/add.ts'], ran: [{ name: 'adds two numbers', outcome: 'assertion', ...test }] })

describe('new tests on the scaffold', () => {
  it.each(['assertion', 'not-implemented'] as const)('[VF2] may fail by %s', (outcome) => {
    expect(red({ outcome })).toEqual({ problems: [], unexplained: [] })
  })

  it.each([
    ['passed', /passes before/],
    ['skipped', /skipped/],
    ['error', /error of its own/],
    ['import-error', /import of its own/],
  ] as const)('[VF2] may not end %s', (outcome, words) => {
    const { problems } = red({ outcome })
    expect(problems).toEqual([{ rule: 'VF2', message: expect.stringMatching(words) }])
    expect(problems[0]?.message).toMatch(/adds two numbers.*c1/)
  })

  it('[VF2] may miss what the implementer has yet to write, and nothing else', () => {
    expect(red({ outcome: 'import-error', missing: 'src/add.ts' }).problems).toEqual([])
    expect(red({ outcome: 'import-error', missing: 'src/helper.ts' }).problems).toMatchObject([
      { message: expect.stringMatching(/src\/helper\.ts/) },
    ])
  })

  it('[VF2] must have run, under the name that was planned', () => {
    expect(red({ name: 'adds numbers' }).problems).toMatchObject([{ message: expect.stringMatching(/did not run/) }])
    expect(red({ name: 'two numbers', fullName: ' adds  two numbers' }).problems).toEqual([])
  })

  it('[VF2] that are red without a reason given are let through by name', () => {
    expect(red({ outcome: 'failed' })).toEqual({ problems: [], unexplained: ['adds two numbers'] })
  })

  it('[VF2] that stood there before may be green', () => {
    const ran: TestFacts[] = [
      { name: 'adds two numbers', outcome: 'assertion' },
      { name: 'an old test', outcome: 'passed' },
    ]
    expect(testsRed({ planned, ran, toBeWritten: [] }).problems).toEqual([])
  })
})
