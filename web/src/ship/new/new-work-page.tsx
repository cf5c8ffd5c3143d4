/** Starts a feature from a goal or from existing issues. */
import { Link } from 'wouter'
import { newAddress } from '../../data/addresses/ship.ts'
import { GreenlightForm } from './greenlight-form.tsx'
import { ShipGoalForm } from './ship-goal-form.tsx'

const kinds = [
  { kind: 'goal', label: 'A goal' },
  { kind: 'issues', label: 'Issues I have' },
] as const

export function NewWorkPage({ kind: chosen }: { kind: 'goal' | 'issues' }) {
  return (
    <main className="min-h-0 flex-1 overflow-auto">
      <div className="mx-auto max-w-[820px] px-4 py-5 md:px-6">
        <h1 className="text-large font-semibold">Ship</h1>
        <nav aria-label="Ship from" className="mt-2 mb-4 flex gap-0.5">
          {kinds.map(({ kind, label }) => (
            <Link
              key={kind}
              href={newAddress(kind)}
              aria-current={kind === chosen ? 'page' : undefined}
              className="rounded-md px-2.5 py-1 text-small text-ink-2 hover:bg-hover aria-[current=page]:bg-sunken aria-[current=page]:font-medium aria-[current=page]:text-ink"
            >
              {label}
            </Link>
          ))}
        </nav>
        {chosen === 'goal' ? <ShipGoalForm /> : <GreenlightForm />}
      </div>
    </main>
  )
}
