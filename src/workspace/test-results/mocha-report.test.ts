import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { mochaReporter, mochaReportName, readMochaReport } from './mocha-report.ts'

it('Mocha’s reporter records the outcome of each test, including one whose hook failed', () => {
  const folder = mkdtempSync(join(tmpdir(), 'mocha-report-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  // The reporter loads the project's Mocha; it needs the class it extends, and a runner that emits events.
  mkdirSync(join(folder, 'node_modules/mocha'), { recursive: true })
  writeFileSync(join(folder, 'node_modules/mocha/index.js'), 'exports.reporters = { Spec: class {} }')
  writeFileSync(join(folder, 'reporter.cjs'), mochaReporter.replace('process.cwd()', JSON.stringify(folder)))
  const listeners = new Map<string, (...args: unknown[]) => void>()
  const Reporter = createRequire(import.meta.url)(join(folder, 'reporter.cjs'))
  new Reporter({ on: (event: string, listener: () => void) => listeners.set(event, listener) })
  const test = (title: string) => ({ type: 'test', file: '/project/a.js', titlePath: () => ['math', title] })
  listeners.get('pass')?.(test('adds'))
  listeners.get('pending')?.(test('waits'))
  listeners.get('fail')?.(test('fails'), { stack: 'AssertionError: 3 == 4' })
  listeners.get('fail')?.({ type: 'hook', ctx: { currentTest: test('hooked') } }, new Error('in a hook'))
  listeners.get('end')?.()
  const { tests } = readMochaReport(readFileSync(join(folder, mochaReportName), 'utf8'))
  expect(tests.map(({ fullName, name, state }) => [fullName, name, state])).toEqual([
    ['math adds', 'adds', 'passed'],
    ['math waits', 'waits', 'skipped'],
    ['math fails', 'fails', 'failed'],
    ['math hooked', 'hooked', 'failed'],
  ])
  expect(tests[2]).toMatchObject({ file: '/project/a.js', failure: 'AssertionError: 3 == 4' })
})
