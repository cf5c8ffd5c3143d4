import { expect, it } from 'vitest'
import { bothSides } from './both-sides.ts'

it('[GR2] keeps the lines of both sides, and everything around them', () => {
  const conflict = ['a', '<<<<<<< ours', 'b', '=======', 'c', '>>>>>>> theirs', '=======', 'd', ''].join('\n')
  expect(bothSides(conflict)).toBe(['a', 'b', 'c', '=======', 'd', ''].join('\n'))
})

it('[GR2] leaves out what both sides started from', () => {
  const conflict = ['<<<<<<< ours', 'b', '||||||| base', 'old', '=======', 'c', '>>>>>>> theirs'].join('\n')
  expect(bothSides(conflict)).toBe('b\nc')
})

it('[GR2] changes nothing without a conflict', () => {
  expect(bothSides('a\n>>> b\n')).toBe('a\n>>> b\n')
})
