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
  type Moment,
  momentsOf,
  planUntil,
  remainsOf,
} from './plan-crashing.ts'

const random = seeded(20261116)
/** Two at a time, and each pair a test of its own: its time limit is then not used up on a busy machine. */
const pairs = phaseIds.flatMap((_, index) => (index % 2 === 0 ? [phaseIds.slice(index, index + 2)] : []))

describe('a plan killed with SIGKILL', () => {
  let calm: ReturnType<typeof remainsOf>
  let moments: Moment[]

  it('[PH5] not at all: asks every question once, in all phases', async () => {
    const folder = crashProject()
    expect(await planUntil(folder)).toBe(false)
    calm = remainsOf(folder)
    moments = momentsOf(folder)
    expect(Object.keys(calm.files).filter((file) => file.includes('earlier/'))).toHaveLength(4)
    expect([...callsOf(folder).keys()].sort()).toEqual([...finishedAsks(folder)].sort())
    expect(new Set(moments.map(({ phase }) => phase))).toEqual(new Set(['begin', ...phaseIds]))
  })

  it.each(pairs.map((pair) => ({ pair, words: pair.join(' and ') })))(
    '[PH5] in phase $words: has the same files and repeats no finished call',
    async ({ pair }) => {
      const points = pair.map((phase) => {
        const within = moments.filter((moment) => moment.phase === phase)
        return within[Math.floor(random() * within.length)]!.number
      })
      await concurrently(points, 2, async (point) => {
        expect(await crashAndResume([point], calm)).toBe(1)
      })
    },
  )

  it('[PH5] and again while it resumes: has the same files and repeats no finished call', async () => {
    const middle = Math.floor(moments.length / 3)
    expect(await crashAndResume([middle, middle], calm)).toBe(2)
  })
})
