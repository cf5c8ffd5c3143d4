/** API calls about runs and their events. */
import type { StoredEvent } from '../../../../src/kernel/events.ts'
import type { ResponseOf } from '../../../../src/serve/call.ts'
import { call } from '../request.ts'

export type ListedRun = ResponseOf<'GET /api/runs'>['runs'][number]
export type Origin = ResponseOf<'GET /api/why'>
export type Replayed = ResponseOf<'POST /api/runs/:run/replay'>
export type Step = ResponseOf<'GET /api/runs/:run'>['journal'][number]

export interface EventsWanted {
  run: string
  types?: readonly string[] | undefined
  actor?: string | undefined
  text?: string | undefined
}

export const listRuns = async () => (await call('GET /api/runs')).runs

export const listUnrecorded = async () => (await call('GET /api/runs', { query: { unrecorded: 'true' } })).runs

export const getOverview = (run: string) => call('GET /api/runs/:run/overview', { params: { run } })

export const getSteps = async (run: string) => (await call('GET /api/runs/:run', { params: { run } })).journal

export const forkRun = (run: string, from: number) =>
  call('POST /api/runs/:run/fork', { params: { run }, body: { from } })

export const replayRun = (run: string) => call('POST /api/runs/:run/replay', { params: { run } })

export const getComparison = (comparison: string) =>
  call('GET /api/comparisons/:comparison/report', { params: { comparison } })

export const findOrigin = (what: string) => call('GET /api/why', { query: { what } })

export async function getEvent(run: string, seq: number): Promise<StoredEvent | null> {
  const { events } = await readEvents({ run }, { after: seq - 1, limit: 1 })
  return events[0]?.seq === seq ? events[0] : null
}

/** A page of a run's log, in the order it was written. */
export const readEvents = (
  { run, types, actor, text }: EventsWanted,
  page: { after?: number; before?: number; limit?: number; last?: number },
) => call('GET /api/events', { query: { run, types: types?.join(','), actor, text, ...page } })
