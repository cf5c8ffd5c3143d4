/** What went on in a run, as bars over time: a lane for each agent and for each kind of work. Browser-safe. */

export const spanKinds = ['ask', 'phase', 'command', 'change', 'issue', 'question'] as const
export type SpanKind = (typeof spanKinds)[number]

export interface RunSpan {
  /** The event it began with. */
  seq: number
  /** The event it ended with. */
  last?: number
  words: string
  from: number
  /** Null while it goes on. */
  to: number | null
  tone: 'plain' | 'ok' | 'warn' | 'bad'
  /** By which its end is known, while it goes on. */
  id?: string
  /** How many were joined into one; absent: it is one. */
  count?: number
}

export interface RunLane {
  run: string
  kind: SpanKind
  /** Of an agent, where it is a lane of questions to one. */
  agent?: string
  /** In order of their beginning in the log. */
  spans: RunSpan[]
}

/** More bars than this in one lane can not be told apart on a screen. */
export const mostSpans = 256
/** In all lanes together: where there are more, each lane has to do with fewer, down to a few. */
const mostInAll = 10_000
const leastSpans = 8

export class Lanes {
  readonly list: RunLane[]
  /** How many a lane may have. */
  readonly #room: { spans_a_lane: number }
  #inAll = 0
  /** What there is of each run. */
  readonly #runs = new Map<string, OfRun>()

  /** Both are changed in place. */
  constructor(list: RunLane[], room: { spans_a_lane: number }) {
    this.list = list
    this.#room = room
    for (const lane of list) {
      const ofRun = this.#of(lane.run)
      ofRun.lanes.set(nameOf(lane.kind, lane.agent), lane)
      for (const span of lane.spans) noteOpen(ofRun, lane.kind, span)
      this.#inAll += lane.spans.length
    }
  }

  add(run: string, kind: SpanKind, span: RunSpan, agent?: string): void {
    const ofRun = this.#of(run)
    const lane = ofRun.lanes.get(nameOf(kind, agent)) ?? this.#begin(ofRun, run, kind, agent)
    lane.spans.push(span)
    noteOpen(ofRun, kind, span)
    this.#inAll += 1
    if (lane.spans.length > this.#room.spans_a_lane) this.#shrink(lane)
    if (this.#inAll > mostInAll && this.#room.spans_a_lane > leastSpans) this.#shrinkAll()
  }

  /** Ends what goes on under this id; false where nothing does. */
  close(run: string, kind: SpanKind, id: string, end: Pick<RunSpan, 'last' | 'tone'> & { at: number }): boolean {
    const open = this.#runs.get(run)?.open.get(kind)
    const span = open?.get(id)
    if (!span) return false
    open!.delete(id)
    span.to = Math.max(span.from, end.at)
    span.tone = end.tone
    if (end.last !== undefined) span.last = end.last
    delete span.id
    return true
  }

  /** A run is over, or was let go of: what it was at goes on no longer. */
  closeAll(run: string, kinds: readonly SpanKind[], at: number): void {
    const ofRun = this.#runs.get(run)
    if (!ofRun) return
    for (const { kind, spans } of ofRun.lanes.values()) {
      if (!kinds.includes(kind)) continue
      ofRun.open.delete(kind)
      for (const span of spans) {
        if (span.to !== null) continue
        span.to = Math.max(span.from, at)
        delete span.id
      }
    }
  }

  /** The newest bar with these words. */
  newest(run: string, kind: SpanKind, words: string): RunSpan | undefined {
    const found = [...(this.#runs.get(run)?.lanes.values() ?? [])]
      .filter((lane) => lane.kind === kind)
      .flatMap(({ spans }) => spans.findLast((span) => span.words === words) ?? [])
    return found.reduce<RunSpan | undefined>((one, other) => (one && one.seq > other.seq ? one : other), undefined)
  }

  #of(run: string): OfRun {
    const known = this.#runs.get(run)
    if (known) return known
    const ofRun: OfRun = { lanes: new Map(), open: new Map() }
    this.#runs.set(run, ofRun)
    return ofRun
  }

  #begin(ofRun: OfRun, run: string, kind: SpanKind, agent: string | undefined): RunLane {
    const lane: RunLane = { run, kind, ...(agent === undefined ? {} : { agent }), spans: [] }
    this.list.push(lane)
    ofRun.lanes.set(nameOf(kind, agent), lane)
    return lane
  }

  #shrink(lane: RunLane): void {
    this.#inAll -= lane.spans.length
    joinNearest(lane)
    this.#inAll += lane.spans.length
  }

  #shrinkAll(): void {
    this.#room.spans_a_lane = Math.max(leastSpans, this.#room.spans_a_lane >> 1)
    for (const lane of this.list) {
      let before = Number.POSITIVE_INFINITY
      // What still goes on is never joined: a lane may stay longer than it should be.
      while (lane.spans.length > this.#room.spans_a_lane && lane.spans.length < before) {
        before = lane.spans.length
        this.#shrink(lane)
      }
    }
  }
}

interface OfRun {
  lanes: Map<string, RunLane>
  /** What goes on, by which its end is known. */
  open: Map<SpanKind, Map<string, RunSpan>>
}

const nameOf = (kind: SpanKind, agent = '') => `${kind} ${agent}`

/** The same id may be begun again before it has ended: the end is that of the last. */
function noteOpen({ open }: OfRun, kind: SpanKind, span: RunSpan): void {
  if (span.to !== null || span.id === undefined) return
  const ofKind = open.get(kind)
  if (ofKind) ofKind.set(span.id, span)
  else open.set(kind, new Map([[span.id, span]]))
}

/** Joins the half of all neighbours that lie closest together, so that gaps which can be seen stay. */
function joinNearest(lane: RunLane): void {
  const { spans } = lane
  const gap = (index: number) => gapBetween(spans[index - 1]!, spans[index]!)
  const gaps = spans.flatMap((_, index) => (index === 0 ? [] : [gap(index)])).filter((each) => each !== null)
  const widest = gaps.sort((one, other) => one - other)[gaps.length >> 1] ?? 0
  const joined: RunSpan[] = [spans[0]!]
  for (let index = 1; index < spans.length; index += 1) {
    const between = gap(index)
    if (between !== null && between <= widest) joined.push(join(joined.pop()!, spans[index]!))
    else joined.push(spans[index]!)
  }
  lane.spans = joined
}

/** Null where one of them still goes on. */
function gapBetween(one: RunSpan, other: RunSpan): number | null {
  return one.to === null || other.to === null ? null : Math.max(0, other.from - one.to)
}

const tones = ['plain', 'ok', 'warn', 'bad'] as const

function join(one: RunSpan, other: RunSpan): RunSpan {
  return {
    seq: one.seq,
    last: Math.max(one.last ?? one.seq, other.last ?? other.seq),
    words: one.words === other.words ? one.words : '',
    from: Math.min(one.from, other.from),
    to: Math.max(one.to!, other.to!),
    tone: tones[Math.max(tones.indexOf(one.tone), tones.indexOf(other.tone))]!,
    count: (one.count ?? 1) + (other.count ?? 1),
  }
}
