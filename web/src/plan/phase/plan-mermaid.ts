/** A plan's phases as Mermaid: their order, and where the plan was sent back. Pure. */
import type { PlanView } from '../../../../src/plan/view.ts'
import type { MermaidGraph } from '../../ui/graph/mermaid.ts'
import { cardsOf } from '../view/phase-card.ts'

export function planMermaid(view: PlanView, over: boolean): MermaidGraph {
  const cards = cardsOf(view, over).filter(({ state }) => state !== 'left-out')
  const taken = new Set<string>(cards.map(({ id }) => id))
  const steps = view.steps.map((step) => step.filter((id) => taken.has(id))).filter((step) => step.length > 0)
  return {
    direction: 'LR',
    nodes: cards.map(({ id, title, words, tone }) => ({ id, label: `${id} ${title}\n${words}`, tone })),
    edges: [
      ...steps.slice(1).flatMap((step, index) => steps[index]!.flatMap((from) => step.map((to) => ({ from, to })))),
      ...view.returns.map(({ from, to }) => ({ from, to, label: 'sent back', dotted: true })),
    ],
  }
}
