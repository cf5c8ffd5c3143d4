/** The cost of coordination beside the cost of the answers. */
import { count, duration, money } from '../../ui/format.ts'
import type { Message } from '../conversation/conversation-types.ts'
import { type Cost, costOf } from './cost.ts'

export function CostTable({ message }: { message: Message }) {
  const { coordination, answers } = costOf(message)
  const rows: [string, Cost][] = message.mode === 'coordinate' ? [['coordination', coordination]] : []
  rows.push([message.session ? 'turns' : 'answers', answers])
  return (
    <table data-testid="cost" className="w-full table-fixed text-small [&_td]:whitespace-nowrap">
      {/* The hidden headings are not laid out with the table: they cannot give its columns their widths. */}
      <colgroup>
        <col className="w-[27%]" />
        <col className="w-[10%]" />
        <col className="w-[27%]" />
        <col className="w-[15%]" />
        <col className="w-[21%]" />
      </colgroup>
      <thead className="sr-only">
        <tr>
          <th>what</th>
          <th>requests</th>
          <th>tokens</th>
          <th>money</th>
          <th>time</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(([name, cost]) => (
          <tr key={name}>
            <th scope="row" className="py-0.5 text-left font-normal text-ink-3">
              {name}
            </th>
            <CostCells cost={cost} />
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** The figures of a row: requests, tokens, money and time. */
export function CostCells({ cost: { calls, tokens, usd, milliseconds } }: { cost: Cost }) {
  return [`${count(calls)}×`, `${count(tokens)} tok`, money(usd), duration(milliseconds)].map((figure, column) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a cell is its column
    <td key={column} className="numbers text-right">
      {figure}
    </td>
  ))
}
