import { describe, expect, it } from 'vitest'
import { type BuildRole, buildRoles, staffing } from './staffing.ts'

const all: BuildRole[] = [...buildRoles, 'reviewer', 'tdd:review']
const staff = (roles: Parameters<typeof staffing>[1], members: string[]) =>
  Object.fromEntries(all.map((role) => [role, staffing(role, roles, members).agent]))

describe('staffing', () => {
  it('[GR13] gives tests and review to another agent than the code', () => {
    expect(staff({}, ['a', 'b', 'c'])).toEqual({
      scaffold: 'a',
      tdd: 'b',
      impl: 'a',
      merger: 'a',
      rebaser: 'a',
      reviewer: 'b',
      'tdd:review': 'b',
    })
    expect(staffing('tdd', {}, ['a', 'b']).grounds).toBe('a writes the code, so another agent judges it')
  })

  it('[GR13] lets one agent do everything if there is no other', () => {
    expect(new Set(Object.values(staff({}, ['a'])))).toEqual(new Set(['a']))
    expect(staffing('reviewer', {}, ['a']).grounds).toBe('there is no other agent')
  })

  it('[GR13] follows the roles of the configuration first', () => {
    expect(staff({ impl: 'b' }, ['a', 'b'])).toMatchObject({ scaffold: 'a', impl: 'b', tdd: 'a', reviewer: 'a' })
    expect(staff({ tdd: 'a' }, ['a', 'b'])).toMatchObject({ impl: 'a', tdd: 'a', 'tdd:review': 'a', reviewer: 'a' })
    expect(staff({ reviewer: 'c' }, ['a', 'b', 'c'])).toMatchObject({ tdd: 'b', 'tdd:review': 'c', reviewer: 'c' })
    expect(staffing('tdd:review', { tdd: 'b' }, ['a', 'b'])).toEqual({ agent: 'b', grounds: 'roles.tdd' })
  })
})
