import { describe, expect, it } from 'vitest'
import type { NodeView } from '../../../../src/build/view.ts'
import * as make from './build.fixture.ts'
import { criteriaOf, ownTests, partsWith } from './criteria.ts'

const node = (path: string[], ...criteria: string[]) =>
  ({ path, criteria: criteria.map((id) => ({ id, text: id })) }) as unknown as NodeView

it('finds the part that took over a criterion, among direct parts alone', () => {
  const root = node(['retry'], 'waits', 'kinds')
  const nodes = [
    root,
    node(['retry', 'schedule'], 'waits'),
    node(['retry', 'schedule', 'table'], 'waits'),
    node(['other', 'schedule'], 'waits'),
    node(['retry', 'classifier'], 'kinds'),
  ]
  expect(partsWith(nodes, root, 'waits')).toEqual([nodes[1]])
  expect(partsWith(nodes, root, 'decides')).toEqual([])
})

describe('the tests of a criterion', () => {
  const root = ['root']
  const facts = [make.started('solo'), make.node(root), make.asked(root, 'implement')]
  const seen = make.seen(root, 'claim', { 'suite it works': 'passed', 'suite old': 'passed' })
  const approved = (testName: string) => [
    make.asked(root, 'review-impl'),
    make.replied(root, 'review-impl', 'Approved'),
    make.reviewed(root, 'Both sides are tested.', [{ criterionId: 'works', testName }]),
  ]
  const only = (...more: make.Fact[]) => make.viewOf([...facts, seen, ...more]).nodes[0]!
  const shown = (...more: make.Fact[]) => criteriaOf(only(...more)).map(({ tests }) => tests)

  it('[VF5] are those that the approval names, where none were planned', () => {
    expect(shown()).toEqual([[]])
    expect(shown(...approved('it works'))).toEqual([[{ name: 'it works', outcome: 'passed', from: 'review' }]])
    expect(shown(...approved('another'))).toEqual([[{ name: 'another', outcome: 'unseen', from: 'review' }]])
    expect(only(...approved('it works')).reviews).toMatchObject([
      { agent: 'coder', exit: 'Approved', words: ['Both sides are tested.'] },
    ])
  })

  it('[VF5] are not those of an approval that did not count', () => {
    const refused = make.refused(root, 'review-impl')
    expect(shown(...approved('it works'), refused)).toEqual([[]])
    expect(only(...approved('it works'), refused).reviews[0]?.refused).toHaveLength(1)
  })

  it('are named once, by the plan if it has them, and do not change what is counted', () => {
    const planned = make.planned(root, ['it works'])
    expect(shown(planned, ...approved('it works'))).toEqual([[{ name: 'it works', outcome: 'passed', from: 'plan' }]])
    expect(ownTests(only(...approved('it works')))).toMatchObject({ passed: 2, failed: 0 })
  })
})
