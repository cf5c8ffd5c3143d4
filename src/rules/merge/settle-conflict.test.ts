import { expect, it } from 'vitest'
import { howToSettle } from './settle-conflict.ts'

it('[MG4] a conflict with the target is settled with two commands, on the branch of the work', () => {
  const conflict = { branch: 'convene/inc/main', target: 'main', again: 'convene resume r-1' }
  expect(howToSettle(conflict)).toBe(
    'settle it on the branch of the work: `git switch convene/inc/main && git merge main`, correct the files and commit; then: `git switch main && convene resume r-1`',
  )
})
