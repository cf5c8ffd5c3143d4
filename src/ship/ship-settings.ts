/** The ship floor's settings for display: limits, and the forge. */
import type { Config } from '../kernel/config/load.ts'
import type { Budget } from '../rules/budget/budget.ts'

export interface ShipSettings {
  /** For one run and the runs below it. */
  budget: Budget
  /** How many attempts an issue gets before it is BLOCKED. */
  attempts: number
  max_unreviewed: number | null
  forge: {
    /** `owner/name`; null if none is configured. */
    repo: string | null
    /** Why the forge is not used; null if it is. */
    off: string | null
    /** The URL that an issue's number is appended to. */
    issues_url: string | null
  }
}

export function shipSettingsOf(
  { budget, ship, forge, coordination }: Pick<Config, 'budget' | 'ship' | 'forge' | 'coordination'>,
  /** Null: it is in use, or none is configured. */
  reason: string | null,
): ShipSettings {
  const { github } = forge
  const off = coordination.github_sync_enabled ? reason : 'coordination.github_sync_enabled is false'
  return {
    budget,
    attempts: ship.retries + 1,
    max_unreviewed: ship.max_unreviewed,
    forge: github
      ? { repo: github.repo, off, issues_url: issuesAddress(github.repo, github.api_url) }
      : { repo: null, off: 'forge.github.repo is not set in convene.yaml', issues_url: null },
  }
}

/** GitHub Enterprise serves its API below its own address; other servers may have no page for an issue. */
function issuesAddress(repo: string, api?: string): string | null {
  if (api === undefined || /^https:\/\/api\.github\.com\/?$/.test(api)) return `https://github.com/${repo}/issues/`
  const server = /^(https?:\/\/[^/]+)\/api\/v3\/?$/.exec(api)?.[1]
  return server === undefined ? null : `${server}/${repo}/issues/`
}
