import { describe, expect, it } from 'vitest'
import { type ShipView, shipView } from '../../../src/ship/ship/ship-view.ts'
import { stagesOf } from './ship-stages.ts'

const at = (part: Partial<ShipView>): string[] =>
  stagesOf({ ...shipView('ship-1').initial(), goal: 'g', feature: 'f', room: 'r', merge: true, ...part }).map(
    ({ words, state }) => `${words} ${state}`,
  )

describe('the stages of a ship', () => {
  it('are named by what goes on', () => {
    expect(at({ stage: 'talk' })).toEqual(['Talking now', 'Plan before', 'Build before', 'Merge before', 'Done before'])
    expect(at({ stage: 'plan', phase: 'research' }).slice(0, 2)).toEqual(['Talk after', 'Planning: research now'])
    expect(at({ stage: 'build', issues: [1, 2, 3, 4], done: [1, 2] })[2]).toBe('Building 2 of 4 now')
    expect(at({ stage: 'merge', issues: [1], done: [1] }).slice(2, 4)).toEqual(['Built 1 of 1 after', 'Merging now'])
    expect(at({ stage: 'over', status: 'done', issues: [1], done: [1], merged: true })).toEqual([
      'Talk after',
      'Plan after',
      'Built 1 of 1 after',
      'Merged after',
      'Done after',
    ])
  })

  it('say where it ended badly', () => {
    expect(at({ stage: 'over', status: 'failed' }).slice(1)).toEqual([
      'Plan failed',
      'Build before',
      'Merge before',
      'Not shipped failed',
    ])
    expect(at({ stage: 'over', status: 'failed', issues: [1, 2], done: [1] })[2]).toBe('Built 1 of 2 failed')
  })

  it('leave out what is not part of it', () => {
    const stages = stagesOf({ ...shipView('ship-1').initial(), feature: 'f' })
    expect(stages.map(({ name }) => name)).toEqual(['plan', 'build', 'done'])
    expect(stages[0]!.address).toBe('/plans/ship-1%2Fplan')
  })
})
