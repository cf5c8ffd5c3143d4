/** Shown while something loads, or when it could not be loaded. */
import type { Loaded } from '../data/use-loaded.ts'

export function LoadingText({ loaded }: { loaded: Exclude<Loaded<unknown>, { state: 'ready' }> }) {
  if (loaded.state === 'loading')
    return (
      <p role="status" className="pulse text-small text-ink-3">
        Loading…
      </p>
    )
  return (
    <p role="alert" className="text-small text-bad">
      {loaded.problem}{' '}
      <button type="button" onClick={loaded.retry} className="underline underline-offset-2">
        Try again
      </button>
    </p>
  )
}
