/** Addresses of builds and nodes. A build is named by its run; an issue's build has slashes in its name. */
export const buildAddress = (build: string) => `/builds/${encodeURIComponent(build)}`

/** The build that a run is, or works for: `build-…`, `run-…/issue-3/build`, and each of their nodes. */
export function buildRunOf(run: string): string | null {
  return /^(build-[^/]+|(?:[^/]+\/)+build)(?:\/|$)/.exec(run)?.[1] ?? null
}

/** The root run, which a person started: an issue's build is stopped and resumed with it. */
export const startedRunOf = (build: string) => build.split('/')[0]!

/** The issue that a build is for; its spec is named after both. */
export function issueOfBuild({ id, spec }: { id: string; spec: string }): { feature: string; number: number } | null {
  const number = /\/issue-(\d+)\/build$/.exec(id)?.[1]
  if (number === undefined || !spec.endsWith(`-${number}`)) return null
  return { feature: spec.slice(0, -number.length - 1), number: Number(number) }
}

/** `key` is the node's path with slashes, which no id has in it. */
export function nodeAddress(build: string, key: string, tab?: string): string {
  const path = key.split('/').map(encodeURIComponent).join('/')
  return `${buildAddress(build)}/nodes/${path}${tab ? `?tab=${tab}` : ''}`
}
