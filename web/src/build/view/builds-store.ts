/** All builds of the project, one line each; read again whenever one of them begins, ends or asks. */

import type { BuildLine } from '../../../../src/build/view.ts'
import { buildRunOf } from '../../data/addresses/build.ts'
import { listBuilds } from '../../data/calls/builds.ts'
import { live } from '../../data/feed/live.ts'
import { type Settable, watched } from '../../data/watched.ts'

export interface BuildsState {
  builds: readonly BuildLine[] | null
  problem?: string
}

export const builds: Settable<BuildsState> = watched<BuildsState>({ builds: null })

const changes = /^(build\.|question\.|node\.(started|finished)$|run\.(parked|recovered|finished)$)/
/** Many things change at once; the list is read once for all of them. */
const gatherMs = 250

let reading = false
let again = false
let timer: ReturnType<typeof setTimeout> | undefined

export async function readBuilds(): Promise<void> {
  if (reading) {
    again = true
    return
  }
  reading = true
  try {
    const found = await listBuilds()
    builds.set({ builds: found.toSorted((one, other) => (other.started ?? '~').localeCompare(one.started ?? '~')) })
  } catch (error) {
    const { builds: shown } = builds.get()
    if (shown === null) builds.set({ builds: null, problem: error instanceof Error ? error.message : String(error) })
  } finally {
    reading = false
  }
  if (!again) return
  again = false
  await readBuilds()
}

function readSoon(): void {
  clearTimeout(timer)
  timer = setTimeout(() => void readBuilds(), gatherMs)
}

live.listen({
  event: ({ type, run }) => {
    if (run !== undefined && buildRunOf(run) !== null && changes.test(type)) readSoon()
  },
  opened: readSoon,
})
