/** Elapsed time, ticking while it runs. */
import { useEffect, useState } from 'react'
import type { WorkStatus } from '../../../src/kernel/run-events.ts'
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

/** The time of work in a list. Work that was stopped or that failed halfway has no end to measure to: its clock would run on. */
export function ElapsedOfLine({ line }: { line: { status: WorkStatus; started?: string; finished?: string } }) {
  const { status, started, finished } = line
  if (!started) return null
  if (!finished && status !== 'running' && status !== 'waiting') return null
  return <Elapsed since={started} until={finished} />
}
