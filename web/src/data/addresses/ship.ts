/** Addresses of features and issues, and what the ids of their runs mean. */
export const featureAddress = (feature: string) => `/features/${encodeURIComponent(feature)}`

export const issueAddress = (feature: string, issue: number, tab?: string) =>
  `${featureAddress(feature)}/issues/${issue}${tab ? `?tab=${tab}` : ''}`

/** The form that starts something. A query, because a path segment could be a feature's name. */
export const newAddress = (kind: 'goal' | 'issues') => `/features?new=${kind}`

/** The root run, which a person started. */
export const rootOf = (run: string) => run.split('/')[0]!

/** `run-…/issue-3` and everything below it is about issue 3. */
export function issueOfRun(run: string | undefined): number | null {
  const found = run === undefined ? undefined : /\/issue-(\d+)(?:\/|$)/.exec(run)?.[1]
  return found === undefined ? null : Number(found)
}

/** The build that a run which works on an issue starts. */
export const buildOfSession = (session: string) => `${session}/build`
