/**
 * A goal is shipped, killed at seeded points, and resumes: the result is the same as without a crash, on GitHub too.
 */
import { describe, expect, it } from 'vitest'
import { seeded } from '../contract/engine/bench.ts'
import { concurrently, crashSeries } from './crashing.ts'
import {
  callsOf,
  crashAndResume,
  expectClean,
  finishedAsks,
  makeTemplate,
  momentsOf,
  remainsOf,
  shipProject,
  shipUntil,
} from './ship-crashing.ts'

const seed = 20261117
const points = 12

describe('a ship killed with SIGKILL', () => {
  it('[GH3] [IS4] at twelve points: has the same tree and states, one comment per issue, no duplicate commit or ask', {
    timeout: 900_000,
  }, async () => {
    const template = await makeTemplate()
    const undisturbed = await shipProject(template)
    expect(await shipUntil(undisturbed, {})).toBe(false)
    const calm = await remainsOf(undisturbed)
    expect(calm).toMatchObject({
      run: 'done',
      result: { status: 'done', done: [1, 2, 3], blocked: [], merged: true },
      tracker: Array.from({ length: 3 }, () => ({ state: 'closed', labels: ['swarm:done'] })),
    })
    expect(calm.tracker.map(({ comments }) => comments.length)).toEqual([1, 1, 1])
    expectClean(undisturbed)
    expect([...callsOf(undisturbed).keys()].sort()).toEqual([...finishedAsks(undisturbed)].sort())

    // One point in each twelfth of it, four in each of three ships.
    const moments = momentsOf(undisturbed).length - 5
    const crashes = crashSeries({ times: 3, points, moments, random: seeded(seed) })
    let killed = 0
    await concurrently(crashes, 2, async (series) => {
      const times = await crashAndResume(template, series, calm)
      killed += times
    })
    expect(killed).toBeGreaterThanOrEqual(points)
  })
})
