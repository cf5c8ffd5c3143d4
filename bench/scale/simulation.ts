/** Simulates workers that answer rounds: places, processors and the locks of projects, event by event. */
import type { Fleet, Parameters } from './model.ts'

interface Round {
  worker: number
  project: number
  writesLeft: number
}

/**
 * Rounds per second after a warm-up, in which every place ends two. Deterministic: think times come from a generator with a
 * fixed seed.
 */
export function simulate(fleet: Fleet, parameters: Parameters): number {
  const { workers, projects, capacity, thinkMs } = fleet
  const { lockMs, writeMs, writes, cpuMs, readMs } = parameters
  const queue = new TimeQueue()
  const random = generator(1)
  const perRound = Math.max(1, Math.round(writes))
  const sliceMs = cpuMs / perRound
  const processorFreeAt = new Float64Array(workers)
  /** Of each project: what each of its processes has queued, in the order in which they asked for the lock. */
  const waiting = Array.from({ length: projects }, () => new Map<number, Round[]>())
  const isLocked = new Uint8Array(projects)
  const warmUp = 2 * workers * capacity
  const wanted = warmUp + Math.max(leastMeasured, 2 * workers * capacity)
  let done = 0
  let measuredFrom = 0
  let measuredTo = 0

  const begin = (round: Round, at: number) => {
    round.writesLeft = perRound
    compute(round, at)
  }
  const compute = (round: Round, at: number) => {
    const start = Math.max(at, processorFreeAt[round.worker]!)
    processorFreeAt[round.worker] = start + sliceMs
    const isFirst = round.writesLeft === perRound
    const pause = isFirst ? readMs - thinkMs * Math.log(1 - random()) : 0
    queue.add(start + sliceMs + pause, (now) => write(round, now))
  }
  const write = (round: Round, at: number) => {
    const ofProject = waiting[round.project]!
    const queued = ofProject.get(round.worker)
    if (queued) queued.push(round)
    else ofProject.set(round.worker, [round])
    if (!isLocked[round.project]) lock(round.project, at)
  }
  const lock = (project: number, at: number) => {
    const [next] = waiting[project]!
    isLocked[project] = next ? 1 : 0
    if (!next) return
    const [worker, carried] = next
    waiting[project]!.delete(worker)
    queue.add(at + lockMs + writeMs * carried.length, (now) => {
      for (const round of carried) {
        round.writesLeft -= 1
        if (round.writesLeft > 0) compute(round, now)
        else {
          done += 1
          if (done === warmUp) measuredFrom = now
          if (done === wanted) measuredTo = now
          begin(round, now)
        }
      }
      lock(project, now)
    })
  }
  for (let worker = 0; worker < workers; worker++)
    for (let place = 0; place < capacity; place++)
      begin({ worker, project: worker % projects, writesLeft: 0 }, random() * 1000)
  queue.runWhile(() => done < wanted)
  return ((wanted - warmUp) / (measuredTo - measuredFrom)) * 1000
}

/** Fewer would leave more to chance than the bounds of the comparison allow. */
const leastMeasured = 4000

/** A binary heap of what happens when. */
class TimeQueue {
  readonly #heap: { at: number; act(now: number): void }[] = []

  add(at: number, act: (now: number) => void): void {
    const heap = this.#heap
    heap.push({ at, act })
    for (let child = heap.length - 1; child > 0; ) {
      const parent = (child - 1) >> 1
      if (heap[parent]!.at <= heap[child]!.at) break
      ;[heap[parent], heap[child]] = [heap[child]!, heap[parent]!]
      child = parent
    }
  }

  runWhile(isWanted: () => boolean): void {
    for (let first = this.#take(); first && isWanted(); first = this.#take()) first.act(first.at)
  }

  #take() {
    const heap = this.#heap
    const first = heap[0]
    const last = heap.pop()
    if (heap.length === 0 || !last) return first
    heap[0] = last
    for (let parent = 0; ; ) {
      const [left, right] = [2 * parent + 1, 2 * parent + 2]
      let least = parent
      if (left < heap.length && heap[left]!.at < heap[least]!.at) least = left
      if (right < heap.length && heap[right]!.at < heap[least]!.at) least = right
      if (least === parent) return first
      ;[heap[parent], heap[least]] = [heap[least]!, heap[parent]!]
      parent = least
    }
  }
}

/** Mulberry32: the same numbers on every machine. */
function generator(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}
