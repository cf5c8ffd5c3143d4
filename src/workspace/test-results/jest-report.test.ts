import { describe, expect, it } from 'vitest'
import { readJestReport } from './jest-report.ts'

const result = (title: string, status: string, failureMessages: string[] = [], ancestorTitles = ['math', 'deep']) => ({
  ancestorTitles,
  fullName: [...ancestorTitles, title].join(' '),
  title,
  status,
  failureMessages,
})

describe('the JSON report of Vitest and Jest', () => {
  it('gives each test with its groups, state and failure', () => {
    const assertionResults = [
      result('adds', 'passed', [], []),
      result('fails', 'failed', ['\u001b[31mAssertionError: expected 3 to be 4\u001b[39m\n    at a.test.js:7:38']),
      result('is skipped', 'pending'),
      result('is skipped in Vitest', 'skipped'),
      result('comes later', 'todo'),
    ]
    const report = { testResults: [{ name: '/project/a.test.js', status: 'failed', message: '', assertionResults }] }
    expect(readJestReport(JSON.stringify(report))).toMatchObject({
      tests: [
        { name: 'adds', fullName: 'adds', file: '/project/a.test.js', state: 'passed' },
        {
          name: 'fails',
          fullName: 'math deep fails',
          suite: ['math', 'deep'],
          file: '/project/a.test.js',
          state: 'failed',
          failure: 'AssertionError: expected 3 to be 4\n    at a.test.js:7:38',
        },
        { name: 'is skipped', fullName: 'math deep is skipped', file: '/project/a.test.js', state: 'skipped' },
        {
          name: 'is skipped in Vitest',
          fullName: 'math deep is skipped in Vitest',
          file: '/project/a.test.js',
          state: 'skipped',
        },
        {
          name: 'comes later',
          fullName: 'math deep comes later',
          file: '/project/a.test.js',
          state: 'skipped',
          todo: true,
        },
      ],
      broken: [],
    })
  })

  it('lists files that could not be loaded', () => {
    const message = "  ● Test suite failed to run\n\n    Cannot find module '../src/parser' from 'test/a.test.js'\n"
    const report = {
      testResults: [{ name: '/project/test/a.test.js', status: 'failed', message, assertionResults: [] }],
    }
    expect(readJestReport(JSON.stringify(report)).broken).toEqual([
      { file: '/project/test/a.test.js', failure: "Cannot find module '../src/parser' from 'test/a.test.js'" },
    ])
  })

  it('rejects anything else', () => {
    expect(() => readJestReport('{"testResults": 3}')).toThrow()
    expect(() => readJestReport('half a rep')).toThrow()
  })
})
