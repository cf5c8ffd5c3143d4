/** A plan is killed in every phase and resumes: no finished ask is repeated, and its final files are the same. */
import { describe, expect, it } from 'vitest'
import { phaseIds } from '../../src/rules/plan/phase-table.ts'
import { seeded } from '../contract/engine/bench.ts'
import { concurrently } from './crashing.ts'
import {
  callsOf,
  crashAndResume,
  crashProject,
  finishedAsks,
  momentsOf,
  planUntil,
  remainsOf,
} from './plan-crashing.ts'

const seed = 20261116

describe('a plan killed with SIGKILL', () => {
  it('[PH5] in every phase, and again while it resumes: has the same files and repeats no finished call', {
    timeout: 300_000,
  }, async () => {
    const folder = crashProject()
    expect(await planUntil(folder)).toBe(false)
    const calm = remainsOf(folder)
    expect(Object.keys(calm.files).filter((file) => file.includes('earlier/'))).toHaveLength(4)
    expect([...callsOf(folder).keys()].sort()).toEqual([...finishedAsks(folder)].sort())
    const moments = momentsOf(folder)
    expect(new Set(moments.map(({ phase }) => phase))).toEqual(new Set(['begin', ...phaseIds]))

    const random = seeded(seed)
    const points = phaseIds.map((phase): number[] => {
      const within = moments.filter((moment) => moment.phase === phase)
      return [within[Math.floor(random() * within.length)]!.number]
    })
    const middle = Math.floor(moments.length / 3)
    points.push([middle, middle])
    let killed = 0
    await concurrently(points, 2, async (atMoments) => {
      const times = await crashAndResume(atMoments, calm)
      killed += times
    })
    expect(killed).toBe(points.flat().length)
  })
})
