/** A feature's life as flat lines in `.convene/events/<feature>.jsonl`, for scripts and people. EV1. */
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { StoredEvent } from '../kernel/events.ts'
import type { Store } from '../kernel/store.ts'
import { mirroredTypes, mirrorLine } from '../rules/event-names.ts'

/** Completes what a crash cut off, then goes on as things happen. Returns how to stop. */
export async function keepMirror(store: Store, folder: string): Promise<() => void> {
  const last = new Map<string, number>()
  const write = (event: StoredEvent) => {
    const { feature } = event
    if (feature === undefined || !mirroredTypes.includes(event.type)) return
    const file = join(folder, `${feature}.jsonl`)
    if (!last.has(feature)) last.set(feature, lastSeqIn(file))
    if (event.seq <= last.get(feature)!) return
    const line = mirrorLine(event as StoredEvent<Record<string, unknown>>)
    if (!line) return
    mkdirSync(folder, { recursive: true })
    appendFileSync(file, `${JSON.stringify(line)}\n`)
    last.set(feature, event.seq)
  }
  const stop = store.subscribe(write)
  for (const event of await store.read({ types: [...mirroredTypes] })) write(event)
  return stop
}

/** A line that was cut off in the middle does not count; it is ended, so that the next one stands alone. */
function lastSeqIn(file: string): number {
  if (!existsSync(file)) return 0
  const text = readFileSync(file, 'utf8')
  const whole = text.slice(0, text.lastIndexOf('\n') + 1)
  if (whole.length < text.length) appendFileSync(file, '\n')
  let last = 0
  for (const line of whole.split('\n')) {
    try {
      const { seq } = JSON.parse(line) as { seq?: number }
      if (typeof seq === 'number') last = Math.max(last, seq)
    } catch {
      // A line that a person or a crash has spoilt.
    }
  }
  return last
}
