/** What a peer does next in a round. Every peer runs this on the same log; the log takes one of them. SPEC.md § PR. */
import { failOpen } from '../room/fail-open.ts'
import type { RoundDecision } from '../room/round.ts'
import { synthesisWait, type WaitLimits } from '../room/synthesis-wait.ts'
import { type PeerTimers, type RoundTerms, resolution } from './peer-decision.ts'
import {
  hasFailed,
  isAnswered,
  isCalledByName,
  isRoundOver,
  type PartClaim,
  type PeerDecision,
  type PeerFlag,
  type PeerRound,
} from './peer-round.ts'

export interface PeerLimits extends PeerTimers {
  /** RD7 */
  wait: WaitLimits
}

/** `until` is when to look again if nothing happens before. `part` counts from 0. */
export type PeerStep =
  | { kind: 'over' }
  | { kind: 'propose'; until: number }
  | { kind: 'resolve'; decision: RoundDecision; flags: PeerFlag[] }
  | { kind: 'claim'; part: number; epoch: number; flags: PeerFlag[] }
  /** This peer holds the claim. */
  | { kind: 'answer'; part: number; claim: PartClaim; until: number }
  /** Others have answered: this part is no longer waited for. */
  | { kind: 'drop'; part: number }
  /** Every agent has failed. */
  | { kind: 'close' }
  /** All agents present have failed: the room says so, and the peers wait for the absent. */
  | { kind: 'stall' }
  | { kind: 'wait'; for: 'proposals' | 'answers'; until: number }

export function peerStep(round: PeerRound, me: string, now: number, terms: RoundTerms, limits: PeerLimits): PeerStep {
  if (isRoundOver(round)) return { kind: 'over' }
  if (round.decision) return afterDecision(round, round.decision, me, now, limits)
  const resolved = resolution(round, me, now, terms, limits)
  if ('decision' in resolved) return { kind: 'resolve', ...resolved }
  if (round.proposals[me]) return { kind: 'wait', for: 'proposals', ...resolved }
  return { kind: 'propose', ...resolved }
}

function afterDecision(
  round: PeerRound,
  decision: PeerDecision,
  me: string,
  now: number,
  limits: PeerLimits,
): PeerStep {
  const { parts } = round
  const open = parts.map((part, index) => ({ ...part, index })).filter(({ end }) => !end)
  if (open.length === 0) return standIn(round, me, now, limits)
  const times: number[] = []

  const own = open.find(({ index, claim }) => !claim && decision.responders[index] === me)
  const ready = own && readiness(round, decision, own.index, now, limits)
  if (own && ready?.kind === 'ready') return { kind: 'claim', part: own.index, epoch: 1, flags: ready.flags }
  if (ready?.kind === 'wait') times.push(ready.until)

  const mine = open.find(({ claim }) => claim?.agent === me)
  if (!isCalledByName(decision))
    for (const part of open) {
      const due = overdueAt(round, decision, part.index, now, limits)
      if (now < due) times.push(due)
      else if (isAnswered(parts)) return { kind: 'drop', part: part.index }
      else if (hasFailed(round, me)) {
        const stalls = stallsAt(round, due, limits)
        if (now >= stalls) return { kind: 'stall' }
        times.push(stalls)
      } else if (!mine)
        return { kind: 'claim', part: part.index, epoch: (part.claim?.epoch ?? 0) + 1, flags: ['last_resort'] }
    }
  const until = Math.min(...times, now + longest)
  return mine
    ? { kind: 'answer', part: mine.index, claim: mine.claim!, until }
    : { kind: 'wait', for: 'answers', until }
}

/** Without anything to wait for, a peer still looks now and then. */
const longest = 60_000

/** PR3: in a synthesis, whether those before have ended or are no longer waited for (RD7). */
function readiness(
  { parts }: PeerRound,
  { mode, at }: PeerDecision,
  part: number,
  now: number,
  { wait }: PeerLimits,
): { kind: 'ready'; since: number; flags: PeerFlag[] } | { kind: 'wait'; until: number } {
  if (mode !== 'synthesis' || part === 0) return { kind: 'ready', since: at, flags: [] }
  const before = parts.slice(0, part)
  const since = Math.max(at, ...before.map(({ claim, end }) => end?.at ?? claim?.at ?? at))
  if (before.every(({ end }) => end)) return { kind: 'ready', since, flags: [] }
  const isAlive = before.some(({ claim, end }) => !end && claim?.alive)
  const waiting = synthesisWait({ started: at, now, ...(isAlive ? { lastSign: now } : {}) }, wait)
  return waiting.kind === 'wait' ? waiting : { kind: 'ready', since: at + wait.silence_ms, flags: ['wait'] }
}

/**
 * PR4: when others may step in. A peer that has claimed, or gives signs of life, has some time from then. Each further claim has
 * twice as long: where every agent is slow, one of them still comes to an end.
 */
function overdueAt(round: PeerRound, decision: PeerDecision, part: number, now: number, limits: PeerLimits): number {
  const patience = patienceOf(limits)
  const { claim } = round.parts[part]!
  if (claim?.alive) return now + patience / 4 + 1
  const ready = readiness(round, decision, part, now, limits)
  const since = claim?.at ?? (ready.kind === 'ready' ? ready.since : ready.until)
  const longer = 2 ** Math.min((claim?.epoch ?? 1) - 1, mostDoublings)
  return Math.max(round.postedAt + limits.last_resort_ms, since + patience * longer)
}

const mostDoublings = 10

const patienceOf = (limits: PeerTimers) => Math.max(0, limits.last_resort_ms - limits.round_ms)

/** Any peer that is present and has not failed would have claimed the part by then. Told once. */
function stallsAt({ stalled }: PeerRound, due: number, limits: PeerLimits): number {
  return stalled ? Number.POSITIVE_INFINITY : due + patienceOf(limits)
}

/** RD8: all responders have failed or passed; another agent answers in their place. */
function standIn(round: PeerRound, me: string, now: number, limits: PeerLimits): PeerStep {
  const { agents, parts, postedAt } = round
  const failed = parts.flatMap((part) => part.failed)
  const passed = parts.flatMap((part) => part.passed)
  const next = failOpen({ live: agents, failed: [...failed, ...passed] }) ?? failOpen({ live: agents, failed })
  if (next === undefined) return { kind: 'close' }
  const epoch = (parts[0]!.claim?.epoch ?? 0) + 1
  if (next === me) return { kind: 'claim', part: 0, epoch, flags: ['stand_in'] }
  const since = Math.max(...parts.map(({ end }) => end!.at))
  const due = Math.max(postedAt + limits.last_resort_ms, since + patienceOf(limits))
  if (failed.includes(me)) {
    const stalls = stallsAt(round, due, limits)
    if (now >= stalls) return { kind: 'stall' }
    return { kind: 'wait', for: 'answers', until: Math.min(stalls, now + longest) }
  }
  if (now < due) return { kind: 'wait', for: 'answers', until: due }
  return { kind: 'claim', part: 0, epoch, flags: ['stand_in', 'last_resort'] }
}
