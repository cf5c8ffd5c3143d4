/** Requests to models, tokens and money of the parts of some work, with an optional sum. */
import { count, money } from './format.ts'

interface Cost {
  calls: number
  tokens: number
  usd: number | null
}

interface CostTableProps {
  /** What a line is, for screen readers. */
  of: string
  lines: readonly { key: string; name: string; cost: Cost }[]
  total?: { name: string; cost: Cost }
  className?: string
}

export function CostTable({ of, lines, total, className = '' }: CostTableProps) {
  return (
    <table className={`w-full text-small ${className}`}>
      <thead className="sr-only">
        <tr>
          <th>{of}</th>
          <th>requests</th>
          <th>tokens</th>
          <th>money</th>
        </tr>
      </thead>
      <tbody className="[&_.numbers]:text-ink-3 [&_.numbers:last-child]:text-ink">
        {lines.map(({ key, name, cost }) => (
          <tr key={key}>
            <th scope="row" className="max-w-28 truncate py-0.5 pr-2 text-left font-normal text-ink-2">
              {name}
            </th>
            <Figures cost={cost} />
          </tr>
        ))}
      </tbody>
      {total ? (
        <tfoot>
          <tr className="border-t border-line">
            <th scope="row" className="py-0.5 text-left font-medium">
              {total.name}
            </th>
            <Figures cost={total.cost} />
          </tr>
        </tfoot>
      ) : null}
    </table>
  )
}

function Figures({ cost }: { cost: Cost }) {
  return (
    <>
      <td className="numbers text-right whitespace-nowrap">{count(cost.calls)}×</td>
      <td className="numbers text-right whitespace-nowrap">{count(cost.tokens)} tok</td>
      <td className="numbers text-right">{money(cost.usd)}</td>
    </>
  )
}
