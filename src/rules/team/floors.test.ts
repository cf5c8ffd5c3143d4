import { describe, expect, it } from 'vitest'
import { floorOf } from './floors.ts'

describe('the floor of a run', () => {
  it('[TM2] is found by the name of its workflow', () => {
    const names = [
      'room.answer',
      'room.session',
      'plan',
      'plan.phase',
      'build',
      'build.node',
      'ship',
      'feature.run',
      'compare',
    ]
    expect(names.map(floorOf)).toEqual(['room', 'room', 'plan', 'plan', 'build', 'build', 'ship', 'ship', 'ship'])
  })
})
