/** All features of the project, one line each, and the ships that are still on their way to one. */

import { listFeatures, listShips } from '../../data/calls/features.ts'
import { live } from '../../data/feed/live.ts'
import { type Settable, watched } from '../../data/watched.ts'
import { joined, type ListedFeature } from './listed-features.ts'

export interface FeaturesState {
  features: readonly ListedFeature[] | null
  problem?: string
}

export const features: Settable<FeaturesState> = watched<FeaturesState>({ features: null })

const changes =
  /^(feature\.|ship\.|issue\.moved$|issue\.split$|issue\.reviewed$|question\.|run\.(started|parked|recovered|finished)$)/
/** Many things change at once; the list is read once for all of them. */
const gatherMs = 250

let reading = false
let again = false
let timer: ReturnType<typeof setTimeout> | undefined

export async function readFeatures(): Promise<void> {
  if (reading) {
    again = true
    return
  }
  reading = true
  try {
    const [known, ships] = await Promise.all([listFeatures(), listShips()])
    features.set({ features: joined(known, ships) })
  } catch (error) {
    if (features.get().features === null)
      features.set({ features: null, problem: error instanceof Error ? error.message : String(error) })
  } finally {
    reading = false
  }
  if (!again) return
  again = false
  await readFeatures()
}

/** Not put off by what comes after: while much happens, the list still follows. */
function readSoon(): void {
  if (timer !== undefined) return
  timer = setTimeout(() => {
    timer = undefined
    void readFeatures()
  }, gatherMs)
}

live.listen({
  event: ({ type, run, feature }) => {
    if (changes.test(type) && (feature !== undefined || /^(run|ship)-/.test(run ?? ''))) readSoon()
  },
  opened: readSoon,
})
