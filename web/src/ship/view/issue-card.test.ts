import { describe, expect, it } from 'vitest'
import { foldEvents } from '../../../../src/kernel/fold.ts'
import { asked, eventsOf, type FixtureEvent, greenlit, moved, viewOf } from './feature.fixture.ts'
import { featureTimeline } from './feature-timeline.ts'
import { attemptLabel, byColumn, type CardContext, cardsOf } from './issue-card.ts'

function cards(events: readonly FixtureEvent[], more: Partial<CardContext> = {}) {
  const timeline = foldEvents(featureTimeline, eventsOf(events))
  return cardsOf(viewOf(events), { timeline, mostAttempts: 4, run: null, ...more })
}

const ready = (...numbers: number[]) => numbers.map((number) => moved(number, 'BACKLOG', 'READY', 'greenlit'))

describe('a card of the board', () => {
  it('[IS2] waits for what is not done, and says which is next by the same rule that chooses it', () => {
    const found = cards([
      greenlit({ number: 1 }, { number: 2, depends_on: [1] }, { number: 3, size: 'small', business_value: 1 }),
      ...ready(1, 2, 3),
    ])
    expect(found.map(({ number, waitsFor, isNext }) => [number, waitsFor, isNext])).toEqual([
      [1, [], false],
      [2, [1], false],
      [3, [], true],
    ])
    expect(
      byColumn(found)
        .get('ready')!
        .map(({ number }) => number),
    ).toEqual([3, 1, 2])
  })

  it('says who works on it, at what, and which try it is', () => {
    const session = 'run-1/issue-1'
    const [card] = cards(
      [
        greenlit({ number: 1 }),
        ...ready(1),
        { type: 'lock.taken', data: { issue: 1, holder: session } },
        moved(1, 'READY', 'IN_PROGRESS', 'started'),
        { type: 'issue.started', run: session, data: { issue: 1, session }, at: 3 },
        { type: 'retry.started', data: { issue: 1, attempt: 2 } },
        asked('started', 'a', `${session}/build/node`),
      ],
      { run: 'run-1' },
    )
    expect(card).toMatchObject({
      column: 'progress',
      words: 'writing code, attempt 2 of 4',
      agent: 'gpt',
      lock: 'claimed by this run',
      tone: 'live',
      since: '2026-03-20T09:03:00.000Z',
    })
  })

  it('names a lock of another run by when it began, and of a stranger by its name', () => {
    const locked = { type: 'lock.taken', data: { issue: 1, holder: 'run-1/issue-1' } }
    const begun = { type: 'feature.run-started', run: 'run-1', data: { feature: 'demo', smart: false, merge: false } }
    expect(cards([greenlit({ number: 1 }), begun, locked])[0]!.lock).toMatch(/^claimed by the run of .*\d\d:\d\d$/)
    expect(cards([greenlit({ number: 1 }), locked])[0]!.lock).toContain('another run, run-1')
  })

  it('[SY1] [DU1] shows what it counts as done by', () => {
    const found = (more: Record<string, unknown>) =>
      cards([greenlit({ number: 1 }), moved(1, 'BACKLOG', 'DONE', 'found_done', more)])[0]!
    expect(found({ done_by: 'commit', commit: 'abcdef0123' })).toMatchObject({
      column: 'done',
      commit: 'abcdef0123',
      evidence: [{ text: 'found in git' }],
      reviewed: null,
    })
    expect(found({ done_by: 'tests' }).evidence).toMatchObject([{ text: 'its tests pass', tone: 'ok' }])
    expect(found({ done_by: 'person' }).evidence).toMatchObject([{ text: 'marked by a person' }])
    const [built] = cards([
      greenlit({ number: 1 }),
      moved(1, 'BACKLOG', 'DONE', 'verified', { done_by: 'commit', commit: 'abc' }),
      { type: 'issue.done', data: { issue: 1, commit: 'abc', files: [], tests: 12 } },
    ])
    expect(built).toMatchObject({ evidence: [{ text: '12 tests', tone: 'ok' }], reviewed: false })
  })

  it('[IS1] says why it is blocked and what was diagnosed, and that it can be unblocked', () => {
    const analysed = {
      type: 'failure.analysed',
      data: {
        issue: 1,
        attempt: 1,
        by: 'rule',
        diagnosis: 'implementation_bug',
        recommendation: 'retry',
        reason: 'The test expects a header.',
      },
    }
    const [blocked, skipped] = cards([
      greenlit({ number: 1 }, { number: 2, depends_on: [1] }),
      { type: 'issue.started', data: { issue: 1, session: 'run-1/issue-1' } },
      { type: 'retry.started', data: { issue: 1, attempt: 3 } },
      analysed,
      moved(1, 'BACKLOG', 'BLOCKED', 'retries_spent', { reason: '2 tests red' }),
      moved(2, 'BACKLOG', 'SKIPPED', 'dependency_blocked', { reason: '#1 is blocked' }),
    ])
    expect(blocked).toMatchObject({
      column: 'blocked',
      tone: 'bad',
      words: 'blocked after 3 attempts',
      reason: '2 tests red',
      diagnosis: 'bug in the code (The test expects a header.)',
      next: expect.stringContaining('`convene unblock demo --issue 1`'),
      canUnblock: true,
    })
    expect(skipped).toMatchObject({ column: 'blocked', tone: 'warn', words: 'skipped', reason: '#1 is blocked' })
  })

  it('[SY1] shows commits elsewhere until it is done', () => {
    const elsewhere = {
      type: 'commits.found-elsewhere',
      data: { found: [{ issue: 1, branch: 'aside', commit: 'abc' }] },
    }
    const [card] = cards([greenlit({ number: 1 }), elsewhere])
    expect(card!.elsewhere).toEqual([{ branch: 'aside', commit: 'abc' }])
    expect(
      cards([greenlit({ number: 1 }), elsewhere, moved(1, 'BACKLOG', 'DONE', 'found_done')])[0]!.elsewhere,
    ).toEqual([])
  })

  it('[IS5] of a whole that was split stands where its first open part is', () => {
    const part = (number: number) => (greenlit({ number }).data.issues as object[])[0]!
    const events = [
      greenlit({ number: 1 }),
      moved(1, 'BACKLOG', 'SPLIT', 'split'),
      { type: 'issue.split', data: { issue: 1, parts: [part(2), part(3)] } },
      moved(2, 'BACKLOG', 'DONE', 'found_done'),
      moved(3, 'BACKLOG', 'READY', 'greenlit'),
    ]
    const [whole, , open] = cards(events)
    expect(whole).toMatchObject({ column: 'ready', words: 'in 2 parts, 1 done', parts: [2, 3] })
    expect(open!.partOf).toBe(1)
  })

  it('is the same object while nothing about it changes', () => {
    const events = [greenlit({ number: 1 }, { number: 2 }), ...ready(1)]
    const before = cards(events)
    const timeline = foldEvents(featureTimeline, eventsOf(events))
    const after = cardsOf(viewOf([...events, ...ready(2)]), { timeline, mostAttempts: 4, run: null }, before)
    expect(after[0]).toBe(before[0])
    expect(after[1]).not.toBe(before[1])
  })

  it('counts attempts against the limit, where it is known', () => {
    expect([attemptLabel(0, 4), attemptLabel(2, 4), attemptLabel(2, null), attemptLabel(5, 4)]).toEqual([
      'attempt 1 of 4',
      'attempt 2 of 4',
      'attempt 2',
      'attempt 5 of 5',
    ])
  })
})
