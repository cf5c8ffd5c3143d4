import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { applyRule } from '../schema/rule.ts'
import { eligibleIssues, issueScore, issueSizes, rule } from './issue.ts'
import { issueStates } from './issue-states.ts'

function decide(issues: unknown, limits?: unknown) {
  const ruling = applyRule(rule, { issues, ...(limits === undefined ? {} : { limits }) })
  if (!ruling.ok) throw new Error(ruling.error.message)
  return ruling.output
}

function refusal(value: unknown) {
  const ruling = applyRule(rule, value)
  return ruling.ok ? null : ruling.error
}

describe('the next issue', () => {
  it('[IS2] an empty list has none', () => {
    expect(decide([])).toEqual({ next: null, skipped: [], errors: [] })
  })

  it('[IS2] what is left out counts as READY, medium, no value, no risk, no dependencies', () => {
    expect(decide([{ number: 7 }]).next).toBe(7)
    expect(issueScore({ size: 'medium', business_value: 0, risk: 0 })).toBe(750)
    const spelledOut = { number: 1, state: 'READY', depends_on: [], size: 'medium', business_value: 0, risk: 0 }
    expect(rule.input.parse({ issues: [{ number: 1 }] })).toMatchObject({ issues: [spelledOut] })
  })

  it('[IS2] small goes before medium before large', () => {
    const issues = [
      { number: 1, size: 'large' },
      { number: 2, size: 'medium' },
      { number: 3, size: 'small' },
    ]
    expect(decide(issues).next).toBe(3)
    expect(decide(issues.slice(0, 2)).next).toBe(2)
  })

  it('[IS2] value counts whole, the absence of risk half', () => {
    expect(issueScore({ size: 'large', business_value: 1, risk: 1 })).toBe(1000)
    expect(issueScore({ size: 'large', business_value: 0, risk: 0 })).toBe(500)
    expect(issueScore({ size: 'small', business_value: 0.4, risk: 0.2 })).toBe(1300)
    expect(
      decide([
        { number: 1, risk: 0.2 },
        { number: 2, business_value: 0.2, risk: 0.5 },
      ]).next,
    ).toBe(2)
  })

  it('[IS2] scores are compared in thousandths, so float noise decides nothing', () => {
    const noisy = { business_value: 0.1 + 0.2, risk: 0 }
    const plain = { business_value: 0.3, risk: 0 }
    expect(noisy.business_value).not.toBe(plain.business_value)
    expect(
      decide([
        { number: 1, ...plain },
        { number: 2, ...noisy },
      ]).next,
    ).toBe(1)
    expect(
      decide([
        { number: 1, business_value: 0.0004 },
        { number: 2, business_value: 0 },
      ]).next,
    ).toBe(1)
    expect(
      decide([
        { number: 1, business_value: 0 },
        { number: 2, business_value: 0.0004 },
      ]).next,
    ).toBe(1)
    expect(
      decide([
        { number: 1, business_value: 0 },
        { number: 2, business_value: 0.001 },
      ]).next,
    ).toBe(2)
  })

  it('[IS2] half a thousandth counts as a whole one, whatever the floats make of it', () => {
    for (let thousandths = 1; thousandths < 1000; thousandths += 2) {
      const risk = thousandths / 1000
      const exact = Math.ceil(250 + (1000 - thousandths) / 2)
      expect(issueScore({ size: 'medium', business_value: 0, risk })).toBe(exact)
    }
  })

  it('[IS2] a tie goes to the lower number', () => {
    expect(decide([{ number: 12 }, { number: 3 }, { number: 5 }]).next).toBe(3)
    expect(
      decide([
        { number: 2, size: 'small' },
        { number: 1, business_value: 0.25 },
      ]).next,
    ).toBe(1)
  })

  it('[IS2] only READY issues are chosen', () => {
    for (const state of issueStates) expect(decide([{ number: 1, state }]).next).toBe(state === 'READY' ? 1 : null)
  })

  it('[IS2] only a DONE dependency lets an issue start', () => {
    for (const state of issueStates.filter((one) => one !== 'READY')) {
      const { next } = decide([
        { number: 1, state },
        { number: 2, depends_on: [1] },
      ])
      expect(next).toBe(state === 'DONE' ? 2 : null)
    }
    expect(decide([{ number: 1 }, { number: 2, depends_on: [1], business_value: 1 }]).next).toBe(1)
  })

  it('[IS2] every dependency has to be DONE', () => {
    const issues = [
      { number: 1, state: 'DONE' },
      { number: 2, state: 'IN_PROGRESS' },
      { number: 3, depends_on: [1, 2] },
    ]
    expect(decide(issues).next).toBeNull()
  })

  it('[IS2] a dependency that is MANUAL_REQUIRED or SPLIT is waited for', () => {
    for (const state of ['MANUAL_REQUIRED', 'SPLIT']) {
      expect(
        decide([
          { number: 1, state },
          { number: 2, depends_on: [1] },
        ]),
      ).toEqual({
        next: null,
        skipped: [],
        errors: [],
      })
    }
  })
})

describe('skipped issues', () => {
  it('[IS2] a BLOCKED or SKIPPED dependency skips the dependant with the reason', () => {
    for (const state of ['BLOCKED', 'SKIPPED']) {
      expect(decide([{ number: 1, state }, { number: 2, depends_on: [1] }, { number: 3 }])).toEqual({
        next: 3,
        skipped: [{ number: 2, reason: `depends on #1, which is ${state}` }],
        errors: [],
      })
    }
  })

  it('[IS2] skipping follows the chain, and the reason names the root', () => {
    const { skipped } = decide([
      { number: 4, depends_on: [3] },
      { number: 3, depends_on: [2] },
      { number: 2, depends_on: [9] },
      { number: 9, state: 'BLOCKED' },
    ])
    expect(skipped).toEqual([
      { number: 2, reason: 'depends on #9, which is BLOCKED' },
      { number: 3, reason: 'depends on #2, which is skipped because #9 is BLOCKED' },
      { number: 4, reason: 'depends on #3, which is skipped because #9 is BLOCKED' },
    ])
  })

  it('[IS2] the root is what has to be unblocked, also behind an issue that is SKIPPED already', () => {
    const { skipped } = decide([
      { number: 1, state: 'SKIPPED', depends_on: [2] },
      { number: 2, state: 'BLOCKED' },
      { number: 3, depends_on: [1] },
    ])
    expect(skipped.map(({ number }) => number)).toEqual([1, 3])
    expect(skipped[1]!.reason).toContain('#2 is BLOCKED')
  })

  it('[IS2] work that is under way or over is not skipped, and what needs it only waits', () => {
    for (const state of ['IN_PROGRESS', 'VERIFYING', 'DONE', 'MANUAL_REQUIRED', 'SPLIT', 'BLOCKED']) {
      const { skipped } = decide([
        { number: 1, state: 'BLOCKED' },
        { number: 2, state, depends_on: [1] },
      ])
      expect(skipped).toEqual([])
    }
    const { next } = decide([
      { number: 1, state: 'BLOCKED' },
      { number: 2, state: 'DONE', depends_on: [1] },
      { number: 3, depends_on: [2] },
    ])
    expect(next).toBe(3)
  })
})

describe('faults of the list', () => {
  it('[IS2] a dependency that does not exist is an error that names both', () => {
    const { next, errors } = decide([{ number: 1, depends_on: [99] }])
    expect(errors).toEqual(['#1 depends on #99, which does not exist'])
    expect(next).toBeNull()
  })

  it('[IS2] a cycle is an error that names its members', () => {
    const issues = [
      { number: 3, depends_on: [1] },
      { number: 1, depends_on: [2] },
      { number: 2, depends_on: [3] },
    ]
    expect(decide(issues)).toEqual({ next: null, skipped: [], errors: ['dependency cycle: #1 → #2 → #3 → #1'] })
  })

  it('[IS2] so is an issue that depends on itself', () => {
    expect(decide([{ number: 4, depends_on: [4] }]).errors).toEqual([
      'dependency cycle: #4 → #4 (it depends on itself)',
    ])
  })

  it('[IS2] separate cycles are separate errors; a diamond is none', () => {
    const two = [
      { number: 1, depends_on: [2] },
      { number: 2, depends_on: [1] },
      { number: 5, depends_on: [6] },
      { number: 6, depends_on: [5, 1] },
    ]
    expect(decide(two).errors).toHaveLength(2)
    const diamond = [
      { number: 1, depends_on: [2, 3] },
      { number: 2, depends_on: [4] },
      { number: 3, depends_on: [4] },
      { number: 4 },
    ]
    expect(decide(diamond)).toEqual({ next: 4, skipped: [], errors: [] })
  })

  it('[IS2] cycles that share an issue are one error that names all members', () => {
    const { errors } = decide([
      { number: 1, depends_on: [2] },
      { number: 2, depends_on: [1, 3] },
      { number: 3, depends_on: [2] },
    ])
    expect(errors).toEqual(['dependency cycle: #1 → #2 → #1, together with #3'])
  })

  it('[IS2] a number that is listed twice is an error, and nothing is built on it', () => {
    const { next, errors } = decide([{ number: 1, state: 'DONE' }, { number: 1 }, { number: 2, depends_on: [1] }])
    expect(errors).toEqual(['duplicate number: #1 is listed 2 times'])
    expect(next).toBeNull()
  })

  it('[IS2] issues that the fault does not touch may still be next', () => {
    const issues = [{ number: 1, depends_on: [99], business_value: 1 }, { number: 2 }]
    expect(decide(issues)).toMatchObject({ next: 2, errors: [expect.stringContaining('#99')] })
  })

  it('[IS2] a chain of 20,000 issues is no problem, nor is a circle of them', () => {
    const length = 20_000
    const chain = Array.from({ length }, (_, number) => ({ number, depends_on: number === 0 ? [] : [number - 1] }))
    expect(decide(chain).next).toBe(0)
    chain[0]!.depends_on = [length - 1]
    expect(decide(chain)).toMatchObject({ next: null, errors: [expect.stringContaining('cycle')] })
    const blocked = chain.map((issue) => (issue.number === 0 ? { number: 0, state: 'BLOCKED' } : issue))
    expect(decide(blocked).skipped).toHaveLength(length - 1)
  })
})

describe('input', () => {
  it('[IS2] wrong values are refused where they stand', () => {
    expect(refusal({ issues: [{ number: 1 }, { number: 'two' }] })).toMatchObject({ path: 'issues.1.number' })
    expect(refusal({ issues: [{ number: 1, state: 'OPEN' }] })).toMatchObject({ path: 'issues.0.state' })
    expect(refusal({ issues: [{ number: 1, risk: 2 }] })).toMatchObject({ path: 'issues.0.risk' })
    expect(refusal({ issues: [{ number: 1, business_value: Number.NaN }] })).toMatchObject({
      path: 'issues.0.business_value',
    })
    expect(refusal({ issues: [{ number: 1, depends_on: [1.5] }] })).toMatchObject({ path: 'issues.0.depends_on.0' })
    expect(refusal({})).toMatchObject({ path: 'issues' })
    expect(refusal(null)).not.toBeNull()
  })

  it('[IS2] limits change the weights; unknown ones are errors, unknown keys are not', () => {
    const issues = [
      { number: 1, size: 'small' },
      { number: 2, size: 'large' },
    ]
    expect(decide(issues, { small: 0, large: 1 }).next).toBe(2)
    expect(refusal({ issues, limits: { tiny: 1 } })).not.toBeNull()
    expect(decide([{ number: 1, colour: 'red' }]).next).toBe(1)
  })

  it('[IS2] nothing the schema accepts makes it throw', () => {
    fc.assert(
      fc.property(fc.oneof(fc.anything(), fc.record({ issues: fc.array(fc.anything()) })), (value) => {
        const ruling = applyRule(rule, value)
        if (ruling.ok) ruling.explanation()
      }),
    )
  })
})

const anyIssue = fc.record(
  {
    number: fc.integer({ min: 0, max: 9 }),
    state: fc.constantFrom(...issueStates, 'READY' as const, 'DONE' as const),
    depends_on: fc.array(fc.integer({ min: 0, max: 10 }), { maxLength: 3 }),
    size: fc.constantFrom(...issueSizes),
    business_value: fc.double({ min: 0, max: 1, noNaN: true }),
    risk: fc.double({ min: 0, max: 1, noNaN: true }),
  },
  { requiredKeys: ['number'] },
)

describe('for any list', () => {
  it('[IS2] the order of the list and of dependencies changes nothing', () => {
    const shuffled = fc
      .array(anyIssue, { maxLength: 8 })
      .chain((issues) => fc.tuple(fc.constant(issues), fc.shuffledSubarray(issues, { minLength: issues.length })))
    fc.assert(
      fc.property(shuffled, ([issues, others]) => {
        const reversed = others.map((issue) => ({
          ...issue,
          ...(issue.depends_on ? { depends_on: [...issue.depends_on].reverse() } : {}),
        }))
        expect(decide(reversed)).toEqual(decide(issues))
      }),
    )
  })

  it('[IS2] the next issue is READY, its dependencies are DONE, and none that is eligible scores higher', () => {
    fc.assert(
      fc.property(fc.array(anyIssue, { maxLength: 8 }), (given) => {
        const { issues } = rule.input.parse({ issues: given })
        const { next } = decide(given)
        if (next === null) return
        const [chosen, ...twins] = issues.filter((issue) => issue.number === next)
        expect(twins).toEqual([])
        expect(chosen!.state).toBe('READY')
        for (const dependency of chosen!.depends_on) {
          expect(issues.filter((issue) => issue.number === dependency).map(({ state }) => state)).toEqual(['DONE'])
        }
        for (const other of eligibleIssues(issues)) expect(issueScore(other)).toBeLessThanOrEqual(issueScore(chosen!))
      }),
    )
  })

  it('[IS2] worked off one by one, no issue comes before its dependency, and without faults all get done', () => {
    const acyclic = fc.array(
      fc.record({ risk: fc.double({ min: 0, max: 1, noNaN: true }), needs: fc.array(fc.nat(7)) }),
      {
        maxLength: 8,
      },
    )
    fc.assert(
      fc.property(acyclic, (shapes) => {
        const issues = shapes.map(({ risk, needs }, number) => ({
          number,
          risk,
          state: 'READY',
          depends_on: needs.filter((need) => need < number),
        }))
        const done = new Set<number>()
        for (let next = decide(issues).next; next !== null; next = decide(issues).next) {
          const issue = issues[next]!
          expect(issue.depends_on.every((dependency) => done.has(dependency))).toBe(true)
          done.add(next)
          issue.state = 'DONE'
        }
        expect(done.size).toBe(issues.length)
      }),
    )
  })
})

describe('explain', () => {
  it('[IS2] explains scores, waiting and skipped issues, and errors', () => {
    const ruling = applyRule(rule, {
      issues: [
        { number: 1, size: 'small', business_value: 0.5, risk: 0.2 },
        { number: 2, depends_on: [1] },
        { number: 3, state: 'BLOCKED' },
        { number: 4, depends_on: [3] },
        { number: 5, depends_on: [99] },
      ],
    })
    const text = ruling.ok ? ruling.explanation() : ''
    expect(text).toContain('Next: #1, the best of 1 that can start. [IS2]')
    expect(text).toContain('1.400 = small 0.5 + value 0.5')
    expect(text).toContain('#2 waits for #1 (READY)')
    expect(text).toContain('#4 is skipped: depends on #3, which is BLOCKED')
    expect(text).toContain('Error: #5 depends on #99')
  })

  it('[IS2] says so when nothing can be started, and keeps a long list short', () => {
    const issues = Array.from({ length: 30 }, (_, number) => ({ number, state: 'BACKLOG' }))
    expect(rule.explain(rule.input.parse({ issues }), decide(issues))).toContain('No issue can start: none of 30')
    const ready = issues.map(({ number }) => ({ number }))
    expect(rule.explain(rule.input.parse({ issues: ready }), decide(ready))).toContain('… and 20 more')
  })
})
