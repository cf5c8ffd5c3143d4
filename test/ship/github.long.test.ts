/** The issue loop with GitHub: issue states match, with one label and one comment each, and the token leaks nowhere. */
import { execFileSync } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { expectExit, ofType, type Project } from '../build/project.ts'
import { type Fault, FaultProxy } from '../forge/fault-proxy.ts'
import { GitHubEmulator, repo, token } from '../forge/github-emulator.ts'
import { start } from '../support/convene.ts'
import { built, lineOf, reportOf, shipProject, states } from './project.ts'

let github: GitHubEmulator
let proxy: FaultProxy
const secret = 'a-webhook-secret-9876'

beforeAll(async () => {
  github = await GitHubEmulator.start()
  proxy = new FaultProxy(github.url)
  await proxy.start()
  process.env.SHOP_FORGE = token
  process.env.SHOP_HOOK = secret
})

afterEach(() => {
  proxy.fault = () => undefined
})

afterAll(async () => {
  delete process.env.SHOP_FORGE
  delete process.env.SHOP_HOOK
  await proxy.stop()
  await github.stop()
})

const limit = { timeout: 300_000 }
const greenlight = ['greenlight', 'demo', '--issues', 'issues.json']

const configOf = (more: object = {}) => ({
  forge: {
    github: { repo, api_url: proxy.address, token_env: 'SHOP_FORGE', webhook_secret_env: 'SHOP_HOOK', ...more },
  },
})

/** Issues that a person opened. */
async function opened(...titles: string[]): Promise<number[]> {
  const numbers: number[] = []
  for (const title of titles) {
    const issue = { title, labels: ['mine'] }
    numbers.push((await github.call<{ number: number }>('POST', `/repos/${repo}/issues`, issue)).number)
  }
  return numbers
}

interface Shown {
  state: string
  labels: { name: string }[]
}

async function shown(issue: number) {
  const { state, labels } = await github.call<Shown>('GET', `/repos/${repo}/issues/${issue}`)
  return { state, labels: labels.map(({ name }) => name).sort(), comments: await github.commentsOf(issue) }
}

/** Neither stored data nor output may contain the token. */
function expectNoSecrets(project: Project, ...said: { stdout: string; stderr: string }[]): void {
  const kept = [join(project.folder, '.convene'), project.worktrees].flatMap((folder) => filesBelow(folder))
  expect(kept.length).toBeGreaterThan(3)
  for (const file of kept)
    for (const word of [token, secret]) expect(readFileSync(file).includes(word), file).toBe(false)
  for (const { stdout, stderr } of said)
    for (const word of [token, secret]) expect(`${stdout}${stderr}`).not.toContain(word)
}

function filesBelow(folder: string): string[] {
  try {
    const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
    return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
  } catch {
    return []
  }
}

describe('a feature whose project turns the forge off', () => {
  it(
    '[GH1] [EV1] [FA1] asks GitHub nothing and mirrors nothing; the coordinator still orders and advises',
    limit,
    async () => {
      const [one, two] = (await opened('One', 'Two')) as [number, number]
      const project = shipProject(
        [
          { number: 1, github: one },
          { number: 2, github: two },
          { number: 3, depends_on: [1] },
        ],
        [
          { when: { ask: 'select-issue' }, reply: { issue: 2, reason: 'the riskier one' } },
          // After two failed retries the coordinator is asked what to do.
          ...[1, 2, 3].map(() => built(2, 'value')),
          {
            when: { ask: 'failure-analysis' },
            reply: { diagnosis: 'implementation_bug', recommendation: 'retry', reason: 'it has to add one' },
          },
          built(2),
          built(1),
          built(3),
        ],
        {
          config: {
            ...configOf({ create_issues: true }),
            build: { test: 'node --test', max_parallel: 1 },
            coordination: { github_sync_enabled: false, llm_coordinator_enabled: true, event_logging_enabled: false },
          },
        },
      )
      const before = proxy.requests.length
      expectExit(await project.convene(...greenlight), 0)
      const ran = await project.convene('run', 'demo')
      expectExit(ran, 0)
      expect(states(ran.report)).toEqual([
        [1, 'DONE'],
        [2, 'DONE'],
        [3, 'DONE'],
      ])
      const events = await project.events()
      expect(ofType(events, 'order.chosen')).toMatchObject([{ issue: 2, reason: 'the riskier one' }])
      expect(ofType(events, 'failure.analysed').some(({ by }) => by === 'coordinator')).toBe(true)
      // No label, comment, new issue or poll, and no file for people who read the mirror.
      expect(proxy.requests.slice(before)).toEqual([])
      expect((await shown(one)).labels).toEqual(['mine'])
      expect(ofType(events, 'forge.queued')).toEqual([])
      expect(existsSync(join(project.folder, '.convene/events'))).toBe(false)
    },
  )
})

describe('a feature whose issues are on GitHub', () => {
  it(
    '[GH1] [GH2] [GH3] [GH4] has labels, a comment and a closing that follow the states through blocked, unblocked and done',
    limit,
    async () => {
      const [one, two, three] = (await opened('One', 'Two', 'Three')) as [number, number, number]
      const first = built(1)
      const name = 'test/f1.test.js'
      // Agents and tests see no secret: the test itself checks its environment.
      const look = `test('no secrets', () => { for (const word of [['not-a-real', 'token-0123456789'].join('-'), ['a-webhook', 'secret-9876'].join('-')]) assert.ok(!JSON.stringify(process.env).includes(word)); assert.equal(f1(1), 2) })\n`
      const files = first.files as Record<string, string>
      const looking = {
        ...first,
        files: {
          ...files,
          'src/f1.js': `/** Adds one, PURPOSE-MARK. */\n${files['src/f1.js']}`,
          [name]: files[name] + look,
        },
      }
      const lines = [looking, ...[1, 2, 3, 4].map(() => built(2, 'value')), built(2), built(3)]
      const project = shipProject(
        [
          { number: 1, github: one },
          { number: 2, github: two },
          { number: 3, github: three, depends_on: [2] },
        ],
        lines,
        { config: configOf() },
      )
      expectExit(await project.convene(...greenlight), 0)
      expect(await shown(one)).toMatchObject({ state: 'open', labels: ['mine', 'swarm:ready'] })

      const ran = await project.convene('run', 'demo')
      expectExit(ran, 1)
      expect(states(ran.report)).toEqual([
        [1, 'DONE'],
        [2, 'BLOCKED'],
        [3, 'SKIPPED'],
      ])
      const done = await shown(one)
      expect(done).toMatchObject({ state: 'closed', labels: ['mine', 'swarm:done'] })
      expect(done.comments).toHaveLength(1)
      expect(done.comments[0]).toContain(lineOf(reportOf(ran), 1).commit)
      expect(done.comments[0]).toContain('`src/f1.js` (created) — Adds one, PURPOSE-MARK')
      expect(done.comments[0]).toMatch(/\*\*Tests:\*\* \d+\/\d+ passed/)
      const blocked = await shown(two)
      expect(blocked).toMatchObject({ state: 'open', labels: ['mine', 'swarm:blocked'] })
      expect(blocked.comments).toHaveLength(1)
      expect(blocked.comments[0]).toContain('convene unblock demo --issue 2')
      expect(blocked.comments[0]).toContain('1 == 2')
      // What the last attempt changed, not what was planned.
      expect(blocked.comments[0]).toContain('`src/f2.js` (created)')
      expect(blocked.comments[0]).not.toContain(project.worktrees)
      const skipped = await shown(three)
      expect(skipped.labels).toEqual(['mine', 'swarm:blocked'])
      expect(skipped.comments).toEqual([expect.stringContaining('which is BLOCKED')])

      const unblocked = await project.convene('unblock', 'demo', '--issue', '2')
      expectExit(unblocked, 0)
      expect((await shown(two)).labels).toEqual(['mine', 'swarm:ready'])
      const second = await project.convene('run', 'demo')
      expectExit(second, 0)
      for (const issue of [two, three]) {
        const last = await shown(issue)
        expect(last).toMatchObject({ state: 'closed', labels: ['mine', 'swarm:done'] })
        expect(last.comments).toHaveLength(1)
      }
      // One comment covers both attempts and numbers the retries.
      const told = proxy.writes().filter(({ path }) => path.includes('comments'))
      expect(told.some(({ body }) => body.includes('Retry 3 of 3'))).toBe(true)

      const reverted = project.git('rev-parse', 'convene/demo/main')
      project.git('checkout', '--quiet', 'convene/demo/main')
      project.git('revert', '--no-edit', reverted)
      project.git('checkout', '--quiet', 'main')
      expectExit(await project.convene(...greenlight), 0)
      expect(await shown(three)).toMatchObject({ state: 'open', labels: ['mine', 'swarm:ready'] })
      expectNoSecrets(project, ran, second)
    },
  )

  it('takes its issues from a label with --from-github', limit, async () => {
    const [login] = (await opened('Sign in')) as [number]
    const body = { body: '## Acceptance criteria\n- it signs in', labels: ['shop'] }
    await github.call('PATCH', `/repos/${repo}/issues/${login}`, body)
    const project = shipProject([], [], { config: configOf() })
    const admitted = await project.convene('greenlight', 'shop', '--from-github', 'label:shop')
    expectExit(admitted, 0)
    expect(reportOf(admitted).issues.map(({ number, title, state }) => [number, title, state])).toEqual([
      [login, 'Sign in', 'READY'],
    ])
    expect((await shown(login)).labels).toEqual(['shop', 'swarm:ready'])
    const wrong = await project.convene('greenlight', 'shop', '--from-github', 'everything')
    expectExit(wrong, 2)
  })

  it('[GH3] [GH4] keeps working while GitHub fails in every way, and then the tracker catches up', limit, async () => {
    const [one, two] = (await opened('One', 'Two')) as [number, number]
    const project = shipProject(
      [
        { number: 1, github: one },
        { number: 2, github: two },
      ],
      [built(1), built(2)],
      { config: configOf() },
    )
    const faults: Fault[] = [
      { kind: 'status', status: 403, headers: { 'retry-after': '1' }, body: { message: 'secondary rate limit' } },
      { kind: 'status', status: 429, headers: { 'retry-after': '1' } },
      { kind: 'lost' },
      { kind: 'reset' },
      { kind: 'torn' },
      { kind: 'silent' },
      { kind: 'status', status: 502 },
    ]
    let failed = 0
    proxy.fault = ({ headers }) => {
      const fault = faults[failed++ % (faults.length + 1)]
      // Some servers echo the request in their response.
      return fault ?? { kind: 'status', status: 500, body: { message: `bad ${headers.authorization}` } }
    }
    const greenlit = await project.convene(...greenlight)
    expectExit(greenlit, 0)
    const ran = await project.convene('run', 'demo')
    expectExit(ran, 0)
    expect(states(ran.report).map(([, state]) => state)).toEqual(['DONE', 'DONE'])
    const troubles = ofType(await project.events(), 'forge.failed').map(({ code }) => code)
    expect(troubles.length).toBeGreaterThan(0)

    proxy.fault = () => undefined
    await vi.waitFor(
      async () => {
        expectExit(await project.convene('run', 'demo'), 0)
        for (const issue of [one, two])
          expect(await shown(issue)).toMatchObject({ state: 'closed', labels: ['mine', 'swarm:done'] })
      },
      { timeout: 240_000, interval: 1000 },
    )
    for (const issue of [one, two]) expect((await shown(issue)).comments).toHaveLength(1)
    expectNoSecrets(project, greenlit, ran)
  })

  it('[GH3] duplicates nothing when killed between sending and recording', limit, async () => {
    const [one] = (await opened('One')) as [number]
    const project = shipProject([{ number: 1, github: one }], [built(1)], { config: configOf() })
    let commented = false
    proxy.fault = ({ method, path }) => {
      if (method !== 'POST' || !path.endsWith(`/issues/${one}/comments`) || commented) return undefined
      commented = true
      return { kind: 'lost in silence' }
    }
    const greenlit = start([...greenlight, '--json'], { cwd: project.folder })
    await vi.waitFor(async () => expect(await github.commentsOf(one)).toHaveLength(1), { timeout: 240_000 })
    greenlit.child.kill('SIGKILL')
    await greenlit.finished
    const before = await project.events()
    expect(ofType(before, 'forge.queued')).toHaveLength(1)
    expect(ofType(before, 'forge.sent')).toHaveLength(0)

    expectExit(await project.convene('run', 'demo'), 0)
    const last = await shown(one)
    expect(last).toMatchObject({ state: 'closed', labels: ['mine', 'swarm:done'] })
    expect(last.comments).toHaveLength(1)
    expect(
      proxy.writes().filter(({ method, path }) => method === 'POST' && path.endsWith(`/issues/${one}/comments`)),
    ).toHaveLength(1)
  })

  it('is pushed and opened as a pull request if configured', limit, async () => {
    const [one] = (await opened('One')) as [number]
    const project = shipProject([{ number: 1, github: one }], [built(1)], { config: configOf() })
    const remote = join(project.folder, '../acme/shop.git')
    mkdirSync(remote, { recursive: true })
    execFileSync('git', ['init', '--quiet', '--bare', remote])
    expectExit(await project.convene(...greenlight), 0)
    const refused = await project.convene('run', 'demo', '--pull-request')
    expectExit(refused, 1)
    expect(reportOf(refused).reason).toContain('no remote of this repository is acme/shop')
    expect(reportOf(refused).reason).toContain('git remote add github https://github.com/acme/shop.git')

    project.git('remote', 'add', 'forge', remote)
    const ran = await project.convene('run', 'demo', '--pull-request')
    expectExit(ran, 0)
    const { pull_request } = ran.report as unknown as { pull_request: { number: number; url: string } }
    const pull = await github.call<{ title: string; body: string; head: { ref: string }; base: { ref: string } }>(
      'GET',
      `/repos/${repo}/pulls/${pull_request.number}`,
    )
    expect(pull).toMatchObject({
      title: 'feat(demo): Function f1',
      head: { ref: 'convene/demo/main' },
      base: { ref: 'main' },
    })
    expect(pull.body).toContain(`closes #${one}`)
    const pushed = execFileSync('git', ['rev-parse', 'refs/heads/convene/demo/main'], { cwd: remote, encoding: 'utf8' })
    expect(pushed.trim()).toBe(project.git('rev-parse', 'convene/demo/main'))
    const again = await project.convene('run', 'demo', '--pull-request')
    expectExit(again, 0)
    expect((again.report as unknown as { pull_request: object }).pull_request).toEqual(pull_request)
    await github.call('PATCH', `/repos/${repo}/pulls/${pull_request.number}`, { state: 'closed' })
  })

  it('[GH3] has its pull request retried while GitHub fails, and opened once', limit, async () => {
    const project = shipProject([{ number: 1 }], [built(1)], { config: configOf() })
    const remote = join(project.folder, '../acme/shop.git')
    mkdirSync(remote, { recursive: true })
    execFileSync('git', ['init', '--quiet', '--bare', remote])
    // What GitHub answers, the first time only.
    const failing = '#!/bin/sh\n[ -e refused ] && exit 0\ntouch refused\necho Internal Server Error >&2\nexit 1\n'
    writeFileSync(join(remote, 'hooks/pre-receive'), failing, { mode: 0o755 })
    project.git('remote', 'add', 'forge', remote)
    expectExit(await project.convene(...greenlight), 0)

    const isOpening = ({ method, path }: { method: string; path: string }) =>
      method === 'POST' && path.endsWith('/pulls')
    const opening = () => proxy.requests.filter(isOpening)
    const openNow = async () => {
      const pulls = await github.call<{ number: number }[]>('GET', `/repos/${repo}/pulls?state=open`)
      return pulls.map(({ number }) => number)
    }
    const before = opening().length
    const faults: Fault[] = [{ kind: 'status', status: 503 }, { kind: 'reset' }, { kind: 'lost' }]
    proxy.fault = (request) => (isOpening(request) ? faults.shift() : undefined)
    const ran = await project.convene('run', 'demo', '--pull-request')
    expectExit(ran, 0)
    const [pull, ...others] = await openNow()
    expect(others).toEqual([])
    expect(ran.report).toMatchObject({ status: 'done', pull_request: { number: pull } })
    expect(opening()).toHaveLength(before + 3)
    expect(readdirSync(remote)).toContain('refused')

    // Down for longer than any retry: the report says so and how to try again.
    await github.call('PATCH', `/repos/${repo}/pulls/${pull}`, { state: 'closed' })
    proxy.fault = (request) =>
      isOpening(request) ? { kind: 'status', status: 503, headers: { 'retry-after': '3600' } } : undefined
    const down = await project.convene('run', 'demo', '--pull-request')
    expectExit(down, 1)
    const { reason = '' } = reportOf(down)
    expect(reason).toMatch(/no pull request yet: .* answered 503/)
    expect(await openNow()).toEqual([])
    proxy.fault = () => undefined
    const [, command] = /convene (.*)$/.exec(reason)!
    expectExit(await project.convene(...command!.split(' ')), 0)
    expect(await openNow()).toHaveLength(1)
  })
})

describe('what people do on GitHub', () => {
  it('[GH1] is noticed by polling: closing counts, labels are corrected, comments are shown', limit, async () => {
    const numbers = (await opened('One', 'Two', 'Three', 'Four')) as [number, number, number, number]
    const [one, two, three] = numbers
    const project = shipProject(
      numbers.map((issue, index) => ({ number: index + 1, github: issue })),
      [],
      { config: configOf({ poll_seconds: 1 }) },
    )
    expectExit(await project.convene(...greenlight), 0)
    const server = start(['serve', '--port', '0'], { cwd: project.folder })
    await server.says(/http:\/\/[\d.]+:\d+/)
    await github.call('PATCH', `/repos/${repo}/issues/${one}`, { state: 'closed' })
    await github.call('PATCH', `/repos/${repo}/issues/${two}`, { state: 'closed', state_reason: 'not_planned' })
    await github.call('PUT', `/repos/${repo}/issues/${three}/labels`, { labels: ['mine', 'urgent', 'swarm:done'] })
    await github.call('POST', `/repos/${repo}/issues/${three}/comments`, { body: 'Please wait for me' }, 'stranger')
    const status = async () => reportOf(await project.convene('status', 'demo'))
    await vi.waitFor(
      async () => {
        const report = await status()
        expect(states(report)).toEqual([
          [1, 'DONE'],
          [2, 'SKIPPED'],
          [3, 'READY'],
          [4, 'READY'],
        ])
        expect(lineOf(report, 3).notices?.map(({ change: what, text }) => text ?? what)).toContain('Please wait for me')
        expect((await shown(three)).labels).toEqual(['mine', 'swarm:ready', 'urgent'])
      },
      { timeout: 240_000, interval: 500 },
    )
    expect(lineOf(await status(), 1).evidence).toMatchObject([{ kind: 'person' }])
    expect((await shown(one)).labels).toEqual(['mine', 'swarm:done'])

    server.child.kill('SIGTERM')
    await server.finished
    expectNoSecrets(project)
    // Each was noticed once, however often GitHub was polled.
    const noticed = ofType(await project.events(), 'forge.changed').map(
      ({ number, change: what }) => `${number} ${what}`,
    )
    expect(noticed.filter((one) => one.endsWith('closed')).sort()).toEqual(['1 closed', '2 closed'])
    expect(noticed.filter((one) => one.endsWith('commented'))).toEqual(['3 commented'])
  })

  it('[GH1] [GH3] [GH4] is looked up when a webhook arrives, however late or often', limit, async () => {
    const [one] = (await opened('One')) as [number]
    const project = shipProject([{ number: 1, github: one }], [], { config: configOf({ poll_seconds: 'none' }) })
    expectExit(await project.convene(...greenlight), 0)
    const line = async () => lineOf(reportOf(await project.convene('status', 'demo')), 1)
    const set = (state: string) => github.call('PATCH', `/repos/${repo}/issues/${one}`, { state })
    let server = await serving(project)

    const about = { issue: { number: one }, repository: { full_name: repo }, sender: { login: 'stranger' } }
    const closed = JSON.stringify({ action: 'closed', ...about })
    const reopened = JSON.stringify({ action: 'reopened', ...about })
    const comment = JSON.stringify({ action: 'created', ...about, comment: { id: 987654, body: 'Please wait' } })
    expect(await server.deliver('issues', closed, 'wrong')).toMatchObject([401, {}])
    // Nobody closed the issue, or somebody reopened it.
    expect(await server.deliver('issues', closed)).toEqual([202, { noticed: false }])
    expect((await line()).state).toBe('READY')

    await set('closed')
    proxy.fault = () => ({ kind: 'status', status: 503 })
    expect(await server.deliver('issues', closed)).toMatchObject([503, { error: { code: 'forge_unreachable' } }])
    proxy.fault = () => undefined
    expect((await line()).state).toBe('READY')
    expect(await server.deliver('issues', closed)).toEqual([202, { noticed: true }])
    expect(await line()).toMatchObject({
      state: 'DONE',
      evidence: [{ kind: 'person', detail: 'closed on the forge by stranger' }],
    })
    await set('open')
    expect(await server.deliver('issues', reopened)).toEqual([202, { noticed: true }])
    expect(await server.deliver('issue_comment', comment)).toEqual([202, { noticed: true }])
    for (const when of ['at once', 'after a restart']) {
      for (const [event, body] of [
        ['issues', closed],
        ['issues', reopened],
        ['issue_comment', comment],
      ] as const)
        expect(await server.deliver(event, body), when).toEqual([202, { noticed: false }])
      expect((await line()).state).toBe('READY')
      await server.stop()
      if (when === 'at once') server = await serving(project)
    }
    expect(await shown(one)).toMatchObject({ state: 'open', labels: ['mine', 'swarm:ready'] })
    const noticed = ofType(await project.events(), 'forge.changed').map(({ change: what }) => what)
    expect(noticed).toEqual(['closed', 'reopened', 'commented'])
  })

  it('rejects an unreadable webhook, and ignores unrelated ones', limit, async () => {
    const server = await serving(shipProject([{ number: 1 }], [], { config: configOf({ poll_seconds: 'none' }) }))
    for (const body of ['{not json', '[]', 'null', '{"action":"closed","issue":{"number":"7"}}'])
      expect((await server.deliver('issues', body))[0], body).toBe(400)
    const wrong = JSON.stringify({ action: 5, issue: null, repository: { full_name: repo } })
    expect(await server.deliver('issue_comment', wrong)).toMatchObject([400, { error: { code: 'invalid_input' } }])
    expect(await server.deliver('workflow_run', wrong)).toEqual([202, { noticed: false }])
    const other = JSON.stringify({ action: 'closed', repository: { full_name: 'acme/other' } })
    expect(await server.deliver('issues', other)).toEqual([202, { noticed: false }])
    await server.stop()
  })
})

/** A served project, and a sender of GitHub's webhooks. */
async function serving(project: Project) {
  const server = start(['serve', '--port', '0'], { cwd: project.folder })
  const [address] = await server.says(/http:\/\/[\d.]+:\d+/)
  return {
    async deliver(event: string, body: string, key = secret): Promise<[number, unknown]> {
      const signature = `sha256=${createHmac('sha256', key).update(body).digest('hex')}`
      const headers = { 'x-github-event': event, 'x-hub-signature-256': signature, 'content-type': 'application/json' }
      const answer = await fetch(`${address}/api/webhooks/github`, { method: 'POST', headers, body })
      return [answer.status, await answer.json()]
    },
    async stop(): Promise<void> {
      server.child.kill('SIGTERM')
      await server.finished
    },
  }
}
