/** How fast views fold a million events: passed one by one, and read back from the store page by page. */
import { DatabaseSync } from 'node:sqlite'
import type { NewEvent, StoredEvent } from '../src/kernel/events.ts'
import { type Fold, foldEvents } from '../src/kernel/fold.ts'
import { transcript } from '../src/room/view.ts'
import type { Bench } from './bench.ts'
import { conversation } from './conversation.ts'
import { interleave, median, millisecondsOf, whole } from './measure.ts'
import { openConvene } from './open-convene.ts'

const total = 1_000_000
const page = 1000
const chunk = 10_000
const goal = 500_000
const rounds = 3

const countByType: Fold<Map<string, number>> = {
  initial: () => new Map(),
  evolve(counts, { type }) {
    counts.set(type, (counts.get(type) ?? 0) + 1)
    return counts
  },
}

export const fold: Bench = async (folder) => {
  const inMemory: InMemory[] = []
  for (let round = 0; round < rounds; round++) inMemory.push(foldInMemory(round % 2 === 0))

  const { store, database, close } = openConvene(folder)
  for (let first = 0; first < total; first += chunk) await store.append(conversation(first, chunk))
  const read = (after: number) => store.read({ after, limit: page })
  const readOnly = async (after: number) => {
    const events = await read(after)
    return { length: events.length, last: events.at(-1)?.seq }
  }
  const fromStore = { folded: [] as number[], read: [] as number[], raw: [] as number[] }
  const ways = [
    async () => fromStore.folded.push(await millisecondsOf(() => foldPages(read))),
    async () => fromStore.read.push(await millisecondsOf(() => readPages(readOnly))),
    async () => fromStore.raw.push(await millisecondsOf(() => readRaw(database.file))),
  ]
  await interleave(ways, rounds, async (measure) => {
    await measure()
  })
  await close()

  const lines = median(inMemory.map((round) => round.transcript))
  const counts = median(inMemory.map((round) => round.counts))
  const found = perSecond(Math.max(lines, counts))
  return {
    goals: [
      {
        measure: 'events folded a second, in memory, the slower view',
        goal: `≥ ${whole(goal)}`,
        found: whole(found),
        met: found >= goal,
      },
    ],
    settings: [
      `${whole(total)} events of a room: of every eight, one message, one reply of 300 characters, four about questions to agents, two about runs. ${rounds} rounds, medians, no warm-up.`,
      `In memory: the events are parsed from JSON beforehand, ${whole(chunk)} at a time, and both views fold the same ones in turns; only the folding is timed.`,
      `From the store: pages of ${whole(page)}, in turns; a synced file that was written just before, so the disk itself is hardly read.`,
    ],
    table: {
      columns: ['', 'events a second, median', 'µs an event'],
      rows: [
        row('transcript of a room, in memory', lines),
        row('counts by type, in memory', counts),
        row('both views, read back from the store page by page', median(fromStore.folded)),
        row('the same reading, nothing folded', median(fromStore.read)),
        row('raw `node:sqlite`: the same rows as arrays, their data left as text', median(fromStore.raw)),
      ],
    },
    notes: ['The goal is about folding, the first two rows. The others say what it costs to have the events first.'],
  }
}

interface InMemory {
  transcript: number
  counts: number
}

function foldInMemory(transcriptFirst: boolean): InMemory {
  const timed: InMemory = { transcript: 0, counts: 0 }
  let lines = transcript.initial()
  let counts = countByType.initial()
  const views = {
    transcript: (events: StoredEvent[]) => {
      lines = foldEvents(transcript, events, lines)
    },
    counts: (events: StoredEvent[]) => {
      counts = foldEvents(countByType, events, counts)
    },
  }
  for (let first = 0; first < total; first += chunk) {
    const events = stored(conversation(first, chunk), first)
    for (const view of transcriptFirst ? (['transcript', 'counts'] as const) : (['counts', 'transcript'] as const)) {
      const begun = performance.now()
      views[view](events)
      timed[view] += performance.now() - begun
    }
  }
  check(lines, counts)
  return timed
}

async function foldPages(read: (after: number) => Promise<StoredEvent[]>): Promise<void> {
  let lines = transcript.initial()
  let counts = countByType.initial()
  for (let after = 0; ; ) {
    const events = await read(after)
    lines = foldEvents(transcript, events, lines)
    counts = foldEvents(countByType, events, counts)
    if (events.length < page) break
    after = events.at(-1)!.seq
  }
  check(lines, counts)
}

async function readPages(read: (after: number) => Promise<{ length: number; last?: number }>): Promise<void> {
  let count = 0
  for (let after = 0; ; ) {
    const { length, last } = await read(after)
    count += length
    if (length < page) break
    after = last!
  }
  if (count !== total) throw new Error(`${count} events were read`)
}

async function readRaw(file: string): Promise<void> {
  const sqlite = new DatabaseSync(file, { readOnly: true })
  const statement = sqlite.prepare(
    `SELECT seq, id, ts, type, version, stream, run, feature, actor, data, payload_ref
     FROM events WHERE seq > ? ORDER BY seq LIMIT ?`,
  )
  statement.setReturnArrays(true)
  await readPages(async (after) => {
    const rows = statement.all(after, page) as unknown as [number, ...unknown[]][]
    return { length: rows.length, last: rows.at(-1)?.[0] }
  })
  sqlite.close()
}

/** As read from the store: with the log's fields, and nothing shared between events. */
function stored(events: NewEvent[], before: number): StoredEvent[] {
  const full = events.map((event, index) => {
    const seq = before + index + 1
    return { seq, id: `event-${seq}`, ts: new Date(seq * 1000).toISOString(), ...event }
  })
  return JSON.parse(JSON.stringify(full))
}

function check(lines: unknown[], counts: Map<string, number>): void {
  const counted = [...counts.values()].reduce((all, count) => all + count, 0)
  if (lines.length !== total / 4 || counted !== total)
    throw new Error(`the transcript has ${lines.length} lines, and ${counted} events were counted`)
}

const perSecond = (milliseconds: number) => (total * 1000) / milliseconds
const row = (name: string, milliseconds: number) => [
  name,
  whole(perSecond(milliseconds)),
  ((milliseconds * 1000) / total).toFixed(2),
]
