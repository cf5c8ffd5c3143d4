/** `convene peer`: one agent of a room of peers as a process of its own. */
import type { App } from '../../app.ts'
import { loadConfig } from '../../kernel/config/load.ts'
import { ConveneError } from '../../kernel/errors.ts'
import { version } from '../../kernel/version.ts'
import type { PeerHappening } from '../../room/peers/peer-place.ts'
import type { Room } from '../../room/view.ts'
import type { Output } from '../display/output.ts'
import type { CommandContext } from './command.ts'
import { untilInterrupted } from './interrupt.ts'
import { rejoining, untilFenced } from './rejoin.ts'
import { requireDatabase } from './require-database.ts'

interface PeerOptions {
  name: string
  room: string
  /** Names of a room that does not exist yet. */
  agents?: string
}

/** Joins again by itself after it was cut off from the database, or stood still for so long that others took it for dead. */
export async function peerCommand(context: CommandContext, options: PeerOptions): Promise<number> {
  const project = loadConfig(context)
  requireDatabase(project, 'peer')
  const { createApp } = await import('../../app.ts')
  return untilInterrupted(async (interrupted) => {
    await rejoining(context.output, interrupted, async (joined) => {
      const app = await createApp(project, context.env, { work: { takes: () => false }, version: version() })
      try {
        await takePart(app, context, options, interrupted, joined)
      } finally {
        await app.close()
      }
    })
    return 0
  })
}

async function takePart(
  app: App,
  { output, env }: CommandContext,
  { name, room: wanted, agents }: PeerOptions,
  interrupted: AbortSignal,
  whenJoined: () => void,
): Promise<void> {
  const room = await openRoom(app, wanted, agents)
  const peer = await app.peers.join({
    room: room.id,
    agent: name,
    rulebook: env.CONVENE_RULEBOOK_VERSION,
    report: (happening) => report(output, room, name, happening),
    signal: interrupted,
  })
  whenJoined()
  const others = room.agents.filter((agent) => agent !== name)
  output.data({
    event: 'joined',
    room: room.id,
    message_id: null,
    agent: name,
    agents: room.agents,
    rulebook: peer.rulebook,
  })
  output.print(`${name} has joined ${room.name}, with ${others.join(', ') || 'nobody else'}. Ctrl-C leaves it.`)
  try {
    await Promise.race([peer.ended, untilFenced(app.fenced, interrupted)])
  } finally {
    await peer.leave()
  }
}

/** The peers of a new room may start at the same time: one of them creates it. */
async function openRoom({ rooms: all }: App, wanted: string, agents: string | undefined): Promise<Room> {
  const rooms = all.list()
  const room = rooms.find(({ id }) => id === wanted) ?? rooms.find(({ name }) => name === wanted)
  if (room) return room
  const names = agents?.split(',').flatMap((name) => name.trim() || [])
  if (names?.length) return all.create({ name: wanted, agents: names, dispatch: 'peers', once: true })
  const peers = rooms.filter(({ dispatch }) => dispatch === 'peers').map(({ name }) => name)
  throw new ConveneError('unknown_room', `there is no room '${wanted}'`, {
    path: 'room',
    expected: peers.length > 0 ? peers.join(' | ') : 'a room of peers, or --agents to create it',
    status: 404,
  })
}

function report(output: Output, room: Room, agent: string, { event, message_id, ...rest }: PeerHappening): void {
  output.data({ event, room: room.id, message_id, agent, ...rest })
  const line = inWords({ event, message_id, ...rest } as PeerHappening)
  if (line) output.print(line)
}

function inWords(happening: PeerHappening): string | null {
  switch (happening.event) {
    case 'seen':
      return `\n> ${happening.text.split('\n')[0]}`
    case 'proposed':
      return happening.failed
        ? `  no proposal: ${happening.why ?? happening.failed}`
        : `  proposed, confidence ${happening.confidence}`
    case 'decided':
      return `  ${happening.mode.toUpperCase()}: ${happening.responders.join(', ')} (${happening.rule})`
    case 'claimed':
      return '  answering'
    case 'answered':
      return `  ${happening.result}${happening.why ? `: ${happening.why}` : ''}`
    case 'waiting':
      return `  waiting for ${happening.for}`
    case 'fell_back':
      return `  fell back: ${happening.why}`
  }
}
