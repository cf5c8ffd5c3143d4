/** Spans as an OTLP backend receives them: what they say, what they never say, and that they disturb nothing. */
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { connectOtlp } from '../../src/telemetry/otlp.ts'
import { rehearsalProject } from '../support/convene.ts'
import { type Served, serve } from '../support/server.ts'
import { otlpReceiver, type ReceivedSpan } from './otlp-receiver.ts'

const project = (extra = '') =>
  rehearsalProject(
    `
- when: { ask: answer, contains: broken }
  fail: refused
- when: { ask: answer }
  repeat: true
  text: REPLY-MARK use a queue.
`,
    extra,
  )

async function ask(served: Served, text: string): Promise<string> {
  const { body: room } = await served.call('POST', '/api/rooms', {})
  const path = `/api/rooms/${(room as { id: string }).id}/messages`
  const { run: id } = (await served.call('POST', path, { text, target: 'gpt' })).body as { run: string }
  await served.app.engine.result(id).catch(() => {})
  return id
}

const named = (spans: ReceivedSpan[], name: string) => spans.filter((span) => span.name.startsWith(name))

describe('spans at an OTLP endpoint', () => {
  for (const protocol of ['http/protobuf', 'http/json'])
    it(`show a run, its steps and its calls, over ${protocol}, without any text`, async () => {
      const receiver = await otlpReceiver()
      const env = { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, OTEL_EXPORTER_OTLP_PROTOCOL: protocol }
      const served = await serve(project(), { env })
      const id = await ask(served, 'PROMPT-MARK which queue?')
      await served.close()

      expect([...receiver.contentTypes]).toEqual([
        protocol === 'http/json' ? 'application/json' : 'application/x-protobuf',
      ])
      const [top] = named(receiver.spans, 'convene.run')
      expect(top).toMatchObject({
        parentSpanId: '',
        attributes: { 'convene.run.id': id, 'convene.run.kind': 'room.answer', 'convene.run.status': 'done' },
      })
      const [chat] = named(receiver.spans, 'chat')
      const step = receiver.spans.find(({ spanId }) => spanId === chat!.parentSpanId)!
      expect(step).toMatchObject({ name: 'convene.step', parentSpanId: top!.spanId })
      expect(step.attributes['convene.step.name']).toBe('answer gpt')
      expect(chat!.attributes).toMatchObject({
        'gen_ai.operation.name': 'chat',
        'gen_ai.provider.name': 'rehearsal',
        'gen_ai.agent.name': 'gpt',
        'gen_ai.usage.input_tokens': expect.any(Number),
        'gen_ai.usage.output_tokens': expect.any(Number),
        'convene.ask.kind': 'answer',
      })
      expect(receiver.spans.every(({ attributes }) => attributes['convene.run.id'] === id)).toBe(true)
      expect(new Set(receiver.spans.map(({ traceId }) => traceId)).size).toBe(1)
      expect(receiver.raw.join('\n')).not.toMatch(/PROMPT-MARK|REPLY-MARK/)
    })

  it('carry prompts and replies only where the configuration says so, without secrets', async () => {
    const receiver = await otlpReceiver()
    const secret = `sk-${'a1b2c3d4'.repeat(5)}`
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: `${receiver.url}/`, OPENAI_API_KEY: secret }
    const served = await serve(project('telemetry: { content: true }\n'), { env })
    await ask(served, `PROMPT-MARK the key is ${secret}`)
    await served.close()
    const [chat] = named(receiver.spans, 'chat')
    expect(chat!.attributes['gen_ai.input.messages']).toContain('PROMPT-MARK')
    expect(chat!.attributes['gen_ai.output.messages']).toContain('REPLY-MARK')
    expect(receiver.raw.join('\n')).not.toContain(secret)
  })

  it('mark a failed call with its reason', async () => {
    const receiver = await otlpReceiver()
    const served = await serve(project(), { env: { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url } })
    await ask(served, 'broken')
    await served.close()
    expect(named(receiver.spans, 'chat')[0]).toMatchObject({ status: 2, attributes: { 'error.type': 'refused' } })
  })
})

it('disturbs nothing when the endpoint cannot be reached, and says so once', async () => {
  const notes = vi.spyOn(process.stderr, 'write').mockImplementation(() => true)
  onTestFinished(() => notes.mockRestore())
  const served = await serve(project(), { env: { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' } })
  const id = await ask(served, 'which queue?')
  expect(await served.app.engine.get(id)).toMatchObject({ status: 'done' })
  await served.close()
  const lines = notes.mock.calls.map(([text]) => String(text)).filter((text) => text.includes('telemetry'))
  expect(lines).toEqual([expect.stringContaining('could not be sent to http://127.0.0.1:1/v1/traces')])
})

it('works on without spans when the exporter cannot be loaded', async () => {
  const problems: string[] = []
  const { send, close } = connectOtlp({
    url: 'no address',
    protocol: 'http/json',
    version: '1',
    serviceName: 'test',
    onProblem: (words) => problems.push(words),
  })
  const span = { name: 'x', kind: 'internal', traceId: 'a', spanId: 'b', start: 1, end: 2, attributes: {} } as const
  expect(() => send(span)).not.toThrow()
  await close()
  expect(() => send(span)).not.toThrow()
  expect(problems).toHaveLength(1)
})
