/** What holds issues together: who needs whom, and which are parts of one. As lines of a graph, and as Mermaid. Pure. */
import type { MermaidGraph } from '../../ui/graph/mermaid.ts'
import { type IssueCard, stateLabel } from '../view/issue-card.ts'

export interface IssueEdge {
  id: string
  from: number
  to: number
  kind: 'needs' | 'part'
  /** What it comes from is done. */
  met: boolean
}

export function issueEdges(cards: readonly IssueCard[]): IssueEdge[] {
  const states = new Map(cards.map(({ number, state }) => [number, state]))
  return cards.flatMap(({ number, dependsOn, partOf }): IssueEdge[] => [
    ...dependsOn
      .filter((one) => states.has(one))
      .map(
        (one): IssueEdge => ({
          id: `${one} before ${number}`,
          from: one,
          to: number,
          kind: 'needs',
          met: states.get(one) === 'DONE',
        }),
      ),
    ...(partOf !== null && states.has(partOf)
      ? [{ id: `${number} of ${partOf}`, from: partOf, to: number, kind: 'part' as const, met: false }]
      : []),
  ])
}

/** Of very many those that matter now: what is not done first, by number. In their own order. */
export function mostRelevant(cards: readonly IssueCard[], most: number): readonly IssueCard[] {
  if (cards.length <= most) return cards
  const open = cards.filter(({ state }) => state !== 'DONE')
  const kept = new Set([...open, ...cards.filter(({ state }) => state === 'DONE').toReversed()].slice(0, most))
  return cards.filter((card) => kept.has(card))
}

export function issueMermaid(cards: readonly IssueCard[]): MermaidGraph {
  return {
    nodes: cards.map(({ number, title, state, tone }) => ({
      id: String(number),
      label: `#${number} ${title}\n${stateLabel[state].word}`,
      tone,
    })),
    edges: issueEdges(cards).map(({ from, to, kind }) => ({
      from: String(from),
      to: String(to),
      ...(kind === 'part' ? { dotted: true, label: 'part' } : {}),
    })),
  }
}
