import { describe, expect, it } from 'vitest'
import { forgeChanged, forgeStream } from '../forge/events.ts'
import type { NewEvent, StoredEvent } from '../kernel/events.ts'
import { featureGreenlit, type IssueDefinition, issueDone, issueMoved, issueReviewed, issueSplit } from './events.ts'
import { eventHeader } from './feature-state.ts'
import { isUnreviewed } from './issue/review-queue.ts'
import { plannedParts } from './issue/split-issue.ts'
import { definitionOf, type FeatureView, featureView, findIssue, snapshotOf } from './view.ts'

const header = eventHeader('shop')
const definition = (number: number, depends_on: number[] = [], criteria = 1): IssueDefinition => ({
  number,
  title: `Issue ${number}`,
  body: '',
  acceptance_criteria: Array.from({ length: criteria }, (_, index) => ({ id: `c${index}`, text: 'x' })),
  depends_on,
  size: 'medium',
  business_value: 0,
  risk: 0,
  target_path: 'src/a.js',
  test_path: 'test/a.test.js',
  github: number,
})
const greenlit = (...issues: IssueDefinition[]) =>
  featureGreenlit.create(header, { feature: 'shop', issues, main: 'main', synced: 0 })
const moved = (
  issue: number,
  from: 'BACKLOG' | 'READY' | 'DONE',
  to: 'READY' | 'DONE',
  cause: 'verified' | 'reverted',
) => issueMoved.create(header, { issue, from, to, cause, evidence: [] })

function fold(events: NewEvent[], from?: FeatureView): FeatureView {
  const { initial, evolve } = featureView('shop')
  let view = from ?? initial()
  events.forEach((event, index) => {
    view = evolve(view, { seq: index + 1, id: '', ts: '2026-01-01T00:00:00.000Z', ...event } as StoredEvent)
  })
  return view
}

describe('the view of a feature', () => {
  it('[EV2] keeps issues in order, finds each, and a definition that comes again changes no state', () => {
    const view = fold([greenlit(definition(12), definition(2)), moved(2, 'BACKLOG', 'DONE', 'verified')])
    fold([greenlit({ ...definition(2), title: 'Renamed' }, definition(7))], view)
    expect(view.issues.map(({ number }) => number)).toEqual([2, 7, 12])
    expect(findIssue(view, 2)).toMatchObject({ title: 'Renamed', state: 'DONE' })
    for (const number of [1, 3, 13, undefined]) expect(findIssue(view, number)).toBeUndefined()
    expect(definitionOf(findIssue(view, 7)!)).toEqual(definition(7))
  })

  it('[IS5] whoever needed a split issue needs its last part, also after it was greenlit again', () => {
    const whole = definition(1, [], 6)
    const parts = plannedParts(whole, new Set([1, 2]))
    expect(parts.map(({ number, test_path, github }) => [number, test_path, github])).toEqual([
      [1001, 'test/a.test.js', undefined],
      [1002, 'test/a_part2.test.js', undefined],
    ])
    const view = fold([greenlit(whole, definition(2, [1])), issueSplit.create(header, { issue: 1, parts })])
    expect(findIssue(view, 2)!.depends_on).toEqual([1002])
    fold([greenlit(whole, definition(2, [1]), definition(3, [2, 1]))], view)
    expect(findIssue(view, 2)!.depends_on).toEqual([1002])
    expect(findIssue(view, 1)).toMatchObject({ parts: [1001, 1002] })
    expect(findIssue(view, 1002)).toMatchObject({ part_of: 1, depends_on: [1001] })
  })

  it('[IS5] the numbers of parts keep out of the way of those that are taken', () => {
    const parts = plannedParts(definition(1, [], 6), new Set([1, 1002]))
    expect(parts.map(({ number }) => number)).toEqual([1_001_001, 1_001_002])
  })

  it('finished work waits for review until somebody looked, and again after it was taken back', () => {
    const done = (from: 'BACKLOG' | 'READY') => [
      moved(1, from, 'DONE', 'verified'),
      issueDone.create(header, { issue: 1, commit: 'a'.repeat(40), files: [] }),
    ]
    const view = fold([
      greenlit(definition(1), definition(2)),
      ...done('BACKLOG'),
      moved(2, 'BACKLOG', 'DONE', 'verified'),
    ])
    expect(view.issues.map(isUnreviewed)).toEqual([true, false])
    fold([issueReviewed.create(header, { issue: 1 })], view)
    expect(findIssue(view, 1)!.reviewed).toBe(true)
    expect(view.issues.some(isUnreviewed)).toBe(false)
    fold([moved(1, 'DONE', 'READY', 'reverted'), ...done('READY')], view)
    expect(view.issues.map(isUnreviewed)).toEqual([true, false])
  })

  it('[IS1] a move from where an issue no longer is changes nothing', () => {
    const view = fold([
      greenlit(definition(1)),
      moved(1, 'BACKLOG', 'DONE', 'verified'),
      moved(1, 'DONE', 'READY', 'reverted'),
      moved(1, 'BACKLOG', 'DONE', 'verified'),
    ])
    expect(findIssue(view, 1)!.state).toBe('READY')
  })

  it('[GH1] shows what people did on the forge, by the number it has here, the latest twenty', () => {
    const about = { repo: 'acme/shop', feature: 'shop', number: 2, issue: 99 }
    const comments = Array.from({ length: 25 }, (_, id) =>
      forgeChanged.create(
        { stream: forgeStream, feature: 'shop' },
        { ...about, change: 'commented', by: 'ada', comment: { id, text: `word ${id}` } },
      ),
    )
    const view = fold([greenlit(definition(2), definition(99)), ...comments])
    expect(findIssue(view, 99)!.notices).toEqual([])
    expect(findIssue(view, 2)!.notices).toHaveLength(20)
    expect(findIssue(view, 2)!.notices.at(-1)).toMatchObject({ change: 'commented', by: 'ada', text: 'word 24' })
  })

  it('[EV2] what was given out is not changed by what comes later', () => {
    const view = fold([greenlit(definition(1))])
    const given = snapshotOf(view)
    const before = JSON.stringify(given)
    const forge = { repo: 'acme/shop', feature: 'shop', number: 1, issue: 1 }
    fold(
      [
        moved(1, 'BACKLOG', 'DONE', 'verified'),
        forgeChanged.create({ stream: forgeStream }, { ...forge, change: 'closed' }),
        issueSplit.create(header, { issue: 1, parts: [definition(5)] }),
      ],
      view,
    )
    expect(JSON.stringify(given)).toBe(before)
    expect(JSON.stringify(view)).not.toBe(before)
  })
})
