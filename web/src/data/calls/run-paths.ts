/** What a run's page asks the API for first: known before the program is there to read the answers. */

/** More than stand on a screen, few enough to be there at once. */
export const endSize = 60

export const runOverviewPath = (run: string) => `/runs/${encodeURIComponent(run)}/overview`

export const runEndPath = (run: string) => `/events?${new URLSearchParams({ run, last: String(endSize) })}`
