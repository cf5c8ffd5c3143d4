import { describe, expect, it } from 'vitest'
import { withEarlierLists } from './earlier-lists.ts'
import type { Exit } from './exits.ts'

const about = (criterionId: string, reason = 'so it is') => ({ criterionId, reason })
const passed = (more: object): Exit => ({ name: 'TestsPassed', payload: { iterations: 1, passedTests: [], ...more } })
const again = (earlier: object, now: object, ...rules: string[]) =>
  withEarlierLists(passed(now), {
    exit: passed(earlier),
    problems: rules.map((rule) => ({ rule, message: 'no' })),
  }).payload

describe('an agent that is asked again', () => {
  it('[VF8] need not say again what it has said', () => {
    const outdated = [{ ...about('c1'), test: 'old' }]
    const said = { keep: [about('c2')], review: [about('c3')], outdated }
    expect(again(said, {}, 'VF4')).toMatchObject(said)
    expect(again({ outdated }, { outdated: [{ ...about('c1'), test: 'other' }] })).toMatchObject({
      outdated: [{ test: 'old' }, { test: 'other' }],
    })
    expect(again({ keep: [about('c2')] }, { keep: [about('c3')] })).toMatchObject({ keep: [about('c3')] })
    expect(again({ keep: [about('c2')] }, { keep: [] }, 'VF4')).toMatchObject({ keep: [] })
  })

  it('[VF8] may have left out on purpose what it was refused for', () => {
    const said = { keep: [about('c2')], review: [about('c3')] }
    expect(again(said, {}, 'VF2')).not.toHaveProperty('keep')
    expect(again(said, {}, 'VF2')).toHaveProperty('review')
    expect(again(said, {}, 'VF14')).not.toHaveProperty('review')
  })

  it('[VF8] may give up what a scaffold left to the reviewer, if that was refused', () => {
    const scaffold = (more: object): Exit => ({
      name: 'InitWork',
      payload: { interfaceFile: 'a.ts', testPlan: [], ...more } as Exit<'InitWork'>['payload'],
    })
    const earlier = { exit: scaffold({ review: [about('c1')] }), problems: [{ rule: 'VF14', message: 'no' }] }
    expect(withEarlierLists(scaffold({}), earlier).payload).not.toHaveProperty('review')
  })

  it('[VF8] says something of its own in another exit', () => {
    const stuck: Exit = { name: 'Stuck', payload: { diagnosis: 'a', recommendation: 'b', attempts: 1 } }
    expect(withEarlierLists(stuck, { exit: passed({ keep: [about('c2')] }), problems: [] })).toBe(stuck)
    expect(withEarlierLists(stuck, undefined)).toBe(stuck)
  })

  it('[VF8] as a reviewer need not check again what it checked', () => {
    const approved = (more: object): Exit => ({
      name: 'Approved',
      payload: { signOff: 'good', coverageReport: { criteriaWithTests: [], criteriaMissing: [] }, ...more },
    })
    const checked = [{ criterionId: 'c1', finding: 'README.md says it' }]
    const earlier = { exit: approved({ checked }), problems: [{ rule: 'VF13', message: 'no input' }] }
    expect(withEarlierLists(approved({}), earlier).payload).toMatchObject({ checked })
  })
})
