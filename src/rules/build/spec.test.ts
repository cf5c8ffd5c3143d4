import { describe, expect, it } from 'vitest'
import { inputError } from '../schema/rule.ts'
import { specSchema, strategyForSpec, whyStrategy } from './spec.ts'

const spec = {
  id: 'parser',
  description: 'Reads a text.',
  acceptanceCriteria: [{ id: 'c1', text: 'reads words' }],
  targetPath: 'src/parser.ts',
  testPath: 'test/parser.test.ts',
}

function wrong(change: object) {
  return inputError(specSchema.safeParse({ ...spec, ...change }).error!)
}

describe('a build spec', () => {
  it('[GR1] keeps its fields, and paths in plain form', () => {
    expect(specSchema.parse(spec)).toEqual(spec)
    const constrained = { ...spec, targetPath: './src/parser.ts', complexityConstraints: { time: 'O(n)' } }
    expect(specSchema.parse(constrained)).toEqual({ ...spec, complexityConstraints: { time: 'O(n)' } })
    expect(specSchema.safeParse({ ...spec, complexityConstraints: null }).success).toBe(true)
  })

  it.each([
    [{ id: undefined }, 'id'],
    [{ id: 'a/b' }, 'id'],
    [{ id: 'a b' }, 'id'],
    [{ id: '.a' }, 'id'],
    [{ id: 'a..b' }, 'id'],
    [{ id: 'a.lock' }, 'id'],
    [{ id: 'x'.repeat(101) }, 'id'],
    [{ description: '' }, 'description'],
    [{ acceptanceCriteria: [] }, 'acceptanceCriteria'],
    [{ acceptanceCriteria: [{ id: 'c1' }] }, 'acceptanceCriteria.0.text'],
    [{ acceptanceCriteria: [{ id: 'c\n1', text: 't' }] }, 'acceptanceCriteria.0.id'],
    [{ acceptanceCriteria: [...spec.acceptanceCriteria, { id: 'c1', text: 'again' }] }, 'acceptanceCriteria.1.id'],
    [{ complexityConstraints: { memory: 'O(1)' } }, 'complexityConstraints'],
    [{ testPath: 'src' }, 'testPath'],
    [{ testPath: 'src/parser.ts' }, 'testPath'],
  ])('[GR1] %j is wrong at %s', (change, path) => {
    expect(wrong(change)).toMatchObject({ code: 'invalid_input', path })
  })

  it.each(['../a', '/a', 'C:/a', '.git/a', 'a\\b'])('[VF6] a target at %s is refused', (targetPath) => {
    expect(wrong({ targetPath })).toMatchObject({ path: 'targetPath' })
  })

  it('[GR1] an unknown field is refused by name', () => {
    expect(wrong({ complexityConstraint: {} }).message).toMatch(/complexityConstraint/)
  })
})

describe('auto', () => {
  const criteria = (count: number) => Array.from({ length: count }, (_, index) => ({ id: `c${index}`, text: 't' }))

  it('[GR1] gives up to three criteria without constraints to one agent', () => {
    expect([1, 3, 4].map((count) => strategyForSpec({ acceptanceCriteria: criteria(count) }))).toEqual([
      'solo',
      'solo',
      'graph',
    ])
    expect(strategyForSpec({ acceptanceCriteria: criteria(1), complexityConstraints: { space: 'O(1)' } })).toBe('graph')
    expect(strategyForSpec({ acceptanceCriteria: criteria(1), complexityConstraints: {} })).toBe('solo')
    const documented = [...criteria(3), { id: 'docs', text: 'The README names it', kind: 'review' as const }]
    expect(strategyForSpec({ acceptanceCriteria: documented })).toBe('solo')
    const kept = [...criteria(3), { id: 'old', text: 't', kind: 'keep' as const }]
    expect(strategyForSpec({ acceptanceCriteria: kept })).toBe('solo')
    expect(whyStrategy({ acceptanceCriteria: kept })).toBe('3 criteria, 1 to keep')
  })

  it('[GR1] is explained by the criteria that need a test, and those that the reviewer checks', () => {
    const documented = [...criteria(3), { id: 'docs', text: 'The README names it', kind: 'review' as const }]
    expect(whyStrategy({ acceptanceCriteria: documented })).toBe('3 criteria, and 1 for the reviewer')
    const constrained = { acceptanceCriteria: criteria(1), complexityConstraints: { time: 'O(n)' } }
    expect(whyStrategy(constrained)).toBe('1 criterion with constraints')
    expect(whyStrategy(constrained, 'solo')).toBe('as asked')
  })

  it('[GR1] gives way to what was asked for', () => {
    expect(strategyForSpec({ acceptanceCriteria: criteria(9) }, 'solo')).toBe('solo')
    expect(strategyForSpec({ acceptanceCriteria: criteria(1) }, 'graph')).toBe('graph')
  })
})
