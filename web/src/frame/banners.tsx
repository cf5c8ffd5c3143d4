/** Banners for every page: rehearsal agents, a person who can only read, and a lost connection. */
import { useEffect, useState } from 'react'
import { Link } from 'wouter'
import { useMe } from '../data/calls/use-me.ts'
import { live } from '../data/feed/live.ts'
import { useWatched } from '../data/watched.ts'
import { joinNames } from '../ui/format.ts'

export function RehearsalBanner() {
  const agents = useWatched(live.agents) ?? []
  const rehearsing = agents.filter((agent) => agent.rehearsal).map((agent) => agent.name)
  if (rehearsing.length === 0) return null
  return (
    <section
      aria-label="Rehearsal"
      data-testid="rehearsal-banner"
      className="bg-warn-soft px-3.5 py-1.5 text-small text-warn md:px-5"
    >
      <b className="font-semibold">Rehearsal.</b> {joinNames(rehearsing)}{' '}
      {rehearsing.length > 1 ? 'play a script' : 'plays a script'}; no model is called.{' '}
      <span className="max-[759px]:hidden">
        For real answers: <code className="numbers">export ANTHROPIC_API_KEY=…</code>, then{' '}
        <code className="numbers">convene init</code>, then restart.{' '}
      </span>
      <Link href="/settings" className="underline underline-offset-2">
        How to connect agents
      </Link>
    </section>
  )
}

/** Buttons that a viewer may not use answer with the same words. */
export function ViewerBanner() {
  const me = useMe()
  if (me?.role !== 'viewer') return null
  return (
    <section
      aria-label="Your role"
      data-testid="viewer-banner"
      className="bg-sunken px-3.5 py-1.5 text-small text-ink-2 md:px-5"
    >
      <b className="font-semibold">You are a viewer.</b> You can read here and change nothing. An owner can make you a
      member.
    </section>
  )
}

/** Shorter interruptions are not shown. */
const patienceMs = 700

export function ConnectionBanner() {
  const connection = useWatched(live.feed.connection)
  const [late, setLate] = useState(false)
  useEffect(() => {
    setLate(false)
    if (connection !== 'lost') return
    const timer = setTimeout(() => setLate(true), patienceMs)
    return () => clearTimeout(timer)
  }, [connection])
  return (
    <div role="status" aria-live="polite">
      {connection === 'lost' && late ? (
        <p data-testid="connection-banner" className="bg-bad-soft px-3.5 py-1.5 md:px-5 text-small text-bad">
          <b className="font-semibold">Connection lost; reconnecting…</b> Nothing is lost: this page catches up when the
          server is back.
        </p>
      ) : null}
    </div>
  )
}
