/** One node's way through the graph, from its scaffold to its merge. The rule says where every exit leads. SPEC.md § GR. */

import { type Run, RunCancelled, Stopped, type Workflow } from '../kernel/engine.ts'
import { ConveneError, ScriptExhausted } from '../kernel/errors.ts'
import { type BackEdgeReason, enter } from '../rules/back-edge.ts'
import type { Critique, Exit, PlannedTest } from '../rules/exits.ts'
import { afterRebase, countExit, type GraphDecision, nextStep } from '../rules/graph.ts'
import { edgeAt, type Place } from '../rules/graph-table.ts'
import { judgement } from '../rules/parent-judge.ts'
import type { Problem } from '../rules/problem.ts'
import { routingEnvelope } from '../rules/routing-envelope.ts'
import { findTests } from '../rules/test-facts.ts'
import { shortName } from './branches.ts'
import { ChildGivenUp, type ChildNote, Children, childTopic } from './children.ts'
import { commitOfStep, messageOf, stepMark } from './commit-work.ts'
import { capReason, escalate, type Trouble } from './escalate.ts'
import { childJudged, exitRouted, nodeFinished, nodeStarted } from './events.ts'
import { leaveForecast } from './forecast.ts'
import { claimProblems, implement, whatToVerify } from './implement.ts'
import { hooksOf } from './issue-hooks.ts'
import { type Merged, mergeNode } from './merge.ts'
import { type Node, openNode, placeOf, whose } from './node.ts'
import type { Again, Kept, NodeInput, NodeOutcome } from './node-input.ts'
import { owedTests } from './owed-tests.ts'
import { giveWay, type Rebased, rebaseIfNeeded } from './rebase.ts'
import { review } from './review.ts'
import { scaffold } from './scaffold.ts'
import type { BuildSurroundings } from './surroundings.ts'
import { runTests, verify } from './verify.ts'
import { isExit, workAt } from './work-at.ts'
import { writeTests } from './write-tests.ts'

export function nodeWorkflow(around: BuildSurroundings): Workflow<NodeInput, NodeOutcome> {
  const workflow: Workflow<NodeInput, NodeOutcome> = {
    name: 'build.node',
    version: 1,
    async run(run, input) {
      around.attendance.arrive(run.runId)
      try {
        const outcome = await buildNode(run, around, input, workflow)
        await tellParent(run, input, { child: input.spec.id, outcome })
        return outcome
      } catch (error) {
        if (error instanceof RunCancelled || error instanceof Stopped) throw error
        await tellParent(run, input, { child: input.spec.id, fatal: fatal(error) })
        throw error
      } finally {
        around.attendance.leave(run.runId)
      }
    },
  }
  return workflow
}

async function tellParent(run: Run, { parent }: NodeInput, note: ChildNote): Promise<void> {
  if (parent) await run.send(parent.run, childTopic, note)
}

function fatal(error: unknown): NonNullable<ChildNote['fatal']> {
  const message = error instanceof Error ? error.message : String(error)
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'internal'
  const exitCode =
    error instanceof ScriptExhausted || code === 'script_exhausted'
      ? 2
      : error instanceof ConveneError
        ? error.exitCode
        : 1
  return { code, message, exitCode }
}

/** Where a node goes next, and what it is told there. */
interface Entry {
  place: Place
  reason?: BackEdgeReason
  critiques?: readonly Critique[]
  /** Tests that a review asks for. */
  additional?: readonly PlannedTest[]
}

export async function buildNode(
  run: Run,
  around: BuildSurroundings,
  input: NodeInput,
  childWorkflow: Workflow<NodeInput, NodeOutcome>,
): Promise<NodeOutcome> {
  const shop = await around.workshop()
  const node = openNode(run, around, shop, input)
  const children = new Children(node, async (child, id) => {
    await run.start(childWorkflow, child, { id })
  })
  const leaveSlots = shop.worktrees.join(input.build)
  try {
    await begin(node)
    const outcome = await tell(node, children)
    const { status } = outcome
    const more = status === 'merged' ? { commit: outcome.commit } : { reason: outcome.reason }
    leaveForecast(node)
    await run.append(nodeFinished.create(placeOf(node), { ...whose(node), status, ...more }))
    return outcome
  } finally {
    leaveSlots()
  }
}

/** Where it fails, nobody waits for its parts any longer. */
async function tell(node: Node, children: Children): Promise<NodeOutcome> {
  try {
    const outcome = await new NodeStory(node, children).tell()
    if (outcome.status === 'failed') await children.dismiss()
    return outcome
  } catch (error) {
    if (!(error instanceof RunCancelled) && !(error instanceof Stopped)) await children.dismiss(error)
    throw error
  }
}

async function begin(node: Node): Promise<void> {
  const { run, input, shop } = node
  await run.step('begin', async (step) => {
    await shop.repository.setRef(node.branch, node.head)
    step.emit(
      nodeStarted.create(placeOf(node), {
        ...whose(node),
        description: input.spec.description,
        criteria: input.spec.acceptanceCriteria,
        depends_on: input.dependsOn ?? [],
        branch: shortName(node.branch),
        base: input.base,
      }),
    )
  })
}

class NodeStory {
  readonly #node: Node
  readonly #children: Children
  /** Tests that wait for the children: kept apart while these are merged into the node's branch. */
  #testsAside?: { commit: string; from: string }
  /** Its parent does not want what was merged: none of it is gone on from. */
  #isUnwanted = false

  constructor(node: Node, children: Children) {
    this.#node = node
    this.#children = children
  }

  async tell(): Promise<NodeOutcome> {
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
    // A sibling may have been merged meanwhile; the work is at rest here, so this is where it adapts (RB1).
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
    if (this.#children.open) await this.#standOnParts()
    const held = await scaffold(node, entry.reason, this.#children.specs)
    if ('exhausted' in held) return this.#exhausted(entry, held.exhausted)
    if (isExit(held.exit, 'InitWork')) forgetRed(node)
    const parts = node.scaffold?.childSpecs ?? []
    const decision = await this.#route('scaffold', held.exit, parts.length > 0)
    if (decision.action === 'escalate') return this.#escalated(entry, held.exit, decision)
    await this.#children.spawn(parts)
    return { place: 'tdd:write-tests' }
  }

  /** Parts may have been merged since the last scaffold: the next one must not undo them. */
  async #standOnParts(): Promise<void> {
    const node = this.#node
    node.head = await node.run.step('stand on parts', async () => {
      return (await node.shop.repository.resolve(node.branch)) ?? node.head
    })
  }

  async #writeTests(entry: Entry): Promise<Entry | NodeOutcome> {
    const node = this.#node
    node.plan = [...node.plan, ...(entry.additional ?? [])]
    const planned = node.plan.filter(({ plannedTestName }) => !node.seenRed.includes(plannedTestName))
    const aside = this.#children.open
    const from = node.head
    const ref = aside ? `refs/convene/${node.input.build}/${node.input.path.join('+')}` : node.branch
    const held = await writeTests(node, planned, entry.reason, ref)
    if ('exhausted' in held) return this.#exhausted(entry, held.exhausted)
    const decision = await this.#route('tdd:write-tests', held.exit)
    if (decision.action === 'escalate') return this.#escalated(entry, held.exit, decision)
    if (!isExit(held.exit, 'TestsReady')) return this.#follow(decision, held.exit)
    if (aside) this.#testsAside = { commit: node.head, from }
    await hooksOf(node)?.testsWritten(node, planned.length)
    await this.#children.settle()
    await this.#joinTests()
    const owed = await owedTests(node)
    if (owed.length > 0) {
      const ids = [...new Set(owed.map(({ criterionId }) => criterionId))].join(', ')
      const problems = [
        { rule: 'GR6', message: `a part failed, and its criteria fall to this node: ${ids}. Test them.` },
      ]
      return { ...entry, additional: owed, reason: { kind: 'refused', problems } }
    }
    return { place: 'impl', critiques: entry.critiques ?? [], ...(entry.reason ? { reason: entry.reason } : {}) }
  }

  /** GR2: tests are ready and every child is in, so both come together on the node's branch. */
  async #joinTests(): Promise<void> {
    const node = this.#node
    const { shop, run } = node
    const aside = this.#testsAside
    const hasChildren = this.#children.specs.length > 0
    if (!aside && !hasChildren) return
    const joined = await run.step('join tests and parts', async (step) => {
      const merged = (await shop.repository.resolve(node.branch)) ?? node.head
      if (!aside || aside.commit === aside.from || merged === aside.commit) return merged
      const earlier = await commitOfStep(node, aside.from, merged, step.key)
      if (earlier) return earlier.hash
      const ours = await shop.repository.changes(aside.from, aside.commit)
      const tree = await shop.repository.treeWith(
        await shop.repository.treeOf(merged),
        ours.map(({ path }) => ({ path, from: aside.commit })),
      )
      if (merged === aside.from) {
        await shop.repository.setRef(node.branch, aside.commit)
        return aside.commit
      }
      const message = messageOf(node, `Tests of ${node.input.spec.id} join its parts`, [], [stepMark(step)])
      const commit = await shop.repository.commit({
        tree,
        parents: [merged, aside.commit],
        message,
        at: node.around.clock.now(),
      })
      await shop.repository.setRef(node.branch, commit)
      return commit
    })
    this.#testsAside = undefined
    node.head = joined
    node.red = joined
  }

  async #implement(entry: Entry): Promise<Entry | NodeOutcome> {
    const node = this.#node
    const held = await implement(node, entry.reason, entry.critiques ?? [])
    if ('exhausted' in held) return this.#exhausted(entry, held.exhausted)
    const decision = await this.#route('impl', held.exit, false, held.attempt)
    if (decision.action === 'escalate') return this.#escalated(entry, held.exit, decision)
    return this.#follow(decision, held.exit)
  }

  async #review(entry: Entry): Promise<Entry | NodeOutcome> {
    const node = this.#node
    const held = await review(node)
    if ('exhausted' in held) return this.#exhausted(entry, held.exhausted)
    const decision = await this.#route('tdd:review', held.exit)
    if (node.input.unattended && isExit(held.exit, 'Reject') && node.tries < node.caps.attempts)
      return this.#rejected(held.exit.payload.reason)
    if (isExit(held.exit, 'Approved')) await hooksOf(node)?.implemented(node)
    if (decision.action === 'escalate') return this.#escalated(entry, held.exit, decision)
    return this.#follow(decision, held.exit)
  }

  /** Nobody is there to be asked: a rejection is a failed try, and the implementer hears why. */
  async #rejected(why: string): Promise<Entry | NodeOutcome> {
    const node = this.#node
    const problems = [{ rule: 'GR1', message: `the review rejects it: ${why}` }]
    const advice = await hooksOf(node)?.failedTry(node, { attempt: node.tries, problems, last: false })
    if (advice?.stop !== undefined) return this.#exhausted({ place: 'impl' }, [{ rule: 'FA1', message: advice.stop }])
    if (advice?.guidance !== undefined) node.guidance = advice.guidance
    return { place: 'impl', reason: { kind: 'refused', problems } }
  }

  async #merge(entry: Entry): Promise<Entry | NodeOutcome> {
    const node = this.#node
    const leave = await node.around.attendance.during(node.run.runId, () =>
      node.around.queues.enter(node.input.into, node.run.runId),
    )
    try {
      const moved = await this.#adapt(entry)
      if (moved) return moved
      const result = await mergeNode(node)
      if (result.kind === 'overtaken') return entry
      if (result.kind === 'exhausted') return await this.#exhausted(entry, result.problems)
      if (result.kind === 'rejected') {
        const decision = await this.#route('merger', result.exit)
        if (decision.action === 'escalate') return await this.#escalated(entry, result.exit, decision)
        return this.#follow(decision, result.exit)
      }
      const { commit, impactLevel, changes } = result.merged
      const payload = { mergeCommit: commit, author: node.input.spec.id, impactLevel, changes }
      await this.#route('merger', { name: 'MergeComplete', payload })
      leave()
      return await this.#judged(result.merged)
    } finally {
      leave()
    }
  }

  /** GR7: the parent's review looks at what was merged for it. */
  async #judged(merged: Merged): Promise<Entry | NodeOutcome> {
    const node = this.#node
    const { parent } = node.input
    // From here on the node's work is what was merged.
    node.base = merged.commit
    node.head = merged.commit
    const done: NodeOutcome = {
      status: 'merged',
      commit: merged.commit,
      changes: merged.changes,
      impactLevel: merged.impactLevel,
      again: againOf(node),
    }
    if (!parent) return done
    const before = await node.shop.repository.resolve(`${merged.commit}^1`)
    const { text, cut } = await node.shop.repository.diff(before ?? node.input.base, merged.commit, {
      maxCharacters: 60_000,
    })
    const held = await workAt<void>(node, {
      place: 'tdd:review',
      kind: 'judge-child',
      role: 'tdd',
      prompt: 'judge-child',
      values: { spec: parent.spec, child: node.spec, diff: text, diffCut: cut },
      thread: parent.thread,
      asked: { node: parent.spec.id, path: parent.path, for: node.input.spec.id },
      check: async () => ({ problems: [] }),
    })
    this.#isUnwanted = true
    if ('exhausted' in held) return this.#exhausted({ place: 'tdd:review' }, held.exhausted)
    node.counts = countExit(node.counts, 'tdd:review', held.exit.name)
    const exit = held.exit as Exit<'Approved' | 'MoreTests' | 'Reject'>
    const judged = judgement(exit.name, node.counts, node.caps)
    const about = { node: parent.spec.id, path: parent.path, child: node.input.spec.id, verdict: judged.verdict }
    await node.run.append(childJudged.create(placeOf(node), about))
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
    await node.run.step('go on from the merge', () => node.shop.repository.setRef(node.branch, merged.commit))
    const payload = isExit(exit, 'MoreTests') ? exit.payload : { critiques: [], additionalTests: [] }
    return {
      place: 'tdd:write-tests',
      critiques: payload.critiques,
      additional: payload.additionalTests,
      reason: { kind: 'critique', ...payload },
    }
  }

  /** Where the parent's branch has moved the work follows; gives where to go instead of `entry`, if not there. */
  async #adapt(entry: Entry): Promise<Entry | NodeOutcome | null> {
    const node = this.#node
    for (;;) {
      const rebased: Rebased = await rebaseIfNeeded(node)
      if (rebased.kind === 'same') return null
      if (rebased.kind === 'exhausted') return this.#exhausted(entry, rebased.problems)
      if (rebased.kind === 'conflict') {
        const decision = await this.#route('rebaser', rebased.exit)
        if (decision.action === 'escalate') return this.#escalated(entry, rebased.exit, decision)
        node.head = await node.run.step('give way', (step) => giveWay(node, step, rebased.onto))
        node.base = rebased.onto
        node.verified = undefined
        forgetRed(node)
        return this.#follow(decision, rebased.exit)
      }
      await this.#route('rebaser', rebased.exit)
      const uncovered = rebased.asked && node.red !== undefined ? await this.#uncovered() : []
      const paused = { node: 'impl' as const }
      if (afterRebase(paused, uncovered).node === 'tdd') {
        const missing = node.plan.filter(({ criterionId }) => uncovered.includes(criterionId))
        node.plan = node.plan.filter((test) => !missing.includes(test))
        node.seenRed = node.seenRed.filter((name) => !missing.some((test) => test.plannedTestName === name))
        return { place: 'tdd:write-tests', additional: missing, reason: { kind: 'rebased', adaptations: [] } }
      }
      const claimed = entry.place === 'tdd:review' || entry.place === 'merger'
      if (!claimed) continue
      const problems = await this.#verifyAgain()
      if (problems.length > 0) return { place: 'impl', reason: { kind: 'refused', problems } }
    }
  }

  /** Criteria whose planned tests are gone after a rebase that an agent had a hand in. */
  async #uncovered(): Promise<string[]> {
    const node = this.#node
    const { shop, input } = node
    return node.run.step('tests after rebase', async (step) => {
      if (node.plan.length === 0) return []
      const slot = await shop.worktrees.acquire(input.build, node.head)
      try {
        const what = { commit: node.head, tree: await shop.repository.treeOf(node.head), purpose: 'rebase' }
        const ran = await runTests(node, step, slot, what, node.testFiles.length > 0 ? node.testFiles : undefined)
        if (!ran.parsed) return []
        const gone = node.plan.filter(({ plannedTestName }) => findTests(ran.tests, plannedTestName).length === 0)
        return [...new Set(gone.map(({ criterionId }) => criterionId))]
      } finally {
        shop.worktrees.release(slot)
      }
    })
  }

  async #verifyAgain(): Promise<Problem[]> {
    const node = this.#node
    const verified = await node.run.step('verify after rebase', async (step) => {
      const { verified } = node
      // The claim that nothing was left to do was looked at already.
      if (verified && verified.tree === (await node.shop.repository.treeOf(node.head))) return verified
      return verify(node, step, whatToVerify(node, node.head, 'rebase'))
    })
    node.verified = verified
    return claimProblems(verified)
  }

  async #route(place: Place, exit: Exit, children = false, attempt?: number): Promise<GraphDecision> {
    const node = this.#node
    const { run, around } = node
    node.guidance = undefined
    node.counts = countExit(node.counts, place, exit.name)
    const [name, mode] = place.split(':') as [
      Parameters<typeof nextStep>[0]['node'],
      'write-tests' | 'review' | undefined,
    ]
    const decision = nextStep(
      { node: name, mode, exit: exit.name, children, counts: node.counts, ...(attempt ? { attempt } : {}) },
      node.caps,
    )
    await run.step('route', async (step) => {
      const payloadRef = await around.store.putPayload(JSON.stringify({ [exit.name]: exit.payload }))
      const to = decision.next.map((target) => (target.mode ? `${target.node}:${target.mode}` : target.node))
      step.emit(
        exitRouted.create(
          { ...placeOf(node), payload_ref: payloadRef },
          {
            ...whose(node),
            from: place,
            exit: decision.exit,
            to,
            action: decision.action,
            ...(decision.capped ? { capped: decision.capped } : {}),
            envelope: routingEnvelope(decision, payloadRef),
          },
        ),
      )
    })
    return decision
  }

  /** Goes where the decision says, with the reason that the exit gives. */
  #follow(decision: GraphDecision, exit: Exit): Entry {
    const [target] = decision.next
    const place = (target?.mode ? `${target.node}:${target.mode}` : target?.node) as Place
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
    const detail = problems
      .map(({ rule, message, path }) => `[${rule}] ${path ? `${path}: ` : ''}${message}`)
      .join('\n')
    return this.#trouble(entry, {
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
      detail: JSON.stringify(exit.payload),
      ...(clarification ? { question: clarification.question } : {}),
    })
  }

  /** A failed part is its parent's to deal with (GR6); a question, and what the root cannot do, is a person's. */
  async #trouble(entry: Entry, trouble: Trouble): Promise<Entry | NodeOutcome> {
    const node = this.#node
    const { reason, exit, capped, detail } = trouble
    const failed: NodeOutcome = { status: 'failed', reason, exit, detail, ...(capped ? { capped } : {}) }
    if (node.input.parent && !trouble.question) return { ...failed, ...this.#standing(reason) }
    const ruling = await escalate(node, trouble)
    if (ruling.kind === 'give-up') return { ...failed, reason: `given up: ${reason}` }
    const counter = edgeCounter(entry.place, exit, capped)
    if (counter) node.counts = { ...node.counts, [counter]: 0 }
    if (ruling.guidance !== undefined) node.guidance = ruling.guidance
    return entry
  }

  /** GR3: what was accepted is not asked for again, should its parent have it tried once more. */
  #standing(reason: string): { kept: Kept } | { fromScratch: string } {
    const { scaffold, thread, plan, testFiles, named, seenRed, red, base, head } = this.#node
    if (!scaffold) return { fromScratch: 'no scaffold of it was accepted' }
    if (this.#isUnwanted) return { fromScratch: 'what it had merged is not what its parent wants' }
    if (this.#children.specs.length > 0) return { fromScratch: 'it is divided into parts, which are planned anew' }
    const isTested = red !== undefined && plan.every(({ plannedTestName }) => seenRed.includes(plannedTestName))
    const place = isTested ? 'impl' : 'tdd:write-tests'
    const why = `An earlier try ended: ${reason}. What was accepted of it is in your folder.`
    const work = { scaffold, thread, plan, testFiles, named, seenRed, base, head }
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
  return { place: kept.place, reason: { kind: 'refused', problems: [{ rule: 'GR6', message: kept.why }] } }
}

/** Nothing is implemented yet: on a new scaffold the tests must be seen red again. */
function forgetRed(node: Node): void {
  if (node.verified) return
  node.red = undefined
  node.seenRed = []
}

function edgeCounter(place: Place, exit: string, capped: string | undefined) {
  if (capped && capped !== 'attempts') return capped as 'reviews' | 'scaffolds' | 'merges' | 'rebases'
  return edgeAt(place, exit)?.counter
}

function againOf(node: Node): Again {
  return {
    scaffold: node.scaffold!,
    thread: node.thread,
    plan: node.plan,
    testFiles: node.testFiles,
    named: node.named,
    counts: node.counts,
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
      return 'it cannot go on'
  }
}
