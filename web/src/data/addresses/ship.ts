/** Where things of a feature are found, and what the ids of its runs tell. */

export const featureAddress = (feature: string) => `/features/${encodeURIComponent(feature)}`

export const issueAddress = (feature: string, issue: number, tab?: string) =>
  `${featureAddress(feature)}/issues/${issue}${tab ? `?tab=${tab}` : ''}`

/** The form that begins something: a name in the path could be a feature's. */
export const newAddress = (kind: 'goal' | 'issues') => `/features?new=${kind}`

/** What was started by hand: everything else is below it. */
export const rootOf = (run: string) => run.split('/')[0]!

/** `run-…/issue-3` and everything below it is about issue 3. */
export function issueOfRun(run: string | undefined): number | null {
  const found = run === undefined ? undefined : /\/issue-(\d+)(?:\/|$)/.exec(run)?.[1]
  return found === undefined ? null : Number(found)
}

/** The build that a run which works on an issue starts. */
export const buildOfSession = (session: string) => `${session}/build`
