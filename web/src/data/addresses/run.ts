/** Addresses of runs and their tabs. The id of a child run has slashes. */
export const runTabs = ['sides', 'timeline', 'events', 'decisions', 'charts', 'why'] as const
export type RunTab = (typeof runTabs)[number]

export interface RunPlace {
  tab?: RunTab
  /** The selected event. */
  at?: number | undefined
  /** The event that a list begins with. */
  from?: number | undefined
  /** The subject of the Why tab. */
  what?: string | undefined
}

/** The tab of an address that names none. */
const firstTab = (run: string): RunTab => (isComparison(run) ? 'sides' : 'timeline')

/** A comparison has two sides to show; its child runs have not. */
export const isComparison = (run: string) => /^compare-[^/]+$/.test(run)

export function runAddress(run: string, place: RunPlace = {}): string {
  const { tab, at, from, what } = place
  const parameters = new URLSearchParams()
  if (tab !== undefined && tab !== firstTab(run)) parameters.set('tab', tab)
  if (from !== undefined) parameters.set('from', String(from))
  if (at !== undefined) parameters.set('at', String(at))
  if (what !== undefined && what !== '') parameters.set('what', what)
  const text = parameters.toString()
  return `/runs/${encodeURIComponent(run)}${text === '' ? '' : `?${text}`}`
}

export function placeIn(search: string, run = ''): RunPlace & { tab: RunTab } {
  const parameters = new URLSearchParams(search)
  const asked = runTabs.find((each) => each === parameters.get('tab'))
  const tab = asked === undefined || (asked === 'sides' && !isComparison(run)) ? firstTab(run) : asked
  const number = (name: string) => {
    const text = parameters.get(name)
    return text !== null && /^\d{1,15}$/.test(text) ? Number(text) : undefined
  }
  return { tab, at: number('at'), from: number('from'), what: parameters.get('what') ?? undefined }
}

/** The runs that this one is a part of, from the top. */
export function runsAbove(run: string): string[] {
  const parts = run.split('/')
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join('/'))
}
