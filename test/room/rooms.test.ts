/** Rooms: their properties, their agents, and what survives a restart. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Room } from '../../src/room/view.ts'
import { type Served, serve } from '../support/server.ts'
import { type Line, newRoom, projectFiles, roomOf } from './open-room.ts'

const script: Line[] = [
  { when: { ask: 'micro-proposal' }, repeat: true, reply: { angle: 'a', confidence: 0.9, covers: [] } },
  { when: { ask: 'answer' }, repeat: true, text: 'here' },
]

const listed = async (served: Served) => ((await served.call('GET', '/api/rooms')).body as { rooms: Room[] }).rooms

async function restart(served: Served, agents: string[]): Promise<Served> {
  await served.close()
  writeFileSync(join(served.folder, 'convene.yaml'), projectFiles(script, { agents })['convene.yaml'])
  return serve({}, { folder: served.folder })
}

describe('rooms', () => {
  it('leave helpers out unless they are named', async () => {
    const files = projectFiles(script)
    const config = JSON.parse(files['convene.yaml'])
    config.agents.quick = { ...config.agents.gpt, helper: true }
    const served = await serve({ ...files, 'convene.yaml': JSON.stringify(config) })
    await newRoom(served)
    await newRoom(served, { agents: ['quick'] })
    expect((await listed(served)).map(({ agents }) => agents)).toEqual([['gpt', 'claude'], ['quick']])
  })

  it('have their own id, a name and agents, and are listed with nothing else', async () => {
    const served = await serve(projectFiles(script))
    expect(await listed(served)).toEqual([])
    const named = await newRoom(served, { name: '  plans  ', agents: ['claude', 'claude'] })
    const twin = await newRoom(served, { name: 'plans' })
    const nameless = await newRoom(served)
    expect(await listed(served)).toEqual([
      { id: named.id, name: 'plans', agents: ['claude'] },
      { id: twin.id, name: 'plans', agents: ['gpt', 'claude'] },
      { id: nameless.id, name: expect.any(String), agents: ['gpt', 'claude'] },
    ])
    expect(new Set([named.id, twin.id, nameless.id]).size).toBe(3)
    expect((await served.call('GET', `/api/rooms/${named.id}`)).body).toEqual((await listed(served))[0])
    const again = await restart(served, ['gpt', 'claude'])
    expect((await listed(again)).map(({ id }) => id)).toEqual([named.id, twin.id, nameless.id])
  })

  it('[RD2] let nobody else answer for a named agent that is not in the room', async () => {
    const served = await serve(projectFiles(script))
    const room = await newRoom(served, { agents: ['gpt'] })
    const post = (text: string) => served.call('POST', `/api/rooms/${room.id}/messages`, { text })
    const refused = await post('@claude what do you think?')
    expect([refused.status, refused.body]).toEqual([
      400,
      {
        error: expect.objectContaining({ path: 'text', message: expect.stringContaining('claude is not in the room') }),
      },
    ])
    for (const text of ['@gpt and @claude, what do you think?', 'What did @claude mean?', '@someone wrote this'])
      expect([text, (await post(text)).status]).toEqual([text, 202])
  })

  it('are isolated from each other', async () => {
    const served = await serve(projectFiles(script))
    const [one, two] = [await newRoom(served), await newRoom(served)]
    await one.ask({ text: 'only here', target: 'gpt' })
    expect([(await one.transcript()).length, (await two.transcript()).length]).toEqual([2, 0])
  })

  it('[RD8] continue without an agent that is no longer configured, and get it back once it is', async () => {
    const first = await serve(projectFiles(script, { agents: ['gpt', 'claude', 'mistral'] }))
    const { id } = await newRoom(first, { name: 'three' })
    const lonely = await newRoom(first, { agents: ['mistral'] })
    const second = await restart(first, ['gpt', 'claude'])
    expect((await listed(second)).map(({ agents }) => agents)).toEqual([['gpt', 'claude'], []])
    const room = roomOf(second, id)
    const { run } = await room.ask({ text: 'Who is still here to talk about storage?' })
    expect(await second.app.engine.get(run)).toMatchObject({ status: 'done', result: {} })
    expect((await room.events('round.resolved'))[0]!.data).toMatchObject({ missing: [] })
    const answers = (await room.transcript()).filter(({ type }) => type === 'agent_response')
    expect(answers.map(({ text }) => text)).toContain('here')
    const empty = await second.call('POST', `/api/rooms/${lonely.id}/messages`, { text: 'anybody?' })
    expect([empty.status, empty.body]).toMatchObject([400, { error: { code: 'empty_room', path: 'room' } }])
    const third = await restart(second, ['gpt', 'claude', 'mistral'])
    expect((await listed(third)).map(({ agents }) => agents)).toEqual([['gpt', 'claude', 'mistral'], ['mistral']])
  })
})
