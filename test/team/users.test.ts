/** Users of a shared project: added by the command, with tokens and roles of their own. */
import { describe, expect, it } from 'vitest'
import type { StoredEvent } from '../../src/kernel/events.ts'
import { overHttp, structured } from '../mcp/client.ts'
import { lastJson, run, temporaryFolder } from '../support/convene.ts'
import { git } from '../support/git-project.ts'
import { listen, serve } from '../support/server.ts'
import { callerOf, serveTeam } from './served-team.ts'
import { env, files, usePostgres } from './users-project.ts'

usePostgres()

describe('convene user', () => {
  it('needs a shared database', async () => {
    const refused = await run(['user', 'list', '--json'], { cwd: temporaryFolder(files()) })
    expect([refused.code, lastJson(refused)]).toMatchObject([2, { error: { code: 'no_database', path: 'engine.url' } }])
    const { owner } = await serveTeam(files(), {})
    expect(await owner.call('GET', '/api/me')).toMatchObject({ body: { name: 'you', role: 'owner', shared: false } })
    expect(await owner.call('POST', '/api/users', { name: 'ann', role: 'member' })).toMatchObject({ status: 409 })
    expect(await owner.call('POST', '/api/rooms', { members: ['ann'] })).toMatchObject({
      status: 400,
      body: { error: { path: 'members.0' } },
    })
  })
})

describe('roles', () => {
  it('[US2] [RD15] members attach files of the repository, not what else lies in the folder of the server', async () => {
    const { served, add } = await serveTeam(
      { ...files(), '.gitignore': '.env\n', '.env': 'KEY=1', 'a.txt': 'a' },
      { env: env() },
    )
    git(served.folder, 'init', '--quiet')
    const ann = await add('ann', 'member')
    const { body: room } = await ann.call<{ id: string }>('POST', '/api/rooms', { name: 'files' })
    const attach = (path: string) =>
      ann.call('POST', `/api/rooms/${room.id}/messages`, { text: 'See', target: 'gpt', attachments: [{ path }] })
    for (const path of ['.env', '.convene/token', '.git/config'])
      expect([path, (await attach(path)).body.error]).toEqual([
        path,
        expect.objectContaining({ code: 'invalid_attachment' }),
      ])
    expect((await attach('a.txt')).status).toBeLessThan(300)
  })

  it('viewers read, members work, owners change users and settings', async () => {
    const { owner, add } = await serveTeam(files(), { env: env() })
    const [ann, vic, olga] = [await add('ann', 'member'), await add('vic', 'viewer'), await add('olga', 'owner')]
    const { body: room } = await ann.call<{ id: string }>('POST', '/api/rooms', { name: 'all' })
    const messages = `/api/rooms/${room.id}/messages`
    expect(await vic.call('POST', messages, { text: 'Hello', target: 'gpt' })).toMatchObject({
      status: 403,
      body: { error: { code: 'forbidden', expected: 'member' } },
    })
    const { body: posted } = await ann.call<{ run: string }>('POST', messages, { text: 'Hello', target: 'gpt' })
    await expect
      .poll(async () => (await vic.call<{ items: object[] }>('GET', `/api/rooms/${room.id}/transcript`)).body.items)
      .toMatchObject([{ sender: 'you', text: 'Hello' }, {}, { sender: 'gpt' }])
    expect(await vic.call('POST', `/api/runs/${posted.run}/replay`)).toMatchObject({ status: 200 })
    expect(await vic.call('POST', '/api/decide/risk', { prompt: 'drop table' })).toMatchObject({ status: 200 })
    for (const path of ['/api/users', '/api/audit'])
      expect([await ann.call('GET', path), await olga.call('GET', path)]).toMatchObject([
        { status: 403 },
        { status: 200 },
      ])
    expect(await ann.call('POST', '/api/settings/roles', { roles: {} })).toMatchObject({ status: 403 })
    expect(await ann.call('POST', '/api/users', { name: 'eve', role: 'owner' })).toMatchObject({ status: 403 })
    expect((await owner.call<{ users: object[] }>('GET', '/api/users')).body.users).toHaveLength(3)
  })

  it('records who did what, for owners', async () => {
    const { owner, add } = await serveTeam(files(), { env: env() })
    const ann = await add('ann', 'member')
    const { body: room } = await ann.call<{ id: string }>('POST', '/api/rooms', { name: 'all' })
    const { body: posted } = await ann.call<{ run: string }>('POST', `/api/rooms/${room.id}/messages`, {
      text: 'Hello',
      target: 'gpt',
    })
    await expect.poll(async () => (await ann.call('GET', `/api/runs/${posted.run}`)).body.status).toBe('done')
    await ann.call('POST', `/api/runs/${posted.run}/fork`, {})
    const { body } = await owner.call<{ entries: { actor: string; action: string }[]; next: number | null }>(
      'GET',
      '/api/audit',
    )
    expect(body.entries.map(({ actor, action }) => `${actor} ${action}`)).toEqual([
      'ann forkRun',
      'ann postMessage',
      'ann createRoom',
      'you addUser',
    ])
    // Reading is no act.
    await owner.call('GET', '/api/users')
    expect((await owner.call<typeof body>('GET', '/api/audit')).body.entries).toHaveLength(4)
    const first = await owner.call<typeof body>('GET', '/api/audit?limit=2&actor=ann')
    expect(first.body.entries).toHaveLength(2)
    const rest = await owner.call<typeof body>('GET', `/api/audit?limit=2&actor=ann&before=${first.body.next}`)
    expect(rest.body).toMatchObject({ entries: [{ action: 'createRoom' }], next: null })
  })
})

describe('the rooms of a user', () => {
  it('[US2] stay hidden from others in the stream of events, deltas included, and its end is the end of the user', async () => {
    const { served, owner, add } = await serveTeam(files(), { env: env() })
    const [ann, bob] = [await add('ann', 'member'), await add('bob', 'member')]
    expect(await ann.call('POST', '/api/rooms', { members: ['nobody'] })).toMatchObject({ status: 400 })
    const { body: hers } = await ann.call<{ id: string; members: string[] }>('POST', '/api/rooms', { members: [] })
    expect(hers.members).toEqual(['ann'])
    const { body: his } = await owner.call<{ id: string }>('POST', '/api/rooms', { members: ['bob'] })
    const as = (caller: { token: string }) => ({ authorization: `Bearer ${caller.token}` })
    const isEnd = ({ events }: { events: StoredEvent[] }) =>
      events.some(({ type, data }) => type === 'reply.posted' && (data as { text: string }).text !== '')
    const seenByAnn = listen(served, '?after=0', isEnd, as(ann))
    const seenByBob = listen(served, '?after=0', isEnd, as(bob))
    await ann.call('POST', `/api/rooms/${hers.id}/messages`, { text: 'alpha', target: 'gpt' })
    const annSaw = await seenByAnn
    await bob.call('POST', `/api/rooms/${his.id}/messages`, { text: 'beta', target: 'gpt' })
    const bobSaw = await seenByBob
    expect(JSON.stringify(annSaw.events)).toContain('alpha')
    expect(annSaw.deltas.length).toBeGreaterThan(0)
    expect(JSON.stringify(bobSaw)).not.toMatch(new RegExp(`alpha|${hers.id}|credential|user\\.added`))
    const bobsRuns = new Set(bobSaw.events.flatMap(({ run }) => run ?? []))
    expect([...new Set(bobSaw.deltas.map(({ ask }) => ask.split('/')[0]))]).toEqual([...bobsRuns])

    const ends = listen(served, '', () => false, as(bob))
    expect(await owner.call('POST', '/api/users/ann/token')).toMatchObject({ status: 200 })
    await owner.call('POST', '/api/users/bob/remove')
    await ends
    expect(await bob.call('GET', '/api/me')).toMatchObject({ status: 401 })
    expect(await ann.call('GET', '/api/me')).toMatchObject({ status: 401 })
  })
})

describe('the token of a removed user', () => {
  it('opens nothing, not even a server that was started with it', async () => {
    const project = files()
    const { owner, add } = await serveTeam(project, { env: env() })
    const ann = await add('ann', 'member')
    const hers = await serve(project, { env: { ...env(), CONVENE_TOKEN: ann.token } })
    const me = () => callerOf(hers, 'ann', ann.token).call('GET', '/api/me')
    expect(await me()).toMatchObject({ status: 200, body: { name: 'ann', role: 'member' } })
    const opened = await fetch(`${hers.server.url}/?token=${ann.token}`, { redirect: 'manual' })
    const cookie = opened.headers.getSetCookie()[0]!.split(';')[0]!
    const inBrowser = () => fetch(`${hers.server.url}/api/me`, { headers: { cookie } }).then(({ status }) => status)
    expect(await inBrowser()).toBe(200)
    await owner.call('POST', '/api/users/ann/remove')
    expect([(await me()).status, await inBrowser()]).toEqual([401, 401])
  })

  it('ends the sessions of programs that it opened', async () => {
    const { served, owner, add } = await serveTeam(files(), { env: env() })
    const bob = await add('bob', 'viewer')
    const mcp = await overHttp(served, bob.token)
    const risk = { rule: 'risk', input: { prompt: 'drop table' } }
    expect(await structured(mcp, 'convene_decide', risk)).toMatchObject({ flags: expect.any(Array) })
    expect(await structured(mcp, 'convene_ask', { text: 'Hello' })).toMatchObject({ code: 'forbidden' })
    const ended = new Promise<void>((resolve) => {
      mcp.onerror = () => resolve()
    })
    await owner.call('POST', '/api/users/bob/remove')
    await ended
    await expect(mcp.listTools()).rejects.toThrow(/token/)
  })
})
