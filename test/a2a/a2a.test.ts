/** A2A both ways: the protocol's own client asks a room, and a room asks a remote agent. */
import { createServer } from 'node:http'
import { Role, type SendMessageRequest, TaskState } from '@a2a-js/sdk'
import { type Client, ClientFactory, DefaultAgentCardResolver, JsonRpcTransportFactory } from '@a2a-js/sdk/client'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createA2aAgent } from '../../src/agents/a2a/a2a-agent.ts'
import { listen } from '../agents/emulator.ts'
import { rehearsalProject } from '../support/convene.ts'
import { type Served, serve } from '../support/server.ts'
import { type Part, startPeer } from './peer.ts'

const project = rehearsalProject(`
- when: { ask: micro-proposal }
  repeat: true
  reply: { angle: all of it, confidence: 0.9, covers: [all], solo_sufficient: true }
- when: { ask: answer, contains: for ever }
  after_ms: 3600000
  text: never
- when: { ask: answer, contains: broken }
  fail: refused
- when: { ask: answer }
  repeat: true
  text: Use a queue.
`)

/** The SDK's client, speaking the given version of the protocol. */
async function clientOf({ server }: Served, version: '1.0' | '0.3'): Promise<Client> {
  const legacyCompat = { enabled: true }
  const withToken: typeof fetch = (input, init) => {
    const headers = new Headers(init?.headers)
    headers.set('authorization', `Bearer ${server.token}`)
    return fetch(input, { ...init, headers })
  }
  const card = await new DefaultAgentCardResolver({ legacyCompat }).resolve(server.url)
  const supportedInterfaces = card.supportedInterfaces.filter(({ protocolVersion }) => protocolVersion === version)
  expect(supportedInterfaces).toHaveLength(1)
  const transports = [new JsonRpcTransportFactory({ fetchImpl: withToken, legacyCompat })]
  return new ClientFactory({ transports }).createFromAgentCard({ ...card, supportedInterfaces })
}

let count = 0
function message(
  text: string,
  more: { contextId?: string; metadata?: Record<string, unknown> } = {},
): SendMessageRequest {
  count += 1
  return {
    tenant: '',
    configuration: undefined,
    metadata: undefined,
    message: {
      messageId: `m${count}`,
      contextId: more.contextId ?? '',
      taskId: '',
      role: Role.ROLE_USER,
      parts: [{ content: { $case: 'text', value: text }, metadata: undefined, filename: '', mediaType: 'text/plain' }],
      metadata: more.metadata,
      extensions: [],
      referenceTaskIds: [],
    },
  }
}

const versions = ['1.0', '0.3'] as const

const texts = (parts: { content?: { $case: string; value: unknown } }[]) => parts.map(({ content }) => content?.value)

describe('a room as an A2A agent', () => {
  it('shows its card without a token, and needs one for everything else', async () => {
    const { server } = await serve(project)
    const response = await fetch(`${server.url}/.well-known/agent-card.json`)
    expect(response.status).toBe(200)
    expect(await response.json()).toMatchObject({
      name: 'Convene',
      url: `${server.url}/a2a`,
      protocolVersion: '0.3.0',
      supportedInterfaces: [
        { url: `${server.url}/a2a`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
        { protocolVersion: '0.3' },
      ],
      capabilities: { streaming: true },
    })
    const post = (headers: Record<string, string>) =>
      fetch(`${server.url}/a2a`, { method: 'POST', headers, body: '{}' }).then(({ status }) => status)
    expect(await post({})).toBe(401)
    expect(await post({ authorization: `Bearer ${server.token}`, origin: 'http://evil.example' })).toBe(403)
    expect(await post({ authorization: `Bearer ${server.token}` })).toBe(200)
  })

  it.each(versions)('answers a message with a task whose artefact is the reply, over %s', async (version) => {
    const served = await serve(project)
    const client = await clientOf(served, version)
    const task = await client.sendMessage(message('Which queue?', { metadata: { room: 'outside', to: ['gpt'] } }))
    if (!('artifacts' in task)) throw new Error('expected a task')
    expect(task.status?.state).toBe(TaskState.TASK_STATE_COMPLETED)
    expect(task.artifacts.map(({ parts }) => texts(parts))).toEqual([['Use a queue.']])
    const again = await client.getTask({ tenant: '', id: task.id, historyLength: undefined })
    expect(again.artifacts).toHaveLength(1)
    const room = served.app.rooms.list().find(({ name }) => name === 'outside')!
    const talk = (await served.app.rooms.transcript(room.id)).filter(({ type }) => type !== 'agent_call')
    expect(talk.map(({ text }) => text)).toEqual(['Which queue?', 'Use a queue.'])
  })

  it.each(versions)(
    'streams, keeps a conversation in one room, and says why a task failed, over %s',
    async (version) => {
      const served = await serve(project)
      const client = await clientOf(served, version)
      const seen: string[] = []
      let contextId = ''
      for await (const { payload } of client.sendMessageStream(message('Which queue?'))) {
        seen.push(payload!.$case)
        if (payload?.$case === 'task') contextId = payload.value.contextId
      }
      expect(seen).toEqual(['task', 'statusUpdate', 'artifactUpdate', 'statusUpdate'])
      const failed = await client.sendMessage(message('broken', { contextId, metadata: { to: ['gpt'] } }))
      if (!('artifacts' in failed)) throw new Error('expected a task')
      expect(failed.status?.state).toBe(TaskState.TASK_STATE_FAILED)
      expect(texts(failed.status!.message!.parts)[0]).toMatch(/\w/)
      expect(served.app.rooms.list()).toHaveLength(1)
      const unknown = await client.sendMessage(message('x', { metadata: { to: ['nobody'] } }))
      if (!('artifacts' in unknown)) throw new Error('expected a task')
      expect(texts(unknown.status!.message!.parts)[0]).toContain('nobody')
    },
  )

  it('[MC1] rejects tasks below another Convene, unless nesting is allowed', async () => {
    const env = { CONVENE_DEPTH: '1' }
    const state = async (served: Served) => {
      const task = await (await clientOf(served, '1.0')).sendMessage(message('Which queue?'))
      return 'artifacts' in task ? [task.status?.state, texts(task.status?.message?.parts ?? [])[0]] : []
    }
    const refusing = await serve(project, { env })
    expect(await state(refusing)).toEqual([TaskState.TASK_STATE_REJECTED, expect.stringMatching(/^nested: /)])
    expect(refusing.app.rooms.list()).toEqual([])
    const yaml = `${project['convene.yaml']}mcp: { allow_nested: true }\n`
    const allowing = await serve({ ...project, 'convene.yaml': yaml }, { env })
    expect((await state(allowing))[0]).toBe(TaskState.TASK_STATE_COMPLETED)
  })

  it.each(versions)('stops the run when the task is cancelled, over %s', async (version) => {
    const served = await serve(project)
    const client = await clientOf(served, version)
    const states: (TaskState | undefined)[] = []
    for await (const { payload } of client.sendMessageStream(
      message('Think for ever', { metadata: { to: ['gpt'] } }),
    )) {
      if (payload?.$case !== 'statusUpdate') continue
      states.push(payload.value.status?.state)
      if (states.length > 1) continue
      await expect.poll(async () => (await served.app.runs.list()).map(({ status }) => status)).toEqual(['running'])
      await client.cancelTask({ tenant: '', id: payload.value.taskId, metadata: undefined })
    }
    expect(states).toEqual([TaskState.TASK_STATE_WORKING, TaskState.TASK_STATE_CANCELED])
    await expect.poll(async () => (await served.app.runs.list()).map(({ status }) => status)).not.toContain('running')
  })
})

describe('a remote agent in a room', () => {
  const ask = async (served: Served, text: string) => {
    const { body: room } = await served.call('POST', '/api/rooms', {})
    const { id } = room as { id: string }
    const { run } = (await served.call('POST', `/api/rooms/${id}/messages`, { text, target: 'far' })).body as {
      run: string
    }
    await served.app.engine.result(run).catch(() => {})
    return (await served.app.rooms.transcript(id)).at(-1)!
  }

  it('can be stopped while its server does not even send its card', async () => {
    const { promise: reached, resolve } = Promise.withResolvers<void>()
    const silent = createServer(() => resolve())
    const address = await listen(silent)
    onTestFinished(() => {
      silent.closeAllConnections()
      silent.close()
    })
    const agent = createA2aAgent({ name: 'far', url: `${address}/a2a` })
    const stop = new AbortController()
    const question = { run: 'r', step: 's', try: 1 }
    const messages = [{ role: 'user' as const, content: 'hello' }]
    const answer = agent.call({ kind: 'answer', question, messages }, { signal: stop.signal })
    await reached
    const reason = new Error('enough')
    stop.abort(reason)
    await expect(answer).rejects.toBe(reason)
  })

  it('is another Convene, reached with its token', async () => {
    const other = await serve(project)
    const config = {
      agents: { far: { provider: 'a2a', url: `${other.server.url}/a2a`, api_key_env: 'FAR_TOKEN' } },
    }
    const env = { FAR_TOKEN: other.server.token, CONVENE_TRUST: '1' }
    const served = await serve({ 'convene.yaml': JSON.stringify(config) }, { env })
    expect(await ask(served, 'Which queue?')).toMatchObject({ sender: 'far', text: 'Use a queue.' })
    expect(other.app.rooms.list()).toHaveLength(1)
  })

  const peerWith = async (play: () => Part, more: Partial<Parameters<typeof startPeer>[0]> = {}) => {
    const peer = await startPeer({ play, ...more })
    onTestFinished(() => peer.close())
    return peer
  }
  const call = (url: string, signal = new AbortController().signal) =>
    createA2aAgent({ name: 'far', url, apiKey: 'secret-token', apiKeyEnv: 'FAR_TOKEN' }).call(
      { kind: 'answer', question: { run: 'r', step: '1', try: 1 }, messages: [{ role: 'user', content: 'hello' }] },
      { signal },
    )

  it('is asked without streaming where it does not stream', async () => {
    const peer = await peerWith(() => ({ pieces: ['One. ', 'Two.'] }), { streaming: false })
    expect(await call(peer.url)).toMatchObject({ ok: true, text: 'One. Two.' })
    expect(peer.headers[0]).toMatchObject({ authorization: 'Bearer secret-token' })
  })

  it('is named by what went wrong: a protocol error is no failed connection, and configuration faults say the fix', async () => {
    const json = (status: number, body: unknown): Part => ({
      http: (response) => response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body)),
    })
    const failureOf = async (part: Part, more: Partial<Parameters<typeof startPeer>[0]> = {}) => {
      const reply = await call((await peerWith(() => part, more)).url)
      if (reply.ok) throw new Error('expected a failure')
      return reply.failure
    }
    const rpc = { jsonrpc: '2.0', id: 1, error: { code: -32601, message: 'Method not found' } }
    expect(await failureOf(json(200, rpc))).toMatchObject({
      reason: 'malformed',
      message: expect.stringMatching(/protocol error.*Method not found/),
    })
    expect(await failureOf(json(401, {}))).toMatchObject({
      configuration: true,
      message: expect.stringContaining('FAR_TOKEN'),
    })
    expect(await failureOf(json(200, {}), { card: () => ({ name: 'x' }) })).toMatchObject({ configuration: true })
    expect(await failureOf({ pieces: [], state: TaskState.TASK_STATE_FAILED, words: 'out of ideas' })).toMatchObject({
      reason: 'unavailable',
      message: expect.stringContaining('out of ideas'),
    })
    const away = await call('http://127.0.0.1:1/a2a')
    expect(away).toMatchObject({
      ok: false,
      failure: {
        reason: 'unavailable',
        message: expect.stringContaining('cannot be reached at http://127.0.0.1:1/a2a'),
      },
    })
    const elsewhere: Part = {
      http: (response) => response.writeHead(307, { location: 'http://evil.example/a2a' }).end(),
    }
    expect(await failureOf(elsewhere)).toMatchObject({ configuration: true, rule: 'TR4' })
  })

  it('is told when nobody waits for its task any more', async () => {
    const cancel = new AbortController()
    const peer = await peerWith(() => ({ pieces: ['never'], latencyMs: 3_600_000 }))
    const calling = call(peer.url, cancel.signal)
    await expect.poll(() => peer.asked).toHaveLength(1)
    cancel.abort(new Error('enough'))
    await expect(calling).rejects.toThrow('enough')
  })
})
