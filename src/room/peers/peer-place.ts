/** Where a peer sits: its agent, its room, and what it works with. */
import type { PeerFlag } from '../../rules/team/peer-round.ts'
import type { PeerLimits } from '../../rules/team/peer-step.ts'
import type { RoomDeps } from '../deps.ts'

export interface PeerPlace {
  deps: RoomDeps
  room: string
  agent: string
  rulebook: string
  /** The rulebooks of the peers that had joined before an event. */
  rulebooksBefore(seq: number): Record<string, string>
  /** Summarises the talk with this peer's own agent, if it has become too long. RD17. */
  summarise(message_id: string): Promise<void>
  report(happening: PeerHappening): void
  /** Something that ends this peer: it can no longer write, or its agent cannot be asked. */
  fail(error: unknown): void
}

/** What a peer tells its user, `convene peer --json`. */
export type PeerHappening = { message_id: string } & PeerNews

export type PeerNews =
  | { event: 'seen'; text: string }
  /** `failed` is the kind of failure, `why` its message. */
  | { event: 'proposed'; confidence?: number; failed?: string; why?: string }
  | { event: 'decided'; mode: string; rule: string; responders: string[] }
  | { event: 'claimed'; part: number; epoch: number }
  | { event: 'answered'; part: number; result: 'answered' | 'passed' | 'failed' | 'superseded'; why?: string }
  | { event: 'waiting'; for: string }
  | { event: 'fell_back'; why: PeerFlag }

export function limitsOf({ settings }: Pick<RoomDeps, 'settings'>): PeerLimits {
  const { peers, synthesis } = settings
  return {
    alone_ms: peers.alone_seconds * 1000,
    round_ms: peers.round_seconds * 1000,
    last_resort_ms: peers.last_resort_seconds * 1000,
    wait: { silence_ms: synthesis.silence_seconds * 1000, total_ms: synthesis.total_seconds * 1000 },
  }
}
