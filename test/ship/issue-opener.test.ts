/** Greenlit issues without a number on the forge are opened there: each once, whatever fails in between. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ForgeFailed } from '../../src/forge/forge.ts'
import { MemoryForge } from '../../src/forge/memory.ts'
import { systemClock } from '../../src/kernel/clock.ts'
import { featureGreenlit, type IssueDefinition, issueMoved } from '../../src/ship/events.ts'
import { eventHeader } from '../../src/ship/feature-state.ts'
import { FeatureViews } from '../../src/ship/feature-views.ts'
import { IssueOpener } from '../../src/ship/tracker/issue-opener.ts'
import { Tracker } from '../../src/ship/tracker/tracker.ts'
import { type OpenedLog, openLog, repo } from '../forge/outbox-fixture.ts'
import { temporaryFolder } from '../support/convene.ts'

let log: OpenedLog
let forge: MemoryForge
let opened: { stop(): Promise<void> }[]
beforeEach(async () => {
  log = await openLog()
  forge = new MemoryForge()
  opened = []
})
afterEach(async () => {
  for (const one of opened) await one.stop()
  await log.close()
})

const header = eventHeader('shop')

function definition(number: number, more: Partial<IssueDefinition> = {}): IssueDefinition {
  const criteria = [{ id: 'c', text: 'Refunds #1 once for @ada' }]
  const rest = { body: 'Money back.', depends_on: [], size: 'medium' as const, business_value: 0, risk: 0 }
  return { number, title: `Issue ${number}`, acceptance_criteria: criteria, ...rest, ...more }
}

async function greenlight(...issues: IssueDefinition[]): Promise<void> {
  await log.store.append([
    featureGreenlit.create(header, { feature: 'shop', issues, main: 'main', synced: 0 }),
    ...issues.map(({ number }) =>
      issueMoved.create(header, { issue: number, from: 'BACKLOG', to: 'READY', cause: 'greenlit', evidence: [] }),
    ),
  ])
}

async function openAll(given: Partial<ConstructorParameters<typeof IssueOpener>[0]> = {}) {
  const { store } = log
  const views = new FeatureViews(store, temporaryFolder())
  const backoff = { baseMs: 1, maxMs: 5 }
  const opener = new IssueOpener({ store, forge, repo, views, clock: systemClock, backoff, ...given })
  const tracker = new Tracker({ store, outbox: log.outbox(forge), views, retries: 3 })
  opened.push(opener, tracker)
  await tracker.start()
  await opener.start()
  return { opener, tracker, views }
}

describe('issues of a plan', () => {
  it('[GH5] are opened on the forge, linked, and labelled like any other', async () => {
    const { tracker, views } = await openAll()
    const theirs = forge.addIssue({ title: 'By a person' })
    await greenlight(
      definition(1, { depends_on: [] }),
      definition(2, { github: theirs }),
      definition(3, { depends_on: [1] }),
    )
    await expect.poll(async () => (await forge.listIssues({})).length).toBe(3)
    await expect.poll(async () => (await views.read('shop')).issues.map(({ github }) => github)).toEqual([2, 1, 3])
    const labelsOf = async (number: number) => {
      await tracker.flush()
      return (await forge.getIssue(number)).labels
    }
    await expect.poll(() => labelsOf(3)).toEqual(['swarm:ready'])
    const { title, body } = await forge.getIssue(3)
    expect(title).toBe('Issue 3')
    expect(body.split('\n')[0]).toBe('<!-- convene:shop#3 -->')
    expect(body).toContain('Money back.\n\n## Acceptance criteria\n\n- [ ] Refunds ')
    expect(body).toContain('Depends on #2.')
    // The words of a plan mention nobody and link nothing.
    expect(body).not.toMatch(/@ada|\\?#1 once/)
  })

  it('[GH5] are opened once: after a lost answer, a restart, and another greenlight', async () => {
    class LosesAnswers extends MemoryForge {
      lost = 2
      override async createIssue(request: Parameters<MemoryForge['createIssue']>[0]) {
        const created = await super.createIssue(request)
        if (this.lost-- > 0) throw new ForgeFailed('forge_unreachable', 'no answer', { retryable: true })
        return created
      }
    }
    forge = new LosesAnswers()
    const { opener, views } = await openAll()
    await greenlight(definition(1))
    await expect.poll(async () => (await views.read('shop')).issues[0]!.github).toBe(1)
    expect(opener.behind('shop')).toBeNull()
    await opener.stop()
    await openAll()
    await greenlight(definition(1), definition(2))
    await expect
      .poll(async () => (await forge.listIssues({ state: 'all' })).map(({ title }) => title))
      .toEqual(['Issue 1', 'Issue 2'])
  })

  it('[GH5] that cannot be opened are said to be pending, and opened by a later process', async () => {
    class Refuses extends MemoryForge {
      override createIssue(): Promise<never> {
        return Promise.reject(
          new ForgeFailed('forge_forbidden', 'the token may not write issues', { retryable: false }),
        )
      }
    }
    const { opener } = await openAll({ forge: new Refuses() })
    await greenlight(definition(1))
    await expect
      .poll(() => opener.behind('shop'))
      .toEqual({
        pending: 1,
        failed: 1,
        reason: 'the token may not write issues',
      })
    await opener.stop()
    await openAll()
    await expect.poll(async () => (await forge.listIssues({})).map(({ title }) => title)).toEqual(['Issue 1'])
  })

  it('[GH5] that the forge refuses do not hold up the others', async () => {
    class RefusesOne extends MemoryForge {
      override createIssue(request: Parameters<MemoryForge['createIssue']>[0]) {
        if (request.title !== 'Issue 1') return super.createIssue(request)
        return Promise.reject(new ForgeFailed('forge_refused', 'the title is not allowed', { retryable: false }))
      }
    }
    forge = new RefusesOne()
    const { opener } = await openAll()
    await greenlight(definition(1), definition(2), definition(3))
    const titles = async () => (await forge.listIssues({})).map(({ title }) => title)
    await expect.poll(titles).toEqual(['Issue 2', 'Issue 3'])
    await expect
      .poll(() => opener.behind('shop'))
      .toEqual({ pending: 1, failed: 1, reason: 'the title is not allowed' })
  })
})
