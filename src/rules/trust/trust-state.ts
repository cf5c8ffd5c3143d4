/** TR4: what a person has trusted of a configuration, since when, and what changed after that. */

/** What was trusted at one time: a digest of each value by its path. The values themselves are not kept. */
export interface TrustRecord {
  /** When, as an ISO date. */
  since: string
  values: Record<string, string>
}

export interface TrustSituation {
  /** What the configuration reaches now. */
  now: Record<string, string>
  /** Earlier trust in the same folder, in any order. */
  records: readonly TrustRecord[]
  /** `CONVENE_TRUST` trusts for one command. */
  isForThisCommand: boolean
}

export interface TrustState {
  trusted: boolean
  /** When it was trusted as it is now. */
  since?: string
  /** Keys that differ from what was trusted last. */
  changed: string[]
  added: string[]
  removed: string[]
  /** The state in a line. */
  detail: string
}

export function trustState({ now, records, isForThisCommand }: TrustSituation): TrustState {
  const latest = records.toSorted((a, b) => (a.since < b.since ? 1 : -1))
  const paths = Object.keys(now)
  const same = latest.find((record) => isSame(record.values, now))
  const differences = same || !latest[0] ? noDifferences : differencesOf(latest[0].values, now)
  const state = (trusted: boolean, detail: string) => ({ trusted, ...differences, detail })
  if (paths.length === 0) return state(true, 'convene.yaml reaches nothing beyond this repository')
  if (same) return { ...state(true, `${paths.join(', ')}: trusted since ${dayOf(same.since)}`), since: same.since }
  if (isForThisCommand) return state(true, `${paths.join(', ')}: trusted for this command (CONVENE_TRUST)`)
  if (!latest[0])
    return state(false, `${paths.join(', ')}: not trusted yet, so every command stops before it sends anything`)
  return state(false, `${inWords(differences)} since you trusted it on ${dayOf(latest[0].since)}`)
}

const noDifferences = { changed: [], added: [], removed: [] }

function isSame(one: Record<string, string>, other: Record<string, string>): boolean {
  const { changed, added, removed } = differencesOf(one, other)
  return changed.length + added.length + removed.length === 0
}

function differencesOf(before: Record<string, string>, now: Record<string, string>) {
  return {
    changed: Object.keys(now).filter((path) => Object.hasOwn(before, path) && before[path] !== now[path]),
    added: Object.keys(now).filter((path) => !Object.hasOwn(before, path)),
    removed: Object.keys(before).filter((path) => !Object.hasOwn(now, path)),
  }
}

function inWords({ changed, added, removed }: Pick<TrustState, 'changed' | 'added' | 'removed'>): string {
  const part = (paths: string[], verb: string) => (paths.length > 0 ? [`${paths.join(', ')} ${verb}`] : [])
  return [...part(changed, 'changed'), ...part(added, 'added'), ...part(removed, 'removed')].join('; ')
}

function dayOf(date: string): string {
  return date.slice(0, 10)
}
