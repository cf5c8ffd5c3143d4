import { describe, expect, it } from 'vitest'
import type { StoredEvent } from '../../../../src/kernel/events.ts'
import { placeIn, runAddress, runsAbove } from '../../data/addresses/run.ts'
import { decisionFigures } from '../figures/decision-figures.ts'
import { eventLabel, eventTone } from './event-label.ts'
import { linksOf, payloadsOf } from './event-links.ts'
import { floorPlace } from './floor-link.ts'

const event = (type: string, data: unknown, more: Partial<StoredEvent> = {}): StoredEvent => ({
  seq: 7,
  id: 'x',
  ts: '2026-03-01T10:00:00.000Z',
  type,
  version: 1,
  stream: 'run:r',
  data,
  ...more,
})

describe('addresses of runs', () => {
  it('keep slashes of an id apart from those of the path, and say what is looked at', () => {
    const address = runAddress('ship-1/run', { tab: 'events', at: 5, from: 9 })
    expect(address).toBe('/runs/ship-1%2Frun?tab=events&from=9&at=5')
    expect(placeIn(address.split('?')[1]!)).toEqual({ tab: 'events', at: 5, from: 9, what: undefined })
  })

  it('fall back to the time line for what makes no sense', () => {
    expect(placeIn('tab=nonsense&at=-1&from=1e9')).toEqual({
      tab: 'timeline',
      at: undefined,
      from: undefined,
      what: undefined,
    })
  })

  it('name the runs above', () => {
    expect(runsAbove('a/b/c')).toEqual(['a', 'a/b'])
    expect(runsAbove('a')).toEqual([])
  })
})

describe('an event', () => {
  it('leads to the message, plan, node and issue it is about', () => {
    const labels = (each: StoredEvent, shown = 'r') => linksOf(each, shown).map(({ label, href }) => [label, href])
    expect(labels(event('reply.posted', { message_id: 'm' }, { stream: 'room:a b' }))).toEqual([
      ['Message', '/rooms/a%20b/messages/m'],
      ['Why', '/runs/r?tab=why&what=7'],
    ])
    const merged = event(
      'merge.completed',
      { path: ['p', 'q'], mergeCommit: 'abc' },
      { run: 'ship-1/run/issue-1/build/q' },
    )
    expect(labels(merged, 'ship-1')).toEqual([
      ['Node', '/builds/ship-1%2Frun%2Fissue-1%2Fbuild/nodes/p/q'],
      ['Run', '/runs/ship-1%2Frun%2Fissue-1%2Fbuild%2Fq'],
      ['Why', '/runs/ship-1?tab=why&what=abc'],
    ])
    const moved = event('issue.moved', { issue: 3 }, { feature: 'export', stream: 'feature:export' })
    expect(labels(moved)[0]).toEqual(['Issue #3', '/features/export/issues/3'])
    const alone = event('node.started', {}, { feature: 'slug', run: 'build-1' })
    expect(labels(alone, 'build-1').map(([label]) => label)).toEqual(['Build', 'Why'])
    expect(labels(event('phase.started', {}, { run: 'ship-1/plan' }), 'ship-1')[0]).toEqual([
      'Plan',
      '/plans/ship-1%2Fplan',
    ])
  })

  it('names what is kept beside it', () => {
    const reference = `sha256:${'0'.repeat(64)}`
    expect(payloadsOf(event('task.put', { prompt_ref: reference, other_ref: 3 }, { payload_ref: reference }))).toEqual([
      { name: 'payload', reference },
      { name: 'prompt', reference },
    ])
  })

  it('is said in words whatever is in it', () => {
    expect(eventLabel(event('exit.routed', { from: 'impl', exit: 'Stuck', to: [] }))).toBe('impl → Stuck → a person')
    expect(eventLabel(event('something.new', { reason: 'because', issue: 4, nested: {} }))).toBe('because · #4')
    for (const data of [null, 3, 'text', [], { problems: 'no list', usage: null, tests: null, failure: null }])
      for (const type of [
        'ask.finished',
        'reply.refused',
        'evidence.recorded',
        'round.resolved',
        'issue.moved',
        'x.y',
      ]) {
        expect(typeof eventLabel(event(type, data))).toBe('string')
        expect(() => eventTone(event(type, data))).not.toThrow()
        expect(() => decisionFigures(event(type, data))).not.toThrow()
      }
  })
})

describe('a decision', () => {
  it('is shown with the figures it was made of', () => {
    const resolved = event('round.resolved', {
      mode: 'parallel',
      responders: ['gpt', 'claude'],
      rule: 'DP3',
      reason: 'all above 0.50',
      overlap: 0.123,
      proposals: { gpt: { confidence: 0.9 }, claude: { confidence: 0.8 } },
      limits: { gap: 0.3 },
    })
    expect(decisionFigures(resolved)).toEqual({
      outcome: 'PARALLEL: gpt, claude',
      by: 'rule DP3',
      because: 'all above 0.50',
      figures: [
        { name: 'gpt', value: '0.90' },
        { name: 'claude', value: '0.80' },
        { name: 'overlap', value: '0.12' },
        { name: 'limit gap', value: '0.30' },
      ],
    })
  })
})

describe('a run', () => {
  it('leads to its own floor', () => {
    expect(floorPlace({ id: 'run-1/issue-2/build/node', kind: 'build.node' })?.href).toBe(
      '/builds/run-1%2Fissue-2%2Fbuild',
    )
    expect(floorPlace({ id: 'build-1/a', kind: 'build.node' })?.href).toBe('/builds/build-1')
    expect(floorPlace({ id: 'x', kind: 'room.answer', room: 'r', message: 'm' })?.href).toBe('/rooms/r/messages/m')
    expect(floorPlace({ id: 'ship-1', kind: 'ship', feature: 'f' })?.href).toBe('/features/f')
    expect(floorPlace({ id: 'x', kind: 'other' })).toBeNull()
  })
})
