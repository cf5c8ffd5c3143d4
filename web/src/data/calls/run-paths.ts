/** The API paths a run's page needs first; small, because the entry script prefetches them. */
/** More than fit on a screen, few enough to load at once. */
export const endSize = 60

export const runOverviewPath = (run: string) => `/runs/${encodeURIComponent(run)}/overview`

export const runEndPath = (run: string) => `/events?${new URLSearchParams({ run, last: String(endSize) })}`
