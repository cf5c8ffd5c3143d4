/**
 * What every run of a build saw of each test. A test that passed and failed on the same code is unreliable for the rest of
 * the build (VF4), and for later builds if no agent had changed that code. Runs are in memory only: after a crash they are
 * made again.
 */
import { type TestFacts, testIdentity } from '../rules/build/test-facts.ts'
import { noSightings, type Sightings, sightedAgain } from '../rules/evidence/unreliable-tests.ts'
import type { KnownUnreliable } from './known-unreliable.ts'

interface SeenInBuild {
  byCode: Map<string, Sightings>
  unreliable: Set<string>
}

export class SeenTests {
  readonly #builds = new Map<string, SeenInBuild>()
  readonly #known: Pick<KnownUnreliable, 'all' | 'add'> | undefined
  readonly #most: number

  /**
   * `known` is what earlier builds found out. Drops the oldest code of a build beyond `most`; what is known to be unreliable stays. Drops the oldest build beyond `most`
   * too: one that failed or waits for a person never says that it is over.
   */
  constructor(known?: Pick<KnownUnreliable, 'all' | 'add'>, most = 64) {
    this.#known = known
    this.#most = most
  }

  /**
   * Adds a run of some code, and returns the tests that were not known to be unreliable before. An agent's code may itself
   * make a test unreliable: later builds learn only of tests on a commit that no agent has changed (`isUntouched`).
   */
  add(build: string, code: string, tests: readonly TestFacts[], { isUntouched = false } = {}): TestFacts[] {
    const { byCode, unreliable } = this.#ofBuild(build)
    const sightings = byCode.get(code) ?? noSightings()
    byCode.delete(code)
    byCode.set(code, sightings)
    const [oldest] = byCode.keys()
    if (byCode.size > this.#most && oldest !== undefined) byCode.delete(oldest)
    const flipped = sightedAgain(sightings, tests)
    if (isUntouched) this.#known?.add(flipped.map(testIdentity))
    const fresh = flipped.filter((test) => !unreliable.has(testIdentity(test)))
    for (const test of fresh) unreliable.add(testIdentity(test))
    return fresh
  }

  isUnreliable(build: string, test: TestFacts): boolean {
    return this.#unreliable(build)?.has(testIdentity(test)) ?? false
  }

  /** The unreliable tests in words, oldest first. */
  unreliableOf(build: string): string[] {
    return [...(this.#unreliable(build) ?? [])].map((identity) => {
      const [file = '', key = ''] = identity.split('\n')
      return file === '' ? `"${key}"` : `"${key}" (${file})`
    })
  }

  /** The build is over. */
  forget(build: string): void {
    this.#builds.delete(build)
  }

  /** Later runs are not compared with earlier ones: a person may have repaired something outside the tree. */
  forgetRuns(build: string): void {
    this.#builds.get(build)?.byCode.clear()
  }

  /** A build that has run no test yet knows what earlier ones found out. */
  #unreliable(build: string): ReadonlySet<string> | undefined {
    return (this.#known ? this.#ofBuild(build) : this.#builds.get(build))?.unreliable
  }

  #ofBuild(build: string): SeenInBuild {
    const known = this.#builds.get(build) ?? { byCode: new Map(), unreliable: new Set(this.#known?.all()) }
    this.#builds.delete(build)
    this.#builds.set(build, known)
    const [oldest] = this.#builds.keys()
    if (this.#builds.size > this.#most && oldest !== undefined) this.#builds.delete(oldest)
    return known
  }
}
