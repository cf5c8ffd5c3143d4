/** The ship's crash test at a hundred points, at random times, and again while it resumes. Slow. */
import { describe, expect, it } from 'vitest'
import { seeded } from '../../contract/engine/bench.ts'
import { crashAndResume, makeTemplate, momentsOf, remainsOf, shipProject, shipUntil } from '../ship-crashing.ts'
import type { Crash } from '../until-killed.ts'
import { crashAll } from './crash-all.ts'

const hours = 3_600_000

async function crashAndResumeAll(series: (moments: number) => Crash[][]): Promise<number> {
  const template = await makeTemplate()
  const undisturbed = await shipProject(template)
  expect(await shipUntil(undisturbed, {})).toBe(false)
  const calm = await remainsOf(undisturbed)
  const all = series(momentsOf(undisturbed).length)
  return crashAll(all, 2, (crashes) => crashAndResume(template, crashes, calm))
}

describe('a ship killed with SIGKILL', () => {
  it('resumes from a hundred step boundaries', { timeout: 3 * hours }, async () => {
    const points = 100
    const killed = await crashAndResumeAll((moments) =>
      Array.from({ length: points }, (_, index) => [
        { atMoment: 1 + Math.floor((index / points) * (moments - 5)), group: index % 2 === 0 },
      ]),
    )
    expect(killed).toBeGreaterThanOrEqual(points)
  })

  it('resumes after crashes during a resume', { timeout: 3 * hours }, async () => {
    const random = seeded(20261118)
    await crashAndResumeAll((moments) => {
      const pick = (): Crash => ({ atMoment: 1 + Math.floor(random() * moments * 0.4), group: random() < 0.5 })
      return Array.from({ length: 20 }, () => [pick(), pick(), pick()])
    })
  })

  it('resumes from any moment, even in the middle of git', { timeout: 3 * hours }, async () => {
    const random = seeded(20261119)
    const pick = (): Crash => ({ afterMs: 300 + Math.floor(random() * 5000), group: random() < 0.7 })
    await crashAndResumeAll(() => Array.from({ length: 20 }, () => [pick(), pick()]))
  })
})
