import { expect, it } from 'vitest'
import { addUsd } from './add-usd.ts'

it('adds prices, and an unknown one makes the sum unknown', () => {
  expect(addUsd(1, 0.5)).toBe(1.5)
  expect(addUsd(null, 1)).toBeNull()
  expect(addUsd(1, null)).toBeNull()
})
