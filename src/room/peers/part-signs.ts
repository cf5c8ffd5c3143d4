/** Signs of life of a peer that answers: others wait for it as long as it gives them. PR4. */
import type { PeerRound } from '../../rules/team/peer-round.ts'
import { limitsOf, type PeerPlace } from './peer-place.ts'

const nameOf = (message_id: string, part: number, epoch: number) => `peer-part:${message_id}:${part}:${epoch}`

const patienceOf = ({ deps }: PeerPlace) => {
  const { last_resort_ms, round_ms } = limitsOf(deps)
  return last_resort_ms - round_ms
}

/** The claims of other peers whose holders gave a sign lately, as `part epoch`. */
export async function signsOf(
  place: PeerPlace,
  message_id: string,
  { parts }: PeerRound,
  me: string,
): Promise<Set<string>> {
  const now = place.deps.clock.now()
  const open = parts.flatMap(({ claim, end }, index) => (claim && !end ? [{ claim, part: index + 1 }] : []))
  const others = open.filter(({ claim }) => claim.agent !== me && now - claim.at > patienceOf(place) / 2)
  const found = await Promise.all(
    others.map(async ({ claim, part }) => {
      const holder = await place.deps.store.holderOf(nameOf(message_id, part, claim.epoch))
      return holder === claim.agent ? [`${part} ${claim.epoch}`] : []
    }),
  )
  return new Set(found.flat())
}

/** Passes on the agent's output as signs of life until `stop` is called. */
export function giveSigns(
  place: PeerPlace,
  runId: string,
  { message_id, part, epoch }: { message_id: string; part: number; epoch: number },
): { stop(): Promise<void> } {
  const { deps, agent } = place
  const name = nameOf(message_id, part, epoch)
  const patience = patienceOf(place)
  let passedOn: number | undefined
  let cancel = () => {}
  let working: Promise<unknown> = Promise.resolve()
  const look = () => {
    const last = deps.signs.last(runId, agent)
    if (last !== undefined && last !== passedOn) {
      passedOn = last
      // A sign that is lost is followed by the next one.
      working = deps.store.claim(name, agent, patience).catch(() => {})
    }
    cancel = deps.clock.after(patience / 4, look)
  }
  look()
  return {
    async stop() {
      cancel()
      await working
      if (passedOn !== undefined) await deps.store.release(name, agent).catch(() => {})
    },
  }
}
