/** Labels for the sync status. Pure. */
import type { OutboxEntry } from '../../../../src/forge/outbox-view.ts'
import type { ShipSettings } from '../../../../src/ship/ship-settings.ts'
import { plural } from '../../ui/format.ts'

export interface SyncLabel {
  words: string
  tone: 'ok' | 'warn' | 'plain' | 'live'
  /** The whole of it. */
  title: string
}

export interface GitCheck {
  at: number
  /** How many issues git moved. */
  synced: number
  problem?: string
}

const howTo = 'Check git now for commits, merges and reverts made by hand'

/** `checks`: the latest check of each feature shown; undefined before the first. */
export function gitLabel(checks: readonly (GitCheck | 'checking' | undefined)[], now: number): SyncLabel {
  if (checks.some((check) => check === 'checking')) return { words: 'checking…', tone: 'live', title: howTo }
  const done = checks.filter((check): check is GitCheck => check !== undefined && check !== 'checking')
  const problem = done.find((check) => check.problem)?.problem
  if (problem) return { words: 'not readable', tone: 'warn', title: problem }
  if (done.length === 0)
    return { words: checks.length > 0 ? 'check now' : 'nothing to check', tone: 'plain', title: howTo }
  const last = Math.max(...done.map(({ at }) => at))
  const moved = done.reduce((sum, { synced }) => sum + synced, 0)
  const words = `${moved > 0 ? `${moved} moved, ` : ''}checked ${since(now - last)}`
  return { words, tone: 'ok', title: howTo }
}

export function forgeLabel({ repo, off }: ShipSettings['forge'], waiting: readonly OutboxEntry[]): SyncLabel {
  if (off !== null) {
    // No repository configured is a choice; one without a token is a mistake.
    return repo === null ? { words: 'off', tone: 'plain', title: off } : { words: 'off', tone: 'warn', title: off }
  }
  const own = waiting.filter((entry) => entry.repo === repo)
  if (own.length === 0) return { words: 'in sync', tone: 'ok', title: `${repo} matches this page` }
  const failure = own.find((entry) => entry.failure)?.failure
  const words = `${plural(own.length, 'issue')} to sync`
  if (!failure) return { words, tone: 'live', title: `Updating ${repo}` }
  const next = failure.retryable ? 'Convene retries' : 'Convene does not retry'
  return { words, tone: 'warn', title: `${failure.message} (attempt ${failure.attempt}; ${next})` }
}

function since(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1000))
  if (seconds < 5) return 'just now'
  if (seconds < 60) return `${seconds} s ago`
  const minutes = Math.round(seconds / 60)
  return minutes < 60 ? `${minutes} min ago` : `${Math.round(minutes / 60)} h ago`
}
