/** The HTTP API through a real socket: access, validation, event streams, restarts. */
import { request } from 'node:http'
import { describe, expect, it } from 'vitest'
import { rehearsalProject } from '../support/convene.ts'
import { listen, type Served, serve } from '../support/server.ts'

const project = rehearsalProject('- when: { ask: answer }\n  repeat: true\n  stream_ms: 60\n  text: one two three four')

/** `fetch` sets Host and Origin itself, so these requests use `node:http`. */
function status(served: Served, path: string, headers: Record<string, string>): Promise<number> {
  return new Promise((resolve, reject) => {
    request(served.server.url + path, { headers }, (response) => {
      response.resume()
      resolve(response.statusCode!)
    })
      .on('error', reject)
      .end()
  })
}

describe('access', () => {
  it('needs a token for everything but health', async () => {
    const served = await serve(project)
    expect(await status(served, '/api/health', {})).toBe(200)
    expect(await status(served, '/api/rooms', {})).toBe(401)
    expect(await status(served, '/api/rooms', { authorization: 'Bearer wrong' })).toBe(401)
    expect(await status(served, '/api/rooms', { authorization: `Bearer ${served.server.token}` })).toBe(200)
  })

  it('refuses other hosts and origins, on health too', async () => {
    const served = await serve(project)
    const { host } = new URL(served.server.url)
    const others: Record<string, string>[] = [
      { host: 'evil.example' },
      { host: 'localhost:1' },
      { host, origin: 'http://evil.example' },
      { host, origin: 'null' },
      { host, origin: 'http://127.0.0.1:1' },
      { host, origin: `https://${host}` },
    ]
    for (const headers of others) {
      expect(await status(served, '/api/health', headers)).toBe(403)
    }
    expect(await status(served, '/api/health', { host, origin: `http://${host}` })).toBe(200)
  })

  it('turns the token in the address into an HttpOnly cookie', async () => {
    const served = await serve(project)
    const first = await fetch(`${served.server.url}/?token=${served.server.token}`, { redirect: 'manual' })
    expect([first.status, first.headers.get('location')]).toEqual([302, '/'])
    const cookie = first.headers.get('set-cookie')!
    expect(cookie).toMatch(/HttpOnly/)
    expect(cookie).toMatch(/SameSite=Strict/)
    expect(await status(served, '/api/rooms', { cookie: cookie.split(';')[0]! })).toBe(200)
    const wrong = await fetch(`${served.server.url}/?token=wrong`)
    expect([wrong.status, await wrong.json()]).toMatchObject([401, { error: { code: 'unauthorized' } }])
    const page = await fetch(`${served.server.url}/?token=wrong`, { headers: { accept: 'text/html,*/*' } })
    expect(page.status).toBe(401)
    expect(await page.text()).toMatch(/The token in this address is wrong[\s\S]*convene serve/)
  })
})

describe('rooms over HTTP', () => {
  it('answers a message and shows it in the transcript', async () => {
    const served = await serve(project)
    const room = (await served.call('POST', '/api/rooms', { name: 'first' })).body as { id: string }
    const posted = await served.call('POST', `/api/rooms/${room.id}/messages`, { text: 'hi', target: 'gpt' })
    expect(posted.status).toBe(202)
    await served.app.engine.result((posted.body as { run: string }).run)
    const { items } = (await served.call('GET', `/api/rooms/${room.id}/transcript`)).body as {
      items: Record<string, unknown>[]
    }
    expect(items).toHaveLength(3)
    expect(items.every((item) => Object.keys(item).sort().join() === 'call_id,sender,target,text,thread,ts,type')).toBe(
      true,
    )
    expect(items[1]).toMatchObject({ type: 'agent_call', sender: 'router', target: 'gpt', text: 'hi' })
    expect(items[2]).toMatchObject({
      type: 'agent_response',
      sender: 'gpt',
      target: 'all',
      thread: 'default',
      text: 'one two three four',
    })
  })

  it('takes the name of a room for its id, as long as only one room has it', async () => {
    const served = await serve(project)
    const room = (await served.call('POST', '/api/rooms', { name: 'front desk' })).body as { id: string }
    const posted = await served.call('POST', '/api/rooms/front%20desk/messages', { text: 'hi', target: 'gpt' })
    expect(posted.status).toBe(202)
    await served.app.engine.result((posted.body as { run: string }).run)
    const { items } = (await served.call('GET', `/api/rooms/${room.id}/transcript`)).body as { items: unknown[] }
    expect(items).toHaveLength(3)
    expect((await served.call('GET', '/api/rooms/front%20desk')).body).toMatchObject({ id: room.id })
    const other = (await served.call('POST', '/api/rooms', { name: 'front desk' })).body as { id: string }
    expect(await served.call('POST', '/api/rooms/front%20desk/messages', { text: 'hi' })).toMatchObject({
      status: 409,
      body: { error: { code: 'ambiguous_room', path: 'room' } },
    })
    expect((await served.call('GET', `/api/rooms/${other.id}`)).body).toMatchObject({ id: other.id })
  })

  it('posts a message once if its id is sent twice', async () => {
    const served = await serve(project)
    const room = (await served.call('POST', '/api/rooms', {})).body as { id: string }
    const message = { text: 'hi', target: 'gpt', message_id: '11111111-2222-4333-8444-555555555555' }
    const [first] = await Promise.all([0, 1].map(() => served.call('POST', `/api/rooms/${room.id}/messages`, message)))
    await served.app.engine.result((first!.body as { run: string }).run)
    const { items } = (await served.call('GET', `/api/rooms/${room.id}/transcript`)).body as { items: unknown[] }
    expect(items).toHaveLength(3)
  })

  it('answers bad requests with 400, 404 and 413, the path at fault and what was expected; never 500', async () => {
    const served = await serve(project)
    const room = (await served.call('POST', '/api/rooms', {})).body as { id: string }
    const messages = `/api/rooms/${room.id}/messages`
    const wrong: [string, unknown, number, string | undefined][] = [
      [messages, { text: '' }, 400, 'text'],
      [messages, { text: 7, target: 'gpt' }, 400, 'text'],
      [messages, { text: 'x', mode: 'single' }, 400, 'target'],
      [messages, { text: 'x', target: 'nobody' }, 400, 'target'],
      [messages, { text: 'x', target: ['gpt'] }, 400, 'target'],
      [messages, '{"text":', 400, undefined],
      [messages, '[]', 400, undefined],
      [messages, { text: 'x'.repeat(1_100_000), target: 'gpt' }, 413, undefined],
      ['/api/rooms', { name: 5 }, 400, 'name'],
      ['/api/rooms', { agents: [] }, 400, 'agents'],
      ['/api/rooms', { agents: ['nobody'] }, 400, 'agents.0'],
      ['/api/rooms/nowhere/messages', { text: 'x', target: 'gpt' }, 404, 'room'],
      ['/api/runs/nowhere/stop', {}, 404, 'run'],
      ['/api/builds', {}, 400, 'spec'],
      ['/api/builds', { spec: { id: 'a/b' } }, 400, 'spec.id'],
      ['/api/questions/nowhere/answer', { choice: 'retry' }, 404, 'question'],
      ['/api/decide/nothing', {}, 404, undefined],
      ['/api/decide/risk', {}, 400, 'prompt'],
    ]
    for (const [path, body, status, where] of wrong) {
      const answer = await served.call('POST', path, body)
      expect([path, answer.status]).toEqual([path, status])
      const { error } = answer.body as { error: { code: string; message: string; path?: string } }
      expect(error.message.length).toBeGreaterThan(5)
      expect([path, error.path]).toEqual([path, where])
    }
  })

  it('applies a rule as `convene decide` does', async () => {
    const served = await serve(project)
    expect((await served.call('POST', '/api/decide/risk', { prompt: 'rename a variable' })).body).toEqual({
      flags: [],
      suggestion: null,
    })
  })
})

describe('events over HTTP', () => {
  it('streams text in pieces, then the stored reply', async () => {
    const served = await serve(project)
    const room = (await served.call('POST', '/api/rooms', {})).body as { id: string }
    const received = listen(served, `?room=${room.id}&after=0`, ({ events }) =>
      events.some((event) => event.type === 'reply.posted'),
    )
    await served.call('POST', `/api/rooms/${room.id}/messages`, { text: 'hi', target: 'gpt' })
    const { deltas, events } = await received
    expect(deltas.map((delta) => delta.text).join('')).toBe('one two three four')
    expect(deltas.filter((delta) => delta.text !== '').length).toBeGreaterThan(1)
    expect(events.map((event) => event.type)).toEqual(['message.posted', 'ask.started', 'ask.finished', 'reply.posted'])
  })

  it('resumes after Last-Event-ID, which wins over `after`, without gaps or repeats', async () => {
    const served = await serve(project)
    const room = (await served.call('POST', '/api/rooms', {})).body as { id: string }
    const { run } = (await served.call('POST', `/api/rooms/${room.id}/messages`, { text: 'hi', target: 'gpt' }))
      .body as { run: string }
    await served.app.engine.result(run)
    const all = await listen(served, '?after=0', ({ events }) => events.some((event) => event.type === 'run.finished'))
    const middle = all.events[2]!.seq
    const rest = await listen(
      served,
      '?after=0',
      ({ events }) => events.some((event) => event.type === 'run.finished'),
      { 'last-event-id': String(middle) },
    )
    expect(rest.events).toEqual(all.events.filter((event) => event.seq > middle))
  })

  it('returns pages as JSON with the start of the next page', async () => {
    const served = await serve(project)
    for (let number = 0; number < 5; number++) await served.call('POST', '/api/rooms', {})
    const first = (await served.call('GET', '/api/events?limit=3')).body as { events: { seq: number }[]; next: number }
    const second = (await served.call('GET', `/api/events?limit=3&after=${first.next}`)).body as {
      events: { seq: number }[]
      next: null
    }
    expect([first.events.map((event) => event.seq), second.events.map((event) => event.seq), second.next]).toEqual([
      [1, 2, 3],
      [4, 5],
      null,
    ])
    expect((await served.call('GET', '/api/events?after=x')).status).toBe(400)
    const end = (await served.call('GET', '/api/events?last=2')).body as { events: { seq: number }[]; next: null }
    expect([end.events.map((event) => event.seq), end.next]).toEqual([[4, 5], null])
  })
})

describe('restart', () => {
  it('finishes the work of an earlier process, once', async () => {
    const slow = rehearsalProject('- when: { ask: answer }\n  after_ms: 300\n  text: done')
    const first = await serve(slow)
    const room = (await first.call('POST', '/api/rooms', {})).body as { id: string }
    const { run } = (await first.call('POST', `/api/rooms/${room.id}/messages`, { text: 'hi', target: 'gpt' }))
      .body as { run: string }
    await first.close()
    const second = await serve({}, { folder: first.folder })
    await second.app.engine.result(run)
    const { items } = (await second.call('GET', `/api/rooms/${room.id}/transcript`)).body as {
      items: { text: string }[]
    }
    expect(items.map((item) => item.text)).toEqual(['hi', 'hi', 'done'])
  })

  it('keeps secrets out of the log and the journal', async () => {
    const secret = 'sk-ant-very-secret-value-1234567890'
    const served = await serve(rehearsalProject(`- when: { ask: answer }\n  text: the key is ${secret}`), {
      env: { ANTHROPIC_API_KEY: secret },
    })
    const room = (await served.call('POST', '/api/rooms', {})).body as { id: string }
    const { run } = (
      await served.call('POST', `/api/rooms/${room.id}/messages`, { text: `my key: ${secret}`, target: 'gpt' })
    ).body as { run: string }
    await served.app.engine.result(run)
    const everything = JSON.stringify([
      await served.app.store.read({}),
      await served.app.engine.steps(run),
      await served.app.engine.get(run),
    ])
    expect(everything).not.toContain(secret)
    expect(everything).toContain('[redacted:')
  })
})
