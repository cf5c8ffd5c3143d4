/** The outbox: delivers at least once, blocks nobody, and is idempotent. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { forgeChanged, forgeStream } from '../../src/forge/events.ts'
import { ForgeFailed, type ForgeFailure, marked, markerFor } from '../../src/forge/forge.ts'
import { sharedAccess } from '../../src/forge/forge-access.ts'
import { systemClock } from '../../src/kernel/clock.ts'
import { SimulatedClock } from '../contract/simulated-clock.ts'
import { dyingBefore, type OpenedLog, openLog, passTime, repo, WatchedForge } from './outbox-fixture.ts'

let log: OpenedLog
let forge: WatchedForge
let issue: number

beforeEach(async () => {
  log = await openLog()
  forge = new WatchedForge()
  issue = forge.addIssue({ title: 'A', labels: ['bug'] })
})
afterEach(() => log.close())

const failed = (code: ForgeFailure, retryAfterMs?: number, retryable = true) =>
  new ForgeFailed(code, `not now: ${code}`, { retryable, retryAfterMs })
const down = () => {
  throw failed('forge_unreachable')
}
const wish = (state: 'READY' | 'IN_PROGRESS' | 'BLOCKED' | 'DONE', comment?: string, number = 1, on = issue) => ({
  feature: 'shop',
  number,
  issue: on,
  want: { state, comment, ...(state === 'DONE' ? { closed: true } : {}) },
})
const types = async () => (await log.events()).map(({ type }) => type)

describe('outboxes of several processes on one log', () => {
  it('[GH3] tell the forge once, one after the other', async () => {
    const clock = systemClock
    const access = () => sharedAccess({ store: log.store, repo, clock })
    const outboxes = [1, 2, 3].map(() => log.outbox(forge, { access: access() }))
    let atOnce = 0
    forge.before = async () => {
      expect(++atOnce).toBe(1)
      await new Promise((resolve) => setImmediate(resolve))
      atOnce--
    }
    for (const number of [1, 2, 3, 4]) await outboxes[0]!.queue(wish('READY', `of ${number}`, number))
    await Promise.all(outboxes.map((outbox) => outbox.flush()))
    expect(forge.calls.filter((call) => call.startsWith('putComment'))).toHaveLength(4)
    expect((await types()).filter((type) => type === 'forge.sent')).toHaveLength(4)
  })

  it('[GH3] continue without one that stopped while it had access', async () => {
    const clock = new SimulatedClock()
    const [one, other] = [1, 2].map(() => sharedAccess({ store: log.store, repo, clock }))
    expect(await one!.run(async () => 'done')).toBe('done')
    await log.store.claim(`forge:${repo}`, 'a process that is gone', 50)
    const next = sharedAccess({ store: log.store, repo, clock: systemClock })
    expect(await next.run(async () => 'after it')).toBe('after it')
    await log.store.claim(`forge:${repo}`, 'a process that stays')
    const waiting = other!.run(async () => 'never')
    other!.stop()
    expect(await waiting).toBeUndefined()
  })
})

describe('outbox', () => {
  it('[GH3] queueing only writes to the log; flushing calls the forge', async () => {
    const outbox = log.outbox(forge)
    await outbox.queue(wish('READY', 'hello'))
    expect(forge.calls).toEqual([])
    expect(await outbox.pending()).toBe(1)
    expect(await outbox.flush()).toEqual({ sent: 1, pending: 0, failures: [] })
    expect(await forge.getIssue(issue)).toMatchObject({ labels: ['bug', 'swarm:ready'], state: 'open' })
    expect(forge.commentsOf(issue).map(({ body }) => body)).toEqual([marked(markerFor('shop', 1), 'hello')])
    expect(await types()).toEqual(['forge.queued', 'forge.sent'])
    expect(await outbox.flush()).toEqual({ sent: 0, pending: 0, failures: [] })
  })

  it('[GH1] labels are created once per process, on first use', async () => {
    const outbox = log.outbox(forge)
    await outbox.flush()
    expect(forge.calls).toEqual([])
    for (const state of ['READY', 'IN_PROGRESS'] as const) {
      await outbox.queue(wish(state))
      await outbox.flush()
    }
    expect(forge.calls.filter((call) => call === 'ensureLabels')).toHaveLength(1)
    expect(forge.labels.filter(({ name }) => name.startsWith('swarm:'))).toHaveLength(4)
  })

  it('[GH1] uses the configured prefix', async () => {
    const outbox = log.outbox(forge, { labelPrefix: 'bot/' })
    await outbox.queue(wish('BLOCKED'))
    await outbox.flush()
    expect((await forge.getIssue(issue)).labels).toEqual(['bug', 'bot/blocked'])
  })

  it('[GH3] merges updates of one issue into the latest, and loses nothing that it leaves open', async () => {
    const outbox = log.outbox(forge)
    await outbox.queue(wish('READY', 'ready'))
    await outbox.queue(wish('BLOCKED', 'blocked'))
    await outbox.queue(wish('IN_PROGRESS'))
    await outbox.queue(wish('READY', 'second', 2, forge.addIssue({ title: 'B' })))
    expect(await outbox.pending()).toBe(2)
    expect(await outbox.flush()).toMatchObject({ sent: 2 })
    expect(forge.calls.filter((call) => call.startsWith('setLabels'))).toEqual(['setLabels 1', 'setLabels 2'])
    expect((await forge.getIssue(issue)).labels).toEqual(['bug', 'swarm:in-progress'])
    expect(forge.commentsOf(issue)[0]!.body).toContain('blocked')
  })

  it('[GH3] a step that runs again after a crash queues its update once', async () => {
    const outbox = log.outbox(forge)
    const key = { run: 'r', step: 'tell', n: 0 }
    await outbox.queue(wish('READY'), key)
    await outbox.queue(wish('READY'), key)
    expect(await types()).toEqual(['forge.queued'])
  })

  it('[GH3] an update that arrives while an earlier one is sent is sent too', async () => {
    const outbox = log.outbox(forge)
    await outbox.queue(wish('IN_PROGRESS', 'one'))
    let once = true
    forge.before = async (call) => {
      if (call !== 'putComment' || !once) return
      once = false
      await outbox.queue(wish('DONE', 'two'))
    }
    expect(await outbox.flush()).toMatchObject({ sent: 2, pending: 0 })
    expect(await forge.getIssue(issue)).toMatchObject({ labels: ['bug', 'swarm:done'], state: 'closed' })
    expect(forge.commentsOf(issue).map(({ body }) => body)).toEqual([marked(markerFor('shop', 1), 'two')])
  })

  it('[GH3] killed between sending and recording: sent again, nothing duplicated', async () => {
    await log.outbox(forge).queue(wish('DONE', 'done'))
    const dying = log.outbox(forge, { store: dyingBefore(log.store, 'forge.sent') })
    await expect(dying.flush()).rejects.toThrow('killed')
    expect((await forge.getIssue(issue)).state).toBe('closed')
    const next = log.outbox(forge)
    expect(await next.pending()).toBe(1)
    forge.calls.splice(0)
    expect(await next.flush()).toMatchObject({ sent: 1, pending: 0 })
    expect(forge.calls).toEqual(['ensureLabels', `getIssue ${issue}`, `putComment ${issue}`])
    expect(await forge.getIssue(issue)).toMatchObject({ labels: ['bug', 'swarm:done'], state: 'closed' })
    expect(forge.commentsOf(issue)).toHaveLength(1)
  })

  it("[GH1] keeps a person's labels, including those set meanwhile", async () => {
    const outbox = log.outbox(forge)
    await outbox.queue(wish('READY'))
    await outbox.flush()
    await forge.setLabels(issue, ['Swarm:Done', 'urgent', 'swarm:ready', 'swarm:note'])
    await outbox.queue(wish('IN_PROGRESS'))
    await outbox.flush()
    expect((await forge.getIssue(issue)).labels).toEqual(['urgent', 'swarm:note', 'swarm:in-progress'])
  })

  it('[GH3] keeps updates queued while the forge is down, in this process and the next, and catches up', async () => {
    const outbox = log.outbox(forge)
    await outbox.queue(wish('DONE', 'done'))
    forge.before = down
    expect(await outbox.flush({ timeoutMs: 1_000 })).toMatchObject({
      sent: 0,
      pending: 1,
      failures: [{ feature: 'shop', number: 1, issue, code: 'forge_unreachable', retryable: true }],
    })
    const next = log.outbox(forge)
    expect(await next.pending()).toBe(1)
    forge.before = () => {}
    expect(await next.flush()).toMatchObject({ sent: 1, pending: 0, failures: [] })
    expect((await forge.getIssue(issue)).state).toBe('closed')
  })

  it('[GH3] tries one issue at a time while the forge is unreachable, with growing waits', async () => {
    const clock = new SimulatedClock()
    const outbox = log.outbox(forge, { clock, random: () => 1, backoff: { baseMs: 1000, maxMs: 300_000 } })
    const other = forge.addIssue({ title: 'B' })
    await outbox.queue(wish('READY'))
    await outbox.queue(wish('READY', undefined, 2, other))
    const tries: number[] = []
    const start = clock.now()
    forge.before = () => {
      tries.push(clock.now() - start)
      down()
    }
    expect(await passTime(clock, outbox.flush({ timeoutMs: 10_000 }))).toMatchObject({ sent: 0, pending: 2 })
    expect(tries).toEqual([0, 1000, 3000, 7000])
  })

  it('[GH3] honours a Retry-After for all issues, in the next process too', async () => {
    const clock = new SimulatedClock()
    const other = forge.addIssue({ title: 'B' })
    const outbox = log.outbox(forge, { clock })
    await outbox.queue(wish('READY'))
    await outbox.queue(wish('READY', undefined, 2, other))
    forge.before = () => {
      throw failed('forge_rate_limited', 30_000)
    }
    expect(await passTime(clock, outbox.flush({ timeoutMs: 10_000 }))).toMatchObject({ sent: 0, pending: 2 })
    expect(forge.calls).toEqual(['ensureLabels'])
    const next = log.outbox(forge, { clock })
    await passTime(clock, next.flush({ timeoutMs: 10_000 }))
    expect(forge.calls).toEqual(['ensureLabels'])
    forge.before = () => {}
    const before = clock.now()
    expect(await passTime(clock, next.flush({ timeoutMs: 60_000 }), 1000)).toMatchObject({ sent: 2, pending: 0 })
    expect(clock.now() - before).toBeGreaterThanOrEqual(29_000)
  })

  it('[GH3] a clock that was set back does not delay the tracker for a year', async () => {
    const clock = new SimulatedClock()
    await log.outbox(forge).queue(wish('READY'))
    forge.before = () => {
      throw failed('forge_rate_limited', 10 ** 12)
    }
    clock.jump(365 * 86_400_000)
    await passTime(clock, log.outbox(forge, { clock }).flush())
    clock.jump(-365 * 86_400_000)
    forge.before = () => {}
    expect(await passTime(clock, log.outbox(forge, { clock }).flush())).toMatchObject({ sent: 1 })
  })

  it('[GH3] a permanent rejection blocks no other issue, and is retried for another update or by another process', async () => {
    const other = forge.addIssue({ title: 'B' })
    const outbox = log.outbox(forge)
    await outbox.queue(wish('READY', undefined, 7, 99))
    await outbox.queue(wish('READY', undefined, 2, other))
    const flushed = await outbox.flush()
    expect(flushed).toMatchObject({ sent: 1, pending: 1, failures: [{ number: 7, issue: 99, retryable: false }] })
    const asked = () => forge.calls.filter((call) => call === 'getIssue 99').length
    await outbox.flush()
    expect(asked()).toBe(1)
    await outbox.queue(wish('DONE', undefined, 7, 99))
    await outbox.flush()
    expect(asked()).toBe(2)
    await log.outbox(forge).flush()
    expect(asked()).toBe(3)
  })

  it('[GH3] one issue that always fails does not block the others', async () => {
    const other = forge.addIssue({ title: 'B' })
    const outbox = log.outbox(forge)
    await outbox.queue(wish('READY'))
    await outbox.queue(wish('READY', undefined, 2, other))
    forge.before = (call, on) => {
      if (call === 'getIssue' && on === issue) throw failed('forge_unavailable')
    }
    expect(await outbox.flush({ timeoutMs: 2000 })).toMatchObject({ sent: 1, pending: 1 })
    expect((await forge.getIssue(other)).labels).toEqual(['swarm:ready'])
  })

  it('[GH4] a rejected token is tried once, not once per issue', async () => {
    const other = forge.addIssue({ title: 'B' })
    const outbox = log.outbox(forge)
    await outbox.queue(wish('READY'))
    await outbox.queue(wish('READY', undefined, 2, other))
    forge.before = () => {
      throw failed('forge_unauthorized', undefined, false)
    }
    expect(await outbox.flush()).toMatchObject({ sent: 0, pending: 2, failures: [{ code: 'forge_unauthorized' }] })
    expect(forge.calls).toEqual(['ensureLabels'])
  })

  it('[GH3] a forge that never responds does not hold a command longer than it allows', async () => {
    const clock = new SimulatedClock()
    const outbox = log.outbox(forge, { clock })
    await outbox.queue(wish('READY'))
    const { promise: answered, resolve } = Promise.withResolvers<void>()
    forge.before = () => answered
    const start = clock.now()
    expect(await passTime(clock, outbox.flush({ timeoutMs: 10_000 }))).toMatchObject({ sent: 0, pending: 1 })
    expect(clock.now() - start).toBeLessThan(11_000)
    resolve()
    await outbox.stop()
    expect(await outbox.pending()).toBe(0)
  })

  it('[GH3] does not send updates queued for another repository', async () => {
    await log.outbox(forge, { repo: 'acme/other' }).queue(wish('DONE', 'x'))
    const outbox = log.outbox(forge)
    expect(await outbox.flush()).toEqual({ sent: 0, pending: 0, failures: [] })
    expect(await forge.getIssue(issue)).toMatchObject({ labels: ['bug'], state: 'open' })
    expect(await log.outbox(forge, { repo: 'acme/other' }).pending()).toBe(1)
  })

  it('reopens only if asked to', async () => {
    const outbox = log.outbox(forge)
    await forge.closeIssue(issue)
    await outbox.queue(wish('IN_PROGRESS'))
    await outbox.flush()
    expect((await forge.getIssue(issue)).state).toBe('closed')
    await outbox.queue({ ...wish('READY'), want: { state: 'READY', closed: false } })
    await outbox.flush()
    expect((await forge.getIssue(issue)).state).toBe('open')
  })

  it('knows how it left each issue, also after a restart', async () => {
    const outbox = log.outbox(forge)
    await outbox.queue(wish('DONE'))
    await outbox.flush()
    const about = { feature: 'shop', number: 1, seq: expect.any(Number) }
    const left = new Map([[issue, { labels: ['bug', 'swarm:done'], state: 'closed', ...about }]])
    expect(await outbox.known()).toEqual(left)
    expect(await log.outbox(forge).known()).toEqual(left)
    expect(await log.outbox(forge, { repo: 'acme/other' }).known()).toEqual(new Map())
  })

  it('leaves an issue that a person closed meanwhile to be noticed, once', async () => {
    const outbox = log.outbox(forge)
    await outbox.queue(wish('READY'))
    await outbox.flush()
    await forge.closeIssue(issue)
    await outbox.queue(wish('IN_PROGRESS'))
    expect(await outbox.wanted(issue)).toEqual({ state: 'IN_PROGRESS' })
    await outbox.flush()
    expect(await outbox.wanted(issue)).toBeNull()
    expect((await outbox.known()).get(issue)?.state).toBe('open')
    const about = { repo, feature: 'shop', number: 1, issue }
    const comment = { id: 7, text: 'hello' }
    await log.store.append([
      forgeChanged.create({ stream: forgeStream }, { ...about, change: 'closed' }),
      forgeChanged.create({ stream: forgeStream }, { ...about, change: 'label_removed', label: 'Swarm:In-Progress' }),
      forgeChanged.create({ stream: forgeStream }, { ...about, change: 'label_added', label: 'urgent' }),
      forgeChanged.create({ stream: forgeStream }, { ...about, change: 'commented', comment }),
    ])
    expect((await outbox.known()).get(issue)).toMatchObject({ state: 'closed', labels: ['bug', 'urgent'] })
    expect([await outbox.hasNoticed(7), await outbox.hasNoticed(8)]).toEqual([true, false])
  })

  it('[GH3] once started, sends everything queued, retries, and stops', async () => {
    const outbox = log.outbox(forge)
    outbox.start()
    let failures = 3
    forge.before = () => {
      if (failures-- > 0) down()
    }
    const sent = new Promise<void>((resolve) => {
      log.store.subscribe(({ type }) => type === 'forge.sent' && resolve())
    })
    await log.outbox(forge).queue(wish('READY', 'by itself'))
    await sent
    expect(forge.commentsOf(issue)).toHaveLength(1)
    await outbox.stop()
    forge.calls.splice(0)
    await outbox.queue(wish('DONE'))
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve))
    expect(forge.calls).toEqual([])
  })

  it('[GH3] a stop during a flush ends it at once and keeps the rest queued', async () => {
    const clock = new SimulatedClock()
    const outbox = log.outbox(forge, { clock })
    for (const number of [1, 2]) await outbox.queue(wish('READY', undefined, number, number === 1 ? issue : 99))
    forge.before = (call) => {
      if (call === 'getIssue') void outbox.stop()
    }
    // Time stands still: only the stop can end it.
    expect(await outbox.flush()).toMatchObject({ sent: 1, pending: 1 })
  })

  it('[GH4] removes a secret from a comment before it leaves the machine', async () => {
    const redacting = await openLog((value) => JSON.parse(JSON.stringify(value).replaceAll('hunter2', '[redacted]')))
    const outbox = redacting.outbox(forge)
    await outbox.queue(wish('BLOCKED', 'password hunter2 was wrong'))
    await outbox.flush()
    expect(forge.commentsOf(issue)[0]!.body).toContain('password [redacted] was wrong')
    await redacting.close()
  })

  it('[EV1] every fact names its feature and repository', async () => {
    const outbox = log.outbox(forge)
    await outbox.queue(wish('READY', undefined, 1, 99))
    await outbox.flush()
    for (const event of await log.events())
      expect(event).toMatchObject({ feature: 'shop', stream: 'forge', data: { repo, feature: 'shop', number: 1 } })
    expect(await types()).toEqual(['forge.queued', 'forge.failed'])
  })
})
