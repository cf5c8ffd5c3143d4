/** Finds tests that both pass and fail on the same code: no agent is blamed for them. SPEC.md § VF4. */
import { type TestFacts, testIdentity } from '../build/test-facts.ts'

/** What runs of the same code saw of each test. */
export interface Sightings {
  passed: Set<string>
  failed: Set<string>
}

export const noSightings = (): Sightings => ({ passed: new Set(), failed: new Set() })

/** Adds a run, and returns the tests that are now known to be unreliable. A skipped test shows nothing. */
export function sightedAgain({ passed, failed }: Sightings, tests: readonly TestFacts[]): TestFacts[] {
  // Two tests may share a name and a file; only one that is red in every case counts as failed in this run.
  const byIdentity = Map.groupBy(
    tests.filter(({ outcome }) => outcome !== 'skipped'),
    testIdentity,
  )
  const flipped: TestFacts[] = []
  for (const [identity, same] of byIdentity) {
    const isGreen = same.every(({ outcome }) => outcome === 'passed')
    ;(isGreen ? passed : failed).add(identity)
    if (passed.has(identity) && failed.has(identity)) flipped.push(same[0]!)
  }
  return flipped
}

/** When tests, by identity, were last seen to be unreliable, in milliseconds. */
export type UnreliableSince = Record<string, number>

const memory = { days: 30, tests: 500 }

/** What later builds still know: a test may have been repaired, so this ends after a month; the newest are kept. */
export function stillUnreliable(since: UnreliableSince, now: number): UnreliableSince {
  const oldest = now - memory.days * 24 * 60 * 60 * 1000
  const recent = Object.entries(since).filter(([, at]) => at >= oldest)
  return Object.fromEntries(recent.sort(([, one], [, other]) => one - other).slice(-memory.tests))
}
