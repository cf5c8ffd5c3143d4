/** Whether git and GitHub say the same as this page, and when that was last seen. */
import { useEffect, useState } from 'react'
import { useWatched } from '../api/watched.ts'
import { Dot } from '../look/chip.tsx'
import { plural } from '../look/format.ts'
import { features } from './features-store.ts'
import { shipSettings } from './ship-settings-store.ts'
import { checkGit, forgeWaiting, type GitCheck, gitChecks } from './truth-store.ts'

interface Line {
  name: string
  words: string
  tone: 'ok' | 'warn' | 'plain' | 'live'
  title: string
  onClick?: () => void
}

export function Truth({ feature }: { feature: string | null }) {
  const lines = [useGitLine(feature), useForgeLine()]
  return (
    <section className="mt-5" data-testid="truth">
      <h2 className="caption mb-1 px-2">Truth</h2>
      <ul>
        {lines.map((line) => (
          <li key={line.name}>
            <TruthLine {...line} />
          </li>
        ))}
      </ul>
    </section>
  )
}

const shape = 'flex w-full items-center gap-2 rounded-[7px] px-2 py-[6px] text-left text-ink-2'

function TruthLine({ name, words, tone, title, onClick }: Line) {
  const content = (
    <>
      <Dot tone={tone} />
      <span className="shrink-0 font-medium">{name}</span>
      <span className={`ml-auto min-w-0 text-right text-tiny ${tone === 'warn' ? 'text-warn' : 'text-ink-3'}`}>
        {words}
      </span>
    </>
  )
  if (!onClick)
    return (
      <div className={shape} title={title}>
        {content}
      </div>
    )
  return (
    <button type="button" onClick={onClick} title={title} className={`${shape} hover:bg-hover`}>
      {content}
    </button>
  )
}

function useGitLine(feature: string | null): Line {
  const checks = useWatched(gitChecks)
  const { features: known } = useWatched(features)
  const now = useNow(5000)
  const names = feature === null ? (known?.map((line) => line.feature) ?? []) : [feature]
  const name = 'git'
  const onClick = () => {
    for (const one of names) void checkGit(one)
  }
  const title = 'Look at git now: what was committed, merged or reverted by hand is noticed'
  const found = names.map((one) => checks.get(one))
  if (found.some((check) => check === 'checking')) return { name, words: 'checking…', tone: 'live', title }
  const done = found.filter((check): check is GitCheck => check !== undefined && check !== 'checking')
  const problem = done.find((check) => check.problem)?.problem
  if (problem) return { name, words: 'not readable', tone: 'warn', title: problem, onClick }
  if (done.length === 0) return { name, words: names.length > 0 ? 'check now' : '–', tone: 'plain', title, onClick }
  const last = Math.max(...done.map(({ at }) => at))
  const moved = done.reduce((sum, { synced }) => sum + synced, 0)
  return {
    name,
    words: `${moved > 0 ? `moved ${moved}, ` : ''}checked ${since(now - last)}`,
    tone: 'ok',
    title,
    onClick,
  }
}

function useForgeLine(): Line {
  const settings = useWatched(shipSettings)
  const waiting = useWatched(forgeWaiting)
  const name = 'GitHub'
  if (!settings || !waiting) return { name, words: '…', tone: 'plain', title: 'Not known yet' }
  const { repo, off } = settings.forge
  if (off !== null)
    return { name, words: repo === null ? 'off' : 'off, no token', tone: repo === null ? 'plain' : 'warn', title: off }
  const own = waiting.filter((entry) => entry.repo === repo)
  if (own.length === 0) return { name, words: 'in step', tone: 'ok', title: `${repo} shows what is shown here` }
  const failure = own.find((entry) => entry.failure)?.failure
  const title = failure ? `${failure.message} (try ${failure.attempt})` : `${repo} is being told`
  return { name, words: `${plural(own.length, 'issue')} to tell`, tone: failure ? 'warn' : 'live', title }
}

function since(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1000))
  if (seconds < 5) return 'just now'
  if (seconds < 60) return `${seconds} s ago`
  const minutes = Math.round(seconds / 60)
  return minutes < 60 ? `${minutes} min ago` : `${Math.round(minutes / 60)} h ago`
}

function useNow(everyMs: number): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
  return now
}
