/** A feature's life as flat lines in `.convene/events/<feature>.jsonl`, for scripts and people. EV1. */
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { StoredEvent } from '../kernel/events.ts'
import type { Store } from '../kernel/store.ts'
import { mirroredTypes, mirrorLine } from '../rules/event-names.ts'

/** Completes what a crash cut off, then goes on as things happen. Returns how to stop. */
export async function keepMirror(store: Store, folder: string): Promise<() => void> {
  const last = new Map<string, number>()
  const write = (event: StoredEvent) => {
    const { feature } = event
    if (feature === undefined || !mirroredTypes.includes(event.type)) return
    const file = fileOf(folder, feature)
    if (!last.has(feature)) last.set(feature, lastSeqIn(file))
    if (event.seq <= last.get(feature)!) return
    const line = mirrorLine(event as StoredEvent<Record<string, unknown>>)
    if (!line) return
    mkdirSync(folder, { recursive: true })
    appendFileSync(file, `${JSON.stringify(line)}\n`)
    last.set(feature, event.seq)
  }
  const stop = store.subscribe(write)
  const reached = readReached(folder)
  const now = await store.lastSeq()
  // A log that has lost its tail may use its numbers again.
  const after = reached.seq <= now ? reached.seq : 0
  for (const event of await store.read({ types: [...mirroredTypes], after })) write(event)
  const features = [...new Set([...reached.features, ...last.keys()])].sort()
  if (now > reached.seq && features.length > 0) writeReached(folder, { seq: now, features })
  return stop
}

/** Up to where all is mirrored, and in which files: so that a long log is not read again by every command. */
interface Reached {
  seq: number
  features: string[]
}

const fileOf = (folder: string, feature: string) => join(folder, `${feature}.jsonl`)
const reachedFile = (folder: string) => join(folder, '..', 'cache', 'mirrored.json')

/** A file that somebody took away is written again from the beginning. */
function readReached(folder: string): Reached {
  try {
    const { seq, features } = JSON.parse(readFileSync(reachedFile(folder), 'utf8')) as Reached
    if (Number.isSafeInteger(seq) && features.every((feature) => existsSync(fileOf(folder, feature))))
      return { seq, features }
  } catch {
    // Nothing was mirrored yet, or a crash has spoilt it.
  }
  return { seq: 0, features: [] }
}

function writeReached(folder: string, reached: Reached): void {
  mkdirSync(dirname(reachedFile(folder)), { recursive: true })
  writeFileSync(reachedFile(folder), JSON.stringify(reached))
}

/** A line that was cut off in the middle does not count; it is ended, so that the next one stands alone. */
function lastSeqIn(file: string): number {
  if (!existsSync(file)) return 0
  const text = readFileSync(file, 'utf8')
  const whole = text.slice(0, text.lastIndexOf('\n') + 1)
  if (whole.length < text.length) appendFileSync(file, '\n')
  for (let end = whole.length - 1; end > 0; end = whole.lastIndexOf('\n', end - 1)) {
    try {
      const line = whole.slice(whole.lastIndexOf('\n', end - 1) + 1, end)
      const { seq } = JSON.parse(line) as { seq?: number }
      if (typeof seq === 'number') return seq
    } catch {
      // A line that a person or a crash has spoilt.
    }
  }
  return 0
}
