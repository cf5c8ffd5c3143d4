import { expect, it } from 'vitest'
import { isOwedByParent } from './owed-by-parent.ts'

it.each([
  [{ outcome: 'not-implemented' }, true],
  [{ outcome: 'import-error' }, true],
  [{ outcome: 'error', message: "AttributeError: module 'toolz' has no attribute 'pick'" }, true],
  [{ outcome: 'error', message: 'TypeError: of its own' }, false],
  [{ outcome: 'assertion', message: 'expected 1 to be 2' }, false],
] as const)('[GR7] holds no child responsible for what its parent has yet to write: %o', (test, isOwed) => {
  expect(isOwedByParent(test)).toBe(isOwed)
})
