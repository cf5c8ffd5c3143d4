import { expect, it } from 'vitest'
import type { TestFacts } from '../rules/build/test-facts.ts'
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
  const seen = new SeenTests(2)
  for (const build of ['a', 'b', 'a', 'c']) flickered(seen, build)
  expect(['a', 'b', 'c'].map((build) => seen.isUnreliable(build, test('failed')))).toEqual([true, false, true])
})
