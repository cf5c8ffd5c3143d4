import { expect, it } from 'vitest'
import { runNamed } from './run-named.ts'

const runs = ['build-1a2b', 'build-1a2b/inc', 'build-1a2b/inc/part', 'build-1aff', 'ship-77', 'build-1'].map((id) => ({
  id,
}))

it.each([
  ['ship-7', 'ship-77'],
  ['build-1a2', 'build-1a2b'],
  ['build-1', 'build-1'],
  ['build-1a2b/i', 'build-1a2b/inc'],
  ['plan-1', 'plan-1'],
  ['sh', 'sh'],
])('takes %s for %s', (named, id) => {
  expect(runNamed(named, runs)).toBe(id)
})

it('refuses a beginning that several runs share, and names them', () => {
  expect(() => runNamed('build-1a', runs)).toThrow("2 runs begin with 'build-1a': build-1a2b, build-1aff. Give more")
})
