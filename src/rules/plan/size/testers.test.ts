import { describe, expect, it } from 'vitest'
import { testersNeeded } from './testers.ts'

const roles = ['qa-strategist', 'qa-security', 'qa-performance', 'data-engineer']
const few = { files_affected: 3, security_keywords: 0 }
const needed = (goal: string, signals: object = few, risks: string[] = []) =>
  testersNeeded(roles, { goal, risks, signals })

describe('the testers of a plan', () => {
  it('[RK4] a change of few files without a risk has none for abuse or load', () => {
    expect(needed('Add isSubpath(parent, child) and commonAncestor(paths)')).toEqual(['qa-strategist', 'data-engineer'])
  })

  it.each([
    ['Escape untrusted input in the query', few, [], 'qa-security'],
    ['Les entrées malveillantes sont refusées', few, [], 'qa-security'],
    ['Add a login', few, ['security-critical'], 'qa-security'],
    ['Add a login', { files_affected: 2, security_keywords: 1 }, [], 'qa-security'],
    ['Read files of a million rows', few, [], 'qa-performance'],
    ['Der Export ist zu langsam', few, [], 'qa-performance'],
  ])('[RK4] %s: a tester with something to do stays', (goal, signals, risks, role) => {
    expect(needed(goal, signals, risks)).toContain(role)
  })

  it('[RK4] all stay in a larger change, in one of unknown size, and where nobody else would be left', () => {
    expect(needed('Add a report', { files_affected: 4 })).toEqual(roles)
    expect(needed('Add a report', {})).toEqual(roles)
    expect(testersNeeded(['qa-security'], { goal: 'Add a report', risks: [], signals: few })).toEqual(['qa-security'])
  })
})
