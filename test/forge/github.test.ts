/** GitHub through Octokit passes the forge's contract suite, and checks specific to GitHub. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Forge, ForgeFailed, marked, markerFor } from '../../src/forge/forge.ts'
import { ownLabelDefinitions } from '../../src/forge/own-labels.ts'
import { forgeContract } from '../contract/forge.ts'
import { type Fault, FaultProxy } from './fault-proxy.ts'
import { GitHubEmulator, repo, token } from './github-emulator.ts'

let github: GitHubEmulator

beforeAll(async () => {
  github = await GitHubEmulator.start()
})
afterAll(() => github.stop())

forgeContract('GitHub', async () => github.opened(github.forge()))

describe('GitHub over a bad connection', () => {
  let proxy: FaultProxy
  let forge: Forge
  let issue: number

  beforeEach(async () => {
    proxy = new FaultProxy(github.url)
    forge = github.forge({ apiUrl: await proxy.start(), timeoutMs: 30_000 })
    issue = await github.opened(forge).addIssue({ title: 'A' })
  })
  afterEach(async () => {
    await proxy.stop()
    github.reset()
  })

  const failing = async (call: () => Promise<unknown>, fault: Fault): Promise<ForgeFailed> => {
    proxy.fault = () => fault
    const error = await call().then(
      () => null,
      (thrown: unknown) => thrown,
    )
    proxy.fault = () => undefined
    expect(error).toBeInstanceOf(ForgeFailed)
    return error as ForgeFailed
  }
  const status = (code: number, headers: Record<string, string> = {}, message = 'no'): Fault => ({
    kind: 'status',
    status: code,
    headers,
    body: { message },
  })

  it.each([
    [status(401), 'forge_unauthorized', 'GITHUB_TOKEN'],
    [status(403), 'forge_forbidden', 'write access'],
    [status(404), 'forge_not_found', 'forge.github.repo'],
    [status(410), 'forge_not_found', 'switched off'],
    [status(422, {}, 'Validation Failed'), 'forge_refused', 'Validation Failed'],
    [status(418), 'forge_refused', 'forge.github.api_url'],
  ])('[GH3] says what to do if a retry is useless: %j', async (fault, code, words) => {
    const error = await failing(() => forge.setLabels(issue, ['a']), fault)
    expect(error).toMatchObject({ code, retryable: false, retryAfterMs: undefined })
    expect(error.message).toContain(words)
    expect(proxy.requests).toHaveLength(1)
  })

  it.each([
    [status(429, { 'retry-after': '7' }), 'forge_rate_limited', 7000],
    [status(403, { 'retry-after': '30' }, 'You have exceeded a secondary rate limit'), 'forge_rate_limited', 30_000],
    [status(403, {}, 'You have exceeded a secondary rate limit.'), 'forge_rate_limited', 60_000],
    [status(403, { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1893456010' }), 'forge_rate_limited', 11_000],
    [status(429, { 'retry-after': 'Tue, 01 Jan 2030 00:00:05 GMT' }), 'forge_rate_limited', 5000],
    [status(429), 'forge_rate_limited', 60_000],
    [status(500), 'forge_unavailable', undefined],
    [status(502), 'forge_unavailable', undefined],
    [status(503, { 'retry-after': '2' }), 'forge_unavailable', 2000],
    [{ kind: 'reset' } as Fault, 'forge_unreachable', undefined],
    [{ kind: 'lost' } as Fault, 'forge_unreachable', undefined],
    [{ kind: 'torn' } as Fault, 'forge_unreachable', undefined],
    [{ kind: 'silent' } as Fault, 'forge_unreachable', undefined],
  ])('[GH3] says when to retry: %j', async (fault, code, retryAfterMs) => {
    const now = () => Date.UTC(2030, 0, 1)
    forge = github.forge({ apiUrl: proxy.address, timeoutMs: fault.kind === 'silent' ? 400 : 30_000, now })
    const error = await failing(() => forge.getIssue(issue), fault)
    expect(error).toMatchObject({ code, retryable: true, retryAfterMs })
    expect(proxy.requests.length).toBeLessThanOrEqual(2)
  })

  it('[GH3] retries a read once by itself, and never a create', async () => {
    proxy.fault = (_, count) => (count === 0 ? { kind: 'status', status: 502 } : undefined)
    expect((await forge.getIssue(issue)).title).toBe('A')
    expect(proxy.requests).toHaveLength(2)
    for (const kind of ['lost', 'torn', 'reset'] as const) {
      proxy.requests.splice(0)
      proxy.fault = ({ method }) => (method === 'POST' ? { kind } : undefined)
      await expect(forge.putComment(issue, markerFor('shop', 1), 'text')).rejects.toMatchObject({ retryable: true })
      expect(proxy.writes()).toHaveLength(1)
      proxy.fault = () => undefined
      await forge.putComment(issue, markerFor('shop', 1), `after ${kind}`)
      expect(await github.commentsOf(issue)).toEqual([marked(markerFor('shop', 1), `after ${kind}`)])
      issue = await github.opened(forge).addIssue({ title: kind })
    }
  })

  it('[GH3] a pull request whose response was lost is found, not opened again', async () => {
    const request = { head: 'convene/shop/main', base: 'main', title: 'T', body: 'B', marker: markerFor('shop', 0) }
    proxy.fault = ({ method }) => (method === 'POST' ? { kind: 'lost' } : undefined)
    await expect(forge.openPullRequest(request)).rejects.toMatchObject({ code: 'forge_unreachable' })
    proxy.fault = () => undefined
    expect(await forge.openPullRequest(request)).toMatchObject({ created: false })
    expect(await github.opened(forge).pullRequests()).toHaveLength(1)
  })

  it('[GH3] a pull request that is not listed yet is found when a second one is rejected', async () => {
    const request = { head: 'convene/late/main', base: 'main', title: 'T', body: 'B', marker: markerFor('late', 0) }
    const { number } = await github.forge().openPullRequest(request)
    proxy.fault = ({ method }, count) => {
      if (method === 'GET' && count === 0) return { kind: 'status', status: 200, body: [] }
      return method === 'POST' ? { kind: 'status', status: 422, body: { message: 'already exists' } } : undefined
    }
    expect(await forge.openPullRequest(request)).toMatchObject({ number, created: false })
    proxy.fault = ({ method }) => (method === 'POST' ? { kind: 'status', status: 422 } : undefined)
    const refused = forge.openPullRequest({ ...request, head: 'convene/none/main' })
    await expect(refused).rejects.toMatchObject({ code: 'forge_refused' })
  })

  it('[GH1] a label that another process created meanwhile is not a failure', async () => {
    proxy.fault = ({ method, path }) =>
      method === 'GET' && path.includes('/labels?') ? { kind: 'status', status: 200, body: [] as unknown } : undefined
    await github.forge().ensureLabels(ownLabelDefinitions())
    await forge.ensureLabels(ownLabelDefinitions())
    expect(proxy.writes()).toHaveLength(4)
  })

  it('[GH3] does not mistake a stranger for itself: anybody can write a marker', async () => {
    const marker = markerFor('shop', 1)
    const path = `/repos/${repo}/issues/${issue}/comments`
    await github.call('POST', path, { body: marked(marker, 'spoofed') }, 'stranger')
    expect((await forge.putComment(issue, marker, 'true')).created).toBe(true)
    expect(await github.commentsOf(issue)).toEqual([marked(marker, 'spoofed'), marked(marker, 'true')])
  })

  it('a response that is not GitHub’s means a wrong address, not a crash', async () => {
    for (const body of ['<html>', null, { number: 'x' }, []]) {
      const error = await failing(() => forge.getIssue(issue), { kind: 'status', status: 200, body })
      expect(error).toMatchObject({ code: 'forge_refused', retryable: false })
      expect(error.message).toContain('forge.github.api_url')
    }
  })

  it('[GH4] the token is sent to the forge and appears nowhere else', async () => {
    const said: string[] = []
    for (const method of ['log', 'info', 'warn', 'error', 'debug'] as const) {
      const original = console[method]
      console[method] = (...words: unknown[]) => void said.push(words.map(everything).join(' '))
      restore.push(() => {
        console[method] = original
      })
    }
    const echo = { message: `bad credentials: ${token} / ${encodeURIComponent(token)} / ${btoa(`x:${token}`)}` }
    const faults: Fault[] = [401, 403, 404, 422, 500].map((code) => ({ kind: 'status', status: code, body: echo }))
    for (const fault of [...faults, { kind: 'reset' } as const]) {
      const error = await failing(() => forge.getIssue(issue), fault)
      said.push(everything(error), error.stack ?? '', JSON.stringify(error.body()))
    }
    for (const undo of restore.splice(0)) undo()
    expect(proxy.requests[0]!.headers.authorization).toBe(`token ${token}`)
    expect(said.length).toBeGreaterThan(10)
    expect(said.join('\n')).not.toContain(token)
    expect(said.join('\n')).not.toContain(btoa(`x:${token}`).slice(4, -4))
  })

  it('prints nothing when a request fails', async () => {
    const printed: unknown[] = []
    const { warn, error } = console
    console.warn = (...words) => void printed.push(words)
    console.error = (...words) => void printed.push(words)
    await failing(() => forge.getIssue(issue), status(404))
    Object.assign(console, { warn, error })
    expect(printed).toEqual([])
  })

  it("[GH3] respects GitHub's pace, and still reports a rate limit at once", async () => {
    // Not the literal loopback name, so it counts as a remote forge.
    const elsewhere = github.forge({ apiUrl: proxy.address.replace('127.0.0.1', '0.0.0.0') })
    expect((await elsewhere.getIssue(issue)).title).toBe('A')
    const limited = status(403, { 'retry-after': '3600' }, 'You have exceeded a secondary rate limit')
    expect(await failing(() => elsewhere.getIssue(issue), limited)).toMatchObject({ retryAfterMs: 3_600_000 })
    expect(proxy.requests).toHaveLength(2)
  })

  it('[GH3] aborts what is in flight with its owner', async () => {
    const owner = new AbortController()
    const stopping = github.forge({ apiUrl: proxy.address, timeoutMs: 50_000, signal: owner.signal })
    proxy.fault = () => ({ kind: 'silent' })
    const call = stopping.getIssue(issue)
    call.catch(() => {})
    while (proxy.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
    owner.abort()
    await expect(call).rejects.toMatchObject({ code: 'forge_unreachable', retryable: true })
  })
})

const restore: (() => void)[] = []

/** Including non-enumerable properties, and causes of causes. */
function everything(value: unknown, depth = 0): string {
  if (typeof value !== 'object' || value === null || depth > 6) return String(value)
  return Reflect.ownKeys(value)
    .map((key) => `${String(key)}=${everything((value as Record<PropertyKey, unknown>)[key], depth + 1)}`)
    .join(' ')
}
