/** A peer asks its agent for a proposal and posts it, unless the round was decided meanwhile. RD4, RD11. */
import type { StoredEvent } from '../../kernel/events.ts'
import { sleep } from '../../kernel/sleep.ts'
import { type Message, notice } from '../answer.ts'
import { roomStream } from '../events.ts'
import { proposalIn, propose } from '../proposals.ts'
import { proposalPosted } from './events.ts'
import { messageRun } from './peer-facts.ts'
import type { PeerPlace } from './peer-place.ts'
import { peerRun } from './peer-run.ts'

export async function postProposal(
  place: PeerPlace,
  message: Message,
  plan: { agents: string[]; topics: string[] },
  round: { signal: AbortSignal; startedAt: number; isOpen(events: readonly StoredEvent[]): boolean },
): Promise<void> {
  const { deps, room, agent, rulebook } = place
  const { message_id } = message
  const { signal, startedAt } = round
  const run = messageRun(message_id)
  await permit(place, { run, message_id }, signal)
  const asking = peerRun({
    store: deps.store,
    runId: `${run}/${agent}`,
    position: 0,
    startedAt,
    signal,
    write: async (events) => {
      await deps.store.append(events)
    },
  })
  const result = await propose(asking, deps, message, agent, plan)
  const made = proposalIn(result)
  const { inputTokens, outputTokens, usd } = result.usage
  const used = { calls: result.attempts.length, tokens: inputTokens + outputTokens, usd }
  const event = proposalPosted.create(
    { stream: roomStream(room), run, actor: agent },
    { message_id, agent, rulebook, ...made, used },
  )
  const key = { run, step: `peers proposal ${agent}`, n: 0 }
  const written = await deps.store.appendFrom(run, (events) => (round.isOpen(events) ? [{ ...event, key }] : []))
  if (written.length === 0) return
  const said = 'proposal' in made ? { confidence: made.proposal.confidence } : { failed: made.reason }
  const why = result.exit.ok || 'proposal' in made ? {} : { why: result.exit.failure.message }
  place.report({ event: 'proposed', message_id, ...said, ...why })
}

/** RD12: a peer counts its own calls, and tells the room once if it waits. */
export async function permit(
  place: PeerPlace,
  { run, message_id }: { run: string; message_id: string },
  signal: AbortSignal,
): Promise<void> {
  const { deps, room, agent } = place
  for (let wait = deps.meter.take(room, 1); wait > 0; wait = deps.meter.take(room, 1)) {
    const words = `Rate limit of ${agent} reached; resuming in ${Math.ceil(wait / 1000)} s.`
    const key = { run, step: `peers rate limit ${agent}`, n: 0 }
    await deps.store.append([{ ...notice({ room, message_id }, words), key }])
    await sleep(wait, signal, deps.clock)
  }
}
