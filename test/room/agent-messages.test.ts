/** Messages between agents: who receives what and when, and where a thread ends. */
import { describe, expect, it, vi } from 'vitest'
import { serve } from '../support/server.ts'
import { type Line, newRoom, type OpenRoom, openRoom, recordPrompts, roomOf } from './open-room.ts'

interface Sent {
  status: number
  body: { id: string; thread: string; run: string; error?: { code: string; path: string; message: string } }
}

const trio = { agents: ['ada', 'bob', 'cy'] }
const nod: Line = { when: { ask: 'agent-message' }, repeat: true, text: 'Noted.' }

async function write(room: OpenRoom, message: Record<string, unknown>): Promise<Sent> {
  return (await room.served.call('POST', `/api/rooms/${room.id}/agent-messages`, message)) as Sent
}

/** The message and every reply that follows from it. */
async function settled(room: OpenRoom): Promise<void> {
  const { engine } = room.served.app
  for (;;) {
    const running = await engine.list({ status: 'running' })
    if (running.length === 0) return
    await Promise.all(running.map(({ id }) => engine.result(id).catch(() => {})))
  }
}

const sentBy = async (room: OpenRoom) =>
  (await room.events('agent-message.sent')).map(({ data }) => [data.from, data.to, data.depth])

describe('messages between agents', () => {
  it('[AM1] go to the named agent or to all others; a question gets a reply, information does not', async () => {
    const room = await openRoom(
      [
        {
          when: { ask: 'agent-message', agent: 'bob', contains: 'Which port?' },
          reply: { kind: 'inform', content: '4747' },
        },
        { when: { ask: 'answer' }, text: 'Good.' },
      ],
      trio,
    )
    const asked = recordPrompts(room.served)
    const { status, body } = await write(room, { kind: 'question', from: 'ada', to: 'bob', content: 'Which port?' })
    expect(status).toBe(202)
    await settled(room)
    expect(asked.map(({ agent, kind }) => [agent, kind])).toEqual([['bob', 'agent-message']])
    expect((await room.events('agent-message.sent')).map(({ data }) => data)).toMatchObject([
      { kind: 'question', from: 'ada', to: 'bob', content: 'Which port?', expects_reply: true, depth: 1 },
      { kind: 'inform', from: 'bob', to: 'ada', content: '4747', expects_reply: false, depth: 2, thread: body.thread },
    ])
    asked.length = 0
    await write(room, { kind: 'status', from: 'bob', content: 'Half done.', topic: 'the parser' })
    await settled(room)
    // Nobody wants a reply: both have it, and nobody was called.
    expect(asked).toEqual([])
    expect((await room.events('agent-message.delivered')).map(({ data }) => data.to)).toEqual([
      'bob',
      'ada',
      'ada',
      'cy',
    ])
    expect(await room.transcript()).toEqual([])
    const { run } = await room.say({ text: 'How far are you?', target: 'ada' })
    await room.over(run)
    for (const told of ['4747', 'Half done.']) expect(asked[0]!.prompt).toContain(told)
  })

  it('[AM1] are rejected if invalid', async () => {
    const room = await openRoom([nod], trio)
    const small = await newRoom(room.served, { agents: ['ada', 'bob'] })
    const fine = { kind: 'inform', from: 'ada', to: 'bob', content: 'x' }
    const wrong: [OpenRoom, Record<string, unknown>, string | undefined][] = [
      [room, { ...fine, kind: 'gossip' }, 'kind'],
      [room, { ...fine, from: 'nobody' }, 'from'],
      [room, { ...fine, to: 'nobody' }, 'to'],
      [room, { ...fine, to: 'ada' }, 'to'],
      [room, { ...fine, content: '' }, 'content'],
      [room, { ...fine, expects_reply: 'yes' }, 'expects_reply'],
      [room, { ...fine, depth: 1 }, undefined],
      [small, { ...fine, to: 'cy' }, 'to'],
      [small, { ...fine, from: 'cy' }, 'from'],
    ]
    for (const [where, message, path] of wrong) {
      const { status, body } = await write(where, message)
      expect([message, status, body.error?.path]).toEqual([message, 400, path])
    }
    expect(await room.served.app.engine.list()).toEqual([])
  })

  it('[AM2] agents that reply to each other in a loop stop at the sixth message, with a notice', async () => {
    const circle = { ada: 'bob', bob: 'cy', cy: 'ada' }
    const chatter = Object.entries(circle).map(([agent, to]) => ({
      when: { ask: 'agent-message', agent },
      repeat: true,
      reply: { kind: 'question', content: `${agent} wonders`, to, expects_reply: true },
    }))
    const room = await openRoom(chatter, trio)
    const asked = recordPrompts(room.served)
    const { body } = await write(room, { kind: 'question', from: 'ada', to: 'bob', content: 'well?' })
    await settled(room)
    expect(await sentBy(room)).toEqual([
      ['ada', 'bob', 1],
      ['bob', 'cy', 2],
      ['cy', 'ada', 3],
      ['ada', 'bob', 4],
      ['bob', 'cy', 5],
      ['cy', 'ada', 6],
    ])
    // The sixth wants no reply any more.
    expect(asked).toHaveLength(5)
    const capped = await room.events('thread.capped')
    expect(capped.map(({ data }) => data)).toEqual([{ thread: body.thread, depth: 6, speakers: ['ada', 'bob', 'cy'] }])
    await write(room, { kind: 'question', from: 'ada', to: 'bob', content: 'still there?', thread: body.thread })
    await settled(room)
    expect((await room.events('agent-message.refused'))[0]!.data).toMatchObject({ reason: 'depth_cap' })
    expect(await room.events('thread.capped')).toHaveLength(1)
    expect(asked).toHaveLength(5)
  })

  it('[AM2] concurrent messages in one thread respect the cap, and each has its own depth', async () => {
    const room = await openRoom([nod], { ...trio, settings: { room: { messages: { in_flight: 100 } } } })
    const message = { kind: 'inform', from: 'ada', to: 'bob', content: 'again', thread: 'one' } as const
    // In the same instant: over HTTP they would arrive one after the other.
    await Promise.all(Array.from({ length: 20 }, () => room.served.app.rooms.postAgentMessage(room.id, message)))
    await settled(room)
    expect((await sentBy(room)).map(([, , depth]) => depth)).toEqual([1, 2, 3, 4, 5, 6])
    expect(await room.events('agent-message.refused')).toHaveLength(14)
    expect(await room.events('thread.capped')).toHaveLength(1)
  })

  it('[AM2] a thread is counted from its first message, however much was said in the room since', async () => {
    const room = await openRoom([nod], trio)
    const message = { kind: 'inform', from: 'ada', to: 'bob', content: 'x', thread: 'old' }
    await write(room, message)
    await settled(room)
    const chat = { type: 'chat.heard', version: 1, stream: `room:${room.id}`, data: {} }
    await room.served.app.store.append(Array.from({ length: 2500 }, () => chat))
    await write(room, message)
    await settled(room)
    expect((await sentBy(room)).map(([, , depth]) => depth)).toEqual([1, 2])
  })

  it('[AM1] a resolution closes its thread and gets no reply', async () => {
    const room = await openRoom(
      [
        {
          when: { ask: 'agent-message', agent: 'bob' },
          reply: { kind: 'resolution', content: 'Settled: 4747.', expects_reply: true },
        },
        { ...nod, reply: { kind: 'question', content: 'Really?', expects_reply: true }, text: undefined },
      ],
      trio,
    )
    const { body } = await write(room, { kind: 'negotiate', from: 'ada', to: 'bob', content: '4747 or 8080?' })
    await settled(room)
    expect(await sentBy(room)).toEqual([
      ['ada', 'bob', 1],
      ['bob', 'ada', 2],
    ])
    await write(room, { kind: 'inform', from: 'cy', to: 'ada', content: 'one more thing', thread: body.thread })
    await settled(room)
    expect((await room.events('agent-message.refused')).map(({ data }) => data)).toMatchObject([
      { from: 'cy', thread: body.thread, reason: 'closed' },
    ])
    expect(await room.events('agent-message.delivered')).toHaveLength(2)
  })

  it('[AM3] wait during a round, and are delivered after it', async () => {
    const room = await openRoom([{ when: { ask: 'answer' }, after_file: 'go', text: 'the answer' }, nod], trio)
    const { run } = await room.say({ text: 'a question', target: 'ada' })
    await room.until((event) => event.type === 'ask.started')
    expect((await write(room, { kind: 'inform', from: 'ada', to: 'bob', content: 'psst' })).status).toBe(202)
    room.release('go')
    await room.over(run)
    await settled(room)
    const types = (await room.events()).map(({ type, data }) => `${type} ${data.kind ?? ''}`.trim())
    const order = ['agent-message.sent inform', 'reply.posted', 'agent-message.delivered']
    expect(types.filter((type) => [...order, 'ask.started agent-message'].includes(type))).toEqual(order)
  })

  it('[AM3] wait during a session too', async () => {
    const room = await openRoom(
      [{ when: { ask: 'turn' }, after_file: 'go', reply: { message: 'done', final: true } }, nod],
      trio,
    )
    const { run } = await room.say({ mode: 'collaborate', participants: ['ada', 'cy'], text: 'go' })
    await room.until((event) => event.type === 'ask.started')
    await write(room, { kind: 'inform', from: 'ada', to: 'bob', content: 'psst' })
    room.release('go')
    await room.over(run)
    await settled(room)
    const types = (await room.events()).map(({ type }) => type)
    expect(types.indexOf('session.ended')).toBeLessThan(types.indexOf('agent-message.delivered'))
  })

  it('[AM4] two are in flight for an agent, the next ones queue in order, and the excess is rejected', async () => {
    const room = await openRoom([{ when: { ask: 'agent-message' }, repeat: true, after_file: 'go', text: 'Read.' }], {
      ...trio,
      settings: { room: { messages: { queued: 3 } } },
    })
    const asked = recordPrompts(room.served)
    let now = 0
    let most = 0
    const bob = room.served.app.agents.get('bob')
    const call = bob.call.bind(bob)
    bob.call = async (request, options) => {
      most = Math.max(most, ++now)
      try {
        return await call(request, options)
      } finally {
        now--
      }
    }
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        write(room, { kind: 'question', from: 'ada', to: 'bob', content: `number ${index}` }),
      ),
    )
    const taken = answers.filter(({ status }) => status === 202).map(({ body }) => body.id)
    const refused = answers.filter(({ status }) => status === 429)
    expect([taken.length, refused.length]).toEqual([5, 3])
    expect(refused[0]!.body.error).toMatchObject({ code: 'inbox_full', path: 'to' })
    // Another agent has its own inbox, and the sender's own does not matter.
    expect((await write(room, { kind: 'inform', from: 'bob', content: 'from the busy one' })).status).toBe(202)
    await vi.waitFor(() => expect(now).toBe(2), 60_000)
    room.release('go')
    await settled(room)
    expect(most).toBe(2)
    const order = (texts: string[]) => texts.flatMap((text) => /number \d/.exec(text)?.[0] ?? [])
    const sent = (await room.events('agent-message.sent')).map(({ data }) => String(data.content))
    expect(order(asked.map(({ prompt }) => prompt))).toEqual(order(sent))
    const delivered = (await room.events('agent-message.delivered')).filter(({ data }) => data.to === 'bob')
    expect(delivered.map(({ data }) => data.id).sort()).toEqual(taken.sort())
    expect((await write(room, { kind: 'inform', from: 'ada', to: 'bob', content: 'now?' })).status).toBe(202)
    await settled(room)
  })

  it('[AM4] after a restart those in flight begin again, two at a time, and none is lost or delivered twice', async () => {
    const read = { when: { ask: 'agent-message' }, text: 'Read.' }
    const lines: Line[] = [
      { ...read, after_file: 'first' },
      { ...read, after_file: 'rest', repeat: true },
    ]
    const first = await openRoom(lines, trio)
    const ids: string[] = []
    for (let number = 0; number < 6; number++)
      ids.push((await write(first, { kind: 'question', from: 'ada', to: 'bob', content: `number ${number}` })).body.id)
    first.release('first')
    await first.until(({ type }) => type === 'agent-message.delivered')
    await first.served.close()
    first.release('rest')

    const served = await serve({}, { folder: first.served.folder })
    const room = roomOf(served, first.id)
    await settled(room)
    const delivered = (await room.events('agent-message.delivered')).filter(({ data }) => data.to === 'bob')
    expect(delivered.map(({ data }) => data.id).sort()).toEqual([...ids].sort())
    let open = 0
    let most = 0
    for (const { type, actor } of await room.events()) {
      if (actor !== 'bob') continue
      if (type === 'ask.started') most = Math.max(most, ++open)
      if (type === 'ask.finished') open--
    }
    expect(most).toBe(2)
  })

  it('[AM4] a stop withdraws a queued message and makes room for the next', async () => {
    const room = await openRoom([{ when: { ask: 'answer' }, after_ms: 60_000, text: 'never' }, nod], {
      ...trio,
      settings: { room: { messages: { queued: 1 } } },
    })
    const { run } = await room.say({ text: 'block the room', target: 'cy' })
    await room.until((event) => event.type === 'ask.started')
    const message = { kind: 'inform', from: 'ada', to: 'bob', content: 'x' }
    const waiting = await write(room, message)
    expect([waiting.status, (await write(room, message)).status]).toEqual([202, 429])
    await room.served.call('POST', `/api/runs/${waiting.body.run}/stop`)
    await room.over(waiting.body.run)
    expect((await write(room, message)).status).toBe(202)
    await room.served.call('POST', `/api/runs/${run}/stop`)
    await settled(room)
    expect(await room.events('agent-message.delivered')).toHaveLength(1)
  })
})
