/** Spans of a plan and of what it starts: no word of the goal, in whatever form Convene keeps it. */
import { expect, it } from 'vitest'
import { planFolder } from '../plan/project.ts'
import { serve } from '../support/server.ts'
import { otlpReceiver } from './otlp-receiver.ts'

it.each([false, true])(
  'show a plan and a ship without a word of the goal, unless content is wanted (%s)',
  async (content) => {
    const receiver = await otlpReceiver()
    const folder = planFolder({ config: { telemetry: { content }, build: { test: 'node --test' } } })
    const env = { PATH: process.env.PATH!, HOME: process.env.HOME!, OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url }
    const served = await serve({}, { folder, env })
    for (const path of ['/api/plans', '/api/ships']) {
      const goal = 'Report the marzipan of a file'
      const { body } = await served.call('POST', path, { goal, mode: 'rapid', yes: true })
      const { run, id } = body as { run?: string; id?: string }
      // Nobody implements: the ship begins its first build and fails.
      await served.app.engine.result((run ?? id)!).catch(() => {})
    }
    await served.close()
    const kinds = receiver.spans.map(({ attributes }) => attributes['convene.run.kind'])
    expect(kinds).toEqual(expect.arrayContaining(['plan', 'ship']))
    expect(/marzipan/i.test(receiver.raw.join('\n'))).toBe(content)
    if (!content)
      expect(receiver.spans.filter(({ attributes }) => /marzipan/i.test(JSON.stringify(attributes)))).toEqual([])
  },
)
