/** Requests to models, tokens and money of the parts of some work, with an optional sum. */
import { CostNote } from './cost-note.tsx'
import { CutName } from './cut-name.tsx'
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
  const costs = [...lines, ...(total ? [total] : [])].map(({ cost }) => cost)
  // Without any price there is no column of money, only the note.
  const priced = costs.some(({ usd }) => usd !== null)
  return (
    <>
      <table className={`w-full text-small ${className}`}>
        <thead className="sr-only">
          <tr>
            <th>{of}</th>
            <th>requests</th>
            <th>tokens</th>
            {priced ? <th>money</th> : null}
          </tr>
        </thead>
        <tbody className="[&_.numbers]:text-ink-3 [&_.numbers:last-child]:text-ink">
          {lines.map(({ key, name, cost }) => (
            <tr key={key}>
              <th scope="row" className="w-full max-w-0 py-0.5 pr-2 text-left font-normal text-ink-2">
                <CutName name={name} />
              </th>
              <Figures cost={cost} priced={priced} />
            </tr>
          ))}
        </tbody>
        {total ? (
          <tfoot>
            <tr className="border-t border-line">
              <th scope="row" className="py-0.5 text-left font-medium">
                {total.name}
              </th>
              <Figures cost={total.cost} priced={priced} />
            </tr>
          </tfoot>
        ) : null}
      </table>
      <CostNote costs={costs} />
    </>
  )
}

function Figures({ cost, priced }: { cost: Cost; priced: boolean }) {
  return (
    <>
      <td className="numbers pl-2 text-right whitespace-nowrap">{count(cost.calls)}×</td>
      <td className="numbers pl-2 text-right whitespace-nowrap">{count(cost.tokens)} tok</td>
      {priced ? <td className="numbers pl-2 text-right">{cost.usd === null ? '–' : money(cost.usd)}</td> : null}
    </>
  )
}
