/** Random workflows, released at random moments and resumed: the result is always the same. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Clock, systemClock } from '../../src/kernel/clock.ts'
import type { StoredEvent } from '../../src/kernel/events.ts'
import { openLocalEngine } from '../kernel/open-engine.ts'
import { type Operation, operations, randomStory } from './random-story.ts'

/** Waits are short, whatever duration they ask for. */
const quickClock: Clock = {
  now: systemClock.now,
  after: (milliseconds, fn) => systemClock.after(Math.min(milliseconds, 1), fn),
}

interface Outcome {
  result: unknown
  log: Record<string, unknown[]>
  /** How often each attempt of each step was made. */
  effects: Map<string, number>
  /** For each shutdown, how often the steps recorded by then had run. */
  recorded: Map<string, number>[]
  moments: number
}

/** Shuts everything down at the given moments, one after the other, each counted from the previous restart. */
async function play(list: Operation[], restarts: number[]): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), 'convene-fuzz-'))
  const effects = new Map<string, number>()
  const recorded: Map<string, number>[] = []
  let moments = 0
  try {
    for (const restart of [...restarts, Number.POSITIVE_INFINITY]) {
      const { promise: letGo, resolve } = Promise.withResolvers<'let go'>()
      moments = 0
      const moment = () => {
        if (++moments !== restart) return
        // Everything in flight stops here, as if the process had ended.
        local.engine.close()
        resolve('let go')
      }
      const local = openLocalEngine(folder, { clock: quickClock, observe: moment })
      const story = randomStory((name) => {
        effects.set(name, (effects.get(name) ?? 0) + 1)
        moment()
      })
      local.engine.register(story)
      await local.engine.recover()
      const handle = await local.engine.start(story, list, { id: 'story' }).catch(() => null)
      const result = handle?.result().catch((error) => (error.code === 'closed' ? new Promise(() => {}) : { error }))
      const ended = await Promise.race(result ? [letGo, result] : [letGo])
      if (ended !== 'let go') {
        const events = await local.store.read({})
        await local.close()
        return { result: ended, log: byStream(events), effects, recorded, moments }
      }
      await local.close()
      recorded.push(await countRecorded(folder, effects))
    }
    throw new Error('it never came to its end')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function countRecorded(folder: string, effects: Map<string, number>): Promise<Map<string, number>> {
  const local = openLocalEngine(folder)
  const counts = new Map<string, number>()
  for (const run of await local.engine.list())
    for (const step of await local.engine.steps(run.id))
      for (const [name, count] of effects) if (name.startsWith(`${run.id}/${step.position}#`)) counts.set(name, count)
  await local.close()
  return counts
}

function byStream(events: StoredEvent[]): Record<string, unknown[]> {
  const log: Record<string, unknown[]> = {}
  for (const { seq: _seq, id: _id, ts: _ts, ...rest } of events) {
    if (rest.type === 'run.recovered') continue
    log[rest.stream] = [...(log[rest.stream] ?? []), rest]
  }
  return log
}

describe('random workflows', () => {
  it('end the same however often they are released, and repeat no recorded step', {
    timeout: 300_000,
  }, async () => {
    const shares = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 3 })
    let shutdowns = 0
    await fc.assert(
      fc.asyncProperty(operations, shares, async (list, restartShares) => {
        const calm = await play(list, [])
        for (const count of calm.effects.values()) expect(count).toBe(1)
        const restarts = restartShares.map((share) => 1 + Math.floor(share * calm.moments))
        const restless = await play(list, restarts)
        shutdowns += restless.recorded.length
        expect(restless.result).toEqual(calm.result)
        expect(restless.log).toEqual(calm.log)
        expect([...restless.effects.keys()].sort()).toEqual([...calm.effects.keys()].sort())
        for (const count of restless.effects.values()) expect(count).toBeLessThanOrEqual(1 + restless.recorded.length)
        for (const recorded of restless.recorded)
          for (const [name, count] of recorded) expect([name, restless.effects.get(name)]).toEqual([name, count])
      }),
      { seed: 20300101, numRuns: 120 },
    )
    expect(shutdowns).toBeGreaterThan(120)
  })
})
