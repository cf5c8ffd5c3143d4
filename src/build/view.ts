/** The view of a build: a fold of its events, shared by server, command line and browser. */

import { askFinished, askStarted, toolUsed } from '../kernel/ask/ask-events.ts'
import { type Cost, countCost, noCost, spendUsage } from '../kernel/ask/cost.ts'
import type { StoredEvent } from '../kernel/events.ts'
import type { Fold } from '../kernel/fold.ts'
import { isStopped, runFinished, runParked, runRecovered, type WorkStatus } from '../kernel/run-events.ts'
import { type Question, questionAnswered, questionAsked } from '../kernel/runs/question-events.ts'
import type { ChangeEntry, PlannedTest } from '../rules/build/exits.ts'
import type { Criterion } from '../rules/build/spec.ts'
import type { Problem } from '../rules/schema/problem.ts'
import {
  agentNudged,
  buildFinished,
  buildMoved,
  buildStarted,
  childFailed,
  childJudged,
  commandStarted,
  conflictForecast,
  evidenceRecorded,
  exitRouted,
  mergeCompleted,
  nodeFinished,
  nodeStarted,
  nodeWaiting,
  rebaseFinished,
  replyRefused,
  reviewApproved,
  reviewReturned,
  scaffoldAccepted,
  taskPut,
  warningGiven,
  workCommitted,
} from './events.ts'

export type BuildStatus = WorkStatus

export interface BuildView {
  id: string
  spec: string
  description: string
  strategy: 'graph' | 'solo' | null
  because: string
  status: BuildStatus
  reason?: string
  base: string | null
  branch: string
  target: string | null
  commit: string | null
  tree: string | null
  merged?: boolean
  rehearsal: boolean
  /** Whether the result is merged into `target` at the end. */
  merge: boolean
  /** The cap on attempts at one place, if known. */
  attempts?: number
  commands: Record<string, string | undefined>
  nodes: NodeView[]
  /** Routed exits, newest last. */
  routes: RouteView[]
  forecasts: ForecastView[]
  warnings: string[]
  questions: Question[]
  cost: Cost
  started?: string
  finished?: string
}

/** A build in a list. */
export interface BuildLine
  extends Pick<BuildView, 'id' | 'spec' | 'description' | 'status' | 'strategy' | 'rehearsal' | 'cost'> {
  /** The number of nodes so far, and how many of them are merged. */
  nodes: number
  merged: number
  /** The number of open questions to a person. */
  questions: number
  started?: string
  finished?: string
  reason?: string
}

/** `idle`: not asked yet. `checking`: Convene is running commands itself. */
export type NodeStatus = 'idle' | 'working' | 'checking' | 'waiting' | 'question' | 'merged' | 'failed'

export interface NodeView {
  id: string
  path: string[]
  description: string
  criteria: Criterion[]
  depends_on: string[]
  branch: string
  state: NodeStatus
  /** Where in the graph it is: scaffold, write-tests, implement … */
  at: string
  attempt: number
  agent?: string
  waiting_for: string[]
  /** The command that Convene runs for it now. */
  running?: { command: string; purpose: string; since: string }
  tests?: { parsed: boolean; passed: number; failed: number; skipped: number }
  interfaceFile?: string
  contractSuite?: string
  /** Which test covers which criterion. */
  plan: PlannedTest[]
  /** Its parts, including those that have not started. */
  parts: { id: string; depends_on: string[] }[]
  asks: AskView[]
  evidence: EvidenceView[]
  commits: CommitView[]
  merge?: { commit: string; impactLevel: string; changes: ChangeEntry[]; unparsed: string[] }
  reviews: ReviewView[]
  rebases: { onto: string; commit: string; impactLevel: string; conflicts: string[]; adapted: boolean }[]
  notes: { ts: string; text: string }[]
  reason?: string
  cost: Cost
  started: string
  finished?: string
}

export interface AskView {
  ask: string
  kind: string
  agent: string
  rehearsal: boolean
  attempt: number
  started: string
  prompt_ref?: string
  exit?: string
  payload_ref?: string
  failure?: string
  refused?: Problem[]
  milliseconds?: number
  tokens?: number
  usd?: number | null
  tools: { tool: string; summary: string; ok: boolean; milliseconds: number }[]
  nudged?: boolean
}

export interface ReviewView {
  ts: string
  /** The ask that it was the reply to. */
  ask?: string
  agent?: string
  exit: 'Approved' | 'MoreTests' | 'Reject'
  /** What it says: the sign-off, or each thing that it asks for. */
  words: string[]
  /** The tests that an approval names for each criterion. */
  covered: { criterionId: string; testName: string }[]
  /** Why an approval did not count. */
  refused?: Problem[]
}

export interface EvidenceView {
  seq: number
  ts: string
  purpose: string
  command: string
  exit_code: number
  ended: string
  commit: string
  sandboxed: boolean
  milliseconds: number
  reused?: boolean
  tests?: {
    parsed: boolean
    passed: number
    failed: number
    skipped: number
    list: { name: string; outcome: string }[]
  }
  output_ref?: string
  output_bytes: number
}

export interface CommitView {
  kind: string
  commit: string
  parent: string
  files: { path: string; status: string }[]
}

export interface RouteView {
  seq: number
  ts: string
  path: string[]
  from: string
  exit: string
  to: string[]
  action: string
  capped?: string
  severity: string
}

export interface ForecastView {
  node: string
  with: string
  files: string[]
}

export function buildView(id: string): Fold<BuildView> {
  return {
    initial: () => ({
      id,
      spec: '',
      description: '',
      strategy: null,
      because: '',
      status: 'running',
      base: null,
      branch: '',
      target: null,
      commit: null,
      tree: null,
      rehearsal: false,
      merge: false,
      commands: {},
      nodes: [],
      routes: [],
      forecasts: [],
      warnings: [],
      questions: [],
      cost: noCost(),
    }),
    evolve(view, event) {
      applyToBuild(view, event)
      applyToNodes(view, event)
      return view
    },
  }
}

function applyToBuild(view: BuildView, event: StoredEvent): void {
  if (buildStarted.is(event)) {
    Object.assign(view, event.data)
    view.started = event.ts
  }
  if (buildMoved.is(event)) view.base = event.data.base
  if (buildFinished.is(event)) {
    Object.assign(view, event.data)
    view.finished = event.ts
  }
  if (event.run === view.id) {
    if (runFinished.is(event) && view.status !== 'done') {
      view.status = 'failed'
      view.finished ??= event.ts
      if (event.data.reason !== undefined) view.reason ??= event.data.reason
    }
    if (runParked.is(event)) {
      view.status = isStopped(event.data) ? 'stopped' : 'failed'
      if (view.status === 'failed') view.reason = event.data.reason
    }
    if (runRecovered.is(event) && !view.finished) {
      view.status = 'running'
      delete view.reason
    }
  }
  if (exitRouted.is(event)) {
    const { path, from, exit, to, action, capped, envelope } = event.data
    const more = capped === undefined ? {} : { capped }
    view.routes.push({
      seq: event.seq,
      ts: event.ts,
      path,
      from,
      exit,
      to,
      action,
      severity: envelope.severity,
      ...more,
    })
  }
  if (conflictForecast.is(event)) {
    const { node, with: other, files } = event.data
    view.forecasts = view.forecasts.filter((one) => !(one.node === node && one.with === other))
    view.forecasts.push({ node, with: other, files })
  }
  if (mergeCompleted.is(event))
    view.forecasts = view.forecasts.filter((one) => one.node !== event.data.node && one.with !== event.data.node)
  if (warningGiven.is(event)) view.warnings.push(event.data.text)
  if (questionAsked.is(event)) view.questions.push(event.data)
  if (questionAnswered.is(event)) view.questions = view.questions.filter(({ id }) => id !== event.data.id)
  countCost(view.cost, event)
}

function applyToNodes(view: BuildView, event: StoredEvent): void {
  if (nodeStarted.is(event)) {
    startNode(view, event)
    return
  }
  const data = event.data as { path?: string[]; ask?: string; id?: string }
  if (questionAnswered.is(event)) {
    const asked = view.nodes.find((node) => node.state === 'question')
    if (asked && !view.questions.some((question) => samePath(question.context.path, asked.path)))
      asked.state = 'working'
    return
  }
  if (questionAsked.is(event)) {
    const node = view.nodes.find(({ path }) => samePath(event.data.context.path, path))
    if (node) {
      node.state = 'question'
      note(node, event, event.data.text)
    }
    return
  }
  const node = view.nodes.find(({ path }) => samePath(data.path, path))
  if (!node) return
  if (commandStarted.is(event)) {
    const { command, purpose } = event.data
    node.running = { command, purpose, since: event.ts }
  } else if ([evidenceRecorded, taskPut, askStarted, nodeWaiting, nodeFinished].some((kind) => kind.is(event)))
    delete node.running
  if (taskPut.is(event)) {
    const { ask, kind, agent, attempt, prompt_ref } = event.data
    askOf(node, ask, { kind, agent, attempt, started: event.ts }).prompt_ref = prompt_ref
  }
  if (askStarted.is(event)) {
    const { ask, kind, agent, attempt, rehearsal } = event.data
    askOf(node, ask, { kind, agent, attempt, started: event.ts }).rehearsal = rehearsal
    Object.assign(node, { state: 'working', at: kind, attempt, agent, waiting_for: [] })
    node.cost.asks += 1
  }
  if (askFinished.is(event)) {
    const { ask, kind, agent, attempt, exit, failure, milliseconds, usage } = event.data
    const one = askOf(node, ask, { kind, agent, attempt, started: event.ts })
    one.milliseconds = milliseconds
    one.tokens = usage.inputTokens + usage.outputTokens
    one.usd = usage.usd
    if (exit !== undefined) one.exit = exit
    if (failure) one.failure = failure.message
    spendUsage(node.cost, usage)
    node.state = 'checking'
  }
  if (replyRefused.is(event)) {
    const { kind, attempt, problems } = event.data
    const one = node.asks.findLast((ask) => ask.kind === kind && ask.attempt === attempt)
    if (one) one.refused = problems
    const review = node.reviews.at(-1)
    if (review?.exit === 'Approved' && review.ask === one?.ask) review.refused = problems
  }
  if (agentNudged.is(event)) {
    const one = node.asks.findLast((ask) => ask.kind === event.data.kind)
    if (one) one.nudged = true
  }
  if (toolUsed.is(event)) {
    const { tool, summary, ok, milliseconds } = event.data
    node.asks.at(-1)?.tools.push({ tool, summary, ok, milliseconds })
  }
  if (evidenceRecorded.is(event)) {
    const { node: _node, path: _path, tree: _tree, ...seen } = event.data
    node.evidence.push({ seq: event.seq, ts: event.ts, ...seen })
    if (seen.tests) {
      const { parsed, passed, failed, skipped } = seen.tests
      node.tests = { parsed, passed, failed, skipped }
    }
  }
  if (workCommitted.is(event)) {
    const { kind, commit, parent, files } = event.data
    node.commits.push({ kind, commit, parent, files })
  }
  if (scaffoldAccepted.is(event)) {
    node.interfaceFile = event.data.interfaceFile
    node.contractSuite = event.data.contractSuite
    node.plan = event.data.testPlan
    const { children, dependencies = {} } = event.data
    const planned = children.map((id) => ({ id, depends_on: Object.hasOwn(dependencies, id) ? dependencies[id]! : [] }))
    // A new plan keeps the parts that have started.
    node.parts = [...node.parts.filter(({ id }) => !children.includes(id)), ...planned]
  }
  if (exitRouted.is(event)) {
    const one = node.asks.findLast((ask) => ask.exit !== undefined)
    if (one && event.payload_ref && one.payload_ref === undefined) one.payload_ref = event.payload_ref
    if (event.data.capped) note(node, event, `the cap on ${event.data.capped} is reached`)
  }
  if (mergeCompleted.is(event)) {
    const { mergeCommit: commit, impactLevel, changes, unparsed } = event.data
    node.merge = { commit, impactLevel, changes, unparsed }
  }
  if (rebaseFinished.is(event)) {
    const { onto, commit, impactLevel, conflicts, adapted } = event.data
    node.rebases.push({ onto, commit, impactLevel, conflicts, adapted })
  }
  if (reviewReturned.is(event)) {
    const { exit, reasons } = event.data
    node.reviews.push({ ts: event.ts, ...reviewerOf(view, node), exit, words: reasons, covered: [] })
  }
  if (reviewApproved.is(event)) {
    const { signOff, covered } = event.data
    node.reviews.push({ ts: event.ts, ...reviewerOf(view, node), exit: 'Approved', words: [signOff], covered })
  }
  if (childJudged.is(event)) note(node, event, `${event.data.child}: ${event.data.verdict}`)
  if (childFailed.is(event))
    note(
      node,
      event,
      [`${event.data.child} failed (${event.data.reason}): ${event.data.action}`, event.data.goes_on]
        .filter(Boolean)
        .join(', '),
    )
  if (nodeWaiting.is(event)) {
    node.state = 'waiting'
    node.waiting_for = event.data.for
  }
  if (nodeFinished.is(event)) {
    node.state = event.data.status
    node.finished = event.ts
    node.waiting_for = []
    if (event.data.reason !== undefined) node.reason = event.data.reason
  }
}

function startNode(view: BuildView, event: StoredEvent): void {
  if (!nodeStarted.is(event)) return
  const { node: id, path, description, criteria, depends_on, branch } = event.data
  const earlier = view.nodes.find((node) => samePath(node.path, path))
  if (earlier) {
    Object.assign(earlier, { state: 'idle', at: '', attempt: 0, finished: undefined, reason: undefined })
    note(earlier, event, 'started again')
    return
  }
  view.nodes.push({
    id,
    path,
    description,
    criteria,
    depends_on,
    branch,
    state: 'idle',
    at: '',
    attempt: 0,
    waiting_for: [],
    plan: [],
    parts: [],
    asks: [],
    evidence: [],
    commits: [],
    reviews: [],
    rebases: [],
    notes: [],
    cost: noCost(),
    started: event.ts,
  })
}

function askOf(
  node: NodeView,
  ask: string,
  about: { kind: string; agent: string; attempt: number; started: string },
): AskView {
  const known = node.asks.find((one) => one.ask === ask)
  if (known) return known
  const fresh: AskView = { ask, rehearsal: false, tools: [], ...about }
  node.asks.push(fresh)
  return fresh
}

/** Whose reply the last review is: the node's own reviewer, or the one of its parent. */
function reviewerOf(view: BuildView, node: NodeView): Pick<ReviewView, 'ask' | 'agent'> {
  const parent = view.nodes.find(({ path }) => samePath(path, node.path.slice(0, -1)))
  const asks = [
    ...node.asks.filter(({ kind }) => kind === 'review-impl'),
    ...(parent?.asks ?? []).filter(({ kind }) => kind === 'judge-child'),
  ]
  const last = asks.toSorted((a, b) => a.started.localeCompare(b.started)).at(-1)
  return last ? { ask: last.ask, agent: last.agent } : {}
}

function note(node: NodeView, event: StoredEvent, text: string): void {
  node.notes.push({ ts: event.ts, text })
}

function samePath(one: unknown, other: readonly string[]): boolean {
  return Array.isArray(one) && one.length === other.length && one.every((id, index) => id === other[index])
}
