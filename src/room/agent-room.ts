/** What an agent can do in its room besides answering: write to another agent (AM), and read messages it was not shown (RD16). */
import { createHash } from 'node:crypto'
import type { AgentRoom } from '../kernel/agent.ts'
import { mostTold } from '../rules/room/agent-message.ts'
import type { RoomDeps } from './deps.ts'
import { roomStream } from './events.ts'
import { talkLine, talkTypes } from './talk-line.ts'

export interface InRoom {
  room: string
  message_id: string
  /** The run and the round of the ask, which make its messages idempotent. */
  run: string
  round?: number
}

export async function agentRoom(deps: RoomDeps, agent: string, where: InRoom): Promise<AgentRoom> {
  const { room } = where
  const memory = await deps.memories.before(where, where.run)
  let told = 0
  return {
    // Peers send each other no direct messages (RD11).
    others: deps.room(room).dispatch === 'peers' ? [] : deps.room(room).agents.filter((name) => name !== agent),
    hidesMessages: memory.hidden(agent, where.round !== undefined) > 0,
    async tell(message) {
      if (told >= mostTold) throw new Error(`you have sent ${mostTold} messages, which is the limit for one answer`)
      told += 1
      await deps.tell(room, { from: agent, ...message }, idOf(agent, where, message))
    },
    async earlier({ search, before, count }) {
      const events = await deps.store.read({ stream: roomStream(room), types: talkTypes, before: memory.before })
      const lines = events.flatMap((event) => talkLine(event) ?? [])
      const wanted = search?.toLowerCase()
      return lines
        .map(({ from, text }, index) => ({ number: index + 1, from, text: shortened(text) }))
        .filter(({ number, text }) => number < (before ?? Infinity) && (!wanted || text.toLowerCase().includes(wanted)))
        .slice(-count)
    },
  }
}

/** A step that runs again after a crash and says the same again sends one message. */
function idOf(agent: string, { run, round = 0 }: InRoom, message: { to?: string; content: string }): string {
  const said = JSON.stringify([run, round, agent, message.to ?? null, message.content])
  return `tell-${createHash('sha256').update(said).digest('hex').slice(0, 24)}`
}

const longest = 4000

function shortened(text: string): string {
  return text.length <= longest ? text : `${text.slice(0, longest).toWellFormed()} […]`
}
