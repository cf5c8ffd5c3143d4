import { expect, it } from 'vitest'
import { userForLogin } from './login.ts'

const users = [{ name: 'ann', email: 'ann@example.com' }, { name: 'bob@example.com' }, { name: 'cy' }]

it('[US5] finds a user by a verified address, which may be their name', () => {
  expect(userForLogin({ email: 'Ann@Example.com', email_verified: true }, users)).toBe(users[0])
  expect(userForLogin({ email: 'bob@example.com', email_verified: true }, users)).toBe(users[1])
})

it('[US5] finds a user by their name at the provider', () => {
  expect(userForLogin({ preferred_username: 'cy' }, users)).toBe(users[2])
  expect(userForLogin({ preferred_username: 'cy', email: 'cy@home.example', email_verified: true }, users)).toBe(
    users[2],
  )
})

it('[US5] lets nobody in by an address that the provider did not verify, nor by one that two users have', () => {
  expect(userForLogin({ email: 'ann@example.com' }, users)).toBeNull()
  expect(userForLogin({ email: 'ann@example.com', email_verified: 'true' }, users)).toBeNull()
  expect(userForLogin({ preferred_username: 'bob@example.com' }, users)).toBeNull()
  const twice = [...users, { name: 'ann2', email: 'ann@example.com' }]
  expect(userForLogin({ email: 'ann@example.com', email_verified: true }, twice)).toBeNull()
})

it('[US5] lets nobody in who was not added', () => {
  expect(userForLogin({ email: 'eve@example.com', email_verified: true, preferred_username: 'eve' }, users)).toBeNull()
  expect(userForLogin({}, users)).toBeNull()
  expect(userForLogin({ preferred_username: 7, email: {}, email_verified: true }, users)).toBeNull()
})
