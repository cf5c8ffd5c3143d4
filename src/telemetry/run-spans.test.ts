import { describe, expect, it } from 'vitest'
import type { StoredEvent } from '../kernel/events.ts'
import { RunSpans } from './run-spans.ts'
import type { FinishedSpan } from './span.ts'

let seq = 0
function event(type: string, run: string, ms: number, data: object): StoredEvent {
  seq += 1
  const ts = new Date(ms).toISOString()
  return { seq, id: String(seq), ts, type, version: 1, stream: `run:${run}`, run, data }
}

const started = (run: string, ms: number, parent?: string) =>
  event('run.started', run, ms, { workflow: 'build', version: 1, ...(parent === undefined ? {} : { parent }) })

function watch(salt = 'a') {
  const spans: FinishedSpan[] = []
  return { spans, runs: new RunSpans((span) => spans.push(span), { salt, content: false }) }
}

describe('spans of runs', () => {
  it('puts a child below its parent, in the trace of the topmost run', () => {
    const { spans, runs } = watch()
    runs.see(started('build-1', 1000))
    runs.see(started('build-1.4', 1100, 'build-1'))
    runs.see(started('build-1.4.2', 1200, 'build-1.4'))
    for (const run of ['build-1.4.2', 'build-1.4', 'build-1'])
      runs.see(event('run.finished', run, 2000, { status: 'done' }))
    const [lowest, middle, top] = spans
    expect([lowest!.parentId, middle!.parentId, top!.parentId]).toEqual([middle!.spanId, top!.spanId, undefined])
    expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1)
    expect(top).toMatchObject({ start: 1000, end: 2000, attributes: { 'convene.run.id': 'build-1' } })
  })

  it('gives a parked and resumed run two spans in one trace, also in another process', () => {
    const first = watch('a')
    first.runs.see(started('plan-1', 1000))
    first.runs.see(event('run.parked', 'plan-1', 1500, { reason: 'waits', code: 'question' }))
    const second = watch('b')
    second.runs.see(event('run.recovered', 'plan-1', 5000, { steps: 3 }))
    second.runs.see(event('run.finished', 'plan-1', 6000, { status: 'failed' }))
    const [parked, failed] = [first.spans[0]!, second.spans[0]!]
    expect(failed.traceId).toBe(parked.traceId)
    expect(failed.spanId).not.toBe(parked.spanId)
    expect(parked.attributes).toMatchObject({ 'convene.run.status': 'parked', 'convene.run.code': 'question' })
    expect(failed).toMatchObject({ start: 5000, error: 'failed' })
  })

  it('ends a step when its function has returned, and marks one that was cut short', () => {
    const { spans, runs } = watch()
    const step = { run: 'r', position: 0, name: 'ask' }
    runs.observe({ at: 'before-step', ...step }, 10)
    expect(runs.parentOf('r', '0').parentId).toEqual(expect.any(String))
    runs.observe({ at: 'step-done', ...step }, 30)
    runs.observe({ at: 'step-recorded', ...step }, 35)
    runs.observe({ at: 'before-step', ...step, position: 1 }, 40)
    runs.end(50)
    expect(spans).toMatchObject([
      { name: 'convene.step', start: 10, end: 30 },
      { name: 'convene.step', start: 40, end: 50, attributes: { 'convene.step.interrupted': true } },
      { name: 'convene.run', attributes: { 'convene.run.status': 'interrupted' } },
    ])
  })

  it.each(['run', 'execute'])('shows a command of an agent (%s) and keeps its words to itself', (tool) => {
    const { spans, runs } = watch()
    runs.see(event('tool.used', 'r', 100, { tool, summary: 'cat secret.txt', ok: true, milliseconds: 40 }))
    expect(spans).toMatchObject([{ name: 'convene.command', start: 60, end: 100 }])
    expect(JSON.stringify(spans)).not.toContain('secret.txt')
  })
})
