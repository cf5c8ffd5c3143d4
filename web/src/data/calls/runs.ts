/** API calls about runs and their events. */
import type { StoredEvent } from '../../../../src/kernel/events.ts'
import type { Origin } from '../../../../src/runs/origin.ts'
import type { RunOverview } from '../../../../src/runs/overview.ts'
import type { ListedRun } from '../../../../src/runs/runs.ts'
import { request } from '../request.ts'
import { runOverviewPath } from './run-paths.ts'

export type { ListedRun, Origin }

export interface Step {
  position: number
  name: string
  kind: string
  state: string
  at: string
}

export interface Replayed {
  run: string
  decisions: number
  differences: { seq: number; type: string; was: unknown; is: unknown }[]
}

export interface EventsWanted {
  run: string
  types?: readonly string[] | undefined
  actor?: string | undefined
  text?: string | undefined
}

const path = (run: string) => `/runs/${encodeURIComponent(run)}`

export const listRuns = async () => (await request<{ runs: ListedRun[] }>('/runs')).runs

export const getOverview = (run: string) => request<RunOverview>(runOverviewPath(run))

export const getSteps = async (run: string) => (await request<{ journal: Step[] }>(path(run))).journal

export const forkRun = (run: string, from: number) => request<{ id: string }>(`${path(run)}/fork`, { from })

export const replayRun = (run: string) => request<Replayed>(`${path(run)}/replay`, {})

export const findOrigin = (what: string) => request<Origin>(`/why?${new URLSearchParams({ what })}`)

export async function getEvent(run: string, seq: number): Promise<StoredEvent | null> {
  const { events } = await readEvents({ run }, { after: seq - 1, limit: 1 })
  return events[0]?.seq === seq ? events[0] : null
}

/** A page of a run's log, in the order it was written. */
export async function readEvents(
  { run, types, actor, text }: EventsWanted,
  page: { after?: number; before?: number; limit?: number; last?: number },
): Promise<{ events: StoredEvent[]; next: number | null }> {
  const asked = { run, types: types?.join(','), actor, text, ...page }
  const given = Object.entries(asked).filter(([, value]) => value !== undefined && value !== '')
  return request(`/events?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`)
}
