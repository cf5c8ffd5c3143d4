/** The frame of every chart: a title, a summary, and the same figures as a table for screen readers. */
import { type ReactNode, useId } from 'react'

export interface ChartTable {
  columns: readonly string[]
  rows: readonly (readonly (string | number)[])[]
}

interface ChartFrameProps {
  title: string
  /** Beside the title: the figure that matters most. */
  note?: ReactNode
  table: ChartTable
  /** Shown instead of a picture while there is nothing to draw. */
  empty?: string | undefined
  testId?: string | undefined
  children: ReactNode
}

export function ChartFrame({ title, note, table, empty, testId, children }: ChartFrameProps) {
  const caption = useId()
  return (
    <figure
      aria-labelledby={caption}
      data-testid={testId}
      className="@container relative flex min-w-0 flex-col rounded-[10px] border border-line bg-panel px-3.5 py-3"
    >
      <figcaption id={caption} className="mb-2 flex flex-wrap items-baseline justify-between gap-x-3">
        <span className="text-[13px] font-semibold">{title}</span>
        {note === undefined ? null : <span className="text-small text-ink-2">{note}</span>}
      </figcaption>
      {empty === undefined ? (
        <>
          <div aria-hidden="true">{children}</div>
          <HiddenTable title={title} table={table} />
        </>
      ) : (
        <p className="my-auto py-2 text-small text-ink-3">{empty}</p>
      )}
    </figure>
  )
}

function HiddenTable({ title, table }: { title: string; table: ChartTable }) {
  return (
    <table className="sr-only">
      <caption>{title}</caption>
      <thead>
        <tr>
          {table.columns.map((name) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {table.rows.map((row, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a row is its place
          <tr key={index}>
            {row.map((cell, column) => (
              <td key={table.columns[column] ?? column}>{cell}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
