/** Tells on every page that work has stopped because nothing can be written: no event reports it, so pages still call it running. */
import { useEffect, useState } from 'react'
import { Link } from 'wouter'
import { runAddress } from '../data/addresses/run.ts'
import { type ListedRun, listUnrecorded } from '../data/calls/runs.ts'
import { plural } from '../ui/format.ts'

const everyMs = 5000

export function UnrecordedBanner() {
  const [first, ...others] = useUnrecorded()
  if (!first) return null
  return (
    <p
      role="alert"
      data-testid="unrecorded-banner"
      className="bg-bad-soft px-3.5 py-1.5 text-small text-bad wrap-anywhere md:px-5"
    >
      <b className="font-semibold">
        {others.length === 0 ? 'A run has' : `${plural(others.length + 1, 'run')} have`} stopped because nothing can be
        recorded:
      </b>{' '}
      {first.reason}{' '}
      <Link href={runAddress(first.id)} className="underline underline-offset-2">
        Show the run
      </Link>
    </p>
  )
}

/** Empty while the server does not answer: the page says that it is gone. */
function useUnrecorded(): ListedRun[] {
  const [runs, setRuns] = useState<ListedRun[]>([])
  useEffect(() => {
    const look = () => {
      if (document.visibilityState === 'visible')
        void listUnrecorded().then(
          (found) => setRuns((before) => (before.length + found.length === 0 ? before : found)),
          () => setRuns((before) => (before.length === 0 ? before : [])),
        )
    }
    look()
    const timer = setInterval(look, everyMs)
    return () => clearInterval(timer)
  }, [])
  return runs
}
