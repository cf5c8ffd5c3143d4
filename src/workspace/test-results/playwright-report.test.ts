import { describe, expect, it } from 'vitest'
import { readPlaywrightReport } from './playwright-report.ts'

const run = (status: string, more: object = {}) => ({ projectName: '', status, annotations: [], results: [], ...more })
const failed = {
  results: [
    { status: 'failed', error: { message: 'first', stack: 'first' } },
    { status: 'failed', error: { message: '\u001b[31mexpected 2\u001b[39m', stack: 'Error: at a.spec.ts:4' } },
  ],
}
const report = (suites: unknown[], errors: unknown[] = []) =>
  readPlaywrightReport(JSON.stringify({ config: { rootDir: '/project/e2e' }, suites, errors }))

describe('the JSON report of Playwright', () => {
  it('[VF9] gives each test with its groups, file, state and last failure', () => {
    const suites = [
      {
        title: 'a.spec.ts',
        file: 'a.spec.ts',
        specs: [{ title: 'opens › the page', file: 'a.spec.ts', tests: [run('expected')] }],
        suites: [
          {
            title: 'a form',
            specs: [
              { title: 'sends', file: 'a.spec.ts', tests: [run('unexpected', failed)] },
              { title: 'waits', file: 'a.spec.ts', tests: [run('flaky')] },
              { title: 'is skipped', file: 'a.spec.ts', tests: [run('skipped')] },
              {
                title: 'comes later',
                file: 'a.spec.ts',
                tests: [run('skipped', { annotations: [{ type: 'fixme' }] })],
              },
            ],
          },
        ],
      },
    ]
    const { tests } = report(suites)
    expect(tests.map(({ fullName, state }) => [fullName, state])).toEqual([
      ['opens › the page', 'passed'],
      ['a form sends', 'failed'],
      ['a form waits', 'passed'],
      ['a form is skipped', 'skipped'],
      ['a form comes later', 'skipped'],
    ])
    expect(tests[1]).toMatchObject({
      name: 'sends',
      suite: ['a form'],
      file: '/project/e2e/a.spec.ts',
      failure: 'expected 2\nError: at a.spec.ts:4',
    })
    expect(tests[4]).toMatchObject({ todo: true })
    expect(tests[3]).not.toHaveProperty('todo')
  })

  it('[VF9] tells the projects apart that run the same test, and names a file that could not be loaded', () => {
    const tests = ['firefox', 'webkit'].map((projectName) => run('expected', { projectName }))
    const found = report(
      [{ title: 'a.spec.ts', specs: [{ title: 'opens', file: 'a.spec.ts', tests }] }],
      [{ message: 'SyntaxError: x', location: { file: '/project/e2e/b.spec.ts' } }, { message: 'no tests found' }],
    )
    expect(found.tests.map(({ fullName }) => fullName)).toEqual(['firefox opens', 'webkit opens'])
    expect(found.broken).toEqual([{ file: '/project/e2e/b.spec.ts', failure: expect.stringContaining('SyntaxError') }])
  })
})
