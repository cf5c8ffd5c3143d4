import { describe, expect, it } from 'vitest'
import { KeptTestResults, type TestResult } from './kept-test-results.ts'

const key = { build: 'run-1', tree: 'a', built: false }

function result(command: string): TestResult {
  const counts = { passed: 0, failed: 0, skipped: 0 }
  const how = { ended: 'exited', sandboxed: true, milliseconds: 1, tail: '', excerpt: '', outputBytes: 0 } as const
  return {
    command,
    exitCode: 0,
    tests: [],
    counts,
    names: 'reported',
    loadErrors: [],
    parts: [],
    narrowed: false,
    ...how,
  }
}

describe('kept test results', () => {
  it('are found by request and by command, for the same tree of the same build, built the same way', () => {
    const kept = new KeptTestResults()
    kept.keep(key, { paths: ['x.test.js'] }, result('make test'))
    expect(kept.forRequest(key, { paths: ['x.test.js'] })?.command).toBe('make test')
    expect(kept.forCommand(key, 'make test')?.command).toBe('make test')
    expect(kept.forRequest(key, {})).toBeUndefined()
    expect(kept.forRequest(key, { suite: 'x.test.js' })).toBeUndefined()
    for (const other of [{ build: 'run-10' }, { tree: 'b' }, { built: true }])
      expect(kept.forCommand({ ...key, ...other }, 'make test')).toBeUndefined()
  })

  it('are forgotten by tree and by build', () => {
    const kept = new KeptTestResults()
    const all = [key, { ...key, tree: 'b' }, { ...key, build: 'run-10' }]
    const left = () => all.filter((one) => kept.forRequest(one, {})).map(({ build, tree }) => `${build} ${tree}`)
    for (const one of all) kept.keep(one, {}, result('make test'))
    kept.forget('run-1', 'a')
    expect(left()).toEqual(['run-1 b', 'run-10 a'])
    kept.forget('run-1')
    expect(left()).toEqual(['run-10 a'])
  })

  it('give way to newer ones', () => {
    const kept = new KeptTestResults(2)
    for (const command of ['one', 'two', 'one', 'three']) kept.keep(key, {}, result(command))
    expect(['one', 'two', 'three'].filter((command) => kept.forCommand(key, command))).toEqual(['one', 'three'])
  })
})
