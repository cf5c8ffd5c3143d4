/** The five places every node goes through, and how far one has come: read off the exits that travelled. */
import type { BuildView, NodeView, RouteView } from '../../../../src/build/view.ts'

export const places = ['scaffold', 'tests', 'code', 'review', 'merge'] as const
export type PlaceName = (typeof places)[number]

export type SegmentState = 'todo' | 'done' | 'here' | 'failed'

export interface Segment {
  place: PlaceName
  state: SegmentState
}

export interface Rail {
  segments: Segment[]
  /** The last exit, for who wants to see it travel. `to` is null where it left this node. */
  travel: { seq: number; exit: string; from: PlaceName; to: PlaceName | null } | null
}

const placeOfRoute: Record<string, PlaceName> = {
  scaffold: 'scaffold',
  'tdd:write-tests': 'tests',
  impl: 'code',
  'tdd:review': 'review',
  merger: 'merge',
}

const placeOfAsk: Record<string, PlaceName> = {
  scaffold: 'scaffold',
  'write-tests': 'tests',
  implement: 'code',
  'review-impl': 'review',
  merge: 'merge',
}

/** One agent alone has no scaffold, no test author and no reviewer of its own. */
const placesAlone: readonly PlaceName[] = ['code', 'merge']

export function railOf(node: NodeView, routes: readonly RouteView[], strategy: BuildView['strategy']): Rail {
  const shown = strategy === 'solo' ? placesAlone : places
  const here = node.state === 'idle' ? null : currentPlace(node, routes)
  const at = here === null ? -1 : here === 'beyond' ? shown.length : shown.indexOf(here)
  const segments = shown.map((place, index) => ({ place, state: segmentState(node, index, at) }))
  return { segments, travel: lastTravel(routes) }
}

function segmentState(node: NodeView, index: number, at: number): SegmentState {
  if (node.state === 'merged' || index < at) return 'done'
  if (index > at) return 'todo'
  return node.state === 'failed' ? 'failed' : 'here'
}

/** Where the last exit led, or the last question was put, whichever came later. */
function currentPlace(node: NodeView, routes: readonly RouteView[]): PlaceName | 'beyond' | null {
  let place: PlaceName | 'beyond' | null = null
  for (const route of routes) {
    const from = placeOfRoute[route.from]
    if (route.exit === 'MergeComplete') place = 'beyond'
    else if (route.exit === 'RebaseConflict') place = 'scaffold'
    else if (route.action === 'escalate') place = from ?? place
    else if (from) place = nextPlace(route) ?? place
  }
  const last = node.asks.findLast(({ kind }) => kind in placeOfAsk)
  const routed = routes.at(-1)?.ts ?? ''
  return last && last.started >= routed ? placeOfAsk[last.kind]! : place
}

function nextPlace(route: RouteView): PlaceName | null {
  const found = route.to.find((target) => target in placeOfRoute)
  return found === undefined ? null : placeOfRoute[found]!
}

function lastTravel(routes: readonly RouteView[]): Rail['travel'] {
  const route = routes.findLast(({ from }) => from in placeOfRoute)
  if (!route) return null
  const { seq, exit } = route
  return { seq, exit, from: placeOfRoute[route.from]!, to: nextPlace(route) }
}
