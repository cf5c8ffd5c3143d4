/** An agent's seat in a room of peers: one process holds it at a time, and others see by it who is present. */
import { ConveneError } from '../../kernel/errors.ts'
import { sleep } from '../../kernel/sleep.ts'
import type { RoomDeps } from '../deps.ts'

const nameOf = (room: string, agent: string) => `peer:${room}:${agent}`
/** A seat whose holder gave no sign for this long is free. */
const heldMs = 4_000
const renewMs = 1_000
const againMs = 250

export type SeatDeps = Pick<RoomDeps, 'store' | 'clock'>

/** Waits for the seat of a process that died a moment ago; refuses if a living one keeps it. */
export async function takeSeat(
  { store, clock }: SeatDeps,
  room: string,
  agent: string,
  holder: string,
  signal: AbortSignal,
): Promise<{ lost: Promise<never>; leave(): Promise<void> }> {
  const name = nameOf(room, agent)
  const giveUpAt = clock.now() + heldMs + renewMs
  for (;;) {
    // Only an attempt that began late enough tells that somebody renews the seat; the database may be slow.
    const isLast = clock.now() > giveUpAt
    if (await store.claim(name, holder, heldMs)) break
    if (isLast)
      throw new ConveneError(
        'already_joined',
        `${agent} has already joined this room from another process; end that one first`,
        {
          path: 'name',
          status: 409,
        },
      )
    await sleep(againMs, signal, clock)
  }
  let cancel = () => {}
  let renewing: Promise<unknown> = Promise.resolve()
  const lost = new Promise<never>((_, reject) => {
    const renew = () => {
      renewing = store.claim(name, holder, heldMs).then((kept) => {
        if (!kept) reject(new ConveneError('seat_lost', `${agent} has joined this room from another process`))
      }, reject)
      cancel = clock.after(renewMs, renew)
    }
    cancel = clock.after(renewMs, renew)
  })
  lost.catch(() => {})
  return {
    lost,
    async leave() {
      cancel()
      await renewing.catch(() => {})
      await store.release(name, holder).catch(() => {})
    },
  }
}

/** Which agents of a room have a process that answers for them. */
export async function presentIn({ store }: Pick<SeatDeps, 'store'>, room: string, agents: string[]): Promise<string[]> {
  const holders = await Promise.all(agents.map((agent) => store.holderOf(nameOf(room, agent))))
  return agents.filter((_, index) => holders[index] !== null)
}
