/** Rounds as users send them: all at once, or at random moments at a steady rate. Agents take 50 ms for each reply. */
import { quantile } from './measure.ts'

export const agentMilliseconds = 50
/** How long a strong model takes to its first token, and a cheap one to write a proposal. */
export const strongMilliseconds = 600
export const quickMilliseconds = 200
/** A round waits for the proposals together, then for the answer. */
export const agentsOwnTime = 2 * agentMilliseconds

export interface RoomLoad {
  rooms: number
  /** Plays one round in a room, to its end. */
  round(room: number): Promise<void>
  close(): Promise<void>
}

export interface LoadResult {
  milliseconds: number
  /** The time of each round beyond the agents' own. */
  p50: number
  p99: number
  rss: number
}

export function burst(load: RoomLoad): Promise<LoadResult> {
  return measured(load, async (play) => {
    await Promise.all(Array.from({ length: load.rooms }, (_, room) => play(room)))
  })
}

/** Poisson arrivals: the time between two messages is random, and none waits for the previous one. */
export function arrivals(load: RoomLoad, perSecond: number, seconds: number): Promise<LoadResult> {
  return measured(load, async (play) => {
    const random = seeded(42)
    const playing: Promise<void>[] = []
    const start = performance.now()
    for (let due = 0; due < seconds * 1000; due += (-Math.log(1 - random()) * 1000) / perSecond) {
      const wait = start + due - performance.now()
      if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait))
      playing.push(play(Math.floor(random() * load.rooms)))
    }
    await Promise.all(playing)
  })
}

async function measured(
  load: RoomLoad,
  work: (play: (room: number) => Promise<void>) => Promise<void>,
): Promise<LoadResult> {
  const overheads: number[] = []
  let rss = 0
  const watch = setInterval(() => {
    rss = Math.max(rss, process.memoryUsage.rss())
  }, 50)
  const start = performance.now()
  await work(async (room) => {
    const began = performance.now()
    await load.round(room)
    overheads.push(performance.now() - began - agentsOwnTime)
  })
  const milliseconds = performance.now() - start
  clearInterval(watch)
  await load.close()
  return {
    milliseconds,
    p50: quantile(overheads, 0.5),
    p99: quantile(overheads, 0.99),
    rss: Math.max(rss, process.memoryUsage.rss()),
  }
}

/** The same moments in every run and for every contender. */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}
