/** Repeated crashes: during recovery, at random times, with steps that end in every order. Takes minutes. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { seeded } from '../../contract/engine/bench.ts'
import {
  expectUndisturbed,
  freshFolder,
  type Remains,
  recoverIn,
  remainsIn,
  rememberEffects,
  runStory,
} from '../crashing.ts'
import { playStory, type StoryOutcome } from '../engine-fixture.ts'
import { crashAll } from './crash-all.ts'

const seeds = [0, 1, 2, 3, 4]
const hour = 3_600_000

let parent: string
const undisturbed = new Map<number, StoryOutcome>()
const moments = new Map<number, number>()

beforeAll(async () => {
  parent = mkdtempSync(join(tmpdir(), 'convene-crash-full-'))
  for (const seed of seeds) {
    let count = 0
    const folder = freshFolder(parent, `undisturbed-${seed}`)
    const outcome = await playStory({ folder, seed, moment: () => count++ })
    rememberEffects(outcome, folder)
    undisturbed.set(seed, outcome)
    moments.set(seed, count)
  }
})
afterAll(() => rmSync(parent, { recursive: true, force: true }))

/** Crashes one after the other, each in the process that recovers from the previous one; then finishes. */
async function crashRepeatedly(
  name: string,
  crashes: { atMoment?: number; afterMs?: number }[],
  seed: number,
): Promise<number> {
  const folder = freshFolder(parent, name)
  const remains: Remains[] = []
  for (const crash of crashes) {
    const { killed } = await runStory(folder, crash, seed)
    if (!killed) break
    remains.push(await remainsIn(folder))
  }
  const outcome = await recoverIn(folder, seed)
  expectUndisturbed(folder, outcome, undisturbed.get(seed)!, remains)
  rmSync(folder, { recursive: true, force: true })
  return remains.length
}

describe('the story', () => {
  it('is the same whatever the order in which steps end', () => {
    for (const seed of seeds) expect(undisturbed.get(seed)!.result).toEqual(undisturbed.get(0)!.result)
  })

  it.each(seeds.slice(1))('survives a crash at every moment, steps shuffled by %d', { timeout: hour }, async (seed) => {
    const all = Array.from({ length: moments.get(seed)! }, (_, index) => index + 1)
    await crashAll(all, 3, (moment) => crashRepeatedly(`at-${seed}-${moment}`, [{ atMoment: moment }], seed))
  })

  it('survives a crash during recovery, at random moments of both', {
    timeout: hour,
  }, async () => {
    const random = seeded(2024)
    const pick = (seed: number) => 1 + Math.floor(random() * moments.get(seed)!)
    const pairs = Array.from({ length: 300 }, (_, index) => {
      const seed = seeds[index % seeds.length]!
      return { index, seed, crashes: [{ atMoment: pick(seed) }, { atMoment: pick(seed) }] }
    })
    await crashAll(pairs, 3, ({ index, seed, crashes }) => crashRepeatedly(`double-${index}`, crashes, seed))
  })

  it('survives a crash early in every recovery', { timeout: hour }, async () => {
    const random = seeded(77)
    const series = Array.from({ length: 60 }, (_, index) => ({
      index,
      crashes: Array.from({ length: 8 }, () => ({ atMoment: 1 + Math.floor(random() * 40) })),
    }))
    await crashAll(series, 3, ({ index, crashes }) => crashRepeatedly(`series-${index}`, crashes, seeds[index % 5]!))
  })

  it('survives being killed from outside at any time, repeatedly', { timeout: hour }, async () => {
    const random = seeded(4711)
    const series = Array.from({ length: 120 }, (_, index) => ({
      index,
      crashes: Array.from({ length: 4 }, () => ({ afterMs: 60 + Math.floor(random() * 260) })),
    }))
    await crashAll(series, 2, ({ index, crashes }) => crashRepeatedly(`timer-${index}`, crashes, seeds[index % 5]!))
  })
})
