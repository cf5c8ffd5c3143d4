import { expect, it } from 'vitest'
import { isSameProcess, stillOwns } from './owner-lock.ts'

const record = { pid: 7, started: '100', lock: '1:1' }
const now = { pid: 8, lock: '1:2', started: '100', alive: true }

it('[TR13] an owner whose lock file was removed is still the owner', () => {
  expect(stillOwns(record, now)).toBe(true)
})

it('[TR13] the lock decides as long as it is the same file', () => {
  expect(stillOwns(record, { ...now, lock: '1:1' })).toBe(false)
  expect(stillOwns(null, now)).toBe(false)
})

it('[TR13] a process that ended owns nothing, even if another has its id now', () => {
  expect(stillOwns(record, { ...now, alive: false })).toBe(false)
  expect(stillOwns(record, { ...now, started: '200' })).toBe(false)
  expect(isSameProcess({ started: null }, { started: '5', alive: true })).toBe(true)
  expect(stillOwns({ ...record, pid: 8 }, now)).toBe(false)
})
