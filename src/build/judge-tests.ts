/** Judges a red test run test by test, beside the commit that the work starts from. VF4. */
import { posix } from 'node:path'
import type { StepContext } from '../kernel/engine.ts'
import type { TestFacts } from '../rules/build/test-facts.ts'
import { type ClaimedVerdict, claimedTests } from '../rules/evidence/claimed-tests.ts'
import { type Complaint, linesAbout, newComplaints } from '../rules/evidence/lint-complaints.ts'
import type { FailedPart } from '../workspace/test-results/test-run.ts'
import { testsAt, type Verifier } from './clean-checkout.ts'
import type { TestResult } from './kept-test-results.ts'
import { inProject } from './workspace.ts'

export interface TestsToJudge {
  /** The commit that the work starts from. */
  base: string
  /** The work. */
  commit: string
  tree: string
  tests: readonly TestFacts[]
  isOwn(test: TestFacts): boolean
  /** What seems broken is run a few times more, on the base and with the work. */
  isLast: boolean
}

/** How often tests that seem broken run once more on the base: one that fails there is unreliable. */
const mostProbes = 3

export async function judgeTests(who: Verifier, step: StepContext, what: TestsToJudge): Promise<ClaimedVerdict> {
  const { workspace, input } = who
  const isUnreliable = (test: TestFacts) => workspace.seenTests.isUnreliable(input.build, test)
  const changes = await workspace.repository.changes(what.base, what.tree)
  const changed = new Map(changes.map(({ path, status }) => [inProject(workspace, path), status]))
  const changeOf = (file: string) =>
    changed.has(file) ? (changed.get(file) === 'added' ? 'added' : 'changed') : undefined
  const judge = (before?: readonly TestFacts[]) =>
    claimedTests({ after: what.tests, before, isOwn: what.isOwn, changeOf, isUnreliable })
  const alone = judge()
  if (alone.unknown.length === 0) return alone
  const before = await testsAtBase(who, step, what.base)
  const verdict = judge(before.tests)
  if (!what.isLast || verdict.broken.length === 0) return verdict
  await probeBase(who, step, what.base, verdict.broken)
  const suspect = judge(before.tests)
  if (suspect.broken.length === 0) return suspect
  // A test that passes now is unreliable too. The whole suite: alone, a test may pass that the work breaks.
  await testsAt(who, step, { commit: what.commit, purpose: 'claim', isBuilt: true }, {}, { isFresh: true })
  return judge(before.tests)
}

/** Built like the work it is compared with, so that kept results of this tree can be reused. */
export function testsAtBase(who: Verifier, step: StepContext, base: string): Promise<TestResult> {
  return testsAt(who, step, { commit: base, purpose: 'before', isBuilt: true, isUntouched: true })
}

/** The linters and the like that failed in a run of the test command. */
export function failedParts({
  failedPart,
  failedToo = [],
}: Pick<TestResult, 'failedPart' | 'failedToo'>): FailedPart[] {
  return failedPart ? [failedPart, ...failedToo] : []
}

/** In a workspace, the packages may have the same commands. */
export function isSamePart(one: FailedPart, other: FailedPart): boolean {
  return one.command === other.command && one.folder === other.folder
}

/**
 * Whether a part of the test command means one of these files of the project. Only a checker of unknown form still names them
 * from where it ran.
 */
export function meansOneOf(paths: readonly string[], { folder }: FailedPart): (file: string) => boolean {
  const known = new Set(paths)
  return (file) => known.has(posix.normalize(file)) || known.has(posix.join(folder, file))
}

/** What a linter that fails on the base too says about changed files, and did not say there. */
export async function complaintsSince(
  who: Verifier,
  step: StepContext,
  { base, part, isChanged }: { base: string; part: FailedPart; isChanged: (file: string) => boolean },
): Promise<Complaint[]> {
  const before = failedParts(await testsAtBase(who, step, base)).find((one) => isSamePart(one, part))
  if (part.complaints?.length) return newComplaints(part.complaints, before?.complaints ?? [], isChanged)
  const [now, then] = [part, before].map((one) => linesAbout(one?.excerpt ?? '', isChanged)) as [
    Complaint[],
    Complaint[],
  ]
  return newComplaints(now, then, isChanged)
}

/** Runs tests that seem broken on the base again, until all of them have failed there or enough runs have passed. */
export async function probeBase(
  who: Verifier,
  step: StepContext,
  base: string,
  suspects: readonly TestFacts[],
): Promise<void> {
  const { workspace, input } = who
  const checkout = { commit: base, purpose: 'before', isBuilt: true, isUntouched: true }
  const paths = [...new Set(suspects.flatMap(({ file }) => file ?? []))]
  for (let probe = 1; probe <= mostProbes; probe++) {
    if (suspects.every((test) => workspace.seenTests.isUnreliable(input.build, test))) return
    await testsAt(who, step, checkout, { paths, alone: true }, { isFresh: true })
  }
}
