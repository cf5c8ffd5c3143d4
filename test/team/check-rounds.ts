/** Reads the log of a room of peers and names everything that must never be in it. */
import type { StoredEvent } from '../../src/kernel/events.ts'

type Fact = StoredEvent<Record<string, unknown>>

export interface RoundTimers {
  alone: number
  round: number
  last_resort: number
}

/** The violations in one message's round, in words; none if it is sound. Times in milliseconds, all from one clock. */
export function violationsIn(events: readonly Fact[], timers: RoundTimers): string[] {
  const of = (type: string) => events.filter((event) => event.type === type)
  const [posted] = of('message.posted')
  const [resolved, ...more] = of('round.resolved')
  const replies = of('reply.posted')
  const claims = of('part.claimed')
  const found: string[] = []
  const must = (holds: boolean, what: string) => {
    if (!holds) found.push(`${posted?.data.message_id}: ${what}`)
  }
  must(of('message.posted').length === 1, 'one message')
  must(resolved !== undefined && more.length === 0, 'one decision')
  must(of('round.disputed').length === 0, 'no dispute')
  if (!posted || !resolved) return found
  const ms = (event: Fact) => Date.parse(event.ts) - Date.parse(posted.ts)
  const responders = resolved.data.responders as string[]
  const flags = (event: Fact) => (event.data.flags ?? []) as string[]

  must(replies.length >= 1, 'an answer')
  if (resolved.data.mode === 'solo') must(replies.length === 1, `one answer in SOLO, not ${replies.length}`)
  must(replies.length <= responders.length, 'no more answers than responders')
  must(events.filter(({ type }) => type === 'run.finished').length === 1, 'one end')

  for (let part = 1; part <= responders.length; part++) {
    const epochs = claims.filter(({ data }) => data.part === part).map(({ data }) => data.epoch as number)
    must(epochs.join() === epochs.map((_, index) => index + 1).join(), `epochs of part ${part} rise by one: ${epochs}`)
    must(replies.filter(({ data }) => data.part === part).length <= 1, `one reply for part ${part}`)
  }
  for (const reply of replies) {
    const { part, epoch, agent } = reply.data
    const inForce = claims.filter(({ data, seq }) => data.part === part && seq < reply.seq).at(-1)
    must(inForce?.data.epoch === epoch && inForce?.data.agent === agent, `${agent} replied under the claim in force`)
    must(!claims.some(({ data, seq }) => data.part === part && seq > reply.seq), `no claim after the reply of ${agent}`)
    must(
      flags(resolved).every((flag) => flags(reply).includes(flag)),
      'a reply carries the flags of its round',
    )
  }
  for (const claim of claims) {
    const isOwn = responders[(claim.data.part as number) - 1] === claim.data.agent
    must(
      isOwn || flags(claim).some((flag) => ['last_resort', 'stand_in'].includes(flag)),
      'others claim only as a fallback',
    )
    if (flags(claim).includes('last_resort')) must(ms(claim) >= timers.last_resort - slack, 'no last resort too early')
  }
  const proposals = of('proposal.posted').filter(({ seq }) => seq < resolved.seq)
  if (flags(resolved).includes('alone')) {
    const [own, ...others] = proposals
    must(own !== undefined && others.length === 0 && own.actor === resolved.actor, 'alone means alone')
    if (own) must(ms(resolved) - ms(own) >= timers.alone - slack, 'not alone too early')
  }
  if (flags(resolved).includes('round')) must(ms(resolved) >= timers.round - slack, 'no round timer too early')
  if (flags(resolved).includes('last_resort'))
    must(ms(resolved) >= timers.last_resort - slack, 'no last resort too early')
  const made = Object.keys(resolved.data.proposals as object).sort()
  const inTime = proposals.filter(({ data }) => data.proposal).map(({ data }) => data.agent as string)
  if (made.length > 0) must(made.join() === inTime.sort().join(), 'the decision uses every proposal posted before it')
  return found
}

/** A timer may fire a little early, and stamps are whole milliseconds. */
const slack = 30
