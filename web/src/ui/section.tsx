/** A titled section. */
import type { ReactNode } from 'react'

export function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="mt-4.5">
      <h3 className="caption mb-1.5">{title}</h3>
      {children}
    </section>
  )
}
