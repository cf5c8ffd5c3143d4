import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Position, tally } from './position.ts'
import { positionAgreement } from './position-agreement.ts'

const position = (agent: string, choice: string, confidence?: number, question = 'database'): Position => ({
  agent,
  question,
  choice,
  ...(confidence === undefined ? {} : { confidence }),
})

describe('votes', () => {
  it('[CV6] counts votes, keeps dissent as data and names who is missing', () => {
    const [counted] = tally(
      [position('b', 'Postgres'), position('c', 'MongoDB', 0.4), position('a', 'postgres.')],
      ['a', 'b', 'c', 'd'],
    )
    expect(counted).toEqual({
      question: 'database',
      votes: [
        { choice: 'postgres.', agents: ['a', 'b'], confidence: 2 },
        { choice: 'MongoDB', agents: ['c'], confidence: 0.4 },
      ],
      leading: 'postgres.',
      unanimous: false,
      dissent: [position('c', 'MongoDB', 0.4)],
      missing: ['d'],
    })
  })

  it('[CV6] has no leading choice where two are equally strong: everybody dissents', () => {
    const [counted] = tally([position('a', 'Postgres'), position('b', 'MongoDB')])
    expect(counted).toMatchObject({ leading: null, unanimous: false })
    expect(counted!.dissent).toHaveLength(2)
  })

  it('[CV6] keeps questions apart, whatever their spelling, and lets an agent change its mind', () => {
    const counted = tally([
      position('a', 'REST', 1, 'API style?'),
      position('a', 'GraphQL', 1, 'api style'),
      position('b', 'GraphQL', 1, 'API-style'),
      position('b', 'eu', 1, 'region'),
    ])
    expect(counted.map(({ question }) => question)).toEqual(['api style', 'region'])
    expect(counted[0]).toMatchObject({ leading: 'GraphQL', unanimous: true, missing: [] })
    expect(counted[1]).toMatchObject({ missing: ['a'] })
  })

  it('[CV6] counts alike in any order of arrival, and never loses a voice', () => {
    const agents = ['a', 'b', 'c', 'd', 'e', '__proto__', 'constructor']
    const taken = fc.uniqueArray(
      fc.record({ agent: fc.constantFrom(...agents), choice: fc.constantFrom('x', 'y', 'z') }),
      {
        selector: ({ agent }) => agent,
        minLength: 1,
      },
    )
    fc.assert(
      fc.property(taken, fc.infiniteStream(fc.nat()), (positions, keys) => {
        const stated = positions.map(({ agent, choice }) => position(agent, choice))
        const shuffled = stated.map((one) => ({ one, key: keys.next().value as number })).sort((a, b) => a.key - b.key)
        const [counted] = tally(stated)
        expect(tally(shuffled.map(({ one }) => one))).toEqual([counted])
        expect(counted!.votes.flatMap((vote) => vote.agents).sort()).toEqual(stated.map(({ agent }) => agent).sort())
      }),
    )
  })
})

describe('agreement of stated positions', () => {
  const split = (...sizes: number[]) =>
    sizes.flatMap((size, choice) =>
      Array.from({ length: size }, (_, agent) => position(`${choice}-${agent}`, `choice ${'xyz'[choice]}`)),
    )

  it.each([
    [[2], 1],
    [[7], 1],
    [[1, 1], 0],
    [[2, 1], 0.345],
    [[3, 1], 0.46],
    [[4, 1], 0.5175],
    [[3, 2], 0.345],
    [[1, 1, 1], 0],
  ])('[CV5] a split of %j scores %d', (sizes, score) => {
    expect(positionAgreement(split(...sizes))).toBeCloseTo(score, 10)
  })

  it('[CV5] is never high while somebody dissents', () => {
    expect(positionAgreement(split(99, 1))).toBeLessThan(0.7)
    const settled = Array.from({ length: 20 }, (_, index) =>
      ['a', 'b'].map((agent) => position(agent, 'yes', 1, `question ${index}`)),
    )
    expect(positionAgreement(settled.flat())).toBe(1)
    expect(positionAgreement([...settled.flat(), position('a', 'yes'), position('b', 'no')])).toBeLessThan(0.7)
  })

  it('[CV5] weighs a doubtful voice only where that is asked for', () => {
    const positions = [position('a', 'x', 1), position('b', 'x', 1), position('c', 'y', 0.1)]
    expect(positionAgreement(positions)).toBeCloseTo(0.345, 10)
    expect(positionAgreement(positions, true)!).toBeGreaterThan(0.6)
    expect(positionAgreement(positions, true)!).toBeLessThan(0.7)
  })

  it('[CV5] says nothing where no two agents answered the same question', () => {
    expect(positionAgreement([])).toBeUndefined()
    expect(positionAgreement([position('a', 'x', 1, 'one'), position('b', 'x', 1, 'two')])).toBeUndefined()
  })
})
