/** Kills the story's process where a test says, and checks that the crash left no trace. */
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { StoredEvent } from '../../src/kernel/events.ts'
import { runRecovered } from '../../src/kernel/run-events.ts'
import { effectsFile, open, playStory, type StoryOutcome } from './engine-fixture.ts'
import { compiledOnce } from './until-killed.ts'

export interface Ending {
  /** Whether it was killed; otherwise it finished. */
  killed: boolean
  moments: number
}

/** Runs the story in its own process, which kills itself at a moment or is killed after a time. */
export function runStory(
  folder: string,
  crash: { atMoment?: number; afterMs?: number },
  seed: number,
): Promise<Ending> {
  const program = join(import.meta.dirname, 'engine-fixture.ts')
  const flags = ['--disable-warning=ExperimentalWarning']
  const args = [...flags, program, folder, String(crash.atMoment ?? 0), String(seed)]
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...compiledOnce },
    })
    let stdout = ''
    let stderr = ''
    child.stdout.on('data', (chunk) => {
      stdout += chunk
    })
    child.stderr.on('data', (chunk) => {
      stderr += chunk
    })
    const timer = crash.afterMs === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), crash.afterMs)
    child.on('error', reject)
    child.on('close', (code, signal) => {
      clearTimeout(timer)
      if (signal === 'SIGKILL') resolve({ killed: true, moments: 0 })
      else if (code === 0) resolve({ killed: false, ...(JSON.parse(stdout) as { moments: number }) })
      else reject(new Error(`exit ${code} ${signal}: ${stderr}${stdout}`))
    })
  })
}

/** What is on disk right after a crash. */
export interface Remains {
  /** Recorded steps, by the name of their effect. */
  recorded: Set<string>
  effects: Map<string, number>
}

export async function remainsIn(folder: string): Promise<Remains> {
  const { engine, store } = open(folder)
  const recorded = new Set<string>()
  for (const run of await engine.list())
    for (const step of await engine.steps(run.id)) if (step.kind === 'step') recorded.add(`${run.id}/${step.position}`)
  await engine.close()
  await store.close()
  return { recorded, effects: effectsIn(folder) }
}

/** Resumes in this process until it finishes. */
export function recoverIn(folder: string, seed: number): Promise<StoryOutcome> {
  return playStory({ folder, seed })
}

/**
 * The result and the log are the same, recorded steps did not run again, and each step ran at most once more than
 * there were crashes.
 */
export function expectUndisturbed(
  folder: string,
  outcome: StoryOutcome,
  undisturbed: StoryOutcome,
  crashes: Remains[],
): void {
  expect(outcome.result).toEqual(undisturbed.result)
  expect(streams(outcome.events)).toEqual(streams(undisturbed.events))
  const effects = effectsIn(folder)
  for (const [name, count] of effects) expect([name, count <= 1 + crashes.length]).toEqual([name, true])
  for (const { recorded, effects: before } of crashes)
    for (const [name, count] of before)
      if (recorded.has(stepOf(name))) expect([name, effects.get(name)]).toEqual([name, count])
  expect(new Set(effects.keys())).toEqual(expectedEffects(undisturbed))
}

const effectsOf = new WeakMap<StoryOutcome, Set<string>>()

export function rememberEffects(outcome: StoryOutcome, folder: string): void {
  const effects = effectsIn(folder)
  for (const [name, count] of effects) expect([name, count]).toEqual([name, 1])
  effectsOf.set(outcome, new Set(effects.keys()))
}

function expectedEffects(outcome: StoryOutcome): Set<string> {
  return effectsOf.get(outcome)!
}

export function freshFolder(parent: string, name: string): string {
  const folder = join(parent, name)
  mkdirSync(folder)
  return folder
}

/** Calls `work` for each item, `width` at a time. */
export async function concurrently<Item>(
  items: Item[],
  width: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const queue = [...items]
  const worker = async () => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) await work(item)
  }
  await Promise.all(Array.from({ length: width }, worker))
}

function effectsIn(folder: string): Map<string, number> {
  const counts = new Map<string, number>()
  if (!existsSync(effectsFile(folder))) return counts
  for (const name of readFileSync(effectsFile(folder), 'utf8').split('\n').filter(Boolean))
    counts.set(name, (counts.get(name) ?? 0) + 1)
  return counts
}

/** An effect's name is its step's key, with the number of the attempt for a retried step. */
function stepOf(effect: string): string {
  return effect.replace(/#\d+$/, '')
}

/** The log by stream, without what differs between two runs of the story. */
function streams(events: StoredEvent[]): Record<string, unknown[]> {
  const byStream: Record<string, unknown[]> = {}
  for (const event of events) {
    if (runRecovered.is(event)) continue
    const { seq: _seq, id: _id, ts: _ts, ...rest } = event
    byStream[event.stream] = [...(byStream[event.stream] ?? []), rest]
  }
  return byStream
}

/**
 * Crash points spread over a piece of work, one in each of `points` equal sections, dealt out to `times` runs of it:
 * after each kill it resumes up to the next point. A moment counts from the previous kill. Every third kills git too.
 */
export function crashSeries({
  times,
  points,
  moments,
  random,
}: {
  times: number
  points: number
  moments: number
  random: () => number
}): { atMoment: number; group: boolean }[][] {
  return Array.from({ length: times }, (_, series) => {
    const own = Array.from({ length: points / times }, (_, index) => series + index * times)
    let before = 0
    return own.map((part, index) => {
      const point = 1 + Math.floor(((part + random()) / points) * moments)
      const atMoment = Math.max(1, point - before)
      before = point
      return { atMoment, group: (series + index) % 3 === 0 }
    })
  })
}
