import { describe, expect, it } from 'vitest'
import { samplePayloads } from './exits.fixture.ts'
import { type ExitName, edgeAt, graphPlaces } from './graph-table.ts'
import { routingEnvelope, routingEnvelopeSchema } from './routing-envelope.ts'

const ref = `sha256:${'0a'.repeat(32)}`
const everyExit = Object.keys(samplePayloads) as ExitName[]

describe('routing envelopes', () => {
  it('[EN1] name the exit, its weight and where to look, and point at the payload', () => {
    expect(routingEnvelope({ exit: 'BlockedDependency' }, ref)).toEqual({
      type: 'BLOCKED_DEPENDENCY',
      severity: 'BLOCKER',
      route_hint: 'check_sibling_exports',
      payload_ref: ref,
    })
    expect(routingEnvelope({ exit: 'MergeComplete' }, ref)).toMatchObject({ type: 'MERGE_COMPLETE', severity: 'INFO' })
    expect(routingEnvelope({ exit: 'MoreTests' }, ref)).toMatchObject({ severity: 'WARNING' })
  })

  it.each(everyExit)('[EN1] %s has one, and where it needs a person it is a blocker', (exit) => {
    const envelope = routingEnvelope({ exit }, ref)
    expect(routingEnvelopeSchema.parse(envelope)).toEqual(envelope)
    const escalates = graphPlaces.some((place) => edgeAt(place, exit)?.action === 'escalate')
    expect(envelope.route_hint === 'ask_person').toBe(escalates)
    if (escalates) expect(envelope.severity).toBe('BLOCKER')
  })

  it('[EN1] a cap makes a blocker of any exit', () => {
    const envelope = routingEnvelope({ exit: 'MoreTests', capped: 'reviews' }, ref)
    expect(envelope).toMatchObject({ type: 'MORE_TESTS', severity: 'BLOCKER', route_hint: 'ask_person' })
  })

  it.each([
    [{ severity: 'FATAL' }],
    [{ payload_ref: 'sha256:abc' }],
    [{ payload_ref: `md5:${'0a'.repeat(32)}` }],
    [{ type: 'stuck' }],
    [{ payload: {} }],
  ])('[EN1] one with %j is refused', (change) => {
    const envelope = { ...routingEnvelope({ exit: 'Stuck' }, ref), ...change }
    expect(routingEnvelopeSchema.safeParse(envelope).success).toBe(false)
  })
})
