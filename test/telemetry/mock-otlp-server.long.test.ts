/** Spans of a coding agent's work as a third-party OTLP server reads them. */
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { temporaryFolder } from '../support/convene.ts'
import { fakeCodingAgent } from '../support/fake-coding-agent.ts'
import { gitProject } from '../support/git-project.ts'
import { installPackages } from '../support/installed-packages.ts'
import { serve } from '../support/server.ts'

interface NormalSpan {
  name: string
  traceId: string
  spanId: string
  parentSpanId?: string
  attributes: Record<string, unknown>
}

interface NormalTrace {
  resourceSpans: { scopeSpans: { spans: NormalSpan[] }[] }[]
}

interface OtlpServers {
  MockOtlpServer: new (options: object) => { httpUrl: URL | string; start(): Promise<void>; close(): Promise<void> }
  normalizeTrace(trace: unknown): NormalTrace
}

it.for([
  { protocol: 'http/protobuf', content: false },
  { protocol: 'http/json', content: false },
  { protocol: 'http/protobuf', content: true },
])(
  'a third-party receiver sees run, step, command and agent over $protocol; text only if wanted ($content)',
  async ({ protocol, content }, context) => {
    const installed = await installPackages('otlp-server', { '@elastic/mockotlpserver': '0.10.0' })
    if ('missing' in installed) return context.skip(installed.missing)
    const load = createRequire(join(installed.modules, 'x.js'))
    const { MockOtlpServer, normalizeTrace } = load('@elastic/mockotlpserver') as OtlpServers
    const traces: NormalTrace[] = []
    const receiver = new MockOtlpServer({
      services: ['http'],
      httpHostname: '127.0.0.1',
      httpPort: 0,
      logLevel: 'fatal',
      onTrace: (trace: unknown) => traces.push(normalizeTrace(trace)),
    })
    await receiver.start()
    onTestFinished(() => receiver.close())

    const fake = fakeCodingAgent(temporaryFolder(), {
      prompts: [
        {
          contains: 'PROMPT-MARK',
          do: [{ tool: { kind: 'execute', rawInput: { command: 'cat COMMAND-MARK' } } }, { say: 'REPLY-MARK yes' }],
        },
      ],
    })
    const agents = { coder: { provider: 'acp', command: fake.command } }
    const folder = gitProject({ 'convene.yaml': JSON.stringify({ agents, telemetry: { content } }) })
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: `${receiver.httpUrl}`, OTEL_EXPORTER_OTLP_PROTOCOL: protocol }
    const served = await serve({}, { folder, env: { ...env, PATH: process.env.PATH! } })
    const { body: room } = await served.call('POST', '/api/rooms', {})
    const path = `/api/rooms/${(room as { id: string }).id}/messages`
    const { body } = await served.call('POST', path, { text: 'PROMPT-MARK is it?', target: 'coder' })
    const { run } = body as { run: string }
    await served.app.engine.result(run)
    await served.close()

    const spans = traces.flatMap(({ resourceSpans }) =>
      resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)),
    )
    const agent = spans.find(({ name }) => name.startsWith('invoke_agent'))!
    const step = spans.find(({ spanId }) => spanId === agent.parentSpanId)!
    const top = spans.find(({ spanId }) => spanId === step.parentSpanId)!
    expect([top.name, step.name, agent.name]).toEqual(['convene.run', 'convene.step', 'invoke_agent coder'])
    expect(agent.attributes).toMatchObject({
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.agent.name': 'coder',
      'gen_ai.usage.output_tokens': expect.anything(),
    })
    expect(spans.filter(({ name }) => name === 'convene.command')).toMatchObject([{ parentSpanId: step.spanId }])
    expect(spans.map(({ attributes }) => attributes['convene.run.id'])).toEqual(spans.map(() => run))
    expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1)
    const found = ['PROMPT-MARK', 'REPLY-MARK', 'COMMAND-MARK'].filter((mark) => JSON.stringify(traces).includes(mark))
    expect(found).toEqual(content ? ['PROMPT-MARK', 'REPLY-MARK', 'COMMAND-MARK'] : [])
  },
)
