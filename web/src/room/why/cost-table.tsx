/** The cost of coordination beside the cost of the answers. */
import { CostNote } from '../../ui/cost-note.tsx'
import { count, duration, money } from '../../ui/format.ts'
import type { Message } from '../conversation/conversation-types.ts'
import { type Cost, costOf } from './cost.ts'

export function CostTable({ message }: { message: Message }) {
  const { coordination, answers } = costOf(message)
  const rows: [string, Cost][] = message.mode === 'coordinate' ? [['coordination', coordination]] : []
  rows.push([message.session ? 'turns' : 'answers', answers])
  const priced = rows.every(([, { usd }]) => usd !== null)
  return (
    <>
      <table data-testid="cost" className="w-full text-small">
        <thead className="sr-only">
          <tr>
            <th>what</th>
            <th>requests</th>
            <th>tokens</th>
            {priced ? <th>money</th> : null}
            <th>time</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, cost]) => (
            <tr key={name}>
              <th scope="row" className="py-0.5 text-left font-normal text-ink-3">
                {name}
              </th>
              <CostCells cost={cost} priced={priced} />
            </tr>
          ))}
        </tbody>
      </table>
      <CostNote costs={rows.map(([, cost]) => cost)} />
    </>
  )
}

interface CostCellsProps {
  cost: Cost
  /** Whether there is a column of money. */
  priced: boolean
}

/** The figures of a row: requests, tokens, money and time. */
export function CostCells({ cost: { calls, tokens, usd, milliseconds }, priced }: CostCellsProps) {
  const price = priced ? [usd === null ? '–' : money(usd)] : []
  return [`${count(calls)}×`, `${count(tokens)} tok`, ...price, duration(milliseconds)].map((figure, column) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a cell is its column
    <td key={column} className="numbers pl-2 text-right whitespace-nowrap">
      {figure}
    </td>
  ))
}
