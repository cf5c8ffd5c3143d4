/**
 * Reads the log of rooms of peers and names everything that must never be in it. It folds the log by itself, without the code
 * under test; only the decision is worked out again by the published rule.
 *
 * As a program: `convene events --json | node test/team/check-rounds.ts [seconds of alone, round, last_resort, silence]`. Exit code 1 on a
 * violation.
 */
import { text } from 'node:stream/consumers'
import { overrideInForce } from '../../src/rules/room/override.ts'
import { planRound, type RoundRequest } from '../../src/rules/room/round.ts'
import { decisionOf } from '../../src/rules/team/peer-decision.ts'

export interface Fact {
  seq: number
  ts: string
  type: string
  stream: string
  run?: string
  actor?: string
  // biome-ignore lint/suspicious/noExplicitAny: a log that is checked may hold anything
  data: any
}

export interface RoundTimers {
  alone: number
  round: number
  last_resort: number
  /** RD7 */
  silence: number
}

/** The seed's, in milliseconds. */
export const seedTimers: RoundTimers = { alone: 5_000, round: 15_000, last_resort: 25_000, silence: 15_000 }

/** What a peer printed about a decision: `convene peer --json`. */
export interface SaidDecision {
  agent: string
  message_id: string | null
  mode?: unknown
  rule?: unknown
  responders?: unknown
}

export interface Check {
  /** Rounds with a decision of peers. */
  rounds: number
  violations: string[]
}

/** A timer may fire a little early, and stamps are whole milliseconds. */
const slack = 30

export function checkLog(events: readonly Fact[], timers: RoundTimers = seedTimers, said: SaidDecision[] = []): Check {
  const violations: string[] = []
  for (let index = 1; index < events.length; index++) {
    if (events[index]!.seq <= events[index - 1]!.seq) violations.push(`${events[index]!.seq}: positions rise`)
    if (events[index]!.ts < events[index - 1]!.ts) violations.push(`${events[index]!.seq}: time does not go back`)
  }
  const runs = Map.groupBy(events, ({ run }) => run)
  const rooms = new Set(
    events.flatMap(({ type, data }) =>
      type === 'room.created' && data.dispatch === 'peers' ? [`room:${data.id}`] : [],
    ),
  )
  let rounds = 0
  const decisions = new Map<string, string>()
  for (const [run, facts] of runs) {
    const posted = facts.find(({ type }) => type === 'message.posted')
    if (!posted || !rooms.has(posted.stream) || run !== `message-${posted.data.message_id}`) continue
    violations.push(...new Round(facts, posted, events, timers).violations().map((what) => `${run}: ${what}`))
    for (const { type, data } of facts) {
      if (type !== 'round.resolved') continue
      rounds++
      decisions.set(data.message_id, JSON.stringify([data.mode, data.rule, data.responders]))
    }
  }
  for (const { agent, message_id, mode, rule, responders } of said)
    if (decisions.get(message_id!) !== JSON.stringify([mode, rule, responders]))
      violations.push(`message-${message_id}: ${agent} told of another decision`)
  return { rounds, violations }
}

type PartEnd = 'answered' | 'passed' | 'failed' | 'dropped'

const endings: Record<string, PartEnd | undefined> = {
  'reply.posted': 'answered',
  'reply.passed': 'passed',
  'part.failed': 'failed',
  'part.dropped': 'dropped',
}
const ofPeers = ['proposal.posted', 'round.resolved', 'part.claimed', ...Object.keys(endings)]

interface Part {
  claims: Fact[]
  replies: Fact[]
  /** How it ended under its latest claim. */
  end?: { kind: PartEnd; ts: number }
  failed: string[]
  passed: string[]
}

/** One message: its facts are gone through in their order. */
class Round {
  readonly #facts: readonly Fact[]
  readonly #posted: Fact
  readonly #log: readonly Fact[]
  readonly #timers: RoundTimers
  readonly #found: string[] = []
  readonly #proposals: Fact[] = []
  #resolved: Fact | undefined
  #parts: Part[] = []
  #isClosed = false
  #isFinished = false

  constructor(facts: readonly Fact[], posted: Fact, log: readonly Fact[], timers: RoundTimers) {
    this.#facts = facts
    this.#posted = posted
    this.#log = log
    this.#timers = timers
  }

  violations(): string[] {
    if (this.#posted.data.mode === 'single') this.#parts = [newPart()]
    for (const fact of this.#facts) this.#read(fact)
    const answers = this.#parts.reduce((sum, { replies }) => sum + replies.length, 0)
    const { mode } = this.#decision
    this.#must(this.#decision.responders.length > 0, 'a decision')
    if (mode === 'solo') this.#must(answers <= 1, `one answer in SOLO, not ${answers}`)
    if (answers === 0) this.#must(this.#mayBeUnanswered(), 'an answer')
    this.#must(this.#isFinished, 'an end')
    return this.#found
  }

  #read(fact: Fact): void {
    const wasOver = this.#isOver
    if (ofPeers.includes(fact.type)) this.#must(!wasOver, `nothing after the end: ${fact.type} of ${fact.actor}`)
    switch (fact.type) {
      case 'message.posted':
        this.#must(fact === this.#posted, 'one message')
        break
      case 'proposal.posted':
        this.#must(!this.#resolved, 'no proposal after the decision')
        this.#must(!this.#proposals.some(({ data }) => data.agent === fact.data.agent), 'one proposal of each agent')
        this.#proposals.push(fact)
        break
      case 'round.resolved':
        this.#decided(fact)
        break
      case 'round.disputed':
        this.#must(false, `all come to one decision, not ${fact.data.agent} to ${fact.data.responders}`)
        break
      case 'part.claimed':
        this.#claimed(fact)
        break
      case 'notice.posted':
        if (fact.data.ends) this.#isClosed = true
        break
      case 'run.finished':
        this.#must(!this.#isFinished, 'one end')
        this.#must(wasOver, 'the end comes last')
        this.#isFinished = true
        break
      default: {
        const kind = endings[fact.type]
        if (kind) this.#ended(fact, kind)
      }
    }
  }

  #decided(fact: Fact): void {
    this.#must(!this.#resolved, 'one decision')
    this.#must(this.#posted.data.mode !== 'single', 'a call by name needs no decision')
    if (this.#resolved) return
    this.#resolved = fact
    const { data } = fact
    const given = this.#proposals.filter((posted) => posted.data.proposal)
    const flags: string[] = data.flags ?? []
    const { plan, override, request } = this.#plan(fact)
    const needs = plan.kind === 'propose' && !flags.includes('rulebook')
    const recorded = Object.fromEntries(given.map((posted) => [posted.data.agent, posted.data.proposal]))
    this.#must(isSame(data.proposals, recorded), 'the decision records the proposals before it')

    const proposals = Object.fromEntries(
      Object.entries(data.proposals).map(([agent, proposal]) => [agent, { at: 0, proposal }]),
    )
    const terms = { plan, limits: data.limits, ...(override ? { override } : {}) }
    const own = decisionOf({ agents: [...request.agents], proposals } as never, fact.actor!, terms, data.flags ?? [])
    for (const key of ['mode', 'rule', 'winner', 'responders'] as const)
      this.#must(
        isSame(data[key], own[key]),
        `the decision follows from the rule: ${key} ${own[key]}, not ${data[key]}`,
      )

    const since = this.#since(this.#posted, fact)
    const isComplete = request.agents.every((agent) => this.#proposals.some((posted) => posted.data.agent === agent))
    if (flags.length === 0) this.#must(!needs || isComplete, 'all have proposed, or a flag says why not')
    this.#must(flags.length <= 1, 'one flag')
    if (flags.includes('alone')) {
      const [first, ...others] = this.#proposals
      this.#must(first?.data.agent === fact.actor && others.length === 0, 'alone means alone')
      if (first) this.#must(this.#since(first, fact) >= this.#timers.alone - slack, 'not alone too early')
    }
    if (flags.includes('round')) {
      this.#must(given.length > 0 && !isComplete, 'the round timer decides with some proposals')
      this.#must(since >= this.#timers.round - slack, 'no round timer too early')
    }
    if (flags.includes('last_resort')) {
      this.#must(!isComplete, 'a last resort lacks proposals')
      this.#must(since >= this.#timers.last_resort - slack, 'no last resort too early')
    }
    this.#parts = data.responders.map(newPart)
  }

  /** The message as the rule reads it: with the talk, the answers and the overrides before it. */
  #plan(resolved: Fact) {
    const { data, seq, stream } = this.#posted
    const before = this.#log.filter((event) => event.seq < seq)
    const room = this.#log.find(({ type, data }) => type === 'room.created' && `room:${data.id}` === stream)!
    const last = before.findLast(({ type, stream: its }) => type === 'reply.posted' && its === stream)
    const ruling = before.findLast((event) => event.type === 'room.overridden' && `room:${event.data.room}` === stream)
    const override = { message: data.override, room: ruling?.data.override ?? undefined }
    const files = (data.attachments ?? []).filter((one: { kind: string }) => one.kind === 'file')
    const request: RoundRequest = {
      message: { id: data.message_id, text: data.text, files: files.map((file: { name: string }) => file.name) },
      agents: room.data.agents,
      lastResponder: last?.actor,
      spoke: resolved.data.spoke,
      judged: resolved.data.judged,
      collaborated: resolved.data.collaborated,
      limits: resolved.data.limits,
      override,
    }
    this.#must(isSame(resolved.data.agents, room.data.agents), "the decision records the room's agents")
    return { plan: planRound(request), override: overrideInForce(override, room.data.agents), request }
  }

  #claimed(fact: Fact): void {
    const { agent, epoch, flags = [] } = fact.data
    const part = this.#partOf(fact)
    if (!part) return
    const before = part.claims.at(-1)
    this.#must(fact.actor === agent, 'an agent claims for itself')
    this.#must(epoch === (before?.data.epoch ?? 0) + 1, `epochs rise by one: ${epoch} after ${before?.data.epoch}`)
    this.#must(part.replies.length === 0, 'no claim after a reply')
    this.#must(!this.#parts.some(({ failed }) => failed.includes(agent)), 'who failed claims nothing more')
    const { responders, mode } = this.#decision
    const isOwn = responders[fact.data.part - 1] === agent && !before
    const isFallback = flags.includes('last_resort') || flags.includes('stand_in')
    this.#must(isOwn || isFallback, `${agent} claims only its own part, or as a fallback`)
    if (isFallback) this.#must(!this.#isCalledByName, 'nobody steps in for who was called by name')
    const others = this.#parts.filter((other) => other !== part)
    if (flags.includes('stand_in')) {
      this.#must(
        this.#parts.every(({ end }) => end && end.kind !== 'answered'),
        'nobody stands in while others answer',
      )
      const due = Math.max(...this.#parts.map(({ end }) => end?.ts ?? 0)) + this.#patience
      if (flags.includes('last_resort')) this.#must(at(fact) >= due - slack, 'others stand in only after a wait')
    } else {
      this.#must(!part.end, 'a part that has ended is claimed by a stand-in alone')
      this.#must(
        !others.some(({ end }) => end?.kind === 'answered') || isOwn,
        'what is overdue beside an answer is dropped',
      )
    }
    if (flags.includes('last_resort')) {
      const early = this.#since(this.#posted, fact) < this.#timers.last_resort - slack
      this.#must(!early, 'no last resort too early')
      if (before && !part.end) {
        const patience = this.#patience * 2 ** Math.min(before.data.epoch - 1, 10)
        this.#must(this.#since(before, fact) >= patience - slack, 'a claim holds for a while')
      }
    }
    const earlier = mode === 'synthesis' ? this.#parts.slice(0, fact.data.part - 1) : []
    const isWaitedFor = earlier.some(({ end }) => !end)
    if (flags.includes('wait')) {
      this.#must(isWaitedFor, 'who stops waiting was waiting')
      this.#must(this.#since(this.#resolved!, fact) >= this.#timers.silence - slack, 'a wait is not cut short')
    } else if (!isFallback) this.#must(!isWaitedFor, 'a synthesis is in order')
    part.claims.push(fact)
    delete part.end
  }

  #ended(fact: Fact, kind: PartEnd): void {
    const part = this.#partOf(fact)
    if (!part) return
    const { agent, epoch, flags = [] } = fact.data
    const claim = part.claims.at(-1)
    const isInForce = (claim?.data.epoch ?? 0) === epoch && (claim === undefined || claim.data.agent === agent)
    this.#must(isInForce && (claim !== undefined || kind === 'dropped'), `${agent} ${kind} under the claim in force`)
    this.#must(!part.end, 'a claim ends once')
    if (kind === 'answered') {
      this.#must(part.replies.length === 0, 'one reply for each part')
      this.#must(
        !this.#parts.some(({ replies }) => replies.some((reply) => reply.data.agent === agent)),
        'one answer of each agent',
      )
      const due = [...(this.#resolved?.data.flags ?? []), ...(claim?.data.flags ?? [])]
      this.#must(
        isSame([...new Set(due)].sort(), [...flags].sort()),
        'a reply carries the flags of its round and its claim',
      )
      part.replies.push(fact)
    }
    if (kind === 'dropped') {
      const isAnswered = this.#parts.some((other) => other !== part && other.end?.kind === 'answered')
      this.#must(isAnswered && !this.#isCalledByName, 'a part is dropped only beside an answer')
      this.#must(this.#since(this.#posted, fact) >= this.#timers.last_resort - slack, 'nothing is dropped too early')
    }
    if (kind === 'failed') part.failed.push(agent)
    if (kind === 'passed') part.passed.push(agent)
    part.end = { kind, ts: at(fact) }
  }

  #partOf(fact: Fact): Part | undefined {
    const part = this.#parts[fact.data.part - 1]
    this.#must(part !== undefined, `${fact.type} is for a part of the decision, not ${fact.data.part}`)
    return part
  }

  get #decision(): { mode: string; rule: string; responders: string[] } {
    if (this.#posted.data.mode === 'single')
      return { mode: 'solo', rule: 'mention', responders: [this.#posted.data.target] }
    return this.#resolved?.data ?? { mode: 'none', rule: 'none', responders: [] }
  }

  get #isCalledByName(): boolean {
    const { mode, rule } = this.#decision
    return rule === 'mention' || rule === 'override' || (rule === 'addressed' && mode === 'solo')
  }

  get #isOver(): boolean {
    if (this.#isClosed) return true
    if (this.#parts.length === 0 || this.#parts.some(({ end }) => !end)) return false
    return this.#isCalledByName || this.#parts.some(({ end }) => end?.kind === 'answered')
  }

  /** Every agent of the room failed or passed, the person stopped it, or it was for agents who failed. */
  #mayBeUnanswered(): boolean {
    if (this.#facts.some(({ type, data }) => type === 'notice.posted' && data.ends === 'stopped')) return true
    const silent = this.#parts.flatMap(({ failed, passed }) => [...failed, ...passed])
    const asked = this.#isCalledByName ? this.#decision.responders : this.#resolved?.data.agents
    return asked?.every((agent: string) => silent.includes(agent)) ?? false
  }

  get #patience(): number {
    return this.#timers.last_resort - this.#timers.round
  }

  #since(earlier: Fact, later: Fact): number {
    return at(later) - at(earlier)
  }

  #must(holds: boolean, what: string): void {
    if (!holds) this.#found.push(what)
  }
}

const at = ({ ts }: Fact) => Date.parse(ts)
const newPart = (): Part => ({ claims: [], replies: [], failed: [], passed: [] })

/** Whatever the order of the keys. */
function isSame(one: unknown, other: unknown): boolean {
  const sorted = (_: string, value: unknown) =>
    value && typeof value === 'object' && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value
  return JSON.stringify(one, sorted) === JSON.stringify(other, sorted)
}

if (import.meta.main) {
  const [alone, round, last_resort, silence = seedTimers.silence] = process.argv
    .slice(2)
    .map((seconds) => Number(seconds) * 1000)
  const lines = (await text(process.stdin)).split('\n').filter(Boolean)
  const { rounds, violations } = checkLog(
    lines.map((line) => JSON.parse(line) as Fact),
    {
      ...seedTimers,
      ...(alone && round && last_resort ? { alone, round, last_resort, silence } : {}),
    },
  )
  for (const violation of violations) console.log(violation)
  console.log(`${rounds} rounds, ${violations.length} violations`)
  process.exitCode = violations.length > 0 || rounds === 0 ? 1 : 0
}
