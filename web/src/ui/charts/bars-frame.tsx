/** What charts of bars have in common: their properties, and the frame with their table. */
import type { ReactNode } from 'react'
import { ChartFrame } from './chart-frame.tsx'
import type { ChartColour } from './tones.ts'

export interface Bar {
  /** Two bars never share one. */
  label: string
  value: number
  colour?: ChartColour
}

export interface BarsProps {
  title: string
  note?: ReactNode
  bars: readonly Bar[]
  /** What the labels and the values are, for the table. */
  columns?: readonly [string, string]
  formatValue?: (value: number) => string
  colour?: ChartColour
  empty?: string
  testId?: string
}

interface BarsFrameProps extends Omit<BarsProps, 'colour'> {
  columns: readonly [string, string]
  formatValue: (value: number) => string
  isEmpty: boolean
  children: ReactNode
}

export function BarsFrame({ bars, columns, formatValue, isEmpty, empty = 'No data yet.', ...frame }: BarsFrameProps) {
  const rows = bars.map(({ label, value }) => [label, formatValue(value)])
  return <ChartFrame {...frame} table={{ columns, rows }} empty={isEmpty ? empty : undefined} />
}
