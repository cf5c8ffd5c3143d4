/** A node as the graph and the list show it: plain values, and the same object until something changes. */
import type { BuildView, NodeStatus, NodeView, RouteView } from '../../../../src/build/view.ts'
import type { Tone } from '../../ui/chip.tsx'
import { joinNames } from '../../ui/format.ts'
import { ownTests } from './criteria.ts'
import { nodeTones, stateLabel, testLabel } from './labels.ts'
import { type Progress, progressOf, steps } from './node-progress.ts'
import { keyOf, parentKey } from './tree.ts'

export interface NodeCard {
  key: string
  id: string
  parent: string | null
  /** `planned`: not started; `halted`: unfinished when the build ended. */
  state: NodeStatus | 'halted' | 'planned'
  tone: Tone
  words: string
  progress: Progress
  tests: { words: string; passed: number; failed: number; tone: 'ok' | 'bad' | 'live' } | null
  agent: string | null
  usd: number | null
  tokens: number
  /** Null: not started. */
  started: string | null
  /** Null: still running. */
  finished: string | null
  /** Keys of siblings whose merge it waits for. */
  dependsOn: string[]
}

export function cardsOf(view: BuildView, before: readonly NodeCard[] = []): NodeCard[] {
  const known = new Map(before.map((card) => [card.key, card]))
  const routes = Map.groupBy(view.routes, ({ path }) => keyOf(path))
  const over = view.status === 'stopped' || view.status === 'failed' || view.status === 'done'
  const begun = view.nodes.map((node) => cardOf(view, node, routes.get(keyOf(node.path)) ?? [], over))
  return [...begun, ...plannedCards(view, begun)].map((card) => {
    const earlier = known.get(card.key)
    return earlier && JSON.stringify(earlier) === JSON.stringify(card) ? earlier : card
  })
}

function cardOf(view: BuildView, node: NodeView, routes: readonly RouteView[], over: boolean): NodeCard {
  const settled = node.state === 'merged' || node.state === 'failed'
  const progress = progressOf(node, routes, view.strategy)
  // Merged, but not yet checked by its parent.
  const isJudged = node.state === 'checking' && progress.segments.every(({ state }) => state === 'done')
  const state = over && !settled && node.state !== 'question' ? 'halted' : node.state
  return {
    key: keyOf(node.path),
    id: node.id,
    parent: parentKey(node.path),
    state,
    tone: nodeTones[state],
    words: isJudged ? 'merged; its parent is checking it' : stateLabel(node, view.attempts, over),
    progress,
    tests: testsOf(node),
    agent: settled || node.state === 'waiting' ? null : (node.agent ?? null),
    usd: node.cost.usd,
    tokens: node.cost.tokens,
    started: node.started,
    finished: node.finished ?? (over ? lastSign(node) : null),
    dependsOn: node.depends_on.map((id) => keyOf([...node.path.slice(0, -1), id])),
  }
}

/** Planned parts that have not started. */
function plannedCards(view: BuildView, begun: readonly NodeCard[]): NodeCard[] {
  const known = new Set(begun.map(({ key }) => key))
  return view.nodes.flatMap((node) =>
    node.parts.flatMap(({ id, depends_on }): NodeCard[] => {
      const path = [...node.path, id]
      if (known.has(keyOf(path)) || node.state === 'merged' || node.state === 'failed') return []
      return [
        {
          key: keyOf(path),
          id,
          parent: keyOf(node.path),
          state: 'planned',
          tone: 'plain',
          words: depends_on.length > 0 ? `after ${joinNames(depends_on)}` : 'not started',
          progress: { segments: steps.map((place) => ({ place, state: 'todo' })), travel: null },
          tests: null,
          agent: null,
          usd: 0,
          tokens: 0,
          started: null,
          finished: null,
          dependsOn: depends_on.map((other) => keyOf([...node.path, other])),
        },
      ]
    }),
  )
}

function testsOf(node: NodeView): NodeCard['tests'] {
  const own = ownTests(node)
  if (!own) return null
  const { passed, failed, beforeCode, unnamed } = own
  const tone = beforeCode ? 'live' : failed === 0 ? 'ok' : 'bad'
  return { words: testLabel({ parsed: !unnamed, passed, failed }, beforeCode), passed, failed, tone }
}

/** The time of its last activity. */
function lastSign(node: NodeView): string {
  const signs = [
    node.started,
    node.asks.at(-1)?.started,
    node.evidence.at(-1)?.ts,
    node.notes.at(-1)?.ts,
    node.reviews.at(-1)?.ts,
  ]
  return signs
    .filter((sign) => sign !== undefined)
    .sort()
    .at(-1)!
}
