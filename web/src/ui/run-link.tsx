/** A link from a page to its run. */
import { Link } from 'wouter'
import { runAddress } from '../data/addresses/run.ts'
import { Icon } from './icons.tsx'

export function RunLink({ run }: { run: string }) {
  const label = 'Inspect the run'
  return (
    <Link
      href={runAddress(run)}
      aria-label={label}
      title={`${label}: timeline, events, decisions, charts`}
      className="inline-grid size-7 shrink-0 place-items-center rounded-md text-ink-3 transition-colors hover:bg-hover hover:text-ink"
    >
      <Icon name="runs" />
    </Link>
  )
}
