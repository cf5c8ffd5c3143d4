/** Starts the parts of a node, waits for their outcomes and handles failures. GR2, GR6, GR7. */

import { ConveneError } from '../../kernel/errors.ts'
import { type ChildFailureReply, childFailure, childFailureSchema } from '../../rules/build/child-failure.ts'
import { type ChildProgress, type ChildState, openChildren, startableChildren } from '../../rules/build/children.ts'
import { isLastAttempt } from '../../rules/build/graph.ts'
import { contractVerdict, type JudgedChild, shouldRunContract } from '../../rules/build/parent-judge.ts'
import type { ChildSpec, Spec } from '../../rules/build/spec.ts'
import { withParentCriteria } from '../../rules/build/tree.ts'
import { isRed } from '../../rules/evidence/claimed-tests.ts'
import { isOwedByParent } from '../../rules/evidence/owed-by-parent.ts'
import type { Problem } from '../../rules/schema/problem.ts'
import { oneLine } from '../../rules/text/one-line.ts'
import { testsAt } from '../clean-checkout.ts'
import { childFailed, nodeWaiting, replyRefused } from '../events.ts'
import { eventHeader, interfacesOf, type Node, subjectOf, testsOf } from '../node.ts'
import type { KeptWork, NodeInput, NodeOutcome, SentBackWork } from '../node-input.ts'
import { testedCriteria } from '../tests/tested-criteria.ts'
import { groundOf } from '../trust/changed-manifests.ts'
import { askInWorktree, type WorktreeReply } from '../work/ask-in-worktree.ts'
import { escalate } from '../work/escalate.ts'

/** The message a child's run sends to its parent's run at its end. */
export interface ChildNote {
  child: string
  outcome?: NodeOutcome
  /** An error the parent cannot handle: the whole build fails. */
  fatal?: { code: string; message: string; exitCode: number }
}

export const childTopic = 'child'

interface Child {
  spec: ChildSpec
  state: ChildState
  /** Number of starts. */
  starts: number
  failures: number
  /** Paths that a person allowed it to edit. */
  allowed: readonly string[]
  again?: SentBackWork
}

const spent = new Set(['budget_exhausted', 'out_of_time'])

export type StartChild = (input: NodeInput, id: string) => Promise<void>

export class Children {
  readonly #node: Node
  readonly #start: StartChild
  readonly #children = new Map<string, Child>()

  constructor(node: Node, start: StartChild) {
    this.#node = node
    this.#start = start
  }

  get specs(): ChildSpec[] {
    return [...this.#children.values()].map(({ spec }) => spec)
  }

  get open(): boolean {
    return openChildren(this.#progress).length > 0
  }

  get #progress(): ChildProgress[] {
    return [...this.#children.values()].map(({ spec, state }) => ({ id: spec.id, state, dependsOn: spec.dependsOn }))
  }

  /** Starts new children; those that depend on siblings wait for them. */
  async spawn(specs: readonly ChildSpec[]): Promise<void> {
    for (const spec of specs) {
      if (this.#children.has(spec.id)) continue
      const whole = withParentCriteria(spec, this.#node.state.spec.acceptanceCriteria)
      this.#children.set(spec.id, { spec: whole, state: 'held-back', starts: 0, failures: 0, allowed: [] })
    }
    await this.#startReady()
  }

  /** Waits until every child is merged, dropped or taken over, and the contract suite passes. */
  async settle(): Promise<void> {
    for (;;) {
      while (this.open) await this.#receiveNote()
      if (!(await this.#contractFails())) return
    }
  }

  /** Ends the node's running parts. If the budget is used up, lets them finish first (BU1). */
  async dismiss(because?: unknown): Promise<void> {
    const { run, deps } = this.#node
    const isSpent = because instanceof Error && 'code' in because && spent.has(String(because.code))
    const working = () => [...this.#children.values()].filter(({ state }) => state === 'working')
    while (isSpent && working().length > 0) {
      const note = await deps.activity.whileWaiting(run.runId, () => run.receive<ChildNote>(childTopic))
      const child = note && this.#children.get(note.child)
      if (child) child.state = 'failed'
    }
    if (working().length > 0) await run.step('dismiss parts', () => deps.endParts(run.runId))
  }

  async #startReady(): Promise<void> {
    for (const id of startableChildren(this.#progress)) await this.#begin(this.#children.get(id)!)
  }

  async #begin(child: Child, more: { guidance?: string; again?: SentBackWork; kept?: KeptWork } = {}): Promise<void> {
    const { input, workspace, run } = this.#node
    const { spec, thread } = this.#node.state
    const { dependsOn, ...own } = child.spec
    child.starts++
    child.state = 'working'
    const path = [...input.path, own.id]
    const issue = input.issue?.name ?? input.issueTrailer
    const base = await run.step(`base of ${own.id}`, () => workspace.repository.resolve(this.#node.branch))
    const id = `${run.runId}/${own.id}${child.starts > 1 ? `~${child.starts}` : ''}`
    await this.#start(
      {
        build: input.build,
        feature: input.feature,
        spec: own as Spec,
        path,
        base: base ?? this.#node.state.head,
        ground: groundOf(this.#node.input)!,
        into: this.#node.branch,
        system: input.system,
        parent: {
          run: run.runId,
          spec,
          path: input.path,
          interfaces: interfacesOf(this.#node),
          tests: testsOf(this.#node),
          thread,
        },
        dependsOn: [...(dependsOn ?? [])],
        ...(issue === undefined ? {} : { issueTrailer: issue }),
        ...(input.caps ? { caps: input.caps } : {}),
        ...(input.unattended ? { unattended: true } : {}),
        ...(child.allowed.length > 0 ? { allowed: child.allowed } : {}),
        ...more,
      },
      id,
    )
  }

  async #receiveNote(): Promise<void> {
    const { run, deps } = this.#node
    const waiting = [...this.#children.values()].filter(({ state }) => state === 'working').map(({ spec }) => spec.id)
    await run.append(nodeWaiting.create(eventHeader(this.#node), { ...subjectOf(this.#node), for: waiting }))
    const note = await deps.activity.whileWaiting(run.runId, () => run.receive<ChildNote>(childTopic))
    const child = note && this.#children.get(note.child)
    if (!note || !child) return
    if (note.fatal) child.state = 'failed'
    if (note.fatal) throw new ConveneError(note.fatal.code, note.fatal.message, { exitCode: note.fatal.exitCode })
    const { outcome } = note
    if (outcome?.status === 'merged') {
      child.state = 'merged'
      child.again = outcome.again
      const symbols = outcome.changes.map(({ symbol }) => symbol)
      this.#node.state.childMerged({ id: note.child, symbols, changes: outcome.changes })
    } else if (outcome) await this.#failed(child, outcome)
    await this.#startReady()
  }

  /** GR6: asks the parent's agent what to do about the failure; the rule decides whether that is allowed. */
  async #failed(child: Child, outcome: Failed): Promise<void> {
    const node = this.#node
    child.failures++
    child.state = 'failed'
    const criteria = child.spec.acceptanceCriteria.map(({ id }) => id)
    const put = await this.#askAbout(child, outcome)
    const parentCriteria = node.state.spec.acceptanceCriteria.map(({ id }) => id)
    const failed = { child: child.spec.id, criteria, parentCriteria, failures: child.failures }
    const decision = childFailure(failed, put.ok ? put.reply : undefined)
    const about = {
      ...subjectOf(node),
      child: child.spec.id,
      reason: outcome.reason,
      action: decision.action,
      ...(decision.action === 'retry' ? { goes_on: retryStart(outcome) } : {}),
    }
    await node.run.append(childFailed.create(eventHeader(node), about))
    const said = put.ok ? Object.values(put.reply)[0]?.reason : undefined
    switch (decision.action) {
      case 'retry':
        return this.#begin(child, { guidance: retryWords(node, said, outcome), ...keptOf(outcome) })
      case 'take-over':
        child.state = 'taken-over'
        node.state.takeOver(decision.criteria)
        return
      case 'drop':
        child.state = 'dropped'
        node.state.takeOver(decision.takenOver)
        node.state.drop(decision.dropped)
        return
      case 'escalate':
        return this.#askPerson(child, outcome, decision.why)
      default:
        return decision satisfies never
    }
  }

  /** A malformed reply counts as an attempt, and the next prompt says why (GR4). Without a reply, a person decides. */
  async #askAbout(child: Child, outcome: Failed): Promise<WorktreeReply<ChildFailureReply>> {
    const node = this.#node
    const { attempts } = node.caps
    let refusals: Problem[] = []
    for (let tried = 1; ; tried++) {
      const attempt = child.failures - 1 + tried
      const lastAttempt = isLastAttempt(tried, node.caps)
      const put = await askInWorktree<ChildFailureReply>(node, {
        kind: 'child-failed',
        role: 'scaffold',
        prompt: 'child-failed',
        values: {
          spec: node.state.spec,
          child: child.spec,
          failure: `${outcome.reason}. ${outcome.detail}`,
          attempt: tried,
          attempts,
          lastAttempt,
          refusals,
        },
        thread: node.state.thread,
        schema: childFailureSchema,
        attempt,
        asked: { ...subjectOf(node), for: child.spec.id },
      })
      if (put.ok) return put
      refusals = [put.problem]
      const about = { ...subjectOf(node), kind: 'child-failed', attempt, problems: refusals }
      await node.run.append(replyRefused.create(eventHeader(node), about))
      if (lastAttempt || !put.malformed) return put
    }
  }

  async #askPerson(child: Child, outcome: Failed, why: string): Promise<void> {
    const { exit, capped, detail, mayAllow = [] } = outcome
    const reason = `its part ${child.spec.id} failed: ${outcome.reason}; ${why}`
    const ruling = await escalate(this.#node, { reason, exit, detail, mayAllow, ...(capped ? { capped } : {}) })
    if (ruling.kind === 'give-up') throw new ChildGivenUp(`${child.spec.id} failed: ${outcome.reason}`)
    child.failures = 0
    child.allowed = [...child.allowed, ...ruling.allowed]
    await this.#begin(child, { guidance: ruling.answered, ...keptOf(outcome) })
  }

  /** GR7: runs the contract suite on all merged parts, and sends failing parts back to their tests. */
  async #contractFails(): Promise<boolean> {
    const node = this.#node
    const judged: JudgedChild[] = [...this.#children.values()].map(({ spec, state }) => ({
      id: spec.id,
      state,
      criteria: spec.acceptanceCriteria.map(({ id }) => id),
    }))
    if (!shouldRunContract(judged)) return false
    const tests = await node.run.step('contract of all parts', async (step) => {
      const { workspace } = node
      const { scaffold } = node.state
      const commit = (await workspace.repository.resolve(node.branch)) ?? node.state.head
      const checkout = { commit, purpose: 'contract', isBuilt: true }
      return (await testsAt(node, step, checkout, { suite: scaffold!.contractSuite!, alone: true })).tests
    })
    const failing = tests
      .filter((test) => isRed(test) && !isOwedByParent(test))
      .map((test) => ({ test: test.fullName ?? test.name, criteria: testedCriteria(node, test) }))
    const { sentBack } = contractVerdict(judged, failing)
    for (const { child: id, failingTests } of sentBack) {
      const child = this.#children.get(id)!
      child.failures++
      if (child.failures > node.caps.reviews || !child.again) {
        const reason = `the contract tests of its criteria fail: ${failingTests.join(', ')}`
        await this.#askPerson(
          child,
          { status: 'failed', reason, exit: 'MoreTests', detail: reason },
          'it was sent back before',
        )
        continue
      }
      const saidBy = (name: string) => tests.find((test) => (test.fullName ?? test.name) === name)?.message
      const critiques = failingTests.map((test) => ({
        file: node.state.scaffold!.contractSuite!,
        line: 0,
        issue: `the contract test "${test}" fails now that all parts are merged: ${oneLine(saidBy(test) ?? '', 300)}`,
        requiredFix: 'make it pass',
      }))
      await this.#begin(child, { again: { ...child.again, critiques, additionalTests: [] } })
    }
    return sentBack.length > 0
  }
}

type Failed = Extract<NodeOutcome, { status: 'failed' }>

function keptOf({ kept }: Failed): { kept?: KeptWork } {
  return kept ? { kept } : {}
}

/** What a retried part is told, and by whom. */
function retryWords({ input }: Node, said: string | null | undefined, { reason }: Failed): string {
  return said ? `${input.spec.id}, of which this is a part, says: ${said}` : `The last attempt failed: ${reason}`
}

/** Where a retried part starts, and why. */
function retryStart({ kept, fromScratch }: Failed): string {
  if (!kept) return `from its scaffold: ${fromScratch ?? 'nothing of it stands'}`
  return kept.place === 'impl' ? 'at its implementer: scaffold and tests stand' : 'at its tests: the scaffold stands'
}

/** A person gave up on a part, and so on the whole build. */
export class ChildGivenUp extends Error {}
