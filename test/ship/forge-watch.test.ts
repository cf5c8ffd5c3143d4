/**
 * Changes people make on the forge: noticed once, by polling or webhook, and never confused with Convene's own
 * changes.
 */
import { createHmac } from 'node:crypto'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { forgeChanged, forgeStream } from '../../src/forge/events.ts'
import { ForgeFailed, type ForgeFailure } from '../../src/forge/forge.ts'
import type { Outbox } from '../../src/forge/outbox.ts'
import { ForgeWatch, type ForgeWatchParts, type Noticed } from '../../src/ship/tracker/forge-watch.ts'
import { SimulatedClock } from '../contract/simulated-clock.ts'
import { type OpenedLog, openLog, repo, WatchedForge } from '../forge/outbox-fixture.ts'

let log: OpenedLog
let forge: WatchedForge
let outbox: Outbox
let folder: string
let issue: number
let noticed: Noticed[]

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'convene-watch-'))
  log = await openLog()
  forge = new WatchedForge()
  outbox = log.outbox(forge)
  noticed = []
  issue = forge.addIssue({ title: 'A', labels: ['bug'] })
  await outbox.queue({ feature: 'shop', number: 1, issue, want: { state: 'READY', comment: 'ours' } })
  await outbox.flush()
})
afterEach(async () => {
  await log.close()
  rmSync(folder, { recursive: true, force: true })
})

function open(more: Partial<ForgeWatchParts> = {}): ForgeWatch {
  return new ForgeWatch({
    forge,
    outbox,
    repo,
    clock: new SimulatedClock(),
    pollSeconds: 60,
    webhook: { secret: 'secret', variable: 'SECRET' },
    cursorFile: join(folder, 'cache/looked.json'),
    async notice(found) {
      noticed.push(...found)
      const header = { stream: forgeStream, feature: 'shop' }
      await log.store.append(found.map((one) => forgeChanged.create(header, one)))
    },
    ...more,
  })
}

const changes = () => noticed.map(({ change }) => change)

describe('polling', () => {
  it('[GH1] notices closing, reopening, labels and comments, each once', async () => {
    const watch = open()
    await watch.look()
    expect(changes()).toEqual([])
    expect(existsSync(join(folder, 'cache/looked.json'))).toBe(true)
    await forge.closeIssue(issue)
    await forge.setLabels(issue, ['bug', 'urgent'])
    forge.addComment(issue, 'Please wait')
    forge.addIssue({ title: 'nobody asked for this one', labels: ['swarm:ready'] })
    await watch.look()
    await watch.look()
    expect(changes()).toEqual(['closed', 'label_removed', 'commented'])
    expect(noticed[0]).toMatchObject({ feature: 'shop', number: 1, issue, repo })
    await forge.reopenIssue(issue)
    await open().look()
    expect(changes().slice(3)).toEqual(['reopened'])
  })

  it('[GH3] never mistakes our own changes for those of people, at any moment', async () => {
    const watch = open()
    for (const moment of ['listIssues', 'getIssue', 'setLabels', 'closeIssue']) {
      // At this moment the outbox writes to the forge.
      let told = false
      const listed = forge.listIssues.bind(forge)
      forge.listIssues = async (query) => {
        const found = await listed(query)
        if (!told && moment === 'listIssues') {
          told = true
          await outbox.queue({ feature: 'shop', number: 1, issue, want: { state: 'DONE', closed: true } })
          await outbox.flush()
        }
        return found
      }
      forge.before = async (call) => {
        if (told || call !== moment) return
        told = true
        await watch.look()
      }
      await outbox.queue({ feature: 'shop', number: 1, issue, want: { state: 'BLOCKED', closed: false } })
      await outbox.flush()
      await outbox.queue({ feature: 'shop', number: 1, issue, want: { state: 'DONE', closed: true } })
      await outbox.flush()
      forge.before = () => {}
      forge.listIssues = listed
      await watch.look()
    }
    expect(noticed).toEqual([])
  })

  it('polls at its interval, even after the forge was down', async () => {
    const clock = new SimulatedClock()
    const listed = forge.listIssues.bind(forge)
    let looks = 0
    forge.listIssues = async (query) => {
      if (++looks === 2) throw new Error('down')
      return listed(query)
    }
    const watch = open({ clock })
    watch.start()
    for (const expected of [1, 2, 3]) {
      for (let turn = 0; turn < 200 && looks < expected; turn++) {
        clock.advance(1000)
        await new Promise((resolve) => setImmediate(resolve))
      }
      expect(looks).toBe(expected)
    }
    await watch.stop()
    clock.advance(1_000_000)
    await new Promise((resolve) => setImmediate(resolve))
    expect(looks).toBe(3)
    const never = open({ clock, pollSeconds: null })
    never.start()
    clock.advance(1_000_000)
    await new Promise((resolve) => setImmediate(resolve))
    expect(looks).toBe(3)
  })
})

describe('webhooks', () => {
  const delivery = (payload: object, secret = 'secret', event = 'issues') => {
    const body = Buffer.from(JSON.stringify({ repository: { full_name: repo }, sender: { login: 'ada' }, ...payload }))
    return { event, body, signature: `sha256=${createHmac('sha256', secret).update(body).digest('hex')}` }
  }

  it('[GH4] accepts only a valid signature, and is off without a secret', async () => {
    const closed = { action: 'closed', issue: { number: issue } }
    await expect(open().receive(delivery(closed, 'other'))).rejects.toMatchObject({
      code: 'invalid_signature',
      status: 401,
    })
    const off = open({ webhook: { secret: undefined, variable: 'SECRET' } })
    await expect(off.receive(delivery(closed))).rejects.toMatchObject({ code: 'webhooks_off', status: 404 })
    expect(noticed).toEqual([])
  })

  it('[GH1] notices each change once, however often it is delivered and polled', async () => {
    const watch = open()
    const closed = { action: 'closed', issue: { number: issue, state_reason: 'completed' } }
    // The forge, not the delivery, knows how the issue was closed.
    forge.dropIssue(issue)
    expect(await watch.receive(delivery(closed))).toEqual({ noticed: true })
    expect(await watch.receive(delivery(closed))).toEqual({ noticed: false })
    await watch.look()
    expect(noticed).toMatchObject([{ change: 'closed', dropped: true, by: 'ada', number: 1 }])
    const comment = { action: 'created', issue: { number: issue }, comment: { id: 9, body: 'Wait' } }
    expect(await watch.receive(delivery(comment, 'secret', 'issue_comment'))).toEqual({ noticed: true })
    expect(await watch.receive(delivery(comment, 'secret', 'issue_comment'))).toEqual({ noticed: false })
    const ours = { ...comment, comment: { id: 10, body: '<!-- convene:shop#1 -->\nours' } }
    expect(await watch.receive(delivery(ours, 'secret', 'issue_comment'))).toEqual({ noticed: false })
    for (const other of [
      { action: 'closed', issue: { number: 999 } },
      { action: 'opened', issue: { number: issue } },
      { repository: { full_name: 'acme/other' } },
    ])
      expect(await watch.receive(delivery(other))).toEqual({ noticed: false })
  })

  const told = (action: string, label?: string) =>
    delivery({ action, issue: { number: issue }, ...(label === undefined ? {} : { label: { name: label } }) })

  it('[GH1] ignores late and repeated deliveries: the state on the forge decides', async () => {
    const watch = open()
    // The issue is open: it was closed and reopened, or never closed.
    expect(await watch.receive(told('closed'))).toEqual({ noticed: false })
    await forge.closeIssue(issue)
    expect(await watch.receive(told('closed'))).toEqual({ noticed: true })
    await forge.reopenIssue(issue)
    expect(await watch.receive(told('reopened'))).toEqual({ noticed: true })
    for (const again of ['closed', 'reopened', 'closed'])
      expect(await watch.receive(told(again))).toEqual({ noticed: false })
    expect(await open().receive(told('closed'))).toEqual({ noticed: false })
    expect(await watch.receive(told('unlabeled', 'swarm:ready'))).toEqual({ noticed: false })
    expect(await watch.receive(told('labeled', 'swarm:done'))).toEqual({ noticed: false })
    expect(noticed).toMatchObject([
      { change: 'closed', by: 'ada' },
      { change: 'reopened', by: 'ada' },
    ])
  })

  it('[GH1] notices every difference, and attributes only the delivered one', async () => {
    await forge.closeIssue(issue)
    await forge.setLabels(issue, ['bug', 'Swarm:Done'])
    expect(await open().receive(told('labeled', 'swarm:done'))).toEqual({ noticed: true })
    expect(noticed.map(({ change, by }) => [change, by])).toEqual([
      ['closed', undefined],
      ['label_removed', undefined],
      ['label_added', 'ada'],
    ])
  })

  it('[GH3] notices nothing if the forge cannot be reached, and returns an error to the sender', async () => {
    const watch = open()
    await forge.closeIssue(issue)
    const failing = (code: ForgeFailure, retryable: boolean) => {
      forge.before = () => {
        throw new ForgeFailed(code, 'down', { retryable })
      }
    }
    failing('forge_unavailable', true)
    await expect(watch.receive(told('closed'))).rejects.toMatchObject({ code: 'forge_unreachable', status: 503 })
    failing('forge_unauthorized', false)
    await expect(watch.receive(told('closed'))).rejects.toMatchObject({ code: 'forge_unauthorized', status: 503 })
    failing('forge_not_found', false)
    expect(await watch.receive(told('closed'))).toEqual({ noticed: false })
    expect(noticed).toEqual([])
    forge.before = () => {}
    await watch.look()
    expect(changes()).toEqual(['closed'])
    expect(await watch.receive(told('closed'))).toEqual({ noticed: false })
  })

  it('[GH3] ignores our own changes made while it asks the forge', async () => {
    const watch = open()
    const read = forge.getIssue.bind(forge)
    let isTold = false
    forge.getIssue = async (number) => {
      const found = await read(number)
      if (isTold) return found
      isTold = true
      await outbox.queue({ feature: 'shop', number: 1, issue, want: { state: 'DONE', closed: true } })
      await outbox.flush()
      return found
    }
    await forge.setLabels(issue, ['bug'])
    await watch.receive(told('unlabeled', 'swarm:ready'))
    expect(noticed).toEqual([])
    expect(await read(issue)).toMatchObject({ state: 'closed', labels: ['bug', 'swarm:done'] })
  })

  it('[GH1] notices a comment once, delivered or polled, even after a restart', async () => {
    const id = forge.addComment(issue, 'Wait')
    const comment = delivery(
      { action: 'created', issue: { number: issue }, comment: { id, body: 'Wait' } },
      'secret',
      'issue_comment',
    )
    await open().look()
    for (const watch of [open(), open({ outbox: log.outbox(forge) })]) {
      expect(await watch.receive(comment)).toEqual({ noticed: false })
      await watch.look()
    }
    expect(changes()).toEqual(['commented'])
  })

  it('rejects an unreadable delivery and says where', async () => {
    const watch = open()
    await expect(watch.receive(delivery({ action: 'closed', issue: { number: '1' } }))).rejects.toMatchObject({
      code: 'invalid_input',
      status: 400,
      path: 'issue.number',
    })
    const body = Buffer.from('payload=%7B%7D')
    const signature = `sha256=${createHmac('sha256', 'secret').update(body).digest('hex')}`
    await expect(watch.receive({ event: 'ping', body, signature })).rejects.toMatchObject({ status: 400 })
    await expect(watch.receive({ event: 'issues', body, signature: undefined })).rejects.toMatchObject({ status: 401 })
    expect(await watch.receive(delivery({ zen: 'x' }, 'secret', 'ping'))).toEqual({ noticed: false })
  })

  it('[GH3] treats a queued change that is not yet recorded as sent as ours', async () => {
    const watch = open()
    await outbox.queue({ feature: 'shop', number: 1, issue, want: { state: 'DONE', closed: true } })
    expect(await watch.receive(delivery({ action: 'closed', issue: { number: issue } }))).toEqual({ noticed: false })
    const label = { action: 'labeled', issue: { number: issue }, label: { name: 'swarm:done' } }
    expect(await watch.receive(delivery(label))).toEqual({ noticed: false })
  })
})
