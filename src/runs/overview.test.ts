import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { StoredEvent } from '../kernel/events.ts'
import { foldEvents } from '../kernel/fold.ts'
import { openOverview, type RunOverview, runOverview } from './overview.ts'

const begin = Date.parse('2026-03-01T10:00:00.000Z')

interface EventFields {
  run?: string
  at?: number
  data?: unknown
  actor?: string
  feature?: string
  stream?: string
}

/** Events as in a log: numbered, one second apart unless a time is given. */
function log(...events: [type: string, about: EventFields][]): StoredEvent[] {
  return events.map(([type, { run = 'ship-1', at, data = {}, stream, ...rest }], index) => ({
    seq: index + 1,
    id: `id-${index + 1}`,
    ts: new Date(begin + (at ?? index) * 1000).toISOString(),
    type,
    version: 1,
    stream: stream ?? `run:${run}`,
    run,
    data,
    ...rest,
  }))
}

const overviewOf = (events: StoredEvent[]): RunOverview => foldEvents(runOverview('ship-1'), events).view

const started = (workflow: string, parent?: string) => ({ workflow, version: 1, ...(parent ? { parent } : {}) })
const askData = (ask: string, agent = 'ada', kind = 'implement') => ({ ask, agent, kind, rehearsal: false, attempt: 1 })
const answered = (ask: string, more: object = {}) => ({
  ...askData(ask),
  usage: { inputTokens: 100, outputTokens: 20, usd: 0.5 },
  tries: 1,
  milliseconds: 2000,
  ...more,
})

describe('the overview of a run', () => {
  it('only counts events that it does not fold', () => {
    const view = overviewOf(
      log(['run.started', { data: started('build') }], ['tool.used', { run: 'ship-1/x', at: 50 }], ['tool.used', {}]),
    )
    expect(view).toMatchObject({ events: 3, seq: 3, to: begin, lanes: [], runs: [{ id: 'ship-1' }] })
    expect(view.types).toEqual([
      { name: 'run.started', value: 1 },
      { name: 'tool.used', value: 2 },
    ])
  })

  it('has a line for each run of the tree: what it is, its status, what it spent', () => {
    const view = overviewOf(
      log(
        ['run.started', { data: started('ship') }],
        ['ship.started', { data: { goal: 'Export', mode: 'rapid', plan: 'p', feature: 'export' }, feature: 'export' }],
        ['run.started', { run: 'ship-1/plan', data: started('plan', 'ship-1') }],
        ['ask.finished', { run: 'ship-1/plan', data: answered('a', { agent: 'bob' }) }],
        ['run.finished', { run: 'ship-1/plan', data: { status: 'done' } }],
        ['run.parked', { data: { reason: 'stopped' } }],
      ),
    )
    expect(view.runs).toMatchObject([
      { id: 'ship-1', kind: 'ship', title: 'Export', feature: 'export', status: 'stopped', to: begin + 5000 },
      { id: 'ship-1/plan', parent: 'ship-1', kind: 'plan', status: 'done', spent: { calls: 1, tokens: 120, usd: 0.5 } },
    ])
    expect(view.floors).toEqual([
      { name: 'plan', value: { asks: 1, calls: 1, tokens: 120, usd: 0.5, milliseconds: 2000, failed: 0 } },
    ])
    expect(view).toMatchObject({ seq: 6, events: 6, from: begin, to: begin + 5000 })
  })

  it('reopens a run that was resumed', () => {
    const view = overviewOf(
      log(
        ['run.started', { data: started('build') }],
        ['run.parked', { data: { reason: 'stopped' } }],
        ['run.recovered', { data: { steps: 3 } }],
      ),
    )
    expect(view.runs[0]).toMatchObject({ status: 'running' })
    expect(view.runs[0]).not.toHaveProperty('to')
    expect(view.runs[0]).not.toHaveProperty('reason')
  })

  it('draws each ask from start to end, red if it failed', () => {
    const view = overviewOf(
      log(
        ['ask.started', { data: askData('a') }],
        ['ask.started', { data: askData('b') }],
        ['ask.finished', { data: answered('a', { failure: { reason: 'timeout', message: 'late' } }), at: 4 }],
        ['ask.finished', { data: answered('unheard'), at: 9 }],
      ),
    )
    expect(view.lanes).toEqual([
      {
        run: 'ship-1',
        kind: 'ask',
        agent: 'ada',
        spans: [
          { seq: 1, last: 3, words: 'implement', from: begin, to: begin + 4000, tone: 'bad' },
          { seq: 2, words: 'implement', from: begin + 1000, to: null, tone: 'plain', id: 'b' },
          { seq: 4, words: 'implement', from: begin + 7000, to: begin + 9000, tone: 'ok' },
        ],
      },
    ])
    expect(view.retries).toEqual([{ name: 'failed timeout', value: 1 }])
  })

  it('draws a question until it is answered, whichever run records the answer', () => {
    const view = overviewOf(
      log(
        ['question.asked', { run: 'ship-1/run', data: { id: 'q', run: 'ship-1/run', text: 'Which?', context: {} } }],
        ['run.parked', { run: 'ship-1/run', data: { reason: 'stopped' } }],
        ['question.answered', { data: { id: 'q', choice: 'this' }, at: 60 }],
      ),
    )
    expect(view.lanes[0]).toMatchObject({
      kind: 'question',
      spans: [{ from: begin, to: begin + 60_000, tone: 'warn' }],
    })
  })

  it('ends open spans when the run ends', () => {
    const view = overviewOf(
      log(['ask.started', { data: askData('a') }], ['run.finished', { data: { status: 'cancelled' }, at: 7 }]),
    )
    expect(view.lanes[0]!.spans[0]).toMatchObject({ to: begin + 7000, tone: 'plain' })
  })

  it('shows failing tests as good before there is code, and as bad afterwards', () => {
    const evidence = (purpose: string, exit_code: number) => ({
      purpose,
      exit_code,
      ended: 'exited',
      milliseconds: 500,
    })
    const view = overviewOf(
      log(
        ['evidence.recorded', { data: evidence('red', 1) }],
        ['evidence.recorded', { data: evidence('claim', 1) }],
        ['evidence.recorded', { data: evidence('claim', 0) }],
        ['evidence.recorded', { data: { ...evidence('red', 1), ended: 'timed-out' } }],
      ),
    )
    expect(view.lanes[0]!.spans.map(({ tone }) => tone)).toEqual(['ok', 'bad', 'ok', 'bad'])
    expect(view.lanes[0]!.spans[2]).toMatchObject({ from: begin + 1500, to: begin + 2000 })
  })

  it('counts retries by reason, and marks the refused reply', () => {
    const view = overviewOf(
      log(
        ['ask.started', { data: askData('a') }],
        ['ask.finished', { data: answered('a', { tries: 3 }) }],
        ['reply.refused', { data: { kind: 'implement', attempt: 1, problems: [{ rule: 'VF4', message: 'red' }] } }],
        ['agent.nudged', {}],
        ['retry.started', { data: { issue: 1, attempt: 2 } }],
      ),
    )
    expect(view.retries).toEqual([
      { name: 'call repeated', value: 2 },
      { name: 'refused VF4', value: 1 },
      { name: 'nudged', value: 1 },
      { name: 'issue tried again', value: 1 },
    ])
    expect(view.lanes[0]!.spans[0]).toMatchObject({ tone: 'warn' })
  })

  it('counts the usage of an interrupted call, and the call itself once it is repeated', () => {
    const usage = { inputTokens: 30, outputTokens: 0, usd: 0.1 }
    const view = overviewOf(
      log(
        ['ask.started', { data: askData('a') }],
        ['ask.interrupted', { data: { ...askData('a'), usage }, at: 3 }],
        ['ask.finished', { data: answered('a'), at: 9 }],
      ),
    )
    expect(view.agents[0]!.value).toMatchObject({ asks: 1, calls: 2, tokens: 150 })
    expect(view.runs[0]!.spent).toMatchObject({ asks: 1, calls: 2, tokens: 150 })
    expect(view.slices.list.reduce((sum, { tokens }) => sum + tokens, 0)).toBe(150)
    expect(view.lanes[0]!.spans.map(({ from, to }) => [from - begin, to! - begin])).toEqual([
      [0, 3000],
      [7000, 9000],
    ])
  })

  it('reports an unknown price instead of adding zero', () => {
    const usage = { inputTokens: 1, outputTokens: 1, usd: null }
    const view = overviewOf(
      log(['ask.finished', { data: answered('a') }], ['ask.finished', { data: answered('b', { usage }) }]),
    )
    expect(view.agents[0]!.value).toMatchObject({ calls: 2, usd: null })
    expect(view.runs[0]!.spent.usd).toBeNull()
  })

  it('accepts any agent name', () => {
    const view = overviewOf(
      log(
        ['ask.finished', { data: answered('a', { agent: '__proto__' }) }],
        ['ask.finished', { data: answered('b', { agent: 'constructor' }) }],
      ),
    )
    expect(view.agents.map(({ name }) => name)).toEqual(['__proto__', 'constructor'])
    expect(JSON.parse(JSON.stringify(view))).toEqual(view)
  })
})

describe('the overview of a long run', () => {
  const many = 5000
  const long = () => {
    const events = log(['run.started', { data: started('build') }])
    for (let index = 0; index < many; index += 1)
      for (const [type, data] of [
        ['ask.started', askData(`a${index}`)],
        ['ask.finished', answered(`a${index}`)],
      ] as const) {
        const seq = events.length + 1
        const ts = new Date(begin + seq * 7000 + Math.floor(index / 100) * 600_000).toISOString()
        events.push({ ...events[0]!, seq, type, ts, data })
      }
    return events
  }

  it('stays small and loses no count: it joins neighbouring bars and widens time slices', () => {
    const view = overviewOf(long())
    const [lane] = view.lanes
    expect(lane!.spans.length).toBeLessThanOrEqual(256)
    expect(lane!.spans.reduce((sum, { count = 1 }) => sum + count, 0)).toBe(many)
    expect(view.slices.list.length).toBeLessThanOrEqual(120)
    expect(view.slices.list.reduce((sum, { calls }) => sum + calls, 0)).toBe(many)
    expect(view.slices.list.reduce((sum, { events }) => sum + events, 0)).toBe(2 * many + 1)
    expect(JSON.stringify(view).length).toBeLessThan(60_000)
  })

  it('stays small with very many lanes: each has fewer bars', () => {
    const events: StoredEvent[] = []
    for (let index = 0; index < 40_000; index += 1) {
      const [event] = log(['ask.finished', { run: `ship-1/n${index % 500}`, at: index, data: answered(`a${index}`) }])
      events.push({ ...event!, seq: index + 1 })
    }
    const { lanes, spans_a_lane } = overviewOf(events)
    expect(lanes).toHaveLength(500)
    expect(spans_a_lane).toBeLessThan(64)
    expect(lanes.reduce((sum, { spans }) => sum + spans.length, 0)).toBeLessThanOrEqual(10_000)
    expect(lanes.flatMap(({ spans }) => spans).reduce((sum, { count = 1 }) => sum + count, 0)).toBe(40_000)
  })

  it('keeps bars in order, and joining adds no overlap', () => {
    const { spans } = overviewOf(long()).lanes[0]!
    for (const [index, span] of spans.entries()) {
      expect(span.to! >= span.from).toBe(true)
      if (index > 0) expect(span.from).toBeGreaterThanOrEqual(spans[index - 1]!.to!)
    }
  })
})

describe('a view that a page continues to fold', () => {
  const kind = fc.constantFrom(
    'run.started',
    'run.parked',
    'run.finished',
    'ask.started',
    'ask.finished',
    'question.asked',
    'question.answered',
    'phase.started',
    'phase.finished',
    'merge.completed',
    'reply.refused',
  )
  const dataFor = (type: string, id: string): unknown => {
    if (type === 'run.started') return started('build')
    if (type === 'run.finished' || type === 'run.parked') return { status: 'done', reason: 'stopped' }
    if (type === 'ask.finished') return answered(id)
    if (type.startsWith('question')) return { id, run: 'ship-1', text: 'Which?', context: {} }
    if (type.startsWith('phase')) return { phase: id, name: id }
    if (type === 'reply.refused') return { kind: 'implement', problems: [] }
    return { ...askData(id), into: 'main' }
  }

  it('equals one folded in one go, wherever the page took over', () => {
    const history = fc.array(
      fc.tuple(kind, fc.constantFrom('a', 'b', 'c'), fc.constantFrom('ship-1', 'ship-1/run'), fc.nat(90)),
      {
        maxLength: 60,
      },
    )
    fc.assert(
      fc.property(history, fc.nat(60), (steps, cut) => {
        let at = 0
        const events = log(
          ...steps.map(([type, id, run, pause]): [string, EventFields] => {
            at += pause
            return [type, { run, at, data: dataFor(type, id) }]
          }),
        )
        const first = overviewOf(events.slice(0, cut))
        const handedOver = openOverview(JSON.parse(JSON.stringify(first)) as RunOverview)
        const rest = events.slice(cut).reduce(runOverview('ship-1').evolve, handedOver)
        expect(rest.view).toEqual(overviewOf(events))
      }),
    )
  })
})
