/** Peers that are absent, are called by name, or may not take part. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { lastJson, run, temporaryFolder } from '../support/convene.ts'
import { openPeersRoom, scriptOf, unhurried, untilOver } from './peers-room.ts'
import { type RunningPostgres, startPostgres } from './start-postgres.ts'

let database: RunningPostgres
beforeAll(async () => {
  database = await startPostgres()
})
afterAll(() => database?.stop())

const content = 'How should the parser treat an empty line?'

describe('a room of peers', () => {
  it('[PR2] [PR4] decides alone where the other is absent, and waits for one that is called by name', async () => {
    const room = await openPeersRoom(database.url, ['claude', 'gpt'], { ...unhurried, alone: 0.5 })
    const gpt = await room.peer('gpt', scriptOf('gpt'))
    expect(await room.server.call('GET', `/api/rooms/${room.id}`)).toMatchObject({
      dispatch: 'peers',
      peers: [
        { agent: 'claude', present: false },
        { agent: 'gpt', present: true },
      ],
    })
    const folder = temporaryFolder({ 'convene.yaml': `project: ${room.project}\n` })
    const asked = await run(['ask', content, '--room', 'team', '--json'], { cwd: folder, env: room.env })
    expect([asked.code, lastJson(asked)]).toMatchObject([0, { items: [{}, { sender: 'gpt', text: 'gpt answers' }] }])
    const alone = (await room.events()).filter(({ type }) => ['round.resolved', 'reply.posted'].includes(type))
    expect(alone.map(({ data }) => data.flags)).toEqual([['alone'], ['alone']])
    expect(gpt.lines()).toContainEqual(expect.objectContaining({ event: 'fell_back', why: 'alone' }))

    const called = await room.post('@claude what do you think?')
    const other = await room.post('@gpt and you?')
    await untilOver(room, other)
    expect(await room.replies(called)).toEqual([])
    expect(gpt.lines()).toContainEqual(expect.objectContaining({ event: 'waiting', message_id: called }))
    await room.peer('claude', scriptOf('claude'))
    await untilOver(room, called)
    expect((await room.replies(called)).map(({ data }) => [data.agent, data.flags])).toEqual([['claude', undefined]])
  })

  it('[PR6] refuses a peer that cannot take part, with exit code 2', async () => {
    const room = await openPeersRoom(database.url, ['claude', 'gpt'])
    const central = await room.server.call<{ id: string }>('POST', '/api/rooms', { name: 'central' })
    const folder = temporaryFolder({
      'convene.yaml': `project: ${room.project}\nagents:\n  gpt: { provider: rehearsal, script: s.yaml }\n  other: { provider: rehearsal, script: s.yaml }\n`,
      's.yaml': scriptOf('gpt'),
    })
    await room.peer('gpt', scriptOf('gpt'))
    const refused = async (name: string, wanted: string, env: Record<string, string> = room.env) => {
      const ended = await run(['peer', '--name', name, '--room', wanted, '--json'], { cwd: folder, env })
      return [ended.code, lastJson<{ error: { code: string } }>(ended).error.code]
    }
    expect(await refused('gpt', 'nowhere')).toEqual([2, 'unknown_room'])
    expect(await refused('gpt', central.id)).toEqual([2, 'not_peers'])
    expect(await refused('claude', 'team')).toEqual([2, 'unknown_agent'])
    expect(await refused('other', 'team')).toEqual([2, 'invalid_input'])
    expect(await refused('gpt', 'team', {})).toEqual([2, 'no_database'])
    expect(await refused('gpt', 'team')).toEqual([2, 'already_joined'])
  })
})
