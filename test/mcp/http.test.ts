/** The MCP server at `/mcp`, through the SDK's own client: asking, resources, progress, cancellation and access. */
import { describe, expect, it } from 'vitest'
import { specOf } from '../build/project.ts'
import { rehearsalProject } from '../support/convene.ts'
import { serve } from '../support/server.ts'
import { callTool, overHttp, readText, structured } from './client.ts'

const talk = rehearsalProject(`
- when: { ask: micro-proposal }
  repeat: true
  reply: { angle: all of it, confidence: 0.9, covers: [all], solo_sufficient: true }
- when: { ask: turn, agent: gpt }
  reply: { message: I begin, handoff: { to: claude, task: end it }, final: false }
- when: { ask: turn, agent: claude }
  reply: { message: I end, final: true }
- when: { ask: answer, contains: for ever }
  after_ms: 3600000
  text: never
- when: { ask: answer }
  repeat: true
  text: Use a queue.
`)

describe('convene_ask over HTTP', () => {
  it('returns the replies and the decision, and reports progress', async () => {
    const client = await overHttp(await serve(talk))
    const lines: { progress: number; message?: string }[] = []
    const result = await client.callTool({ name: 'convene_ask', arguments: { text: 'Which queue?' } }, undefined, {
      onprogress: (notice) => lines.push(notice),
    })
    expect(result.structuredContent).toMatchObject({
      replies: [{ text: 'Use a queue.' }],
      decision: { mode: 'solo', rule: expect.any(String), reason: expect.any(String) },
    })
    expect(lines.map(({ message }) => message)).toContainEqual(expect.stringMatching(/answered$/))
    const numbers = lines.map(({ progress }) => progress)
    expect(numbers).toEqual([...numbers].sort((a, b) => a - b))
  })

  it('lets several agents take turns, in a room of its own, and its transcript can be read', async () => {
    const client = await overHttp(await serve(talk))
    const result = await structured(client, 'convene_ask', {
      text: 'Write it together',
      to: ['gpt', 'claude'],
      room: 'review',
      max_rounds: 4,
    })
    expect(result).toMatchObject({
      session_id: expect.any(String),
      replies: [
        { agent: 'gpt', text: 'I begin' },
        { agent: 'claude', text: 'I end' },
      ],
    })
    const { resources } = await client.listResources()
    const uri = resources.find(({ name }) => name === 'Room review')!.uri
    expect(uri).toBe(`convene://rooms/${result.room}/transcript`)
    for (const address of [uri, 'convene://rooms/review/transcript']) {
      expect(JSON.parse(await readText(client, address)).items[0]).toMatchObject({
        sender: 'you',
        text: 'Write it together',
      })
    }
  })

  it('stops the run when the call is cancelled', async () => {
    const served = await serve(talk)
    const client = await overHttp(served)
    const cancel = new AbortController()
    const calling = client.callTool(
      { name: 'convene_ask', arguments: { text: 'Think for ever', to: ['gpt'] } },
      undefined,
      { signal: cancel.signal, onprogress: () => cancel.abort('enough') },
    )
    await expect(calling).rejects.toThrow(/enough/)
    const statuses = async () => (await served.app.runs.list()).map(({ status }) => status)
    await expect.poll(statuses).not.toContain('running')
    const transcript = (await served.app.rooms.list())[0]!.id
    expect((await served.app.rooms.transcript(transcript)).at(-1)).toMatchObject({ sender: 'router' })
  })

  it('lets the run go on when the server stops while a call waits', async () => {
    const served = await serve(talk)
    const client = await overHttp(served)
    const { promise: begun, resolve } = Promise.withResolvers<void>()
    const calling = client.callTool(
      { name: 'convene_ask', arguments: { text: 'Think for ever', to: ['gpt'] } },
      undefined,
      { onprogress: () => resolve() },
    )
    calling.catch(() => {})
    await begun
    await served.close()
    const again = await serve({}, { folder: served.folder })
    const types = (await again.app.store.read({})).map(({ type }) => type)
    expect(types).toContain('ask.started')
    expect(types).not.toContain('run.stop-requested')
    expect((await again.app.runs.list()).map(({ status }) => status)).toEqual(['running'])
  })

  it('answers wrong input, unknown agents and a goal to ship with our errors', async () => {
    const client = await overHttp(await serve(talk))
    const codeOf = async (args: Record<string, unknown>) => {
      const { isError, structuredContent } = await callTool(client, 'convene_ask', args)
      return [isError, structuredContent?.code, structuredContent?.path]
    }
    expect(await codeOf({ text: ' ' })).toEqual([true, 'invalid_input', 'text'])
    expect(await codeOf({ text: 'x', to: 'gpt' })).toEqual([true, 'invalid_input', 'to'])
    expect(await codeOf({ text: 'x', to: ['nobody'] })).toEqual([true, 'unknown_agent', 'target'])
    expect(await codeOf({ text: 'x', mode: 'coordinate', to: ['gpt'] })).toEqual([true, 'invalid_input', 'to'])
    expect(await codeOf({ text: '/ship it' })).toEqual([true, 'invalid_input', 'text'])
    expect(await codeOf({ text: 'x', txet: 'y' })).toEqual([true, 'invalid_input', undefined])
    await expect(client.callTool({ name: 'convene_nothing', arguments: {} })).rejects.toThrow(/no tool/)
    await expect(client.readResource({ uri: 'convene://rooms/none/transcript' })).rejects.toMatchObject({
      code: -32002,
    })
    await expect(client.readResource({ uri: 'file:///etc/passwd' })).rejects.toMatchObject({ code: -32002 })
  })
})

describe('access to /mcp', () => {
  const initialize = {
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
  }
  const post = async (url: string, headers: Record<string, string>) => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { accept: 'application/json, text/event-stream', 'content-type': 'application/json', ...headers },
      body: JSON.stringify(initialize),
    })
    await response.text()
    return response
  }

  it('needs the token, and refuses other hosts, origins and cookies', async () => {
    const { server } = await serve(talk)
    const url = `${server.url}/mcp`
    const bearer = { authorization: `Bearer ${server.token}` }
    expect((await post(url, bearer)).status).toBe(200)
    const refused = await post(url, {})
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([401, 'Bearer'])
    expect((await post(url, { authorization: 'Bearer wrong' })).status).toBe(401)
    const { port } = new URL(server.url)
    expect((await post(url, { cookie: `convene_${port}=${server.token}` })).status).toBe(401)
    expect((await post(url, { ...bearer, origin: 'http://evil.example' })).status).toBe(403)
    expect((await post(url, { ...bearer, origin: 'null' })).status).toBe(403)
    expect((await post(url, { ...bearer, 'mcp-session-id': 'none' })).status).toBe(404)
  })

  it('[MC1] refuses to start work for an agent that Convene started, unless nesting is allowed', async () => {
    const nested = { CONVENE_DEPTH: '1' }
    const client = await overHttp(await serve(talk, { env: nested }))
    for (const [name, args] of [
      ['convene_ask', { text: 'x' }],
      ['convene_plan', { goal: 'x' }],
      ['convene_ship', { goal: 'x' }],
      ['convene_build', { spec: specOf('inc') }],
      ['convene_answer', { id: 'x', answer: 'y' }],
    ] as const)
      expect(await callTool(client, name, args)).toMatchObject({ isError: true, structuredContent: { code: 'nested' } })
    expect(await callTool(client, 'convene_status')).toMatchObject({ structuredContent: { runs: [] } })
    const allowed = await overHttp(
      await serve({ ...talk, 'convene.yaml': `${talk['convene.yaml']}mcp: { allow_nested: true }\n` }, { env: nested }),
    )
    const answered = await callTool(allowed, 'convene_ask', { text: 'x', to: ['gpt'] })
    expect(answered.structuredContent).toMatchObject({ replies: [{ agent: 'gpt' }] })
  })
})
