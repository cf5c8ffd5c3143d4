/** The outbox and Octokit against a third-party GitHub emulator, over a connection that fails in every way. */
import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { renderComment } from '../../src/forge/comments.ts'
import { marked, markerFor } from '../../src/forge/forge.ts'
import type { Outbox } from '../../src/forge/outbox.ts'
import { type IssueState, issueStates } from '../../src/rules/issues/issue-states.ts'
import { labelFor, ownLabels } from '../../src/rules/issues/labels.ts'
import { type Fault, FaultProxy } from './fault-proxy.ts'
import { GitHubEmulator, repo, token } from './github-emulator.ts'
import { dyingBefore, type OpenedLog, openLog } from './outbox-fixture.ts'

let github: GitHubEmulator
let proxy: FaultProxy
let log: OpenedLog

beforeAll(async () => {
  github = await GitHubEmulator.start()
})
afterAll(() => github.stop())
beforeEach(async () => {
  proxy = new FaultProxy(github.url)
  await proxy.start()
  log = await openLog()
})
afterEach(async () => {
  await log.close()
  await proxy.stop()
  github.reset()
})

const openOutbox = (store = log.store) =>
  log.outbox(github.forge({ apiUrl: proxy.address, timeoutMs: 600, retryWaitMs: 1 }), { store })

async function addIssue(labels: string[] = []): Promise<number> {
  return github.opened(github.forge()).addIssue({ title: 'A', labels })
}

async function seen(issue: number) {
  const { labels, state } = await github.forge().getIssue(issue)
  const own = ownLabels()
  return {
    own: labels.filter((name) => own.includes(name)),
    others: labels.filter((name) => !own.includes(name)),
    state,
    comments: await github.commentsOf(issue),
  }
}

/** Flushes until nothing is left, as the next runs would. */
async function catchUp(outbox: Outbox): Promise<void> {
  for (let run = 0; run < 20; run++) if ((await outbox.flush({ timeoutMs: 10_000 })).pending === 0) return
  throw new Error('the tracker never caught up')
}

describe('tracker', () => {
  it('[GH1] [GH2] follows an issue through all states: exactly one label, one comment, closed when done', async () => {
    const issue = await addIssue(['bug'])
    const outbox = openOutbox()
    for (const state of [...issueStates, ...issueStates.toReversed()]) {
      const closed = state === 'DONE'
      await outbox.queue({ feature: 'shop', number: 1, issue, want: { state, comment: `now ${state}`, closed } })
      await outbox.flush()
      expect(await seen(issue)).toEqual({
        own: [labelFor(state)],
        others: ['bug'],
        state: closed ? 'closed' : 'open',
        comments: [marked(markerFor('shop', 1), `now ${state}`)],
      })
    }
  })

  it('[GH1] labels are replaced in one request', async () => {
    const issue = await addIssue(['bug', 'swarm:ready'])
    const outbox = openOutbox()
    await outbox.queue({ feature: 'shop', number: 1, issue, want: { state: 'IN_PROGRESS' } })
    await outbox.flush()
    const labelling = proxy.writes().filter(({ path }) => path.includes(`/issues/${issue}`))
    expect(labelling.map(({ method, path }) => `${method} ${path}`)).toEqual([
      `PUT /repos/${repo}/issues/${issue}/labels`,
    ])
  })

  it("[GH2] the comments of an issue's whole life are one comment", async () => {
    const issue = await addIssue()
    const outbox = openOutbox()
    const about = { feature: 'shop', number: 1 }
    const life: [IssueState, string][] = [
      ['READY', renderComment({ kind: 'greenlit', ...about })],
      ['IN_PROGRESS', renderComment({ kind: 'retry', ...about, retry: 1, of: 3 })],
      ['BLOCKED', renderComment({ kind: 'blocked', ...about, reason: 'no', output: '```\n# x\n```' })],
      ['READY', renderComment({ kind: 'unblocked', ...about })],
      ['DONE', renderComment({ kind: 'done', ...about, commit: 'abc1234', tests: { passed: 2, total: 2 } })],
    ]
    for (const [state, comment] of life) {
      await outbox.queue({ ...about, issue, want: { state, comment, closed: state === 'DONE' } })
      await outbox.flush()
      expect((await seen(issue)).comments).toEqual([marked(markerFor('shop', 1), comment)])
    }
  })

  it('[GH3] killed between "sent" and "recorded": the result is the same', async () => {
    const issue = await addIssue(['bug'])
    const want = { state: 'DONE' as const, comment: 'done', closed: true }
    await openOutbox().queue({ feature: 'shop', number: 1, issue, want })
    await expect(openOutbox(dyingBefore(log.store, 'forge.sent')).flush()).rejects.toThrow('killed')
    const first = await seen(issue)
    const writes = proxy.writes().length
    expect(await openOutbox().flush()).toMatchObject({ sent: 1, pending: 0 })
    expect(await seen(issue)).toEqual(first)
    expect(proxy.writes()).toHaveLength(writes)
    expect(first).toMatchObject({ own: ['swarm:done'], others: ['bug'], state: 'closed' })
    expect(first.comments).toHaveLength(1)
  })

  const faults: Fault[] = [
    { kind: 'status', status: 403, headers: { 'retry-after': '0' }, body: { message: 'secondary rate limit' } },
    { kind: 'status', status: 429, headers: { 'retry-after': '0' } },
    { kind: 'status', status: 500 },
    { kind: 'status', status: 502 },
    { kind: 'reset' },
    { kind: 'lost' },
    { kind: 'torn' },
  ]

  it.each([...faults, { kind: 'silent' } as const, { kind: 'lost in silence' } as const])(
    '[GH3] any request may meet %j: the tracker catches up, nothing is duplicated',
    async (fault) => {
      const issue = await addIssue(['bug'])
      const outbox = openOutbox()
      // Each kind of request fails the first two times: the second is Octokit's own retry.
      const met = new Map<string, number>()
      proxy.fault = ({ method, path }) => {
        const kind = `${method} ${path.replace(/[?\d].*/, '')}`
        met.set(kind, (met.get(kind) ?? 0) + 1)
        return met.get(kind)! <= 2 ? fault : undefined
      }
      const want = { state: 'DONE' as const, comment: 'done', closed: true }
      await outbox.queue({ feature: 'shop', number: 1, issue, want })
      await catchUp(outbox)
      expect(proxy.requests.filter(({ fault: kind }) => kind).length).toBeGreaterThan(6)
      expect(await seen(issue)).toEqual({
        own: ['swarm:done'],
        others: ['bug'],
        state: 'closed',
        comments: [marked(markerFor('shop', 1), 'done')],
      })
    },
  )

  it('[GH3] the last update is what the forge shows, whatever fails or is killed', async () => {
    const step = fc.record({
      number: fc.integer({ min: 1, max: 2 }),
      state: fc.constantFrom(...issueStates),
      killed: fc.boolean(),
      faults: fc.array(fc.option(fc.constantFrom(...faults), { nil: undefined }), { maxLength: 8 }),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 5 }), async (steps) => {
        github.reset()
        const own = await openLog()
        const forge = github.forge({ apiUrl: proxy.address, timeoutMs: 5000, retryWaitMs: 1 })
        const issues = [await addIssue(['bug']), await addIssue()]
        const last = new Map<number, IssueState>()
        for (const { number, state, killed, faults: coming } of steps) {
          const queue = [...coming]
          proxy.fault = () => queue.shift()
          const store = killed ? dyingBefore(own.store, 'forge.sent') : own.store
          const outbox = own.outbox(forge, { store })
          const issue = issues[number - 1]!
          const want = { state, comment: `now ${state}`, closed: state === 'DONE' }
          await outbox.queue({ feature: 'shop', number, issue, want })
          last.set(number, state)
          await outbox.flush({ timeoutMs: 20 }).catch((error: Error) => expect(error.message).toBe('killed'))
          await outbox.stop()
        }
        proxy.fault = () => undefined
        await catchUp(own.outbox(forge))
        for (const [number, state] of last)
          expect(await seen(issues[number - 1]!)).toEqual({
            own: [labelFor(state)],
            others: number === 1 ? ['bug'] : [],
            state: state === 'DONE' ? 'closed' : 'open',
            comments: [marked(markerFor('shop', number), `now ${state}`)],
          })
        await own.close()
      }),
      { numRuns: 15, seed: 20261116 },
    )
  })

  it('[GH4] the token is in no event, whatever GitHub echoes', async () => {
    const issue = await addIssue()
    const outbox = openOutbox()
    for (const status of [401, 403, 404, 422, 500]) {
      proxy.fault = () => ({ kind: 'status', status, body: { message: `you sent ${token}` } })
      await outbox.queue({ feature: 'shop', number: 1, issue, want: { state: 'READY' } })
      const process = log.outbox(github.forge({ apiUrl: proxy.address, retryWaitMs: 1 }))
      await process.flush({ timeoutMs: 1 })
      await process.stop()
    }
    const events = await log.events()
    expect(events.filter(({ type }) => type === 'forge.failed').length).toBeGreaterThan(4)
    expect(JSON.stringify(events)).not.toContain(token)
  })
})
