/** Elapsed time, ticking while it runs. */
import { useEffect, useState } from 'react'
import { duration } from './format.ts'

export function Elapsed({ since, until }: { since: string; until: string | null | undefined }) {
  const [now, setNow] = useState(Date.now)
  const lasts = !until
  useEffect(() => {
    if (!lasts) return
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [lasts])
  const end = until ? Date.parse(until) : now
  const took = Math.max(0, end - Date.parse(since))
  return <span className="numbers">{duration(lasts ? Math.floor(took / 1000) * 1000 : took)}</span>
}
