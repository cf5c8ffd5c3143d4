/** The side panel: decisions so far, open points and cost. */
import type { PlanView } from '../../../src/plan/view.ts'
import type { Budget } from '../../../src/rules/budget/budget.ts'
import { CostTable } from '../ui/cost-table.tsx'
import { Section } from '../ui/section.tsx'
import { Concerns, DecisionRegister } from './phase/decisions.tsx'
import { phaseTitle } from './view/labels.ts'
import { spentOf } from './view/spent.ts'

export function PlanAside({ view, budget }: { view: PlanView; budget: Budget }) {
  return (
    <aside
      aria-label="Decisions, risks and cost"
      className="w-[336px] shrink-0 overflow-y-auto border-l border-line bg-panel p-4"
    >
      <h2 className="mb-2 text-[13px] font-semibold">Decisions so far</h2>
      <DecisionRegister view={view} />
      <Concerns view={view} />
      <Spent view={view} budget={budget} />
    </aside>
  )
}

export function Spent({ view, budget }: { view: PlanView; budget: Budget }) {
  const lines = spentOf(view, budget)
  const phases = view.phases.filter(({ cost }) => cost.asks > 0)
  return (
    <Section title="Cost so far">
      <table className="w-full text-small" data-testid="spent">
        <thead className="text-right text-tiny text-ink-3">
          <tr>
            <th className="text-left font-normal">
              <span className="sr-only">what</span>
            </th>
            <th className="font-normal">so far</th>
            <th className="font-normal">budget</th>
            <th className="font-normal">expected</th>
          </tr>
        </thead>
        <tbody>
          {lines.map(({ name, spent, limit, expected, share }) => (
            <tr key={name}>
              <th scope="row" className="py-0.5 text-left font-normal text-ink-2">
                {name}
              </th>
              <td className={`numbers text-right ${share !== null && share >= 0.8 ? 'font-medium text-warn' : ''}`}>
                {spent}
              </td>
              <td className="numbers text-right text-ink-2">{limit ?? 'none'}</td>
              <td className="numbers text-right text-ink-3">{expected === null ? '–' : `~${expected}`}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {phases.length > 0 ? (
        <CostTable
          of="phase"
          lines={phases.map(({ id, cost }) => ({ key: id, name: phaseTitle(id), cost }))}
          className="mt-2 border-t border-line"
        />
      ) : null}
    </Section>
  )
}
