/**
 * A build with parts is killed at seeded points and resumed by the command: the result is the same as without a crash.
 */
import { describe, expect, it } from 'vitest'
import { seeded } from '../contract/engine/bench.ts'
import {
  buildUntil,
  type Crash,
  crashAndResume,
  crashProject,
  expectWhole,
  momentsOf,
  resume,
} from './build-crashing.ts'
import { concurrently, crashSeries } from './crashing.ts'

const seed = 20300712
const points = 12
const patience = 600_000

describe('a build killed with SIGKILL', () => {
  it('at twelve points: has the same tree, no duplicate commit or ask, and no leftovers', {
    timeout: patience,
  }, async () => {
    const calm = crashProject()
    expect(await buildUntil(calm, {})).toBe(false)
    const moments = momentsOf(calm)
    expect(new Set(moments.map((moment) => moment.split(' ')[0]))).toEqual(
      new Set(['before-step', 'step-done', 'step-recorded']),
    )
    expect(moments.length).toBeGreaterThan(200)
    const { tree } = await resume(calm)
    await expectWhole(calm, await resume(calm), tree)

    // One point in each twelfth of the build, four in each of three builds.
    const crashes = crashSeries({ times: 3, points, moments: moments.length - 10, random: seeded(seed) })
    let killed = 0
    const crash = async (series: Crash[]) => {
      const times = await crashAndResume(series, tree)
      killed += times
    }
    await concurrently(crashes, 2, crash)
    expect(killed).toBeGreaterThanOrEqual(points)

    // In the middle of git: after a delay, and with a ref's lock left behind.
    await concurrently([[{ atRefChange: 3 }], [{ atRefChange: 12 }], [{ afterMs: 1400, group: true }]], 2, crash)
    expect(killed).toBeGreaterThanOrEqual(points + 2)
  })
})
