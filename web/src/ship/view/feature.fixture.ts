/** Feature events for tests, numbered in order. */
import type { StoredEvent } from '../../../../src/kernel/events.ts'
import { foldEvents } from '../../../../src/kernel/fold.ts'
import { type FeatureView, featureView } from '../../../../src/ship/view.ts'

export const start = Date.UTC(2026, 2, 20, 9, 0, 0)

export interface FixtureEvent {
  type: string
  data: Record<string, unknown>
  run?: string
  /** Minutes after the start. */
  at?: number
}

export function eventsOf(isTimelineRead: readonly FixtureEvent[], feature = 'demo'): StoredEvent[] {
  return isTimelineRead.map(({ type, data, run, at = 0 }, index) => ({
    seq: index + 1,
    id: `event-${index + 1}`,
    ts: new Date(start + at * 60_000).toISOString(),
    type,
    version: 1,
    stream: `feature:${feature}`,
    feature,
    ...(run === undefined ? {} : { run }),
    data,
  }))
}

export const viewOf = (isTimelineRead: readonly FixtureEvent[]): FeatureView =>
  foldEvents(featureView('demo'), eventsOf(isTimelineRead))

export interface Defined {
  number: number
  depends_on?: number[]
  size?: string
  github?: number
  business_value?: number
}

export const greenlit = (...issues: Defined[]): FixtureEvent => ({
  type: 'feature.greenlit',
  data: {
    feature: 'demo',
    main: 'main',
    synced: 0,
    parts: [],
    issues: issues.map(({ number, ...more }) => ({
      number,
      title: `Issue ${number}`,
      body: '',
      acceptance_criteria: [{ id: 'c1', text: 'it holds' }],
      depends_on: [],
      size: 'medium',
      business_value: 0,
      risk: 0,
      ...more,
    })),
  },
})

export const moved = (
  issue: number,
  from: string,
  to: string,
  cause: string,
  more: Record<string, unknown> = {},
): FixtureEvent => ({
  type: 'issue.moved',
  data: { issue, from, to, cause, evidence: [], ...more },
})

export const asked = (
  kind: 'started' | 'finished',
  ask: string,
  run: string,
  more: Record<string, unknown> = {},
): FixtureEvent => ({
  type: `ask.${kind}`,
  run,
  data: {
    ask,
    kind: 'implement',
    agent: 'gpt',
    rehearsal: true,
    attempt: 1,
    ...(kind === 'finished' ? { usage: { inputTokens: 10, outputTokens: 5, usd: 0 }, tries: 1, milliseconds: 5 } : {}),
    ...more,
  },
})
