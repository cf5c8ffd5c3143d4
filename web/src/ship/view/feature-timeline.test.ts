import { describe, expect, it } from 'vitest'
import { foldEvents } from '../../../../src/kernel/fold.ts'
import { asked, eventsOf, type FixtureEvent, moved, start } from './feature.fixture.ts'
import { featureTimeline, timelineTypes } from './feature-timeline.ts'
import { retriesOf, spendingLabel, spendingOf, throughputOf } from './figures.ts'

const timelineOf = (events: readonly FixtureEvent[]) => foldEvents(featureTimeline, eventsOf(events))
const minute = 60_000

describe("a feature's story", () => {
  it('knows its runs, the ship they belong to and the plan they came from', () => {
    const begun = { feature: 'demo', smart: true, merge: true }
    const timeline = timelineOf([
      {
        type: 'ship.started',
        run: 'ship-1',
        data: { goal: 'Go', mode: 'rapid', plan: 'p', feature: 'demo', merge: true },
      },
      { type: 'plan.started', run: 'ship-1/plan', data: {} },
      { type: 'feature.run-started', run: 'ship-1/run', data: begun },
      { type: 'feature.run-started', run: 'ship-1/run', data: begun },
      { type: 'ship.finished', run: 'ship-1', data: { status: 'done', done: [1], blocked: [] } },
    ])
    expect(timeline).toMatchObject({
      ship: { run: 'ship-1', goal: 'Go', merge: true },
      shipEnd: { status: 'done' },
      plan: 'ship-1/plan',
    })
    expect(timeline.runs.map(({ id }) => id)).toEqual(['ship-1/run'])
  })

  it('tells what happened to an issue in order, with the rule, and not what belongs to others', () => {
    const timeline = timelineOf([
      moved(1, 'BACKLOG', 'READY', 'greenlit'),
      moved(2, 'BACKLOG', 'READY', 'greenlit'),
      { type: 'context.injected', data: { issue: 1, context_ref: 'x', tokens: 1234, omitted: ['README'] } },
      { type: 'verification.failed', data: { issue: 1, failures: 2, attempt: 1, detail: 'red' } },
      {
        type: 'failure.analysed',
        data: {
          issue: 1,
          attempt: 1,
          by: 'coordinator',
          why: 'asked for with --smart',
          diagnosis: 'test_expectation',
          recommendation: 'modify',
          modified_approach: 'Less strict',
          reason: 'Too strict',
        },
      },
      { type: 'retry.started', data: { issue: 1, attempt: 2 } },
      moved(1, 'READY', 'BLOCKED', 'retries_spent', { reason: 'still red' }),
    ])
    expect(timeline.history.get(1)!.map(({ title, rule, detail }) => [title, rule, detail])).toEqual([
      ['Greenlit: it may be worked on', 'IS1', undefined],
      ['Context assembled: 1\u2009234 tokens', 'CX3', 'Left out for length: README'],
      ['Attempt 1 failed: 2 problems', 'FA2', 'red'],
      [
        'Coordinator, asked for with --smart: wrong test expectation; try another approach',
        'FA1',
        'Too strict\nNext try: Less strict',
      ],
      ['Attempt 2 started', 'IS1', undefined],
      ['No attempts left: blocked', 'IS1', 'still red'],
    ])
    expect(timeline.history.get(2)).toHaveLength(1)
  })

  it('[IS1] counts a move that was recorded twice once', () => {
    const done = moved(1, 'VERIFYING', 'DONE', 'verified')
    const timeline = timelineOf([done, done, moved(1, 'VERIFYING', 'INTERRUPTED', 'interrupted')])
    expect(timeline.done).toHaveLength(1)
    expect(timeline.history.get(1)).toHaveLength(1)
  })

  it('knows who is asked about which issue, until the answer or the end of the work', () => {
    const run = 'run-1/issue-7/build'
    const begun = asked('started', 'a', run)
    expect([...timelineOf([begun]).asks.values()]).toMatchObject([{ issue: 7, agent: 'gpt', kind: 'implement' }])
    expect(timelineOf([begun, asked('finished', 'a', run)]).asks.size).toBe(0)
    expect(timelineOf([begun, moved(7, 'IN_PROGRESS', 'INTERRUPTED', 'interrupted')]).asks.size).toBe(0)
    expect(timelineOf([asked('started', 'a', 'ship-1/plan')]).asks.size).toBe(0)
  })

  it('reads every type that it uses', () => {
    const types = timelineTypes.split(',')
    for (const type of ['ask.finished', 'issue.moved', 'failure.analysed', 'plan.started'])
      expect(types).toContain(type)
  })
})

describe('the figures of a feature', () => {
  const spent = (run: string, at: number, usd: number | null): FixtureEvent => ({
    ...asked('finished', `${run} ${at}`, run, { usage: { inputTokens: 1, outputTokens: 1, usd } }),
    at,
  })

  it('[BU1] sum up what the latest run with all below it spent, against its budget', () => {
    const timeline = timelineOf([
      spent('run-1/issue-1/build', 0, 1),
      spent('run-2/issue-2/build', 5, 0.5),
      spent('run-2', 6, 0.25),
    ])
    const spending = spendingOf(timeline, { usd: 2, calls: 100 })
    expect(spending).toMatchObject({ unit: 'usd', spent: 0.75, before: 1, limit: 2 })
    expect(spending.points).toEqual([
      { x: start + 5 * minute, y: 0 },
      { x: start + 5 * minute, y: 0.5 },
      { x: start + 6 * minute, y: 0.75 },
    ])
    expect(spendingLabel(spending)).toBe('$0.750 of $2.00')
  })

  it('count asks where nothing costs, or a price is not known', () => {
    const free = spendingOf(timelineOf([spent('run-1', 0, 0), spent('run-1', 1, 0)]), { usd: 2, calls: 100 })
    expect(free).toMatchObject({ unit: 'asks', spent: 2, limit: 100 })
    expect(spendingLabel(free)).toBe('2 of 100 asks')
    expect(spendingOf(timelineOf([spent('run-1', 0, 1), spent('run-1', 1, null)]), {})).toMatchObject({
      unit: 'asks',
      limit: null,
    })
    expect(spendingOf(timelineOf([]), {}).points).toEqual([])
  })

  it('show what was done by minute, hour or day, with the empty ones between', () => {
    const done = (...minutes: number[]) =>
      throughputOf(
        timelineOf(minutes.map((at, index) => ({ ...moved(index + 1, 'VERIFYING', 'DONE', 'verified'), at }))),
      )
    expect(done(0, 0, 2)).toMatchObject({ per: 'minute', bars: [{ value: 2 }, { value: 0 }, { value: 1 }] })
    expect(done(0, 70)).toMatchObject({ per: 'hour', bars: [{ value: 1 }, { value: 1 }] })
    expect(done(0, 3 * 24 * 60).per).toBe('day')
    expect(done(0, 100 * 24 * 60).bars).toHaveLength(24)
    expect(done().bars).toEqual([])
  })

  it('[BU1] count what was cut short as well: it is asked again, and not at work meanwhile', () => {
    const cut = { type: 'ask.interrupted', run: 'run-1/issue-1/build', data: asked('finished', 'a', 'run-1').data }
    const timeline = timelineOf([asked('started', 'a', 'run-1/issue-1/build'), cut])
    expect(timeline.asks.size).toBe(0)
    expect(spendingOf(timeline, {}).spent).toBe(1)
  })

  it('forget what was done and reverted', () => {
    const timeline = timelineOf([moved(1, 'VERIFYING', 'DONE', 'verified'), moved(1, 'DONE', 'READY', 'reverted')])
    expect(timeline.done).toEqual([])
  })

  it('[FA2] count failed attempts by their cause, the most frequent first', () => {
    const failed = (diagnosis: string): FixtureEvent => ({
      type: 'failure.analysed',
      data: { issue: 1, attempt: 1, by: 'rule', diagnosis, recommendation: 'retry', reason: 'so' },
    })
    const timeline = timelineOf([
      failed('test_expectation'),
      failed('implementation_bug'),
      failed('implementation_bug'),
    ])
    expect(retriesOf(timeline)).toEqual([
      { label: 'bug in the code', value: 2, colour: 'bad' },
      { label: 'wrong test expectation', value: 1, colour: 'warn' },
    ])
  })
})
