/** The event list a page shows, fed with the run's live events. */
import { useEffect, useMemo } from 'react'
import { live } from '../../data/feed/live.ts'
import { useWatched } from '../../data/watched.ts'
import { listenToRun } from '../view/run-store.ts'
import { EventList, type EventListOptions, type EventListState } from './event-list.ts'

export function useEventList(options: EventListOptions): { list: EventList; state: EventListState } {
  const key = JSON.stringify(options)
  const list = useMemo(() => new EventList(JSON.parse(key) as EventListOptions), [key])
  // Not while rendering: React may render a page several times before it shows it.
  useEffect(() => list.start(), [list])
  useEffect(() => listenToRun(options.run, (event) => list.receive(event)), [options.run, list])
  useEffect(() => live.listen({ event: () => {}, opened: () => void list.catchUp().catch(() => {}) }), [list])
  return { list, state: useWatched(list.state) }
}
