import { describe, expect, it } from 'vitest'
import type { NewEvent, StoredEvent } from '../../kernel/events.ts'
import { foldEvents } from '../../kernel/fold.ts'
import { runFinished, runParked, runRecovered, runStream } from '../../kernel/run-events.ts'
import { questionAnswered, questionAsked } from '../../kernel/runs/question-events.ts'
import { phaseStarted, planFinished } from '../../plan/events.ts'
import { featureGreenlit, issueMoved, issueSplit, shipFinished, shipStarted } from '../events.ts'
import { shipView } from './ship-view.ts'

const run = 'ship-1'
const feature = 'export-1'
const header = (below = '') => ({ stream: `feature:${feature}`, feature, run: `${run}${below}` })
const own = { stream: runStream(run), run }

const started = shipStarted.create(header(), { goal: 'Export', mode: 'rapid', plan: feature, feature, merge: true })
const issue = (number: number) =>
  ({ number, title: `#${number}`, acceptance_criteria: [{ id: 'a', text: 'a' }] }) as never
const greenlit = featureGreenlit.create(
  { stream: `feature:${feature}`, feature },
  { feature, issues: [issue(1), issue(2)], main: 'main', synced: 0 },
)
const planned = planFinished.create(header('/plan'), {
  status: 'done',
  degraded: false,
  issues: 2,
  assumptions: 0,
} as never)
const moved = (
  number: number,
  to: 'DONE' | 'BLOCKED' | 'READY' | 'INTERRUPTED',
  from: 'VERIFYING' | 'DONE' = 'VERIFYING',
) =>
  issueMoved.create(header(`/run/issue-${number}`), {
    issue: number,
    from,
    to,
    cause: 'verified',
    evidence: [],
  })

const fold = (...events: NewEvent[]) =>
  foldEvents(
    shipView(run),
    events.map((event, index) => ({ seq: index + 1, id: `${index}`, ts: `t${index}`, ...event }) as StoredEvent),
  )

describe('a ship at a glance', () => {
  it('goes from talk over plan, build and merge to its end', () => {
    expect(fold(started)).toMatchObject({ stage: 'talk', goal: 'Export', branch: `convene/${feature}/main` })
    const phase = phaseStarted.create(header('/plan'), {
      phase: '2',
      name: 'research',
      pass: 1,
      strategy: 'quick',
      cast: [],
    })
    expect(fold(started, phase)).toMatchObject({ phase: 'research' })
    expect(fold(started, phase, planned)).toMatchObject({ stage: 'build' })
    expect(fold(started, phase, planned).phase).toBeUndefined()
    expect(fold(started, planned, greenlit, moved(1, 'DONE'))).toMatchObject({
      stage: 'build',
      issues: [1, 2],
      done: [1],
    })
    expect(fold(started, planned, greenlit, moved(1, 'DONE'), moved(2, 'DONE'))).toMatchObject({ stage: 'merge' })
    const finished = shipFinished.create(header(), {
      status: 'done',
      done: [1, 2],
      blocked: [],
      branch: '',
      merged: true,
      cost: { asks: 1, calls: 1, tokens: 1, usd: 0 },
      seconds: 1,
    })
    expect(fold(started, planned, greenlit, moved(1, 'DONE'), finished)).toMatchObject({
      stage: 'over',
      status: 'done',
      merged: true,
    })
  })

  it('counts parts in the place of an issue that was split, and takes back what was undone', () => {
    const split = issueSplit.create(
      { stream: `feature:${feature}`, feature },
      { issue: 2, parts: [issue(3), issue(4)] },
    )
    expect(fold(started, planned, greenlit, split).issues).toEqual([1, 3, 4])
    expect(fold(started, planned, greenlit, moved(1, 'DONE'), moved(1, 'READY', 'DONE')).done).toEqual([])
    expect(fold(started, planned, greenlit, moved(1, 'BLOCKED')).blocked).toEqual([1])
  })

  it('[IS1] counts a move that was recorded twice once, and ignores one that comes too late', () => {
    const done = fold(started, planned, greenlit, moved(1, 'DONE'), moved(1, 'DONE'), moved(1, 'INTERRUPTED'))
    expect(done).toMatchObject({ done: [1], blocked: [], states: { 1: 'DONE' } })
  })

  it('counts a move that another run of the feature made', () => {
    const byHand = { ...moved(2, 'DONE'), run: 'run-7/issue-2' }
    expect(fold(started, planned, greenlit, moved(1, 'DONE'), byHand)).toMatchObject({ done: [1, 2], stage: 'merge' })
  })

  it('is stopped, goes on, and fails with a reason; what other runs do is not its own', () => {
    const parked = runParked.create(own, { reason: 'stopped' })
    const recovered = runRecovered.create(own, { steps: 3 })
    expect(fold(started, parked)).toMatchObject({ status: 'stopped', reason: 'stopped' })
    expect(fold(started, parked, recovered)).toMatchObject({ status: 'running' })
    const failed = runFinished.create(own, { status: 'failed', reason: 'no line left' })
    expect(fold(started, failed)).toMatchObject({ stage: 'over', status: 'failed', reason: 'no line left' })
    const elsewhere = runFinished.create({ stream: 'run:ship-10', run: 'ship-10' }, { status: 'failed' })
    expect(fold(started, elsewhere)).toMatchObject({ stage: 'talk', status: 'running' })
  })

  it('knows which questions are open', () => {
    const asked = questionAsked.create(header('/plan'), { id: 'q1', run: `${run}/plan`, text: 'Why?', context: {} })
    const answered = questionAnswered.create({ stream: 'questions', run: `${run}/plan` }, { id: 'q1', text: 'so' })
    expect(fold(started, asked).questions).toEqual(['q1'])
    expect(fold(started, asked, answered).questions).toEqual([])
  })
})
