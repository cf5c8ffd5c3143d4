/** Rooms whose agents are processes of their own, agreeing over a shared Postgres without a leader. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openPeersRoom, scriptOf, unhurried, untilOver } from './peers-room.ts'
import { type RunningPostgres, startPostgres } from './start-postgres.ts'

let database: RunningPostgres
beforeAll(async () => {
  database = await startPostgres()
})
afterAll(() => database?.stop())

const content = 'How should the parser treat an empty line?'

describe('a room of peers', () => {
  it('[RD11] answers a message once, by the decision that every peer comes to', async () => {
    const room = await openPeersRoom(database.url, ['claude', 'gpt'], unhurried)
    const gpt = await room.peer('gpt', scriptOf('gpt', { confidence: 0.9 }))
    const claude = await room.peer('claude', scriptOf('claude', { confidence: 0.3 }))
    const message = await room.post(content)
    await untilOver(room, message)
    expect((await room.transcript()).map(({ sender, text }) => [sender, text])).toEqual([
      ['you', content],
      ['gpt', 'gpt answers'],
    ])
    const resolved = (await room.events(message)).filter(({ type }) => type === 'round.resolved')
    expect(resolved).toHaveLength(1)
    expect(resolved[0]!.data).toMatchObject({ mode: 'solo', winner: 'gpt', responders: ['gpt'] })
    expect(resolved[0]!.data).not.toHaveProperty('flags')
    const decided = { event: 'decided', room: room.id, message_id: message, mode: 'solo', responders: ['gpt'] }
    await expect.poll(() => claude.lines()).toContainEqual(expect.objectContaining({ ...decided, agent: 'claude' }))
    expect(gpt.lines().map(({ event }) => event)).toEqual(
      expect.arrayContaining(['joined', 'seen', 'proposed', 'decided', 'claimed', 'answered']),
    )
    expect(claude.lines().map(({ event }) => event)).not.toContain('claimed')
  })
})
