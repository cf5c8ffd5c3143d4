/** The rows and bars of the timeline: each run, and a lane for each agent and kind of work. Pure. */
import type { RunOverview } from '../../../../src/runs/overview.ts'
import type { RunLane, RunSpan, SpanKind } from '../../../../src/runs/overview-lanes.ts'
import type { RunLine } from '../../../../src/runs/overview-lines.ts'
import { flatten, type TreeNode, treeOf } from '../view/run-tree.ts'
import type { TimeSpan } from '../view/time-window.ts'

export type TimelineRow =
  | {
      kind: 'run'
      key: string
      line: RunLine
      depth: number
      open: boolean
      /** Whether there is anything below it to open. */
      folds: boolean
      /** Everything below it, while it is closed. */
      within: RunSpan[]
      height: number
    }
  | { kind: 'lane'; key: string; lane: RunLane; depth: number; tracks: RunSpan[][]; height: number }

export const trackHeight = 18
const runHeight = 30
/** Where names stand above the bars, an open run needs only room for its length. */
const thinRunHeight = 12
const lanePadding = 6
/** Where more goes on at once in one lane, the rest is drawn over the last track. */
const mostTracks = 5

const laneOrder: readonly SpanKind[] = ['phase', 'ask', 'command', 'change', 'issue', 'question']

export function rowsOf(
  view: RunOverview,
  isOpen: (run: string) => boolean,
  now: number,
  namesAbove = false,
): TimelineRow[] {
  const lanes = lanesByRun(view)
  const rows: TimelineRow[] = []
  const add = (node: TreeNode<RunLine>) => {
    const { id } = node.run
    const own = lanes.get(id) ?? []
    const open = isOpen(id)
    const folds = own.length > 0 || node.children.length > 0
    const closed = open
      ? []
      : flatten([node]).flatMap(({ run }) => (lanes.get(run.id) ?? []).flatMap(({ spans }) => spans))
    rows.push({
      kind: 'run',
      key: id,
      line: node.run,
      depth: node.depth,
      open,
      folds,
      within: closed.toSorted((one, other) => one.from - other.from),
      height: namesAbove && open ? thinRunHeight : runHeight,
    })
    if (!open) return
    for (const lane of own) {
      const tracks = tracksOf(lane.spans, now)
      const key = `${id} ${lane.kind} ${lane.agent ?? ''}`
      rows.push({
        kind: 'lane',
        key,
        lane,
        depth: node.depth,
        tracks,
        height: tracks.length * trackHeight + lanePadding,
      })
    }
    for (const child of node.children) add(child)
  }
  for (const node of treeOf(view.runs)) add(node)
  return rows
}

/** Opens everything if there are few runs, otherwise only the top levels. */
const mostOpenLanes = 60

export function isOpenAtFirst(view: RunOverview): (run: string) => boolean {
  if (view.lanes.length + view.runs.length <= mostOpenLanes) return () => true
  const depths = new Map(flatten(treeOf(view.runs)).map(({ run, depth }) => [run.id, depth]))
  return (run) => (depths.get(run) ?? 0) < 2
}

function lanesByRun(view: RunOverview): Map<string, RunLane[]> {
  const lanes = new Map<string, RunLane[]>()
  for (const lane of view.lanes) lanes.set(lane.run, [...(lanes.get(lane.run) ?? []), lane])
  for (const [run, own] of lanes)
    lanes.set(
      run,
      own.toSorted((one, other) => laneOrder.indexOf(one.kind) - laneOrder.indexOf(other.kind)),
    )
  return lanes
}

/** What goes on at the same time stands below each other. */
export function tracksOf(spans: readonly RunSpan[], now: number): RunSpan[][] {
  const tracks: RunSpan[][] = []
  for (const span of spans.toSorted((one, other) => one.from - other.from)) {
    const free = tracks.find((track) => endOf(track.at(-1)!, now) <= span.from)
    if (free) free.push(span)
    else if (tracks.length < mostTracks) tracks.push([span])
    else tracks.at(-1)!.push(span)
  }
  return tracks
}

export const endOf = ({ from, to }: RunSpan, now: number) => to ?? Math.max(from, now)

export interface Bar {
  /** The event that the first of it began with. */
  seq: number
  left: number
  width: number
  time: TimeSpan
  /** How many stand for one bar, because they could not be told apart. */
  count: number
  words: string
  tone: RunSpan['tone']
  goesOn: boolean
  /** Whether a closer look shows more than one bar. */
  divides: boolean
}

const leastWidth = 4
/** Bars of at least this width are told apart also where they touch. */
const ownWidth = 9

const tones = ['plain', 'ok', 'warn', 'bad'] as const
const worse = (one: RunSpan['tone'], other: RunSpan['tone']) =>
  tones[Math.max(tones.indexOf(one), tones.indexOf(other))]!

/**
 * Bars for spans in order of their beginning; what would be drawn on the same spot becomes one. With `together`, so does
 * all that overlaps: when anything went on at all.
 */
export function barsOf(
  spans: readonly RunSpan[],
  window: TimeSpan,
  width: number,
  now: number,
  together = false,
): Bar[] {
  const scale = width / Math.max(1, window.to - window.from)
  const bars: Bar[] = []
  for (const span of spans) {
    const to = endOf(span, now)
    if (to < window.from || span.from > window.to) continue
    const left = Math.min(width - leastWidth, Math.max(-leastWidth, (span.from - window.from) * scale))
    const right = Math.min(width, Math.max(left + leastWidth, (to - window.from) * scale))
    const last = bars.at(-1)
    const isNarrow = together || right - left < ownWidth || (last !== undefined && last.width < ownWidth)
    if (last && isNarrow && left <= last.left + last.width + 1) {
      last.width = Math.max(last.left + last.width, right) - last.left
      last.time = { from: Math.min(last.time.from, span.from), to: Math.max(last.time.to, to) }
      last.count += span.count ?? 1
      last.words = last.words === span.words ? last.words : ''
      last.tone = worse(last.tone, span.tone)
      last.goesOn ||= span.to === null
      last.divides = true
    } else
      bars.push({
        seq: span.seq,
        left,
        width: right - left,
        time: { from: span.from, to },
        count: span.count ?? 1,
        words: span.words,
        tone: span.tone,
        goesOn: span.to === null,
        divides: false,
      })
  }
  return bars
}
