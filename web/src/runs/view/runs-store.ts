/** All runs of the project; read again whenever one of them begins, ends or is paid for. */

import { type ListedRun, listRuns } from '../../data/calls/runs.ts'
import { live } from '../../data/feed/live.ts'
import { type Settable, watched } from '../../data/watched.ts'

export interface RunsState {
  runs: readonly ListedRun[] | null
  problem?: string
}

export const runs: Settable<RunsState> = watched<RunsState>({ runs: null })

const changes = /^(run\.|question\.|ask\.finished$|(ship|plan|build|node|issue|session)\.started$)/
/** Many things change at once; the list is read once for all of them. */
const gatherMs = 400

/** How many pages show the list: nobody else needs it. */
let shown = 0
let reading = false
let again = false
let timer: ReturnType<typeof setTimeout> | undefined

export async function readRuns(): Promise<void> {
  if (reading) {
    again = true
    return
  }
  reading = true
  try {
    runs.set({ runs: await listRuns() })
  } catch (error) {
    if (runs.get().runs === null)
      runs.set({ runs: null, problem: error instanceof Error ? error.message : String(error) })
  } finally {
    reading = false
  }
  if (!again) return
  again = false
  await readRuns()
}

/** Keeps the list true until what it gives is called. */
export function showRuns(): () => void {
  shown += 1
  void readRuns()
  return () => {
    shown -= 1
  }
}

function readSoon(): void {
  if (shown === 0 || timer !== undefined) return
  timer = setTimeout(() => {
    timer = undefined
    void readRuns()
  }, gatherMs)
}

live.listen({
  event: ({ type }) => {
    if (changes.test(type)) readSoon()
  },
  opened: readSoon,
})
