import { describe, expect, it } from 'vitest'
import { changesBetween, type ForgeChange, isNews, isOnItsWay, isSameChange } from './changes.ts'
import { MemoryForge } from './memory.ts'
import type { KnownIssue } from './outbox-view.ts'

describe('changes by people', () => {
  const known = new Map<number, KnownIssue>([
    [1, { state: 'open', labels: ['bug', 'swarm:ready'] }],
    [2, { state: 'closed', labels: ['swarm:done'] }],
  ])

  it('are differences from how Convene left the issue', async () => {
    const forge = new MemoryForge()
    forge.addIssue({ title: 'A', labels: ['Bug', 'urgent'] })
    forge.addIssue({ title: 'B', labels: ['swarm:done'] })
    forge.addIssue({ title: 'unknown to us', labels: ['x'] })
    await forge.closeIssue(1)
    expect(changesBetween(known, await forge.listIssues({ state: 'all' }))).toEqual([
      { issue: 1, change: 'closed' },
      { issue: 1, change: 'label_removed', label: 'swarm:ready' },
      { issue: 1, change: 'label_added', label: 'urgent' },
      { issue: 2, change: 'reopened' },
    ])
  })

  it('are empty if nothing differs', () => {
    const same = [...known].map(([number, left]) => ({ number, ...left, labels: left.labels.toReversed() }))
    expect(changesBetween(known, same)).toEqual([])
  })

  it.each<[ForgeChange, boolean]>([
    [{ issue: 1, change: 'closed' }, true],
    [{ issue: 1, change: 'reopened' }, false],
    [{ issue: 2, change: 'closed' }, false],
    [{ issue: 2, change: 'reopened' }, true],
    [{ issue: 1, change: 'label_removed', label: 'swarm:ready' }, true],
    [{ issue: 1, change: 'label_removed', label: 'swarm:done' }, false],
    [{ issue: 1, change: 'label_added', label: 'Swarm:Ready' }, false],
    [{ issue: 1, change: 'label_added', label: 'swarm:done' }, true],
    [{ issue: 9, change: 'closed' }, false],
    [{ issue: 1, change: 'commented', comment: { id: 1, text: 'x' } }, true],
    [{ issue: 9, change: 'commented', comment: { id: 1, text: 'x' } }, false],
  ])('%j is news: %s', (change, news) => expect(isNews(change, known)).toBe(news))

  it('[GH3] exclude Convene’s own pending changes', () => {
    const own = ['swarm:ready', 'swarm:done']
    const closing = { state: 'DONE' as const, closed: true }
    expect(isOnItsWay({ issue: 1, change: 'closed' }, closing, own)).toBe(true)
    expect(isOnItsWay({ issue: 1, change: 'reopened' }, closing, own)).toBe(false)
    expect(isOnItsWay({ issue: 1, change: 'reopened' }, { state: 'READY', closed: false }, own)).toBe(true)
    expect(isOnItsWay({ issue: 1, change: 'label_removed', label: 'Swarm:Ready' }, closing, own)).toBe(true)
    expect(isOnItsWay({ issue: 1, change: 'label_added', label: 'urgent' }, closing, own)).toBe(false)
    expect(isOnItsWay({ issue: 1, change: 'commented', comment: { id: 1, text: 'x' } }, closing, own)).toBe(false)
    expect(isOnItsWay({ issue: 1, change: 'closed' }, null, own)).toBe(false)
  })

  it('are the same where they say the same of the same issue', () => {
    const label = (name: string): ForgeChange => ({ issue: 1, change: 'label_added', label: name })
    const closed: ForgeChange = { issue: 1, change: 'closed' }
    expect(isSameChange({ ...closed, by: 'ada' }, closed)).toBe(true)
    expect(isSameChange({ ...closed, issue: 2 }, closed)).toBe(false)
    expect(isSameChange({ issue: 1, change: 'reopened' }, closed)).toBe(false)
    expect(isSameChange(label('Swarm:Done'), label('swarm:done'))).toBe(true)
    expect(isSameChange(label('swarm:ready'), label('swarm:done'))).toBe(false)
  })
})
