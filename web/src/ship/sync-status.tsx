/** Whether git and GitHub agree with this page, and when that was last checked. */
import { useEffect, useState } from 'react'
import { useList } from '../data/feed/followed-list.ts'
import { useWatched } from '../data/watched.ts'
import { Dot } from '../ui/chip.tsx'
import { features } from './view/features-store.ts'
import { shipSettings } from './view/ship-settings-store.ts'
import { forgeLabel, gitLabel, type SyncLabel } from './view/sync-labels.ts'
import { checkGit, forgeWaiting, gitChecks } from './view/sync-store.ts'

interface Line extends SyncLabel {
  name: string
  onClick?: () => void
}

export function SyncStatus({ feature }: { feature: string | null }) {
  const lines = [useGitLine(feature), useForgeLine()]
  return (
    <section className="mt-5" data-testid="sync-status">
      <h2 className="caption mb-1 px-2">In sync</h2>
      <ul>
        {lines.map((line) => (
          <li key={line.name}>
            <SyncLine {...line} />
          </li>
        ))}
      </ul>
    </section>
  )
}

const shape = 'flex w-full items-center gap-2 rounded-[7px] px-2 py-[6px] text-left text-ink-2'

function SyncLine({ name, words, tone, title, onClick }: Line) {
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
        <span className="sr-only">{title}</span>
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
  const { lines: known } = useList(features)
  const now = useNow(5000)
  const names = feature === null ? (known?.map((line) => line.feature) ?? []) : [feature]
  const check = () => {
    for (const one of names) void checkGit(one)
  }
  const found = names.map((one) => checks.get(one))
  return { name: 'git', ...gitLabel(found, now), onClick: check }
}

function useForgeLine(): Line {
  const settings = useWatched(shipSettings)
  const waiting = useWatched(forgeWaiting)
  if (!settings || !waiting) return { name: 'GitHub', words: '…', tone: 'plain', title: 'Not known yet' }
  return { name: 'GitHub', ...forgeLabel(settings.forge, waiting) }
}

function useNow(everyMs: number): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
  return now
}
