import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import type { TestFacts } from '../rules/build/test-facts.ts'
import { KnownUnreliable } from './known-unreliable.ts'
import { SeenTests } from './seen-tests.ts'

const test = (outcome: 'passed' | 'failed'): TestFacts => ({ name: 'a', file: 'a.test.js', outcome })

function flickered(seen: SeenTests, build: string): void {
  seen.add(build, 'tree', [test('passed')])
  seen.add(build, 'tree', [test('failed')])
}

it('[VF4] knows an unreliable test until its build is over', () => {
  const seen = new SeenTests()
  flickered(seen, 'build-1')
  seen.forgetRuns('build-1')
  expect(seen.isUnreliable('build-1', test('failed'))).toBe(true)
  expect(seen.unreliableOf('build-1')).toEqual(['"a" (a.test.js)'])
  seen.forget('build-1')
  expect(seen.isUnreliable('build-1', test('failed'))).toBe(false)
})

it('keeps a bounded number of builds, the last used ones', () => {
  const seen = new SeenTests(undefined, 2)
  for (const build of ['a', 'b', 'a', 'c']) flickered(seen, build)
  expect(['a', 'b', 'c'].map((build) => seen.isUnreliable(build, test('failed')))).toEqual([true, false, true])
})

it('[VF4] tells later builds with the same test command of tests that are unreliable without any agent’s work', () => {
  const folder = mkdtempSync(join(tmpdir(), 'convene-seen-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const opened = (command = 'npm test') => new SeenTests(new KnownUnreliable(folder, command))
  const first = opened()
  const other: TestFacts = { name: 'b', file: 'a.test.js', outcome: 'failed' }
  for (const outcome of ['passed', 'failed'] as const) {
    first.add('build-1', 'base', [test(outcome)], { isUntouched: true })
    first.add('build-1', 'work', [{ ...other, outcome }])
  }
  first.forget('build-1')
  const later = opened()
  expect(later.isUnreliable('build-2', test('failed'))).toBe(true)
  expect(later.unreliableOf('build-2')).toEqual(['"a" (a.test.js)'])
  expect(later.isUnreliable('build-2', other)).toBe(false)
  expect(opened('npx vitest').isUnreliable('build-2', test('failed'))).toBe(false)
})
