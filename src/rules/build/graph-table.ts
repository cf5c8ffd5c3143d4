/** The build graph as a table: for each place and exit, who runs next. SPEC.md § GR. */

export const graphNodes = ['scaffold', 'tdd', 'impl', 'merger', 'rebaser'] as const
export type GraphNode = (typeof graphNodes)[number]

export const tddModes = ['write-tests', 'review'] as const
export type TddMode = (typeof tddModes)[number]

/** A node and, for tdd, its mode; it determines the allowed exits. */
export type GraphPlace = 'scaffold' | 'tdd:write-tests' | 'tdd:review' | 'impl' | 'merger' | 'rebaser'

/** Who runs next. `children` are graphs below this one, `parent` is the node above. */
export interface Target {
  readonly node: GraphNode | 'children' | 'parent'
  readonly mode?: TddMode
}

export type GraphAction = 'spawn' | 'escalate' | 'broadcast' | 'route'

/** What the orchestrator counts over a node's life, so that every loop ends (GR4). */
export type Counter = 'reviews' | 'scaffolds' | 'merges' | 'rebases'

interface Edge {
  readonly next: readonly Target[]
  readonly action: GraphAction
  /** The counter that this exit increments, for back edges. */
  readonly counter?: Counter
}

const writeTests: Target = { node: 'tdd', mode: 'write-tests' }
const review: Target = { node: 'tdd', mode: 'review' }

export const graphTable = {
  scaffold: {
    InitWork: { next: [{ node: 'children' }, writeTests, { node: 'impl' }], action: 'spawn' },
    ClarificationNeeded: { next: [], action: 'escalate' },
  },
  'tdd:write-tests': {
    TestsReady: { next: [{ node: 'impl' }], action: 'route' },
    InvalidScaffold: { next: [{ node: 'scaffold' }], action: 'route', counter: 'scaffolds' },
  },
  'tdd:review': {
    Approved: { next: [{ node: 'merger' }], action: 'route' },
    MoreTests: { next: [writeTests], action: 'route', counter: 'reviews' },
    Reject: { next: [], action: 'escalate' },
  },
  impl: {
    TestsPassed: { next: [review], action: 'route' },
    RequestRetry: { next: [{ node: 'impl' }], action: 'route' },
    BlockedDependency: { next: [{ node: 'scaffold' }], action: 'route', counter: 'scaffolds' },
    SpecAmbiguity: { next: [{ node: 'scaffold' }], action: 'route', counter: 'scaffolds' },
    Stuck: { next: [], action: 'escalate' },
  },
  merger: {
    MergeComplete: { next: [{ node: 'parent' }, { node: 'rebaser' }], action: 'broadcast' },
    MergeRejected: { next: [{ node: 'impl' }], action: 'route', counter: 'merges' },
  },
  rebaser: {
    RebaseClean: { next: [writeTests], action: 'route' },
    RebaseAdapted: { next: [writeTests], action: 'route' },
    RebaseConflict: { next: [{ node: 'scaffold' }], action: 'route', counter: 'rebases' },
  },
} as const satisfies Record<GraphPlace, Record<string, Edge>>

export type ExitsAt<At extends GraphPlace> = keyof (typeof graphTable)[At]
export type ExitName = { [At in GraphPlace]: ExitsAt<At> }[GraphPlace]

export const graphPlaces = Object.keys(graphTable) as GraphPlace[]

/** The exits of a place, in table order. */
export function exitsAt<At extends GraphPlace>(place: At): ExitsAt<At>[] {
  return Object.keys(graphTable[place]) as ExitsAt<At>[]
}

/** The edge of an exit, or undefined if the place has no such exit. */
export function edgeAt(place: GraphPlace, exit: string): Edge | undefined {
  const edges: Record<string, Edge> = graphTable[place]
  return Object.hasOwn(edges, exit) ? edges[exit] : undefined
}

/** The place of a node and mode; undefined for a tdd without a mode, or another node with one. */
export function graphPlace(node: GraphNode, mode: TddMode | undefined): GraphPlace | undefined {
  if (node === 'tdd') return mode && `tdd:${mode}`
  return mode === undefined ? node : undefined
}

/** `tdd (review)`, for a person. */
export function placeName(place: GraphPlace): string {
  const [node, mode] = place.split(':')
  return mode ? `${node} (${mode})` : place
}
