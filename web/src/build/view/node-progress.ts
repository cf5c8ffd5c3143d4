/** The five steps every node takes, and how far it is, read from the exits it took. */
import type { BuildView, NodeView, RouteView } from '../../../../src/build/view.ts'

export const steps = ['scaffold', 'tests', 'code', 'review', 'merge'] as const
export type StepName = (typeof steps)[number]

export type SegmentState = 'todo' | 'done' | 'here' | 'failed'

export interface Segment {
  place: StepName
  state: SegmentState
}

export interface Progress {
  segments: Segment[]
  /** The last exit, for the animation. `to` is null if it left the node. */
  travel: { seq: number; exit: string; from: StepName; to: StepName | null } | null
}

const stepOfRoute: Record<string, StepName> = {
  scaffold: 'scaffold',
  'tdd:write-tests': 'tests',
  impl: 'code',
  'tdd:review': 'review',
  merger: 'merge',
}

const stepOfAsk: Record<string, StepName> = {
  scaffold: 'scaffold',
  'write-tests': 'tests',
  implement: 'code',
  'review-impl': 'review',
  merge: 'merge',
}

/** One agent alone writes interface, tests and code in one step; another role reviews it. */
const soloSteps: readonly StepName[] = ['code', 'review', 'merge']

export function progressOf(node: NodeView, routes: readonly RouteView[], strategy: BuildView['strategy']): Progress {
  const shown = strategy === 'solo' ? soloSteps : steps
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

/** Where the last exit led or the last ask was made, whichever is later. */
function currentPlace(node: NodeView, routes: readonly RouteView[]): StepName | 'beyond' | null {
  let place: StepName | 'beyond' | null = null
  for (const route of routes) {
    const from = stepOfRoute[route.from]
    if (route.exit === 'MergeComplete') place = 'beyond'
    else if (route.exit === 'RebaseConflict') place = 'scaffold'
    else if (route.action === 'escalate') place = from ?? place
    else if (from) place = nextPlace(route) ?? place
  }
  const last = node.asks.findLast(({ kind }) => kind in stepOfAsk)
  const routed = routes.at(-1)?.ts ?? ''
  return last && last.started >= routed ? stepOfAsk[last.kind]! : place
}

function nextPlace(route: RouteView): StepName | null {
  const found = route.to.find((target) => target in stepOfRoute)
  return found === undefined ? null : stepOfRoute[found]!
}

function lastTravel(routes: readonly RouteView[]): Progress['travel'] {
  const route = routes.findLast(({ from }) => from in stepOfRoute)
  if (!route) return null
  const { seq, exit } = route
  return { seq, exit, from: stepOfRoute[route.from]!, to: nextPlace(route) }
}
