import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { createGzip } from 'node:zlib'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { ModelAgentSettings } from '../../src/agents/models/model.ts'
import { type ModelProvider, modelProviders } from '../../src/agents/models/providers.ts'
import type { Agent, AgentRequest } from '../../src/kernel/agent.ts'
import { ask } from '../../src/kernel/ask/ask.ts'
import { type CannedServer, opening, refusal, sendError, sendEvents, serveCanned } from './canned-server.ts'
import { Emulator, modelAgent, models, secretKey } from './emulator.ts'

const emulator = new Emulator()
beforeAll(() => emulator.start())
afterAll(() => emulator.stop())
beforeEach(() => {
  emulator.sent.length = 0
  emulator.mock.clearFixtures()
})

let canned: CannedServer | undefined
afterEach(() => {
  canned?.close()
  canned = undefined
})

const envelope = z.strictObject({
  message: z.string().min(1),
  handoff: z.strictObject({ to: z.enum(['gpt', 'claude']), task: z.string().min(1).max(500) }).optional(),
  final: z.boolean().optional(),
})

describe.each(modelProviders)('a request to %s', (provider) => {
  it('has the system text in its place, the roles, the limit and the key, and nothing else', async () => {
    emulator.mock.onMessage('And 3+3?', { content: 'six' })
    await call(emulator.agent(provider), {
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'system', content: 'Be kind.' },
        { role: 'user', content: '2+2?' },
        { role: 'assistant', content: 'four' },
        { role: 'user', content: 'And 3+3?' },
      ],
      maxOutputTokens: 321,
    })
    expect(emulator.sent).toHaveLength(1)
    expect(emulator.sent[0]).toMatchObject({
      path: plainRequest[provider].path,
      headers: plainRequest[provider].headers,
    })
    expect(emulator.sent[0]!.body).toEqual(plainRequest[provider].body)
  })

  it('[CX4] marks long instructions for the cache if the provider requires it', async () => {
    emulator.mock.onMessage('And now?', { content: 'now' })
    const long = 'Be brief. '.repeat(500)
    for (const system of [long, 'Be brief.']) {
      emulator.sent.length = 0
      await call(emulator.agent(provider), {
        messages: [
          { role: 'system', content: system },
          { role: 'user', content: 'And now?' },
        ],
      })
      const marked = provider === 'anthropic' && system === long
      expect(JSON.stringify(emulator.sent[0]!.body).includes('"cache_control":{"type":"ephemeral"}')).toBe(marked)
      expect(JSON.stringify(emulator.sent[0]!.body)).toContain(system)
    }
  })

  it('[TR4] keeps the key when it is redirected to another origin, and follows within its own', async () => {
    const other = await serveCanned((response) => sendEvents(response, opening[provider]('stolen')))
    canned = await serveCanned((response, count) => {
      if (count === 1) response.writeHead(307, { location: `${other.address}/v1/steal` }).end()
      else if (count === 2) response.writeHead(308, { location: '/moved' }).end()
      else sendError(response, 400, { error: { message: 'no' } })
    })
    const agent = modelAgent(provider, canned.address)
    const stolen = await call(agent, saying('hi'))
    other.close()
    expect(other.requests).toEqual([])
    expect(stolen.reply).toMatchObject({
      ok: false,
      failure: { reason: 'refused', configuration: true, rule: 'TR4', retryable: false },
    })
    expect(JSON.stringify(stolen.reply)).toContain(`redirected to ${other.address}`)
    const moved = await call(agent, saying('hi'))
    expect(JSON.stringify(moved.reply)).toContain('(400)')
    expect(canned.requests).toHaveLength(3)
  })

  it('[TR5] ends a reply that never ends, compressed or not', async () => {
    canned = await serveCanned((response, count) => {
      const zip = createGzip()
      response.writeHead(200, {
        'content-type': 'text/event-stream',
        ...(count === 1 ? {} : { 'content-encoding': 'gzip' }),
      })
      if (count > 1) zip.pipe(response)
      const target = count === 1 ? response : zip
      const filler = `: ${'x'.repeat(1_000_000)}\n\n`
      const more = () => {
        while (!response.destroyed && target.write(filler));
        if (!response.destroyed) target.once('drain', more)
      }
      more()
    })
    for (const _ of ['plain', 'compressed']) {
      const { reply } = await call(modelAgent(provider, canned.address), saying('hi'))
      expect(reply).toMatchObject({ ok: false, failure: { reason: 'malformed', rule: 'TR5', retryable: false } })
      expect(JSON.stringify(reply)).toContain('more than 16 MB')
    }
    await canned.hungUp
  })

  it('has the schema where the provider expects it, and nothing else', async () => {
    emulator.mock.onMessage('take a turn', { content: '{"message":"hi"}' })
    const { reply } = await call(emulator.agent(provider), { kind: 'turn', schema: envelope, ...saying('take a turn') })
    expect(reply).toMatchObject({ ok: true, text: '{"message":"hi"}' })
    const { body } = emulator.sent[0]!
    expect(JSON.stringify(body)).toContain('Send the reply as one JSON object')
    expect(Object.keys(body).sort()).toEqual(
      [...Object.keys(plainRequest[provider].body), ...schemaKey[provider]].filter(isSentWithSchema(provider)).sort(),
    )
    expect(body).toMatchObject(schemaPlace[provider].envelope)
    expect(body).toHaveProperty(
      schemaPlace[provider].path,
      expect.objectContaining({
        type: 'object',
        properties: expect.objectContaining({ message: expect.objectContaining({ type: 'string' }) }),
        additionalProperties: false,
      }),
    )
  })

  it('is sent once however it fails: retrying is up to the caller', async () => {
    emulator.mock.onMessage('fail', { error: { message: 'busy', type: 'error' }, status: 503 })
    await call(emulator.agent(provider), saying('fail'))
    expect(emulator.sent).toHaveLength(1)
  })

  it('falls back to the prompt alone if the schema is rejected, and remembers that for the kind of ask', async () => {
    canned = await serveCanned((response, count) => {
      if (count === 1) return sendError(response, 400, schemaError)
      sendEvents(response, completed(provider, '{"message":"plain"}'))
    })
    const agent = modelAgent(provider, canned.address)
    const request = { kind: 'turn' as const, schema: envelope, ...saying('take a turn') }
    expect((await call(agent, request)).reply).toMatchObject({ ok: true, text: '{"message":"plain"}' })
    expect((await call(agent, request)).reply).toMatchObject({ ok: true })
    expect(canned.requests.map(({ body }) => JSON.stringify(body).includes('handoff'))).toEqual([true, false, false])
    await call(agent, { ...request, kind: 'phase' })
    expect(JSON.stringify(canned.requests.at(-1)!.body)).toContain('handoff')
  })
})

describe.each(modelProviders)('a reply of %s', (provider) => {
  it("is counted and priced by the provider's usage", async () => {
    emulator.mock.onMessage('count', { content: 'x', usage: countedUsage[provider] })
    const { reply } = await call(emulator.agent(provider, { price: { input: 3, output: 15 } }), saying('count'))
    expect(reply.usage).toEqual({ inputTokens: 100_000, outputTokens: 10_000, usd: 0.45 })
  })

  it('counts cached input separately, at its own price or the usual input price', async () => {
    const events = [...opening[provider]('x'), ...cachedEnding[provider]]
    const tokens = { inputTokens: 100_000, outputTokens: 10_000, cachedInputTokens: 40_000 }
    const cheaper = await callCanned(provider, events, { price: { input: 3, output: 15, cached_input: 0.3 } })
    expect(cheaper.reply.usage).toEqual({ ...tokens, usd: 0.342 })
    canned!.close()
    const same = await callCanned(provider, events, { price: { input: 3, output: 15 } })
    expect(same.reply.usage).toEqual({ ...tokens, usd: 0.45 })
  })

  it('has an unknown cost without a configured price', async () => {
    emulator.mock.onMessage('count', { content: 'x', usage: countedUsage[provider] })
    expect((await call(emulator.agent(provider), saying('count'))).reply.usage.usd).toBeNull()
  })

  it('is estimated if the provider reports no usage', async () => {
    const price = { input: 1, output: 1 }
    const { reply } = await callCanned(provider, [...opening[provider]('some words'), ...ending[provider]], { price })
    if (provider === 'google' || provider === 'openai-compatible')
      expect(reply.usage).toMatchObject({ estimated: true })
    expect(reply.usage.usd).toBeGreaterThan(0)
  })

  it('that the provider refuses to finish is a refusal, with the partial text', async () => {
    const { reply } = await callCanned(provider, [...opening[provider]('I would'), ...refusal[provider]])
    expect(reply).toMatchObject({ ok: false, failure: { reason: 'refused', retryable: false }, partialText: 'I would' })
    expect(reply.usage).toMatchObject({ inputTokens: 9, outputTokens: 5 })
  })

  it('that ends without its closing event is truncated, even if the connection closed cleanly', async () => {
    const { reply } = await callCanned(provider, opening[provider]('Once upon'))
    expect(reply).toMatchObject({
      ok: false,
      failure: { reason: 'disconnect', retryable: true },
      partialText: 'Once upon',
    })
    expect(reply.usage).toMatchObject({ estimated: true })
  })

  it('with an unreadable event is malformed', async () => {
    const { reply } = await callCanned(provider, [...opening[provider]('Once'), '{"type": broken'])
    expect(reply).toMatchObject({ ok: false, failure: { reason: 'malformed' }, partialText: 'Once' })
  })

  it('that calls an unknown tool, or is empty, is malformed', async () => {
    emulator.mock.onMessage('tool', { toolCalls: [{ name: 'bash', arguments: '{}' }] })
    emulator.mock.onMessage('empty', { content: '' })
    const agent = emulator.agent(provider)
    for (const prompt of ['tool', 'empty']) {
      expect((await call(agent, saying(prompt))).reply).toMatchObject({ ok: false, failure: { reason: 'malformed' } })
    }
  })

  it('[AS1] that calls a tool where none is offered, in an ask for JSON, has the arguments as its text', async () => {
    emulator.mock.onMessage('structured', { toolCalls: [{ name: 'submit', arguments: '{"message": "Once"}' }] })
    const request = { ...saying('structured'), schema: envelope, kind: 'judge-child' as const }
    const { reply } = await call(emulator.agent(provider), request)
    expect(reply).toMatchObject({ ok: true, calledTool: 'submit' })
    expect(JSON.parse(reply.ok ? reply.text : '')).toEqual({ message: 'Once' })
    const question = { run: 'r', step: '1' }
    const signal = new AbortController().signal
    const { exit, attempts } = await ask(emulator.agent(provider), { ...request, question, signal })
    expect(exit).toMatchObject({ ok: true, value: { message: 'Once' }, loose: true })
    expect(attempts).toHaveLength(1)
  })

  it('that reaches the token limit is returned as far as it got', async () => {
    emulator.mock.onMessage('long', { content: 'and so on and', finishReason: 'length' })
    expect((await call(emulator.agent(provider), saying('long'))).reply).toMatchObject({
      ok: true,
      text: 'and so on and',
    })
  })
})

describe.each(modelProviders)('a failure of %s', (provider) => {
  it.each([
    [429, 'rate-limited', true],
    [500, 'unavailable', true],
    [502, 'unavailable', true],
    [503, 'unavailable', true],
    [529, 'unavailable', true],
    [408, 'timeout', true],
    [400, 'refused', false],
    [403, 'refused', false],
    [404, 'refused', false],
  ])('with status %i is %s', async (status, reason, retryable) => {
    emulator.mock.onMessage('fail', { error: { message: `because ${secretKey}`, type: 'error' }, status })
    const { reply } = await call(emulator.agent(provider, { apiKeyEnv: 'MY_KEY' }), saying('fail'))
    expect(reply).toMatchObject({
      ok: false,
      failure: { reason, retryable },
      usage: { inputTokens: 0, outputTokens: 0, usd: 0 },
    })
    expect(!reply.ok && reply.failure.message).toContain(`agent "${provider}-agent"`)
    expect(JSON.stringify(reply)).not.toContain(secretKey)
  })

  it('over a wrong key names the variable to set, and not its value', async () => {
    canned = await serveCanned((response) => {
      const hint = `${secretKey.slice(0, 7)}***${secretKey.slice(-4)}`
      sendError(response, 401, {
        error: { message: `Incorrect API key provided: ${hint}`, type: 'authentication_error' },
      })
    })
    const { reply } = await call(modelAgent(provider, canned.address, { apiKeyEnv: 'MY_KEY' }), saying('hi'))
    expect(reply).toMatchObject({ ok: false, failure: { reason: 'refused', retryable: false, configuration: true } })
    const message = reply.ok ? '' : reply.failure.message
    expect(message).toContain(`agent "${provider}-agent"`)
    expect(message).toContain('MY_KEY')
    expect(message).not.toContain(secretKey.slice(0, 7))
    expect(message).not.toContain(secretKey.slice(-4))
  })

  it('over a missing key sends nothing', async () => {
    const agent = emulator.agent(provider, { apiKey: ' ', apiKeyEnv: 'MY_KEY' })
    const { reply } = await call(agent, saying('hi'))
    expect(reply).toMatchObject({ ok: false, failure: { reason: 'refused', retryable: false, configuration: true } })
    expect(!reply.ok && reply.failure.message).toMatch(new RegExp(`agent "${provider}-agent".*MY_KEY`))
    expect(emulator.sent).toHaveLength(0)
  })

  it("carries the provider's Retry-After", async () => {
    emulator.mock.onMessage('slow down', {
      error: { message: 'slow down', type: 'rate_limit_error' },
      status: 429,
      retryAfter: 7,
    })
    const { reply } = await call(emulator.agent(provider), saying('slow down'))
    expect(reply).toMatchObject({ ok: false, failure: { reason: 'rate-limited', retryAfterMs: 7000 } })
  })

  it('carries a wait in milliseconds, and one until a date', async () => {
    for (const [headers, atMost] of [
      [{ 'retry-after-ms': '1500', 'retry-after': '2' }, 1500],
      [{ 'retry-after': new Date(Date.now() + 60_000).toUTCString() }, 60_000],
    ] as const) {
      canned?.close()
      canned = await serveCanned((response) =>
        sendError(response, 429, { error: { message: 'slow', type: 'x' } }, headers),
      )
      const { reply } = await call(modelAgent(provider, canned.address), saying('hi'))
      if (reply.ok) throw new Error('it should have failed')
      expect(reply.failure.retryAfterMs).toBeGreaterThan(1000)
      expect(reply.failure.retryAfterMs).toBeLessThanOrEqual(atMost)
    }
  })

  it('to connect says where', async () => {
    canned = await serveCanned(() => {})
    const { address } = canned
    canned.close()
    const { reply } = await call(modelAgent(provider, address), saying('hi'))
    expect(reply).toMatchObject({ ok: false, failure: { reason: 'unavailable', retryable: true } })
    expect(!reply.ok && reply.failure.message).toContain(address)
    const nowhere = await call(modelAgent(provider, 'http://no-such-host.invalid'), saying('hi'))
    expect(nowhere.reply).toMatchObject({ ok: false, failure: { reason: 'unavailable', retryable: true } })
  })

  it('with a web page instead of a stream is malformed', async () => {
    canned = await serveCanned((response) => {
      response.writeHead(200, { 'content-type': 'text/html' })
      response.end('<h1>Please log in</h1>')
    })
    const { reply } = await call(modelAgent(provider, canned.address), saying('hi'))
    expect(reply).toMatchObject({
      ok: false,
      failure: { reason: 'malformed', message: expect.stringContaining('text/html') },
    })
  })
})

describe.each(modelProviders)('an abandoned call to %s', (provider) => {
  it('closes its connection when it is stopped in the middle', async () => {
    canned = await serveCanned((response) => sendEvents(response, opening[provider]('Once'), false))
    const controller = new AbortController()
    const reason = new Error('enough')
    const agent = modelAgent(provider, canned.address)
    const pending = agent.call(request(saying('talk')), {
      signal: controller.signal,
      onText: () => controller.abort(reason),
    })
    await expect(pending).rejects.toBe(reason)
    await canned.hungUp
  })

  it('closes its connection on a timeout, and reports it', async () => {
    canned = await serveCanned(() => {})
    const result = await ask(modelAgent(provider, canned.address), {
      ...request(saying('talk')),
      limits: { timeoutMs: 200 },
      retry: { retries: 0 },
      signal: new AbortController().signal,
    })
    expect(result.exit).toMatchObject({ ok: false, failure: { reason: 'timeout', retryable: true } })
    await canned.hungUp
  })
})

describe('provider specifics', () => {
  it('OpenAI: strict mode requires every property, so nulls for optional ones are removed', async () => {
    const text = '{"message":"hi","handoff":null,"final":null}'
    emulator.mock.onMessage('turn', { content: text })
    const turn = { kind: 'turn' as const, schema: envelope, ...saying('turn') }
    for (const provider of ['openai', 'openai-compatible'] as const) {
      expect((await call(emulator.agent(provider), turn)).reply).toMatchObject({ ok: true, text: '{"message":"hi"}' })
    }
  })

  it('OpenAI: a spoken refusal is a refusal', async () => {
    const said = {
      type: 'response.refusal.delta',
      item_id: 'i',
      output_index: 0,
      content_index: 0,
      delta: 'I am sorry',
    }
    const done = { type: 'response.completed', response: { usage: { input_tokens: 9, output_tokens: 5 } } }
    const [created, added] = opening.openai('')
    const { reply } = await callCanned('openai', [created, added, said, done])
    expect(reply).toMatchObject({ ok: false, failure: { reason: 'refused' } })
  })

  it('OpenAI: a 429 for lack of credit is not retryable', async () => {
    const error = { message: 'You exceeded your current quota', type: 'insufficient_quota', code: 'insufficient_quota' }
    canned = await serveCanned((response) => sendError(response, 429, { error }))
    const { reply } = await call(modelAgent('openai', canned.address), saying('hi'))
    expect(reply).toMatchObject({ ok: false, failure: { reason: 'rate-limited', retryable: false } })
  })

  it('Google: a blocked prompt is a refusal', async () => {
    const blocked = {
      promptFeedback: { blockReason: 'SAFETY' },
      usageMetadata: { promptTokenCount: 9, totalTokenCount: 9 },
    }
    const { reply } = await callCanned('google', [blocked])
    expect(reply).toMatchObject({ ok: false, failure: { reason: 'refused', retryable: false } })
  })

  it('Google: uses the wait in the body if no header has one', async () => {
    const details = [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '34.5s' }]
    const error = { code: 429, message: 'quota', status: 'RESOURCE_EXHAUSTED', details }
    canned = await serveCanned((response) => sendError(response, 429, { error }))
    const { reply } = await call(modelAgent('google', canned.address), saying('hi'))
    expect(reply).toMatchObject({ ok: false, failure: { reason: 'rate-limited', retryAfterMs: 34_500 } })
  })

  it('Anthropic: an overload in the middle of a stream keeps the partial text', async () => {
    const overloaded = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }
    const { reply } = await callCanned('anthropic', [...opening.anthropic('Once'), overloaded])
    expect(reply).toMatchObject({ ok: false, failure: { reason: 'unavailable', retryable: true }, partialText: 'Once' })
  })

  it('Anthropic: a model unknown to the SDK is asked for JSON text too, not for a tool call', async () => {
    emulator.mock.onMessage('turn', { content: '{"message":"hi"}' })
    const agent = emulator.agent('anthropic', { model: 'claude-3-5-haiku-latest' })
    const { reply } = await call(agent, { kind: 'turn', schema: envelope, ...saying('turn') })
    expect(reply).toMatchObject({ ok: true, text: '{"message":"hi"}' })
    expect(emulator.sent[0]!.body).not.toHaveProperty('tools')
  })

  it('openai-compatible: needs no key, and then sends none', async () => {
    emulator.mock.onMessage('hi', { content: 'hello' })
    const { reply } = await call(emulator.agent('openai-compatible', { apiKey: undefined }), saying('hi'))
    expect(reply).toMatchObject({ ok: true, text: 'hello' })
    expect(emulator.sent[0]!.headers).not.toHaveProperty('authorization')
  })
})

it('loads no SDK before the first call, and then only the one in use', async () => {
  const script = fileURLToPath(new URL('./print-loaded-packages.ts', import.meta.url))
  const { stdout } = await promisify(execFile)(process.execPath, [script])
  const { before, after } = JSON.parse(stdout) as { before: string[]; after: string[] }
  expect(before).toEqual([])
  expect(after).toContain('ai')
  expect(after.filter((name) => modelSdks.includes(name))).toEqual(['@ai-sdk/openai-compatible'])
})

const modelSdks = ['@ai-sdk/anthropic', '@ai-sdk/openai', '@ai-sdk/google', '@ai-sdk/openai-compatible']

const bearer = { authorization: `Bearer ${secretKey}` }
const system = 'Be brief.\n\nBe kind.'

/** A plain ask on the wire. */
const plainRequest: Record<ModelProvider, { path: string; headers: object; body: object }> = {
  anthropic: {
    path: '/v1/messages',
    headers: { 'x-api-key': secretKey, 'anthropic-version': '2023-06-01' },
    body: {
      model: models.anthropic,
      max_tokens: 321,
      stream: true,
      system: [{ type: 'text', text: system }],
      messages: [
        { role: 'user', content: [{ type: 'text', text: '2+2?' }] },
        { role: 'assistant', content: [{ type: 'text', text: 'four' }] },
        { role: 'user', content: [{ type: 'text', text: 'And 3+3?' }] },
      ],
    },
  },
  openai: {
    path: '/v1/responses',
    headers: bearer,
    body: {
      model: models.openai,
      max_output_tokens: 321,
      stream: true,
      store: false,
      input: [
        { role: 'system', content: system },
        { role: 'user', content: [{ type: 'input_text', text: '2+2?' }] },
        { role: 'assistant', content: 'four' },
        { role: 'user', content: [{ type: 'input_text', text: 'And 3+3?' }] },
      ],
    },
  },
  google: {
    path: `/v1beta/models/${models.google}:streamGenerateContent?alt=sse`,
    headers: { 'x-goog-api-key': secretKey },
    body: {
      generationConfig: { maxOutputTokens: 321 },
      systemInstruction: { parts: [{ text: system }] },
      contents: [
        { role: 'user', parts: [{ text: '2+2?' }] },
        { role: 'model', parts: [{ text: 'four' }] },
        { role: 'user', parts: [{ text: 'And 3+3?' }] },
      ],
    },
  },
  'openai-compatible': {
    path: '/v1/chat/completions',
    headers: bearer,
    body: {
      model: models['openai-compatible'],
      max_tokens: 321,
      stream: true,
      stream_options: { include_usage: true },
      messages: [
        { role: 'system', content: system },
        { role: 'user', content: '2+2?' },
        { role: 'assistant', content: 'four' },
        { role: 'user', content: 'And 3+3?' },
      ],
    },
  },
}

const schemaKey: Record<ModelProvider, string[]> = {
  anthropic: ['output_config'],
  openai: ['text'],
  google: [],
  'openai-compatible': ['response_format'],
}

/** The ask with a schema has no system text, and leaves the limit at the default, which not all providers have. */
function isSentWithSchema(provider: ModelProvider): (key: string) => boolean {
  const absent = ['system', 'systemInstruction', ...(provider === 'openai-compatible' ? ['max_tokens'] : [])]
  return (key) => !absent.includes(key)
}

/** The path of the schema in the request, and its envelope. */
const schemaPlace: Record<ModelProvider, { path: string[]; envelope: object }> = {
  anthropic: {
    path: ['output_config', 'format', 'schema'],
    envelope: { output_config: { format: { type: 'json_schema' } } },
  },
  openai: {
    path: ['text', 'format', 'schema'],
    envelope: { text: { format: { type: 'json_schema', strict: true, name: 'reply' } }, max_output_tokens: 16_384 },
  },
  google: {
    path: ['generationConfig', 'responseJsonSchema'],
    envelope: { generationConfig: { responseMimeType: 'application/json', maxOutputTokens: 16_384 } },
  },
  'openai-compatible': {
    path: ['response_format', 'json_schema', 'schema'],
    envelope: { response_format: { type: 'json_schema', json_schema: { strict: true, name: 'reply' } } },
  },
}

const schemaError = {
  error: {
    message: "Invalid schema for response_format 'reply'",
    type: 'invalid_request_error',
    code: 'invalid_schema',
  },
}

const ending: Record<ModelProvider, unknown[]> = {
  anthropic: [
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: { output_tokens: 5 } },
    { type: 'message_stop' },
  ],
  openai: [{ type: 'response.completed', response: { usage: { input_tokens: 9, output_tokens: 5 } } }],
  google: [{ candidates: [{ content: { role: 'model', parts: [] }, finishReason: 'STOP', index: 0 }] }],
  'openai-compatible': [{ id: 'c', choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }, '[DONE]'],
}

function completed(provider: ModelProvider, text: string): unknown[] {
  return [...opening[provider](text), ...ending[provider]]
}

const cachedEnding: Record<ModelProvider, unknown[]> = {
  anthropic: [
    { type: 'content_block_stop', index: 0 },
    {
      type: 'message_delta',
      delta: { stop_reason: 'end_turn', stop_sequence: null },
      usage: { input_tokens: 60_000, cache_read_input_tokens: 40_000, output_tokens: 10_000 },
    },
    { type: 'message_stop' },
  ],
  openai: [
    {
      type: 'response.completed',
      response: {
        usage: { input_tokens: 100_000, input_tokens_details: { cached_tokens: 40_000 }, output_tokens: 10_000 },
      },
    },
  ],
  google: [
    {
      candidates: [{ content: { role: 'model', parts: [] }, finishReason: 'STOP', index: 0 }],
      usageMetadata: {
        promptTokenCount: 100_000,
        cachedContentTokenCount: 40_000,
        candidatesTokenCount: 10_000,
        totalTokenCount: 110_000,
      },
    },
  ],
  'openai-compatible': [
    { id: 'c', choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
    {
      id: 'c',
      choices: [],
      usage: { prompt_tokens: 100_000, completion_tokens: 10_000, prompt_tokens_details: { cached_tokens: 40_000 } },
    },
    '[DONE]',
  ],
}

const countedUsage: Record<ModelProvider, Record<string, unknown>> = {
  anthropic: { input_tokens: 100_000, output_tokens: 10_000 },
  openai: { input_tokens: 100_000, output_tokens: 10_000 },
  google: { promptTokenCount: 100_000, candidatesTokenCount: 10_000 },
  'openai-compatible': { prompt_tokens: 100_000, completion_tokens: 10_000 },
}

function saying(content: string): Pick<AgentRequest, 'messages'> {
  return { messages: [{ role: 'user', content }] }
}

function request(more: Partial<AgentRequest>): AgentRequest {
  return { kind: 'answer', question: { run: 'run', step: 'step', try: 1 }, messages: [], ...more }
}

async function call(agent: Agent, more: Partial<AgentRequest>) {
  const pieces: string[] = []
  const reply = await agent.call(request(more), {
    signal: new AbortController().signal,
    onText: (piece) => pieces.push(piece),
  })
  return { reply, pieces }
}

async function callCanned(provider: ModelProvider, events: unknown[], settings: Partial<ModelAgentSettings> = {}) {
  canned = await serveCanned((response) => sendEvents(response, events))
  return call(modelAgent(provider, canned.address, settings), saying('hi'))
}
