/** A run as bars over time: one lane per agent and kind of work. Browser-safe. */

export const spanKinds = ['ask', 'phase', 'command', 'change', 'issue', 'question'] as const
export type SpanKind = (typeof spanKinds)[number]

export interface RunSpan {
  /** The event that started it. */
  seq: number
  /** The event that ended it. */
  last?: number
  words: string
  from: number
  /** Null while in progress. */
  to: number | null
  tone: 'plain' | 'ok' | 'warn' | 'bad'
  /** Matches the end to its start; absent once ended. */
  id?: string
  /** How many spans were joined into this one; absent for a single span. */
  count?: number
}

export interface RunLane {
  run: string
  kind: SpanKind
  /** Set for lanes of asks. */
  agent?: string
  /** In the order they started. */
  spans: RunSpan[]
}

/** More bars than this in one lane cannot be told apart on a screen. */
export const maxSpans = 256
/** Limit for all lanes together: above it, each lane gets fewer spans, down to `minSpans`. */
const maxTotalSpans = 10_000
const minSpans = 8

export class Lanes {
  readonly list: RunLane[]
  /** How many spans a lane may have. */
  readonly #limit: { spans_a_lane: number }
  #total = 0
  /** Lanes and open spans by run. */
  readonly #runs = new Map<string, RunLanes>()

  /** Changes both arguments in place. */
  constructor(list: RunLane[], limit: { spans_a_lane: number }) {
    this.list = list
    this.#limit = limit
    for (const lane of list) {
      const runLanes = this.#lanesOf(lane.run)
      runLanes.lanes.set(laneKey(lane.kind, lane.agent), lane)
      for (const span of lane.spans) trackOpen(runLanes, lane.kind, span)
      this.#total += lane.spans.length
    }
  }

  add(run: string, kind: SpanKind, span: RunSpan, agent?: string): void {
    const runLanes = this.#lanesOf(run)
    const lane = runLanes.lanes.get(laneKey(kind, agent)) ?? this.#addLane(runLanes, run, kind, agent)
    lane.spans.push(span)
    trackOpen(runLanes, kind, span)
    this.#total += 1
    if (lane.spans.length > this.#limit.spans_a_lane) this.#shrink(lane)
    if (this.#total > maxTotalSpans && this.#limit.spans_a_lane > minSpans) this.#shrinkAll()
  }

  /** Ends the open span with this id; returns false if there is none. */
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

  /** Ends the open spans of a run that has finished or was parked. */
  closeAll(run: string, kinds: readonly SpanKind[], at: number): void {
    const runLanes = this.#runs.get(run)
    if (!runLanes) return
    for (const { kind, spans } of runLanes.lanes.values()) {
      if (!kinds.includes(kind)) continue
      runLanes.open.delete(kind)
      for (const span of spans) {
        if (span.to !== null) continue
        span.to = Math.max(span.from, at)
        delete span.id
      }
    }
  }

  /** The newest span with this text. */
  newest(run: string, kind: SpanKind, words: string): RunSpan | undefined {
    const found = [...(this.#runs.get(run)?.lanes.values() ?? [])]
      .filter((lane) => lane.kind === kind)
      .flatMap(({ spans }) => spans.findLast((span) => span.words === words) ?? [])
    return found.reduce<RunSpan | undefined>((one, other) => (one && one.seq > other.seq ? one : other), undefined)
  }

  #lanesOf(run: string): RunLanes {
    const known = this.#runs.get(run)
    if (known) return known
    const runLanes: RunLanes = { lanes: new Map(), open: new Map() }
    this.#runs.set(run, runLanes)
    return runLanes
  }

  #addLane(runLanes: RunLanes, run: string, kind: SpanKind, agent: string | undefined): RunLane {
    const lane: RunLane = { run, kind, ...(agent === undefined ? {} : { agent }), spans: [] }
    this.list.push(lane)
    runLanes.lanes.set(laneKey(kind, agent), lane)
    return lane
  }

  #shrink(lane: RunLane): void {
    this.#total -= lane.spans.length
    joinNearest(lane)
    this.#total += lane.spans.length
  }

  #shrinkAll(): void {
    this.#limit.spans_a_lane = Math.max(minSpans, this.#limit.spans_a_lane >> 1)
    for (const lane of this.list) {
      let before = Number.POSITIVE_INFINITY
      // Spans in progress are never joined, so a lane may stay above the limit.
      while (lane.spans.length > this.#limit.spans_a_lane && lane.spans.length < before) {
        before = lane.spans.length
        this.#shrink(lane)
      }
    }
  }
}

interface RunLanes {
  lanes: Map<string, RunLane>
  /** Spans in progress, by id. */
  open: Map<SpanKind, Map<string, RunSpan>>
}

const laneKey = (kind: SpanKind, agent = '') => `${kind} ${agent}`

/** If the same id starts again before it ended, the end belongs to the last start. */
function trackOpen({ open }: RunLanes, kind: SpanKind, span: RunSpan): void {
  if (span.to !== null || span.id === undefined) return
  const ofKind = open.get(kind)
  if (ofKind) ofKind.set(span.id, span)
  else open.set(kind, new Map([[span.id, span]]))
}

/** Joins the closer half of all neighbours, so that visible gaps remain. */
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

/** Null if one of them is in progress. */
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
