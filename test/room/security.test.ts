/** What strangers, other web pages and odd input can do to a served room: nothing. */
import { type IncomingHttpHeaders, type RequestOptions, request } from 'node:http'
import { networkInterfaces } from 'node:os'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startServer } from '../../src/serve/server.ts'
import { listen, type Served, serve } from '../support/server.ts'
import { type Line, newRoom, openRoom, projectFiles } from './open-room.ts'

interface RawAnswer {
  status: number
  headers: IncomingHttpHeaders
  text: string
}

/** Sends raw bytes: fetch would normalise paths and reject headers. Returns after the head if the body does not end. */
function raw(url: string, options: RequestOptions & { path: string; body?: string | Buffer; headOnly?: boolean }) {
  const { hostname, port } = new URL(url)
  return new Promise<RawAnswer>((resolve, reject) => {
    const sending = request({ hostname, port, agent: false, ...options }, (response) => {
      let text = ''
      const done = () => resolve({ status: response.statusCode!, headers: response.headers, text })
      if (options.headOnly) {
        done()
        response.destroy()
        return
      }
      response.setEncoding('utf8').on('data', (chunk) => {
        text += chunk
      })
      response.on('end', done).on('error', reject)
    })
    sending.on('error', reject)
    sending.end(options.body)
  })
}

const answers: Line[] = [{ when: { ask: 'answer' }, repeat: true, text: 'fine' }]
const bearer = (served: Served) => ({ authorization: `Bearer ${served.server.token}` })

describe('access', () => {
  it('rejects another host name or origin on every route, with or without the token', async () => {
    const served = await serve(projectFiles(answers))
    const { host, port } = new URL(served.server.url)
    const strangers: Record<string, string>[] = [
      { host: 'evil.example' },
      { host: `evil.example:${port}` },
      { host: `localhost.evil.example:${port}` },
      { host: '127.0.0.1' },
      { host: '127.0.0.1:1' },
      { host: `127.0.0.2:${port}` },
      { host: `0.0.0.0:${port}` },
      { host, origin: 'null' },
      { host, origin: 'http://evil.example' },
      { host, origin: `https://${host}` },
      { host, origin: `http://127.0.0.1:${Number(port) + 1}` },
      { host, origin: `http://${host}.evil.example` },
      { host, origin: `http://${host}/` },
    ]
    const routes: [string, string][] = [
      ['GET', '/api/health'],
      ['GET', '/'],
      ['GET', `/?token=${served.server.token}`],
      ['GET', '/api/rooms'],
      ['GET', '/api/events'],
      ['POST', '/api/rooms'],
      ['POST', '/api/decide/risk'],
      ['OPTIONS', '/api/rooms'],
      ['GET', '/api/nothing'],
    ]
    for (const headers of strangers)
      for (const [method, path] of routes) {
        const answer = await raw(served.server.url, { method, path, headers: { ...bearer(served), ...headers } })
        expect([headers, path, answer.status]).toEqual([headers, path, 403])
        expect(answer.headers['access-control-allow-origin']).toBeUndefined()
        expect(answer.headers['set-cookie']).toBeUndefined()
      }
    for (const name of ['127.0.0.1', 'localhost', 'LOCALHOST', '[::1]']) {
      const own = { ...bearer(served), host: `${name}:${port}`, origin: `http://${name}:${port}` }
      expect((await raw(served.server.url, { path: '/api/rooms', headers: own })).status).toBe(200)
    }
    expect(await served.app.engine.list()).toEqual([])
    expect(served.app.rooms.list()).toEqual([])
  })

  it('a server that listens on all interfaces answers to its own addresses, and to no other name', async () => {
    const served = await serve(projectFiles(answers))
    const wide = await startServer(served.app, { host: '0.0.0.0', port: 0, version: 'test', env: {} })
    onTestFinished(() => wide.close())
    const { port } = new URL(wide.url)
    const own = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? [])
    for (const { address } of own) {
      const host = address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`
      expect([host, (await raw(wide.url, { path: '/api/health', headers: { host } })).status]).toEqual([host, 200])
    }
    for (const host of [`evil.example:${port}`, `203.0.113.9:${port}`])
      expect((await raw(wide.url, { path: '/api/health', headers: { host } })).status).toBe(403)
  })

  it('requires the token in the header or the cookie, never in the URL of a call', async () => {
    const served = await serve(projectFiles(answers))
    const { token, url } = served.server
    const wrong: Record<string, string>[] = [
      {},
      { authorization: '' },
      { authorization: 'Bearer' },
      { authorization: 'Bearer ' },
      { authorization: 'Bearer wrong' },
      { authorization: `Bearer ${token}x` },
      { authorization: `Bearer ${token.slice(0, -1)}` },
      { authorization: `Basic ${token}` },
      { authorization: token },
      { cookie: `convene=${token}` },
      { cookie: `convene_1=${token}` },
      { cookie: `convene_${new URL(url).port}=wrong` },
      { cookie: `convene_${new URL(url).port}=${token}` },
    ]
    const routes: [string, string][] = [
      ['GET', '/api/rooms'],
      ['GET', `/api/rooms?token=${token}`],
      ['GET', '/api/agents'],
      ['GET', '/api/events'],
      ['GET', '/api/runs'],
      ['GET', '/api/sessions/x'],
      ['GET', '/api/openapi.json'],
      ['POST', '/api/rooms'],
      ['POST', '/api/rooms/x/messages'],
      ['POST', '/api/rooms/x/agent-messages'],
      ['POST', '/api/sessions/x/stop'],
      ['POST', '/api/decide/risk'],
    ]
    for (const headers of wrong)
      for (const [method, path] of routes)
        expect([headers, path, (await raw(url, { method, path, headers })).status]).toEqual([headers, path, 401])
    for (const scheme of ['Bearer', 'bearer', 'BEARER'])
      expect((await raw(url, { path: '/api/rooms', headers: { authorization: `${scheme} ${token}` } })).status).toBe(
        200,
      )
  })

  it('[TR12] a cookie is bound to its origin: useless as a token, on another port, and from another page', async () => {
    const [one, two] = [
      await serve(projectFiles(answers)),
      await serve(projectFiles(answers), { env: { CONVENE_TOKEN: 'shared' } }),
    ]
    const third = await startServer(two.app, { port: 0, version: 'test', env: { CONVENE_TOKEN: 'shared' } })
    onTestFinished(() => third.close())
    const { url, token } = two.server
    const visit = await raw(url, { path: `/?token=${token}` })
    const value = visit.headers['set-cookie']![0]!.split('; ')[0]!.split('=')[1]!
    const named = (address: string) => `convene_${new URL(address).port}=${value}`
    const status = async (address: string, headers: Record<string, string>) =>
      (await raw(address, { path: '/api/rooms', headers })).status
    expect(await status(url, { cookie: named(url) })).toBe(200)
    expect(await status(url, { authorization: `Bearer ${value}` })).toBe(401)
    // The same token, another port.
    expect(await status(third.url, { cookie: named(third.url) })).toBe(401)
    expect(await status(one.server.url, { cookie: named(one.server.url) })).toBe(401)
    for (const [site, expected] of Object.entries({
      'same-origin': 200,
      none: 200,
      'same-site': 401,
      'cross-site': 401,
    }))
      expect([site, await status(url, { cookie: named(url), 'sec-fetch-site': site })]).toEqual([site, expected])
  })

  it('the first visit sets a cookie that scripts and other sites cannot use, and cleans the URL', async () => {
    const served = await serve(projectFiles(answers))
    const { token, url } = served.server
    const first = await raw(url, { path: `/?token=${token}&x=%0d%0aSet-Cookie:%20a=b` })
    expect([first.status, first.headers.location]).toEqual([302, '/?x=%0D%0ASet-Cookie%3A+a%3Db'])
    expect(first.headers['set-cookie']).toHaveLength(1)
    const [cookie, ...flags] = first.headers['set-cookie']![0]!.split('; ')
    expect(flags).toEqual(expect.arrayContaining(['HttpOnly', 'SameSite=Strict', 'Path=/']))
    expect(first.text).not.toContain(token)
    expect((await raw(url, { path: '/api/rooms', headers: { cookie } })).status).toBe(200)
    expect((await raw(url, { path: '/api/events', headers: { cookie }, headOnly: true })).status).toBe(200)
    expect(cookie).not.toContain(token)
    const wrong = await raw(url, { path: '/?token=wrong' })
    expect([wrong.status, wrong.headers['set-cookie']]).toEqual([401, undefined])
    for (const path of [`//evil.example/?token=${token}`, `///evil.example?token=${token}`]) {
      const { status, headers } = await raw(url, { path })
      if (status === 302) expect(headers.location).toMatch(/^\/(?!\/)/)
    }
  })
})

describe('security headers', () => {
  it('on every response: run only our files, no type sniffing, no referrer, no frames', async () => {
    const served = await serve(projectFiles(answers))
    const requests: [RequestOptions & { path: string; headOnly?: boolean }, number?][] = [
      [{ path: '/' }],
      [{ path: '/api/health' }, 200],
      [{ path: '/api/rooms', headers: bearer(served) }, 200],
      [{ path: '/api/rooms' }, 401],
      [{ path: '/api/rooms/nowhere', headers: bearer(served) }, 404],
      [{ path: '/api/health', headers: { host: 'evil.example' } }, 403],
      [{ path: '/api/events', headers: bearer(served), headOnly: true }, 200],
      [{ path: `/?token=${served.server.token}` }, 302],
    ]
    for (const [options, status] of requests) {
      const { headers, status: got } = await raw(served.server.url, options)
      if (status !== undefined) expect([options.path, got]).toEqual([options.path, status])
      expect([options.path, headers['x-content-type-options']]).toEqual([options.path, 'nosniff'])
      expect(headers['referrer-policy']).toBe('no-referrer')
      const policy = String(headers['content-security-policy']).split('; ')
      for (const rule of [
        "default-src 'none'",
        "script-src 'self'",
        "connect-src 'self'",
        "img-src 'self' data:",
        "frame-ancestors 'none'",
        "base-uri 'none'",
      ])
        expect(policy).toContain(rule)
    }
  })

  it('script in names, messages and replies stays data', async () => {
    const evil = '<script>alert(1)</script><img src=x onerror=alert(2)>&quot;\u2028'
    const served = await serve(
      projectFiles([
        { when: { ask: 'answer' }, text: evil },
        { when: { ask: 'turn' }, reply: { message: evil, final: true } },
      ]),
    )
    const room = await newRoom(served, { name: evil })
    await room.ask({ text: evil, target: 'gpt' })
    const { session_id } = await room.ask({ text: evil, mode: 'collaborate', participants: ['gpt'] })
    expect((await room.transcript()).map(({ text }) => text)).toEqual([evil, evil, evil, evil])
    expect(await room.session(session_id)).toMatchObject({ goal: evil })
    const inPath = encodeURIComponent(evil)
    const paths = [
      '/api/rooms',
      `/api/rooms/${room.id}`,
      `/api/rooms/${room.id}/transcript`,
      `/api/sessions/${session_id}`,
      '/api/runs',
      `/api/rooms/${inPath}`,
      `/api/${inPath}`,
      `/api/sessions/${inPath}`,
      `/api/events?after=${inPath}`,
    ]
    for (const path of paths) {
      const { headers, status } = await raw(served.server.url, {
        path,
        headers: { ...bearer(served), accept: 'application/json' },
      })
      expect(status).toBeLessThan(500)
      expect([path, headers['content-type']]).toEqual([path, expect.stringMatching(/^application\/json\b/)])
    }
  })
})

describe('odd input', () => {
  it('rejects a body over 1 MB with 413 on every route, with or without a Content-Length', async () => {
    const room = await openRoom(answers)
    const { url } = room.served.server
    const body = JSON.stringify({ text: 'x'.repeat(1_100_000), target: 'gpt' })
    const just = JSON.stringify({ text: 'x'.repeat(1024 * 1024 - 100), target: 'gpt' })
    for (const path of [`/api/rooms/${room.id}/messages`, '/api/rooms', '/api/decide/risk', '/api/sessions/x/stop']) {
      const told = { 'content-length': String(Buffer.byteLength(body)) }
      const untold = { 'transfer-encoding': 'chunked' }
      for (const headers of [told, untold]) {
        const options = { method: 'POST', path, headers: { ...bearer(room.served), ...headers }, body }
        const answer = await raw(url, options as RequestOptions & { path: string })
        expect([path, headers, answer.status]).toEqual([path, headers, 413])
        expect(JSON.parse(answer.text).error.code).toBe('too_large')
      }
    }
    expect((await room.served.call('POST', `/api/rooms/${room.id}/messages`, just)).status).toBe(202)
  })

  it('ids that are paths, prototypes, empty or nonsense are not found', async () => {
    const served = await serve(projectFiles(answers))
    const ids = [
      '..%2f..%2fetc%2fpasswd',
      '%2e%2e%2f',
      '%2e%2e',
      '%00',
      'a%00b',
      '%0d%0aX-Evil:%20yes',
      '%',
      '%zz',
      '%ff%fe',
      '%F0%9F',
      '__proto__',
      'constructor',
      'toString',
      "'%20OR%201=1--",
      '*',
      '%25',
      'x'.repeat(5000),
      '%f0%9f%98%80',
    ]
    for (const id of ids)
      for (const [method, path] of [
        ['GET', `/api/rooms/${id}`],
        ['GET', `/api/rooms/${id}/transcript`],
        ['POST', `/api/rooms/${id}/messages`],
        ['GET', `/api/sessions/${id}`],
        ['POST', `/api/sessions/${id}/stop`],
        ['GET', `/api/runs/${id}`],
        ['POST', `/api/decide/${id}`],
      ] as const) {
        const body = method === 'POST' ? '{"text":"x","target":"gpt"}' : undefined
        const answer = await raw(served.server.url, { method, path, headers: bearer(served), body })
        expect([path, [400, 404].includes(answer.status)]).toEqual([path, true])
        expect(answer.headers['x-evil']).toBeUndefined()
        expect(answer.text).not.toMatch(/root:|\/src\/|node_modules| {4}at /)
      }
  })

  it('files outside the web app cannot be read', async () => {
    const served = await serve(projectFiles(answers))
    for (const path of [
      '/../package.json',
      '/api/../package.json',
      '/api/rooms/../../package.json',
      '/..%2fpackage.json',
      '/%2e%2e/package.json',
      '/assets/../../package.json',
      '/assets/%2e%2e/%2e%2e/package.json',
      '//etc/passwd',
      '/.convene/token',
      '/convene.yaml',
      '/%00',
    ]) {
      const { text, status } = await raw(served.server.url, { path })
      expect(status).not.toBe(500)
      expect(text).not.toMatch(/"dependencies"|root:|rehearsal/)
      expect(text).not.toContain(served.server.token)
    }
  })

  it('rejects a non-numeric Last-Event-ID, and one beyond the log waits for new events', async () => {
    const room = await openRoom(answers)
    for (const id of ['x', '-1', '1.5', '1e3', '0x10', '1 2', 'NaN', '1,2', '9'.repeat(30), '"1"'])
      expect([
        id,
        (await room.served.call('GET', '/api/events', undefined, { 'last-event-id': id, accept: 'text/event-stream' }))
          .status,
      ]).toEqual([id, 400])
    for (const query of ['after=x', 'after=-1', 'after=1.5', 'limit=0', 'limit=x'])
      expect([query, (await room.served.call('GET', `/api/events?${query}`)).status]).toEqual([query, 400])
    const listening = listen(room.served, `?room=${room.id}`, ({ events }) => events.length > 0, {
      'last-event-id': '999999',
    })
    let received = false
    void listening.then(() => {
      received = true
    })
    while (!received) await room.ask({ text: 'hello', target: 'gpt' })
    expect((await listening).events[0]!.seq).toBeLessThan(999_999)
  })

  it('any text round-trips unchanged, and a body that is not a JSON object is a 400', async () => {
    const room = await openRoom(answers)
    const texts = ['nul \u0000 bell \u0007', 'e\u0301 𝒳 👩‍👩‍👧', '\u202eright to left', '"}{\\', 'line\r\nline']
    for (const text of texts) await room.ask({ text, target: 'gpt' })
    const mine = (await room.transcript()).filter(({ sender }) => sender === 'you')
    expect(mine.map(({ text }) => text)).toEqual(texts)
    const path = `/api/rooms/${room.id}/messages`
    expect((await room.served.call('POST', path, '{"text":"half \\ud800 pair","target":"gpt"}')).status).toBe(202)
    const proto = '{"__proto__":{"target":"gpt"},"constructor":1,"text":"x","target":"gpt"}'
    expect((await room.served.call('POST', path, proto)).status).toBe(202)
    const wrong = ['', '[]', '"x"', '7', 'null', '{"text":', '\u0000', '['.repeat(50_000), '{"a":'.repeat(50_000)]
    for (const body of [...wrong, `${'['.repeat(50_000)}${']'.repeat(50_000)}`])
      expect([body.slice(0, 10), (await room.served.call('POST', path, body)).status]).toEqual([body.slice(0, 10), 400])
    const bytes = { method: 'POST', path, headers: bearer(room.served), body: Buffer.from([0x7b, 0xff, 0xfe, 0x7d]) }
    expect((await raw(room.served.server.url, bytes)).status).toBe(400)
  })
})

describe('the token', () => {
  it('is in no response, no event and no record, even if somebody posts it', async () => {
    const token = 'correct-horse-battery-staple-4747'
    const served = await serve(
      projectFiles([
        { when: { ask: 'answer' }, repeat: true, text: `I heard ${token}.` },
        { when: { ask: 'turn' }, reply: { message: `It is ${token}`, final: true } },
      ]),
      { env: { CONVENE_TOKEN: token } },
    )
    expect(served.server.token).toBe(token)
    const room = await newRoom(served, { name: `room ${token}` })
    const { run } = await room.ask({ text: `the token is ${token}`, target: 'gpt' })
    const { session_id } = await room.ask({
      text: `@router collaborate gpt: say ${token}`,
    })
    const paths = [
      '/api/health',
      '/api/agents',
      '/api/rooms',
      `/api/rooms/${room.id}`,
      `/api/rooms/${room.id}/transcript`,
      `/api/sessions/${session_id}`,
      '/api/runs',
      `/api/runs/${run}`,
      '/api/events',
      '/',
    ]
    for (const path of paths) {
      const headers = { ...bearer(served), accept: 'application/json' }
      const { text } = await raw(served.server.url, { path, headers })
      expect([path, text.includes(token)]).toEqual([path, false])
    }
    const { app } = served
    const kept = JSON.stringify([await app.store.read({}), await app.engine.list(), await app.engine.steps(run)])
    expect(kept).not.toContain(token)
    expect(kept).toContain('[redacted:')
  })
})
