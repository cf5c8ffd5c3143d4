/** Dependencies between issues and the parts of split ones, as graph edges and as Mermaid. Pure. */
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

/** At most `most` cards, unfinished ones first, in their original order. */
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
