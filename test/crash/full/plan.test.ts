/** The plan's crash test at every moment, and at random times. */
import { describe, expect, it } from 'vitest'
import { crashAndResume, crashProject, momentsOf, planUntil, remainsOf } from '../plan-crashing.ts'
import { crashAll } from './crash-all.ts'

const hours = 3_600_000

describe('a plan killed with SIGKILL', () => {
  it('[PH5] at every moment: has the same files and repeats no finished call', { timeout: 2 * hours }, async () => {
    const folder = crashProject()
    await planUntil(folder)
    const calm = remainsOf(folder)
    const points = momentsOf(folder).map(({ number }) => [number])
    expect(await crashAll(points, 2, (atMoments) => crashAndResume(atMoments, calm))).toBe(points.length)
  })

  it('[PH5] repeatedly until it is done', { timeout: hours }, async () => {
    const folder = crashProject()
    await planUntil(folder)
    const calm = remainsOf(folder)
    const often = Array.from({ length: 20 }, (_, index) => 30 + index)
    expect(await crashAndResume(often, calm)).toBeGreaterThan(3)
  })
})
