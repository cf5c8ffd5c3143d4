/** A small select. */
import type { ReactNode } from 'react'

interface ChoiceProps {
  label: string
  value: string
  onChange(value: string): void
  children: ReactNode
}

export function Choice({ label, value, onChange, children }: ChoiceProps) {
  return (
    <select
      aria-label={label}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      className="h-[30px] max-w-44 rounded-lg border border-line bg-panel px-1.5 text-small text-ink-2"
    >
      {children}
    </select>
  )
}
