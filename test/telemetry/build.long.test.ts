/** Spans of a build: its steps, its calls, and the commands that Convene ran. */
import { expect, it } from 'vitest'
import { buildProject, leaf, specOf } from '../build/project.ts'
import { serve } from '../support/server.ts'
import { otlpReceiver } from './otlp-receiver.ts'

it('shows the steps of a build below its run, and its commands with their exit codes', async () => {
  const receiver = await otlpReceiver()
  const spec = specOf('inc')
  const project = buildProject({ spec, lines: leaf(spec) })
  const env = { PATH: process.env.PATH!, HOME: process.env.HOME!, OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url }
  const served = await serve({}, { folder: project.folder, env })
  const { body } = await served.call('POST', '/api/builds', { spec, strategy: 'graph' })
  const { id } = body as { id: string }
  await served.app.engine.result(id)
  await served.close()

  const runs = receiver.spans.filter(({ name }) => name === 'convene.run')
  const top = runs.find(({ attributes }) => attributes['convene.run.id'] === id)!
  expect(top).toMatchObject({ parentSpanId: '', attributes: { 'convene.run.kind': 'build' } })
  const steps = receiver.spans.filter(({ name }) => name === 'convene.step')
  expect(steps.map(({ parentSpanId }) => parentSpanId)).toEqual(steps.map(() => top.spanId))
  expect(new Set(receiver.spans.map(({ traceId }) => traceId)).size).toBe(1)

  const commands = receiver.spans.filter(({ name }) => name === 'convene.command')
  expect(commands.map(({ attributes }) => attributes['convene.command.purpose'])).toContain('red')
  for (const { attributes, parentSpanId } of commands) {
    expect(attributes['process.exit.code']).toEqual(expect.any(Number))
    expect(receiver.spans.map(({ spanId }) => spanId)).toContain(parentSpanId)
  }
  expect(receiver.spans.every(({ attributes }) => typeof attributes['convene.run.id'] === 'string')).toBe(true)
  expect(receiver.spans.filter(({ name }) => name.startsWith('chat')).length).toBeGreaterThanOrEqual(4)
})
