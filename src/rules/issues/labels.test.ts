import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { issueStates } from './issue-states.ts'
import { labelFor, labelsFor, ownLabels } from './labels.ts'

describe('labels', () => {
  it('[GH1] every state has its label', () => {
    const byState = Object.fromEntries(issueStates.map((state) => [state, labelFor(state)]))
    expect(byState).toEqual({
      BACKLOG: 'swarm:ready',
      READY: 'swarm:ready',
      INTERRUPTED: 'swarm:ready',
      IN_PROGRESS: 'swarm:in-progress',
      VERIFYING: 'swarm:in-progress',
      SPLIT: 'swarm:in-progress',
      BLOCKED: 'swarm:blocked',
      SKIPPED: 'swarm:blocked',
      MANUAL_REQUIRED: 'swarm:blocked',
      DONE: 'swarm:done',
    })
  })

  it('[GH1] the prefix can be changed', () => {
    expect(labelFor('DONE', 'convene/')).toBe('convene/done')
    expect(ownLabels('x:')).toEqual(['x:ready', 'x:in-progress', 'x:blocked', 'x:done'])
  })

  it('[GH1] the labels of others stay, ours is replaced', () => {
    const current = ['bug', 'swarm:ready', 'Swarm:In-Progress', 'swarm:urgent', 'other:done']
    expect(labelsFor(current, 'DONE')).toEqual(['bug', 'swarm:urgent', 'other:done', 'swarm:done'])
    expect(labelsFor(['swarm:ready', 'x:ready'], 'BLOCKED', 'x:')).toEqual(['swarm:ready', 'x:blocked'])
  })

  it('[GH1] for any labels there is exactly one of ours afterwards, and a second time changes nothing', () => {
    const labels = fc.array(fc.oneof(fc.string(), fc.constantFrom(...ownLabels())))
    fc.assert(
      fc.property(labels, fc.constantFrom(...issueStates), (current, state) => {
        const after = labelsFor(current, state)
        expect(after.filter((label) => ownLabels().includes(label.toLowerCase()))).toEqual([labelFor(state)])
        expect(labelsFor(after, state)).toEqual(after)
      }),
    )
  })
})
