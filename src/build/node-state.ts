/** What a node has reached on its way through the graph. Rebuilt from the journal after a restart. */
import type { AgentMessage, AskKind } from '../kernel/agent.ts'
import type { EarlierReply } from '../rules/build/earlier-lists.ts'
import type { ExitPayload, KeptCriterion, PlannedTest } from '../rules/build/exits.ts'
import { type Counts, countExit, noCounts } from '../rules/build/graph.ts'
import type { ExitName, GraphPlace } from '../rules/build/graph-table.ts'
import { type ReviewedCriterion, reviewedCriteria } from '../rules/build/reviewed-criteria.ts'
import type { Spec } from '../rules/build/spec.ts'
import type { TestFacts } from '../rules/build/test-facts.ts'
import { keptCriteria } from '../rules/build/tree.ts'
import { type PastAttempt, withEarlier } from '../rules/evidence/attempt-history.ts'
import { findPlanned, plannedAnew, withFoundNames } from '../rules/evidence/planned-tests.ts'
import { oneLine } from '../rules/text/one-line.ts'
import type { MergedChild, NodeInput, RoleThread, RoleThreads } from './node-input.ts'
import type { Verified } from './verify.ts'

/** The question and the person's answer, for the agent that is asked again. A mere "retry" decides nothing about the work. */
export interface PersonsAnswer {
  answered: string
  decides: boolean
  /** Paths that the node may edit from here on. */
  allowed: readonly string[]
}

/** Files that a role left, and the commit that they were left on. */
interface Unfinished {
  on: string
  commit: string
}

/** With the question, which is cut to 300 characters. */
const longestAnswer = 2_500
const longestObjection = 1_000

/** Others read the fields and change them only through the methods: `Node` holds it as `Readonly<NodeState>`. */
export class NodeState {
  /** Without the criteria that were dropped. */
  spec: Spec
  /** The commit of the parent's branch that the work is based on. */
  base: string
  /** The work so far. */
  head: string
  counts: Counts
  /** The spec and the accepted scaffold: test author and implementer start from them (GR9). */
  thread: AgentMessage[]
  /** Each role's own conversation over the node's life. */
  threads: RoleThreads
  scaffold: ExitPayload<'InitWork'> | undefined
  /** Planned tests of the criteria it keeps, with those that reviews added. */
  plan: PlannedTest[]
  testFiles: string[]
  /** Criteria that scaffold or test author found to hold already, and why (VF2). */
  keep: KeptCriterion[]
  /** Criteria that scaffold or test author left to the reviewer, and why (VF14). */
  review: KeptCriterion[]
  /** Exports that tests need and the interface lacks: the implementer may add them. */
  promised: { file: string; name: string }[] = []
  /** The commit whose tests were seen red: the scaffold with the tests, and nothing implemented. */
  red: string | undefined
  /** Names of the tests that were seen red. */
  seenRed: string[]
  /** Planned tests whose file could not run when they were seen red: their names are hints. */
  hinted: string[]
  /** Whether the runner names its tests. */
  named: boolean
  /** The last verification that passed, and the tree it is for. */
  verified: Verified | undefined
  /** What the last review asked for, a line each; empty if it approved. */
  asked: readonly string[] = []
  /** It approved, and a check of the approval asked for this. */
  wasOverruled = false
  /** Tests that it asked for and that passed at once, on the code that it saw. */
  passedAtOnce: readonly string[] = []
  /** Tests of new criteria that passed before the code was written: others of their criterion failed, or the scaffold brings it. */
  passedBefore: readonly string[] = []
  /** What was said against it since, a sentence each. */
  objections: readonly string[] = []
  /** Attempts of the implementer that were refused since the last review. */
  refused: readonly PastAttempt[] = []
  /** The test author changed nothing after the last review. */
  areTestsUnchanged = false
  #haveTestsChanged = false
  children: MergedChild[] = []
  /** Criteria of failed children that this node has to meet itself. */
  takenOver: string[] = []
  dropped: string[] = []
  /** What the implementer says it changed and why, for the commit. */
  summary = ''
  /** How often the implementer was asked, where that is counted over the whole build. */
  attempts = 0
  /** What a parent, a person or the issue loop said, until the next exit; it says who. */
  guidance: string | undefined
  /** What a person answered when the node could not go on, until the next exit. */
  answered: string | undefined
  /** Those of these answers that decide something, oldest first, and how many of them a review has been told. */
  #answers: readonly string[] = []
  #answersReviewed = 0
  /** The files of a role that gave up, and the work that they were left on. */
  #unfinished: Partial<Record<keyof RoleThreads, Unfinished | undefined>> = {}
  /** Tests that were there before, that the work contradicts, and that its reviewer is shown. */
  outdated: readonly string[] = []
  /** The implementer's last reply, and why it was refused if it was. */
  lastReply: EarlierReply | undefined
  /** What was tried, by kind of ask, before a person was asked. */
  #tried: Partial<Record<AskKind, readonly PastAttempt[]>> = {}
  /** Paths that a person allowed it to edit, though its roles may not (VF3). */
  allowed: readonly string[]
  /** Paths that were put back and that a person may allow, by kind of ask, since a person was last asked. */
  #putBack: Partial<Record<AskKind, readonly string[]>> = {}

  constructor({ spec, base, again, kept, guidance, allowed }: NodeInput) {
    const earlier = again ?? kept
    this.spec = spec
    this.base = kept?.base ?? base
    this.head = kept?.head ?? base
    this.counts = again?.counts ?? noCounts
    this.thread = earlier?.thread ?? []
    this.threads = earlier?.threads ?? {}
    this.scaffold = earlier?.scaffold
    this.plan = earlier?.plan ?? []
    this.testFiles = earlier?.testFiles ?? []
    this.keep = earlier?.keep ?? []
    this.review = earlier?.review ?? []
    this.red = kept?.red
    this.seenRed = kept?.seenRed ?? again?.plan.map(({ plannedTestName }) => plannedTestName) ?? []
    this.hinted = [...(earlier?.hinted ?? [])]
    this.named = earlier?.named ?? false
    this.guidance = guidance
    this.allowed = allowed ?? []
  }

  /** The criteria that it tests and implements itself. */
  ownCriteria(): string[] {
    return this.#own().map(({ id }) => id)
  }

  /** Those of them that only the reviewer checks. */
  reviewed(): ReviewedCriterion[] {
    return reviewedCriteria(this.#own(), this.review)
  }

  /** Those of them that need a test. */
  testedCriteria(): string[] {
    const reviewed = this.reviewed().map(({ id }) => id)
    return this.ownCriteria().filter((id) => !reviewed.includes(id))
  }

  /** A scaffold was accepted. Until something is implemented, its tests must be seen red again. */
  scaffolded(head: string, scaffold: ExitPayload<'InitWork'>, shared: AgentMessage[]): void {
    const anew = plannedAnew(this.scaffold?.testPlan ?? [], scaffold.testPlan)
    this.seenRed = this.seenRed.filter((name) => !anew.includes(name))
    this.head = head
    this.scaffold = scaffold
    this.keep = [...(scaffold.keep ?? [])]
    this.review = [...(scaffold.review ?? [])]
    // A name that a module declares may be missing from its list of exports, such as `__all__`.
    const declared = (scaffold.interfaces ?? []).flatMap(({ path, exports }) =>
      exports.map((name) => ({ file: path, name })),
    )
    this.promised = [...this.promised, ...declared]
    this.thread = shared
    const own = this.ownCriteria()
    this.plan = scaffold.testPlan.filter(({ criterionId }) => own.includes(criterionId))
    this.#forgetRed()
  }

  /** The names of tests that were there before and that the work contradicts. */
  callOutdated(tests: readonly { test: string }[]): void {
    this.outdated = tests.map(({ test }) => test)
  }

  replied(reply: EarlierReply): void {
    this.lastReply = reply
  }

  /** The role's conversation continues from here. */
  talked(role: keyof RoleThreads, thread: RoleThread): void {
    this.threads = { ...this.threads, [role]: thread }
  }

  planTests(tests: readonly PlannedTest[]): void {
    this.plan = [...this.plan, ...tests]
  }

  reviewAsked(asked: readonly string[], wasOverruled = false): void {
    this.asked = asked
    this.wasOverruled = wasOverruled
    this.passedAtOnce = []
    this.objections = []
    this.#haveTestsChanged = false
  }

  attemptsRefused(past: readonly PastAttempt[]): void {
    this.refused = past
  }

  /** The tests of `planned` were written under the names of `found`, and seen at `red`. */
  testsWritten(
    planned: readonly PlannedTest[],
    work: {
      head: string
      red: string
      named: boolean
      testFiles: readonly string[]
      found?: readonly PlannedTest[]
      hinted?: readonly string[]
      keep?: readonly KeptCriterion[]
      review?: readonly KeptCriterion[]
      promised?: readonly { file: string; name: string }[]
      dropped?: readonly PlannedTest[]
      passedAtOnce?: readonly string[]
      passedBefore?: readonly string[]
    },
  ): void {
    const found = work.found ?? planned
    this.#putBack['write-tests'] = []
    this.#haveTestsChanged ||= this.head !== work.head
    this.areTestsUnchanged = this.verified !== undefined && !this.#haveTestsChanged
    this.head = work.head
    this.lostTests(work.dropped ?? [])
    this.red = work.red
    this.named ||= work.named
    this.plan = [...this.plan.filter((test) => !planned.includes(test)), ...found]
    this.seenRed = [...new Set([...this.seenRed, ...found.map(({ plannedTestName }) => plannedTestName)])]
    this.hinted = [...new Set([...this.hinted, ...(work.hinted ?? [])])]
    this.testFiles = [...new Set([...this.testFiles, ...work.testFiles])]
    this.keepCriteria(work.keep ?? [])
    this.leaveToReviewer(work.review ?? [])
    this.promised = [...this.promised, ...(work.promised ?? [])]
    this.passedAtOnce = work.passedAtOnce ?? []
    this.passedBefore = work.passedBefore ?? []
  }

  keepCriteria(keep: readonly KeptCriterion[]): void {
    this.keep = [
      ...this.keep.filter((one) => !keep.some(({ criterionId }) => criterionId === one.criterionId)),
      ...keep,
    ]
  }

  leaveToReviewer(review: readonly KeptCriterion[]): void {
    this.review = [
      ...this.review.filter((one) => !review.some(({ criterionId }) => criterionId === one.criterionId)),
      ...review,
    ]
  }

  /** The criteria that hold already, by the spec or by what was found since. */
  kept(): string[] {
    const given = this.spec.acceptanceCriteria.filter(({ kind }) => kind === 'keep').map(({ id }) => id)
    return [...new Set([...given, ...this.keep.map(({ criterionId }) => criterionId)])]
  }

  /** Its tests and its merged children are on one commit now. */
  joinedWithChildren(commit: string): void {
    this.head = commit
    this.red = commit
  }

  /** Parts were merged into its branch. */
  advancedTo(head: string): void {
    this.head = head
  }

  implemented(head: string, verified: Verified | undefined, testFiles = this.testFiles): void {
    this.head = head
    this.#putBack.implement = []
    this.#unfinished.impl = undefined
    this.verified = verified
    this.testFiles = testFiles
    if (verified?.names === 'reported') this.#nameHinted(verified.tests)
  }

  /** Where nothing changed, an earlier summary still holds, and the new one only answers whoever asked. */
  summarised(summary: string | null | undefined, hasChanged: boolean): void {
    if (summary?.trim() && hasChanged) this.summary = summary
  }

  objected(who: string, objection: string | null | undefined): void {
    if (objection?.trim()) this.objections = [...this.objections, `${who}: ${oneLine(objection, longestObjection)}`]
  }

  verifiedAgain(verified: Verified): void {
    this.verified = verified
  }

  rebased(onto: string, head: string): void {
    this.base = onto
    this.head = head
  }

  /** Its code was given up for what siblings merged: nothing that was verified counts any more. */
  gaveWay(onto: string, head: string): void {
    this.rebased(onto, head)
    this.#unfinished.impl = undefined
    this.verified = undefined
    this.#forgetRed()
  }

  /** These tests did not survive a rebase, or their author replaced them: no check asks for them. */
  lostTests(tests: readonly PlannedTest[]): void {
    const isLost = (test: PlannedTest) =>
      tests.some((one) => one.criterionId === test.criterionId && one.plannedTestName === test.plannedTestName)
    this.plan = this.plan.filter((test) => !isLost(test))
    this.seenRed = this.seenRed.filter((name) => !tests.some(({ plannedTestName }) => plannedTestName === name))
  }

  /** From here on its work is what was merged. */
  merged(commit: string): void {
    this.rebased(commit, commit)
  }

  childMerged(child: MergedChild): void {
    this.children = [...this.children.filter(({ id }) => id !== child.id), child]
  }

  takeOver(criteria: readonly string[]): void {
    this.takenOver = [...this.takenOver, ...criteria]
  }

  drop(criteria: readonly string[]): void {
    this.dropped = [...this.dropped, ...criteria]
    const acceptanceCriteria = this.spec.acceptanceCriteria.filter(({ id }) => !criteria.includes(id))
    this.spec = { ...this.spec, acceptanceCriteria }
  }

  countExit(place: GraphPlace, exit: ExitName): void {
    this.counts = countExit(this.counts, place, exit)
  }

  /** A person decided to continue: the cap counts from zero again. */
  resetCount(counter: keyof Counts): void {
    this.counts = { ...this.counts, [counter]: 0 }
  }

  leftUnfinished(role: keyof RoleThreads, commit: string): void {
    this.#unfinished[role] = { on: this.head, commit }
  }

  /** What a role continues from: its own unfinished files, unless the work has moved on since. */
  startOf(role: keyof RoleThreads): string {
    const left = this.#unfinished[role]
    return left?.on === this.head ? left.commit : this.head
  }

  /** The implementer's unfinished files, if the work has moved on since. */
  leftBehind(): Unfinished | null {
    const left = this.#unfinished.impl
    return left && left.on !== this.head && left.commit !== left.on ? left : null
  }

  tried(kind: AskKind, past: readonly PastAttempt[]): void {
    this.#tried[kind] = past.length === 0 ? [] : withEarlier(this.triedBefore(kind), past)
  }

  triedBefore(kind: AskKind): readonly PastAttempt[] {
    return this.#tried[kind] ?? []
  }

  countAttempts(attempts: number): void {
    this.attempts = attempts
  }

  guide(guidance: string | undefined): void {
    if (guidance !== undefined) this.guidance = guidance
  }

  wasPutBack(kind: AskKind, mayAllow: readonly string[]): void {
    this.#putBack[kind] = [...new Set([...(this.#putBack[kind] ?? []), ...mayAllow])]
  }

  /** What a person who is asked about the node may allow. */
  mayAllow(): string[] {
    return [...new Set(Object.values(this.#putBack).flat())]
  }

  answeredBy({ answered, decides, allowed }: PersonsAnswer): void {
    this.answered = answered
    this.allowed = [...new Set([...this.allowed, ...allowed])]
    this.#putBack = {}
    if (decides) this.#answers = [...this.#answers, answered]
  }

  /** What a person decided about this node, a line each: since the last review, and in all for a reviewer that was told nothing yet. */
  answersToReview(): { answers: string[]; newAnswers: string[] } {
    const answers = this.#answers.map((answer) => oneLine(answer, longestAnswer))
    return { answers, newAnswers: answers.slice(this.#answersReviewed) }
  }

  answersWereReviewed(): void {
    this.#answersReviewed = this.#answers.length
  }

  dropGuidance(): void {
    this.guidance = undefined
    this.answered = undefined
  }

  /** Tests whose names were hints are known by the names under which they ran. */
  #nameHinted(ran: readonly TestFacts[]): void {
    const { plan, testFiles: files } = this
    const isHint = ({ plannedTestName }: PlannedTest) => this.hinted.includes(plannedTestName)
    const found = findPlanned(plan, ran, { files }).filter(({ planned, tests }) => isHint(planned) && tests.length > 0)
    for (const entry of found) {
      const named = withFoundNames([entry])
      this.plan = this.plan.flatMap((test) => (test === entry.planned ? named : [test]))
      this.seenRed = [...new Set([...this.seenRed, ...named.map(({ plannedTestName }) => plannedTestName)])]
      this.hinted = this.hinted.filter((name) => name !== entry.planned.plannedTestName)
    }
  }

  #own() {
    const { spec, scaffold, takenOver } = this
    return keptCriteria(spec.acceptanceCriteria, scaffold?.childSpecs ?? [], takenOver)
  }

  #forgetRed(): void {
    if (this.verified) return
    this.red = undefined
    this.seenRed = []
  }
}
