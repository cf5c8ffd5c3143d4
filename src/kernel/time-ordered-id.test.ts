import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { timeOrderedId } from './time-ordered-id.ts'

describe('ids', () => {
  it('are UUIDs of version 7, each a new one', () => {
    const ids = Array.from({ length: 1000 }, () => timeOrderedId())
    for (const id of ids) expect(z.uuidv7().safeParse(id).success).toBe(true)
    expect(new Set(ids).size).toBe(1000)
  })

  it('sort by when they were made', () => {
    const ids = [1, 255, 4096, 1_700_000_000_000, 1_900_000_000_000].map((time) => timeOrderedId(time))
    expect([...ids].sort()).toEqual(ids)
  })
})
