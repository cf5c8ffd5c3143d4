/** Names and values, one line each. */
import type { ReactNode } from 'react'

export function Facts({ children }: { children: ReactNode }) {
  return <dl className="space-y-1 text-small">{children}</dl>
}

export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex items-baseline gap-3">
      <dt className="w-24 shrink-0 text-ink-3">{name}</dt>
      <dd className="min-w-0 flex-1 wrap-anywhere">{children}</dd>
    </div>
  )
}
