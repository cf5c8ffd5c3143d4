/** What the ship floor goes by, for those who look at it: limits, and where issues are kept as well. */
import type { Config } from '../kernel/config/load.ts'
import type { Budget } from '../rules/budget/budget.ts'

export interface ShipSettings {
  /** For one run with everything below it. */
  budget: Budget
  /** How often an issue may be tried before it is blocked. */
  tries: number
  max_unreviewed: number | null
  forge: {
    /** `owner/name`; null where none is named. */
    repo: string | null
    /** Why nothing is told to it; null while it is told. */
    off: string | null
    /** What an issue's number there is put behind, to see it in a browser. */
    issues_url: string | null
  }
}

export function shipSettingsOf(
  { budget, ship, forge, coordination }: Pick<Config, 'budget' | 'ship' | 'forge' | 'coordination'>,
  /** Null: it was opened, or none is named. */
  reason: string | null,
): ShipSettings {
  const { github } = forge
  const off = coordination.github_sync_enabled ? reason : 'coordination.github_sync_enabled is false'
  return {
    budget,
    tries: ship.retries + 1,
    max_unreviewed: ship.max_unreviewed,
    forge: github
      ? { repo: github.repo, off, issues_url: issuesAddress(github.repo, github.api_url) }
      : { repo: null, off: 'forge.github.repo is not set in convene.yaml', issues_url: null },
  }
}

/** An Enterprise server has its API below its own address; where another one stands, there may be no page at all. */
function issuesAddress(repo: string, api?: string): string | null {
  if (api === undefined || /^https:\/\/api\.github\.com\/?$/.test(api)) return `https://github.com/${repo}/issues/`
  const server = /^(https?:\/\/[^/]+)\/api\/v3\/?$/.exec(api)?.[1]
  return server === undefined ? null : `${server}/${repo}/issues/`
}
