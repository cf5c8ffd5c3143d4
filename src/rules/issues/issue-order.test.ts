import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decideIssue, eligibleIssues, rule } from './issue.ts'
import { rulingOnOrder, selectIssueReply } from './issue-order.ts'

const { issues } = rule.input.parse({
  issues: [{ number: 1, size: 'small' }, { number: 2 }, { number: 3, depends_on: [1] }, { number: 4, state: 'DONE' }],
})

const eligible = eligibleIssues(issues).map(({ number }) => number)

describe('an order that a coordinator proposes', () => {
  it('[FA1] is followed where all of it can be started', () => {
    expect(rulingOnOrder(eligible, [2])).toEqual({ issue: 2, by: 'coordinator', rejected: [] })
    expect(rulingOnOrder(eligible, [2, 1])).toEqual({ issue: 2, by: 'coordinator', rejected: [] })
  })

  it('[FA1] otherwise the rule decides', () => {
    expect(rulingOnOrder(eligible, [3])).toEqual({ issue: 1, by: 'rule', rejected: [3] })
    expect(rulingOnOrder(eligible, [2, 4, 99])).toEqual({ issue: 1, by: 'rule', rejected: [4, 99] })
    expect(rulingOnOrder(eligible, [])).toEqual({ issue: 1, by: 'rule', rejected: [] })
    expect(rulingOnOrder([], [1])).toEqual({ issue: null, by: 'rule', rejected: [1] })
  })

  it('[FA1] can never start what the rule would not allow', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -1, max: 6 })), (proposed) => {
        const { issue, by } = rulingOnOrder(eligible, proposed)
        expect(eligible.includes(issue!)).toBe(true)
        if (by === 'rule') expect(issue).toBe(decideIssue(issues).next)
      }),
    )
  })

  it('[FA1] comes as one issue and a reason', () => {
    expect(selectIssueReply.safeParse({ issue: 2, reason: 'it unlocks most' }).success).toBe(true)
    expect(selectIssueReply.safeParse({ issue: '2', reason: 'x' }).success).toBe(false)
    expect(selectIssueReply.safeParse({ issue: 2 }).success).toBe(false)
  })
})
