/** A build with parts is killed at every step boundary, at random times, and again while it resumes. Slow. */
import { describe, expect, it } from 'vitest'
import { seeded } from '../../contract/engine/bench.ts'
import { buildUntil, type Crash, crashAndResume, crashProject, momentsOf, resume } from '../build-crashing.ts'
import { crashAll } from './crash-all.ts'

const hours = 3_600_000

let tree: string | null
let moments: number

const crashAndResumeAll = (series: Crash[][]) => crashAll(series, 2, (crashes) => crashAndResume(crashes, tree))

describe('a build killed with SIGKILL', () => {
  it('has the expected result when nobody kills it', async () => {
    const calm = crashProject()
    expect(await buildUntil(calm, {})).toBe(false)
    tree = (await resume(calm)).tree
    moments = momentsOf(calm).length
    expect(moments).toBeGreaterThan(200)
  })

  it('resumes from every step boundary', { timeout: 3 * hours }, async () => {
    const all = Array.from({ length: moments }, (_, index) => [{ atMoment: index + 1, group: index % 2 === 0 }])
    const killed = await crashAndResumeAll(all)
    // The last moments may come in another order, or not at all.
    expect(killed).toBeGreaterThan(moments - 10)
  })

  it('resumes after crashes during a resume', { timeout: 3 * hours }, async () => {
    const random = seeded(20300713)
    const pick = (): Crash => ({ atMoment: 1 + Math.floor(random() * moments * 0.4), group: random() < 0.5 })
    await crashAndResumeAll(Array.from({ length: 40 }, () => [pick(), pick(), pick()]))
  })

  it('resumes from any moment, even in the middle of git', { timeout: 3 * hours }, async () => {
    const random = seeded(20300714)
    const pick = (): Crash => ({ afterMs: 300 + Math.floor(random() * 3000), group: random() < 0.7 })
    await crashAndResumeAll(Array.from({ length: 40 }, () => [pick(), pick()]))
  })

  it('resumes from every half-done ref update', { timeout: 3 * hours }, async () => {
    await crashAndResumeAll(Array.from({ length: 24 }, (_, index) => [{ atRefChange: index + 1 }]))
  })
})
