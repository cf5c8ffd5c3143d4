import { describe, expect, it } from 'vitest'
import { type AdmittedIssue, type ListedIssue, listFault } from './admission.ts'
import { highestIssueNumber } from './issue-size.ts'

const issue = (number: number, more: Partial<ListedIssue> = {}): ListedIssue => ({
  number,
  acceptance_criteria: [{ id: 'a' }, { id: 'b' }],
  ...more,
})
const fault = (listed: ListedIssue[], known: AdmittedIssue[] = [], unchanged = false) =>
  listFault(listed, known, () => unchanged)

describe('a list to greenlight', () => {
  it('[IS4] is admitted where numbers, paths and criteria are its own', () => {
    expect(fault([issue(1, { github: 11, target_path: 'src/a.ts' }), issue(2, { github: 12 })])).toBeNull()
    expect(fault([])).toBeNull()
  })

  it('[IS5] takes no number away from a part, but may list the part as it is', () => {
    const known = [{ number: 7001, part_of: 7 }]
    expect(fault([issue(1), issue(7001)], known)).toMatchObject({
      path: 'issues.1.number',
      message: expect.stringContaining('part of #7'),
    })
    expect(fault([issue(7001)], known, true)).toBeNull()
  })

  it('[IS5] has no number so high that its parts could have none', () => {
    expect(fault([issue(highestIssueNumber)])).toBeNull()
    expect(fault([issue(highestIssueNumber + 1)])).toMatchObject({ path: 'issues.0.number' })
    expect(fault([issue(7_000_000_001)], [{ number: 7_000_000_001, part_of: 7_000_000 }], true)).toBeNull()
  })

  it('[IS4] has no two issues with one number on the forge, known ones included', () => {
    expect(fault([issue(1, { github: 11 }), issue(2, { github: 11 })])).toMatchObject({ path: 'issues.1.github' })
    expect(fault([issue(2, { github: 11 })], [{ number: 1, github: 11 }])).toMatchObject({ path: 'issues.0.github' })
    expect(fault([issue(1, { github: 11 })], [{ number: 1, github: 11 }])).toBeNull()
    const swapped = [issue(1, { github: 12 }), issue(2, { github: 11 })]
    expect(
      fault(swapped, [
        { number: 1, github: 11 },
        { number: 2, github: 12 },
      ]),
    ).toBeNull()
  })

  it('[IS4] keeps its paths inside the project', () => {
    expect(fault([issue(1, { target_path: '../a.ts' })])).toMatchObject({ path: 'issues.0.target_path' })
    expect(fault([issue(1, { test_path: '/etc/passwd' })])).toMatchObject({ path: 'issues.0.test_path' })
  })

  it('[IS4] has distinct criterion ids in each issue', () => {
    const twice = issue(1, { acceptance_criteria: [{ id: 'a' }, { id: 'b' }, { id: 'a' }] })
    expect(fault([twice])).toMatchObject({ path: 'issues.0.acceptance_criteria.2.id' })
  })
})
