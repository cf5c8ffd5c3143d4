/** Takes a node through the graph, place by place; the `graph` rule decides where each exit leads. SPEC.md § GR. */
import { type BackEdgeReason, concernsCode, enter, refusal } from '../../rules/build/back-edge.ts'
import type { Critique, Exit, PlannedTest } from '../../rules/build/exits.ts'
import { afterRebase, type GraphDecision } from '../../rules/build/graph.ts'
import { edgeAt, type GraphPlace } from '../../rules/build/graph-table.ts'
import { isWithin } from '../../rules/build/path-confinement.ts'
import { looksLikeTest } from '../../rules/build/test-paths.ts'
import type { Problem } from '../../rules/schema/problem.ts'
import { problemText } from '../../rules/schema/problem-text.ts'
import { observerOf } from '../issue-observer.ts'
import { type Node, testsOf } from '../node.ts'
import type { KeptWork, NodeInput, NodeOutcome, SentBackWork } from '../node-input.ts'
import { uncoveredCriteria, verifyAgain } from '../nodes/after-rebase.ts'
import { ChildGivenUp, type Children } from '../nodes/children.ts'
import { claimProblems, implement, whatToVerify } from '../nodes/implement.ts'
import { joinTests, standOnParts, type TestsAside } from '../nodes/join-tests.ts'
import { judgeChild } from '../nodes/judge-child.ts'
import { type Merged, mergeNode } from '../nodes/merge.ts'
import { owedTests } from '../nodes/owed-tests.ts'
import { giveWay, type Rebased, rebaseIfNeeded } from '../nodes/rebase.ts'
import { review } from '../nodes/review.ts'
import { scaffold } from '../nodes/scaffold.ts'
import { writeTests } from '../nodes/write-tests.ts'
import { exitDetail } from '../reasons.ts'
import { verify } from '../verify.ts'
import { isExit } from '../work/ask-until-verified.ts'
import { capReason, escalate, type Trouble } from '../work/escalate.ts'
import { routeExit } from '../work/route-exit.ts'

/** The next place, and the message for the agent there. */
interface Entry {
  place: GraphPlace
  reason?: BackEdgeReason
  critiques?: readonly Critique[]
  /** Tests that a review requested. */
  additional?: readonly PlannedTest[]
}

export class NodeGraph {
  readonly #node: Node
  readonly #children: Children
  #testsAside?: TestsAside
  /** The parent rejected what was merged: a retry starts from scratch. */
  #isUnwanted = false

  constructor(node: Node, children: Children) {
    this.#node = node
    this.#children = children
  }

  async run(): Promise<NodeOutcome> {
    let entry = firstEntry(this.#node.input)
    try {
      for (;;) {
        const next: Entry | NodeOutcome = await this.#visit(entry)
        if ('status' in next) return next
        entry = next
      }
    } catch (error) {
      if (!(error instanceof ChildGivenUp)) throw error
      return { status: 'failed', reason: error.message, exit: 'Stuck', detail: error.message }
    }
  }

  async #visit(entry: Entry): Promise<Entry | NodeOutcome> {
    // A sibling may have been merged meanwhile. No agent is working now, so this is the time to rebase (RB1).
    if (entry.place !== 'scaffold' && entry.place !== 'merger' && !this.#children.open) {
      const moved = await this.#adapt(entry)
      if (moved) return moved
    }
    switch (entry.place) {
      case 'scaffold':
        return this.#scaffold(entry)
      case 'tdd:write-tests':
        return this.#writeTests(entry)
      case 'impl':
        return this.#implement(entry)
      case 'tdd:review':
        return this.#review(entry)
      case 'merger':
        return this.#merge(entry)
      case 'rebaser':
        return { place: 'merger' }
      default:
        return entry.place satisfies never
    }
  }

  async #scaffold(entry: Entry): Promise<Entry | NodeOutcome> {
    const node = this.#node
    if (this.#children.open) await standOnParts(node)
    const held = await scaffold(node, entry.reason, this.#children.specs)
    if ('exhausted' in held) return this.#exhausted(entry, held.exhausted)
    const parts = node.state.scaffold?.childSpecs ?? []
    const decision = await routeExit(node, 'scaffold', held.exit, { hasChildren: parts.length > 0 })
    if (decision.action === 'escalate') return this.#escalated(entry, held.exit, decision)
    await this.#children.spawn(parts)
    return { place: 'tdd:write-tests' }
  }

  async #writeTests(entry: Entry): Promise<Entry | NodeOutcome> {
    const node = this.#node
    node.state.planTests(entry.additional ?? [])
    const planned = node.state.plan.filter(({ plannedTestName }) => !node.state.seenRed.includes(plannedTestName))
    const aside = this.#children.open
    const from = node.state.head
    const ref = aside ? `refs/convene/${node.input.build}/${node.input.path.join('+')}` : node.branch
    const held = await writeTests(node, planned, entry.reason, ref)
    if ('exhausted' in held) return this.#exhausted(entry, held.exhausted)
    const decision = await routeExit(node, 'tdd:write-tests', held.exit)
    if (decision.action === 'escalate') return this.#escalated(entry, held.exit, decision)
    if (!isExit(held.exit, 'TestsReady')) return this.#follow(decision, held.exit)
    if (aside) this.#testsAside = { commit: node.state.head, from }
    await observerOf(node)?.testsWritten(node, planned.length)
    await this.#children.settle()
    if (this.#testsAside || this.#children.specs.length > 0) {
      const clashes = await joinTests(node, this.#testsAside)
      this.#testsAside = undefined
      if (clashes.length > 0) return this.#writeTestsOnceMore(entry, clashes)
    }
    const owed = await owedTests(node)
    if (owed.length > 0) {
      const ids = [...new Set(owed.map(({ criterionId }) => criterionId))].join(', ')
      const problems = [
        { rule: 'GR6', message: `a part failed, and its criteria fall to this node: ${ids}. Test them.` },
      ]
      return { ...entry, additional: owed, reason: refusal(problems) }
    }
    if (await this.#isDone(entry)) return { place: 'tdd:review' }
    return { place: 'impl', critiques: entry.critiques ?? [], ...(entry.reason ? { reason: entry.reason } : {}) }
  }

  /** GR2: parts wrote tests where this node's own would have stood. */
  #writeTestsOnceMore(entry: Entry, clashes: readonly string[]): Entry {
    const { state } = this.#node
    const own = state.plan.filter(({ plannedTestName }) => state.seenRed.includes(plannedTestName))
    state.lostTests(own)
    const message = `parts of this node wrote tests in the same place as you, and the file holds theirs now: add yours to it once more, and keep theirs`
    return {
      ...entry,
      additional: own,
      reason: refusal(clashes.map((path) => ({ rule: 'GR2', message, path }))),
    }
  }

  /** GR3: after a review that was about tests alone, code that passes the new ones too needs no implementer. */
  async #isDone({ reason, critiques = [] }: Entry): Promise<boolean> {
    const node = this.#node
    const isTest = (file: string) => looksLikeTest(file) || testsOf(node).some((test) => isWithin(file, test))
    if (reason?.kind !== 'critique' || !node.state.verified || concernsCode(critiques, isTest)) return false
    const verified = await node.run.step('verify with new tests', (step) =>
      verify(node, step, whatToVerify(node, node.state.head, 'claim')),
    )
    if (claimProblems(verified).length > 0) return false
    node.state.implemented(node.state.head, verified)
    node.state.attemptsRefused([])
    return true
  }

  async #implement(entry: Entry): Promise<Entry | NodeOutcome> {
    const node = this.#node
    const held = await implement(node, entry.reason, entry.critiques ?? [])
    if ('exhausted' in held) return this.#exhausted(entry, held.exhausted)
    const decision = await routeExit(node, 'impl', held.exit, { attempt: held.attempt })
    if (decision.action === 'escalate') return this.#escalated(entry, held.exit, decision)
    return this.#follow(decision, held.exit)
  }

  async #review(entry: Entry): Promise<Entry | NodeOutcome> {
    const node = this.#node
    const held = await review(node)
    if ('exhausted' in held) return this.#exhausted(entry, held.exhausted)
    const decision = await routeExit(node, 'tdd:review', held.exit)
    if (node.input.unattended && isExit(held.exit, 'Reject') && node.state.attempts < node.caps.attempts)
      return this.#rejected(held.exit.payload.reason)
    if (isExit(held.exit, 'Approved')) await observerOf(node)?.implemented(node)
    if (decision.action === 'escalate') return this.#escalated(entry, held.exit, decision)
    return this.#follow(decision, held.exit)
  }

  /** Unattended: a rejection counts as a failed attempt, and the next prompt tells the implementer why. */
  async #rejected(why: string): Promise<Entry | NodeOutcome> {
    const node = this.#node
    const problems = [{ rule: 'GR1', message: `the review rejects it: ${why}` }]
    const advice = await observerOf(node)?.attemptFailed(node, { attempt: node.state.attempts, problems, last: false })
    if (advice?.stop !== undefined) return this.#exhausted({ place: 'impl' }, [{ rule: 'FA1', message: advice.stop }])
    node.state.guide(advice?.guidance)
    return { place: 'impl', reason: refusal(problems) }
  }

  async #merge(entry: Entry): Promise<Entry | NodeOutcome> {
    const node = this.#node
    const leave = await node.deps.activity.whileWaiting(node.run.runId, () =>
      node.deps.queues.enter(node.input.into, node.run.runId),
    )
    try {
      const moved = await this.#adapt(entry)
      if (moved) return moved
      const result = await mergeNode(node)
      if (result.kind === 'overtaken') return entry
      if (result.kind === 'exhausted') return await this.#exhausted(entry, result.problems)
      if (result.kind === 'rejected') {
        const decision = await routeExit(node, 'merger', result.exit)
        if (decision.action === 'escalate') return await this.#escalated(entry, result.exit, decision)
        return this.#follow(decision, result.exit)
      }
      const { commit, impactLevel, changes } = result.merged
      const payload = { mergeCommit: commit, author: node.input.spec.id, impactLevel, changes }
      await routeExit(node, 'merger', { name: 'MergeComplete', payload })
      leave()
      return await this.#judged(result.merged)
    } finally {
      leave()
    }
  }

  /** GR7: the parent's reviewer judges what was merged. */
  async #judged(merged: Merged): Promise<Entry | NodeOutcome> {
    const node = this.#node
    const { parent } = node.input
    node.state.merged(merged.commit)
    const done: NodeOutcome = {
      status: 'merged',
      commit: merged.commit,
      changes: merged.changes,
      impactLevel: merged.impactLevel,
      again: sentBackWorkOf(node),
    }
    if (!parent) return done
    const judged = await judgeChild(node, merged.commit, parent)
    this.#isUnwanted = true
    if ('exhausted' in judged) return this.#exhausted({ place: 'tdd:review' }, judged.exhausted)
    const { exit } = judged
    if (judged.verdict === 'accepted') return done
    if (judged.verdict === 'escalate') {
      const decision: GraphDecision = {
        exit: exit.name,
        next: [],
        action: 'escalate',
        ...(judged.capped ? { capped: judged.capped } : {}),
      }
      return this.#escalated({ place: 'tdd:write-tests' }, exit, decision)
    }
    this.#isUnwanted = false
    await node.run.step('go on from the merge', () => node.workspace.repository.setRef(node.branch, merged.commit))
    const payload = isExit(exit, 'MoreTests') ? exit.payload : { critiques: [], additionalTests: [] }
    return {
      place: 'tdd:write-tests',
      critiques: payload.critiques,
      additional: payload.additionalTests,
      reason: { kind: 'critique', ...payload },
    }
  }

  /** Rebases the work if the parent's branch has moved. Returns the next place if it is no longer `entry`. */
  async #adapt(entry: Entry): Promise<Entry | NodeOutcome | null> {
    const node = this.#node
    for (;;) {
      const rebased: Rebased = await rebaseIfNeeded(node)
      if (rebased.kind === 'same') return null
      if (rebased.kind === 'exhausted') return this.#exhausted(entry, rebased.problems)
      if (rebased.kind === 'conflict') {
        const decision = await routeExit(node, 'rebaser', rebased.exit)
        if (decision.action === 'escalate') return this.#escalated(entry, rebased.exit, decision)
        const head = await node.run.step('give way', (step) => giveWay(node, step, rebased.onto))
        node.state.gaveWay(rebased.onto, head)
        return this.#follow(decision, rebased.exit)
      }
      await routeExit(node, 'rebaser', rebased.exit)
      const uncovered = rebased.asked && node.state.red !== undefined ? await uncoveredCriteria(node) : []
      const paused = { node: 'impl' as const }
      if (afterRebase(paused, uncovered).node === 'tdd') {
        const missing = node.state.plan.filter(({ criterionId }) => uncovered.includes(criterionId))
        node.state.lostTests(missing)
        return { place: 'tdd:write-tests', additional: missing, reason: { kind: 'rebased', adaptations: [] } }
      }
      const claimed = entry.place === 'tdd:review' || entry.place === 'merger'
      if (!claimed) continue
      const problems = await verifyAgain(node)
      if (problems.length > 0) return { place: 'impl', reason: refusal(problems) }
    }
  }

  /** The place the decision names, with the exit's reason. */
  #follow(decision: GraphDecision, exit: Exit): Entry {
    const [target] = decision.next
    const place = (target?.mode ? `${target.node}:${target.mode}` : target?.node) as GraphPlace
    const { reason } = enter(target!, null, exit)
    const payload = isExit(exit, 'MoreTests') ? exit.payload : undefined
    return {
      place,
      ...(reason ? { reason } : {}),
      ...(payload ? { critiques: payload.critiques, additional: payload.additionalTests } : {}),
    }
  }

  async #exhausted(entry: Entry, problems: readonly Problem[]): Promise<Entry | NodeOutcome> {
    const { caps } = this.#node
    const detail = problems.map(problemText).join('\n')
    // The agent has not seen the last refusal.
    const next = { ...entry, reason: refusal(problems) }
    return this.#trouble(next, {
      reason: capReason('attempts', caps.attempts),
      exit: 'Stuck',
      capped: 'attempts',
      detail,
    })
  }

  async #escalated(entry: Entry, exit: Exit, decision: GraphDecision): Promise<Entry | NodeOutcome> {
    const { caps } = this.#node
    const { capped } = decision
    const clarification = isExit(exit, 'ClarificationNeeded') ? exit.payload : undefined
    return this.#trouble(entry, {
      reason: capped ? capReason(capped, caps[capped]) : `${decision.exit}: ${summaryOf(exit)}`,
      exit: decision.exit,
      ...(capped ? { capped } : {}),
      detail: exitDetail(exit),
      ...(clarification ? { question: clarification.question } : {}),
    })
  }

  /** The parent handles a failed part (GR6). Questions, and failures of the root, go to a person. */
  async #trouble(entry: Entry, trouble: Trouble): Promise<Entry | NodeOutcome> {
    const node = this.#node
    const { reason, exit, capped, detail } = trouble
    const failed: NodeOutcome = { status: 'failed', reason, exit, detail, ...(capped ? { capped } : {}) }
    const mayAllow = node.state.mayAllow()
    if (node.input.parent && !trouble.question) return { ...failed, mayAllow, ...this.#standing(reason) }
    const ruling = await escalate(node, { ...trouble, mayAllow })
    if (ruling.kind === 'give-up') return { ...failed, reason: `given up: ${reason}` }
    const counter = edgeCounter(entry.place, exit, capped)
    if (counter) node.state.resetCount(counter)
    node.state.answeredBy(ruling)
    return entry
  }

  /** GR3: what a retry by the parent starts from. Accepted work is not asked for again. */
  #standing(reason: string): { kept: KeptWork } | { fromScratch: string } {
    const { scaffold, thread, threads, plan, testFiles, hinted, keep, review, named, seenRed, red, base, head } =
      this.#node.state
    if (!scaffold) return { fromScratch: 'no scaffold of it was accepted' }
    if (this.#isUnwanted) return { fromScratch: 'its parent rejected what it had merged' }
    if (this.#children.specs.length > 0) return { fromScratch: 'it is divided into parts, and these are planned again' }
    const isTested = red !== undefined && plan.every(({ plannedTestName }) => seenRed.includes(plannedTestName))
    const place = isTested ? 'impl' : 'tdd:write-tests'
    const why = `An earlier attempt ended: ${reason}. What Convene accepted of it is in your folder.`
    const work = { scaffold, thread, threads, plan, testFiles, hinted, keep, review, named, seenRed, base, head }
    return { kept: { place, why, ...work, ...(red === undefined ? {} : { red }) } }
  }
}

function firstEntry({ again, kept }: NodeInput): Entry {
  if (again)
    return {
      place: 'tdd:write-tests',
      critiques: again.critiques,
      additional: again.additionalTests,
      reason: { kind: 'critique', critiques: again.critiques, additionalTests: again.additionalTests },
    }
  if (!kept) return { place: 'scaffold' }
  return { place: kept.place, reason: refusal([{ rule: 'GR6', message: kept.why }]) }
}

function edgeCounter(place: GraphPlace, exit: string, capped: string | undefined) {
  if (capped && capped !== 'attempts') return capped as 'reviews' | 'scaffolds' | 'merges' | 'rebases'
  return edgeAt(place, exit)?.counter
}

function sentBackWorkOf(node: Node): SentBackWork {
  return {
    scaffold: node.state.scaffold!,
    thread: node.state.thread,
    threads: node.state.threads,
    plan: node.state.plan,
    testFiles: node.state.testFiles,
    hinted: node.state.hinted,
    keep: node.state.keep,
    review: node.state.review,
    named: node.state.named,
    counts: node.state.counts,
    critiques: [],
    additionalTests: [],
  }
}

function summaryOf(exit: Exit): string {
  switch (exit.name) {
    case 'Stuck':
      return exit.payload.diagnosis
    case 'Reject':
      return exit.payload.reason
    case 'ClarificationNeeded':
      return exit.payload.question
    default:
      return 'it cannot continue'
  }
}
