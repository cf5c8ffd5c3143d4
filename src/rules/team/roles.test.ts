import { describe, expect, it } from 'vitest'
import { mayUse, type Role, roles, seesRoom, seesStream } from './roles.ts'

const person = (role: Role, name = 'ann') => ({ name, role })

describe('roles', () => {
  it('[US1] each role may do what the ones before it may', () => {
    const allowed = roles.map((role) => roles.filter((needed) => mayUse(person(role), needed)))
    expect(allowed).toEqual([['viewer'], ['viewer', 'member'], ['viewer', 'member', 'owner']])
  })

  it('[US2] a room is seen by its members and by owners; without members, by everyone', () => {
    const room = { members: ['ann', 'vic'] }
    expect(seesRoom(person('member', 'ann'), room)).toBe(true)
    expect(seesRoom(person('viewer', 'vic'), room)).toBe(true)
    expect(seesRoom(person('member', 'bob'), room)).toBe(false)
    expect(seesRoom(person('owner', 'bob'), room)).toBe(true)
    expect(seesRoom(person('viewer', 'bob'), {})).toBe(true)
    expect(seesRoom(person('member', 'bob'), { members: [] })).toBe(false)
  })

  it('[US3] only owners see who was added and what people did, and nobody sees credentials', () => {
    for (const role of roles) {
      expect(seesStream(person(role), 'credentials')).toBe(false)
      expect(seesStream(person(role), 'users')).toBe(role === 'owner')
      expect(seesStream(person(role), 'actions')).toBe(role === 'owner')
      expect(seesStream(person(role), 'questions')).toBe(true)
    }
  })
})
