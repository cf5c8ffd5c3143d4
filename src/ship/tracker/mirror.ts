/** Mirrors a feature's events to `.convene/events/<feature>.jsonl`, one flat line each. EV1. */

import { appendFileSync, existsSync, mkdirSync, readFileSync, renameSync, truncateSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { StoredEvent } from '../../kernel/events.ts'
import { lockFile } from '../../kernel/file-lock.ts'
import { privateFile, privateFolder } from '../../kernel/private-files.ts'
import type { Store } from '../../kernel/store.ts'
import { mirroredTypes, mirrorLine } from '../../rules/issues/event-names.ts'

const types = [...mirroredTypes]
const againMs = 2_000

/**
 * With a shared database several processes of one folder follow the log: one of them writes the files, and another when that
 * one has ended.
 */
export async function keepMirrorAlone(store: Store, folder: string): Promise<() => void> {
  let timer: NodeJS.Timeout | undefined
  let closed = false
  let stop = () => {}
  const tryLater = () => {
    timer = setTimeout(() => tryOnce().catch(tryLater), againMs).unref()
  }
  const tryOnce = async () => {
    if (closed) return
    mkdirSync(dirname(folder), privateFolder)
    const lock = lockFile(join(dirname(folder), 'mirror.lock'))
    if (!lock) return tryLater()
    const end = await keepMirror(store, folder).catch((error) => {
      // Another process, or a later try, may have more luck.
      lock.release()
      throw error
    })
    stop = () => {
      end()
      lock.release()
    }
    if (closed) stop()
  }
  await tryOnce()
  return () => {
    closed = true
    clearTimeout(timer)
    stop()
  }
}

/** Repairs files that a crash or a person truncated, then follows the log. Call the result to stop. */
export async function keepMirror(store: Store, folder: string): Promise<() => void> {
  /** The `seq` of the last line, by feature. */
  const last = new Map<string, number>()
  const write = (event: StoredEvent) => {
    const { feature } = event
    if (feature === undefined || !mirroredTypes.includes(event.type)) return
    const file = fileOf(folder, feature)
    if (!last.has(feature)) last.set(feature, endOf(file)?.seq ?? 0)
    if (event.seq <= last.get(feature)!) return
    const line = lineOf(event)
    if (line === null) return
    mkdirSync(folder, privateFolder)
    appendFileSync(file, `${line}\n`, privateFile)
    last.set(feature, event.seq)
  }
  // Events during the repair are appended after it.
  const early: StoredEvent[] = []
  let take = (event: StoredEvent): void => void early.push(event)
  const stop = store.subscribe((event) => take(event))

  const reached = readReached(folder)
  const now = await store.lastSeq()
  for (const [feature, recorded] of Object.entries(reached.features)) {
    const found = await soundEnd(store, folder, feature)
    last.set(feature, found)
    if (found >= recorded) continue
    for (const event of await store.read({ feature, types, after: found })) write(event)
  }
  // A truncated log may reuse its sequence numbers.
  const after = reached.seq <= now ? reached.seq : 0
  for (const event of await store.read({ types, after })) {
    const { feature } = event
    if (feature !== undefined && !last.has(feature)) last.set(feature, await soundEnd(store, folder, feature))
    write(event)
  }
  if (last.size > 0) writeReached(folder, reached, { seq: now, features: Object.fromEntries(last) })
  for (const event of early) write(event)
  take = write
  return stop
}

function lineOf(event: StoredEvent): string | null {
  const line = mirrorLine(event as StoredEvent<Record<string, unknown>>)
  return line && JSON.stringify(line)
}

/**
 * Rewrites a file whose last line is not in the log, or at another position. The old file is kept beside it: if the log was
 * truncated, nothing else has those events.
 */
async function soundEnd(store: Store, folder: string, feature: string): Promise<number> {
  const file = fileOf(folder, feature)
  const end = endOf(file)
  if (end === null) return 0
  const [event] = await store.read({ feature, types, after: end.seq - 1, limit: 1 })
  if (event?.seq === end.seq && lineOf(event) === end.line) return end.seq
  renameSync(file, `${file}.damaged`)
  return 0
}

/** The last complete line. Removes whatever follows it: a partial or damaged line. */
function endOf(file: string): { line: string; seq: number } | null {
  if (!existsSync(file)) return null
  const bytes = readFileSync(file)
  let end = bytes.lastIndexOf('\n')
  while (end >= 0) {
    const start = end === 0 ? 0 : bytes.lastIndexOf('\n', end - 1) + 1
    const line = bytes.toString('utf8', start, end)
    const seq = seqIn(line)
    if (seq !== null) {
      if (end + 1 < bytes.length) truncateSync(file, end + 1)
      return { line, seq }
    }
    end = start - 1
  }
  truncateSync(file, 0)
  return null
}

function seqIn(line: string): number | null {
  try {
    const { seq } = JSON.parse(line) as { seq?: unknown }
    return typeof seq === 'number' && Number.isSafeInteger(seq) && seq > 0 ? seq : null
  } catch {
    return null
  }
}

/** How far the log is mirrored and where each file ends, so that commands need not read a long log again. */
interface Reached {
  seq: number
  features: Record<string, number>
}

const fileOf = (folder: string, feature: string) => join(folder, `${feature}.jsonl`)
const reachedFile = (folder: string) => join(folder, '..', 'cache', 'mirrored.json')

function readReached(folder: string): Reached {
  try {
    const { seq, features } = JSON.parse(readFileSync(reachedFile(folder), 'utf8')) as Reached
    const isKnown = !Array.isArray(features) && Object.values(features).every(Number.isSafeInteger)
    if (Number.isSafeInteger(seq) && isKnown) return { seq, features }
  } catch {
    // Nothing was mirrored yet, or a crash damaged the file.
  }
  return { seq: 0, features: {} }
}

function writeReached(folder: string, before: Reached, reached: Reached): void {
  const text = JSON.stringify(reached)
  if (text === JSON.stringify(before)) return
  mkdirSync(dirname(reachedFile(folder)), privateFolder)
  writeFileSync(reachedFile(folder), text, privateFile)
}
