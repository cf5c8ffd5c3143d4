import { describe, expect, it } from 'vitest'
import { changesBetween, changesSince, type ForgeChange, isNews } from './changes.ts'
import { MemoryForge } from './memory.ts'
import type { KnownIssue } from './outbox-view.ts'

describe('changes by people', () => {
  const known = new Map<number, KnownIssue>([
    [1, { state: 'open', labels: ['bug', 'swarm:ready'] }],
    [2, { state: 'closed', labels: ['swarm:done'] }],
  ])

  it('are what differs from how we left it', async () => {
    const forge = new MemoryForge()
    forge.addIssue({ title: 'A', labels: ['Bug', 'urgent'] })
    forge.addIssue({ title: 'B', labels: ['swarm:done'] })
    forge.addIssue({ title: 'unknown to us', labels: ['x'] })
    await forge.closeIssue(1)
    expect(await changesSince(forge, known)).toEqual([
      { issue: 1, change: 'closed' },
      { issue: 1, change: 'label_removed', label: 'swarm:ready' },
      { issue: 1, change: 'label_added', label: 'urgent' },
      { issue: 2, change: 'reopened' },
    ])
  })

  it('are none where nothing differs, and the forge is not asked where we know nothing', async () => {
    const asked = new MemoryForge()
    asked.listIssues = () => Promise.reject(new Error('asked'))
    expect(await changesSince(asked, new Map())).toEqual([])
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
  ])('%j is news: %s', (change, news) => expect(isNews(change, known)).toBe(news))
})
