/** The issue loop and GitHub: what an issue's state is here, it is there; one label, one comment, and the token nowhere. */
import { execFileSync } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
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

/** Nothing that is kept, and nothing that was said. */
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

describe('a feature whose issues are on GitHub', () => {
  it(
    '[GH1] [GH2] [GH3] [GH4] labels, comment and end follow the states, through blocked, unblocked and done',
    limit,
    async () => {
      const [one, two, three] = (await opened('One', 'Two', 'Three')) as [number, number, number]
      const first = built(1)
      const name = 'test/f1.test.js'
      // What agents and tests see holds no secret: the test itself looks.
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
      // Of both tries: the retries are told by their number, in the same comment.
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

  it(
    '[GH3] [GH4] while GitHub fails in every way, work goes on; afterwards the tracker catches up',
    limit,
    async () => {
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
        // Some servers put what they were given into what they say.
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
        { timeout: 60_000, interval: 1000 },
      )
      for (const issue of [one, two]) expect((await shown(issue)).comments).toHaveLength(1)
      expectNoSecrets(project, greenlit, ran)
    },
  )

  it('[GH3] killed between what was sent and its being written down, nothing is doubled', limit, async () => {
    const [one] = (await opened('One')) as [number]
    const project = shipProject([{ number: 1, github: one }], [built(1)], { config: configOf() })
    let commented = false
    proxy.fault = ({ method, path }) => {
      if (method !== 'POST' || !path.endsWith(`/issues/${one}/comments`) || commented) return undefined
      commented = true
      return { kind: 'lost in silence' }
    }
    const greenlit = start([...greenlight, '--json'], { cwd: project.folder })
    await vi.waitFor(async () => expect(await github.commentsOf(one)).toHaveLength(1), { timeout: 60_000 })
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

  it('a finished feature is pushed and proposed, where that is wanted', limit, async () => {
    const [one] = (await opened('One')) as [number]
    const project = shipProject([{ number: 1, github: one }], [built(1)], { config: configOf() })
    const remote = join(project.folder, '../acme/shop.git')
    mkdirSync(remote, { recursive: true })
    execFileSync('git', ['init', '--quiet', '--bare', remote])
    expectExit(await project.convene(...greenlight), 0)
    const refused = await project.convene('run', 'demo', '--pull-request')
    expectExit(refused, 1)
    expect(reportOf(refused).reason).toContain('no remote of this repository is acme/shop')

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
  })
})

describe('what people do on GitHub', () => {
  it(
    '[GH1] is noticed by looking and by webhooks: closing counts, labels are put right, comments are shown',
    limit,
    async () => {
      const numbers = (await opened('One', 'Two', 'Three', 'Four')) as [number, number, number, number]
      const [one, two, three, four] = numbers
      const project = shipProject(
        numbers.map((issue, index) => ({ number: index + 1, github: issue })),
        [],
        { config: configOf({ poll_seconds: 1 }) },
      )
      expectExit(await project.convene(...greenlight), 0)
      const server = start(['serve', '--port', '0'], { cwd: project.folder })
      const [address] = await server.says(/http:\/\/[\d.]+:\d+/)
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
          expect(lineOf(report, 3).notices?.map(({ change: what, text }) => text ?? what)).toContain(
            'Please wait for me',
          )
          expect((await shown(three)).labels).toEqual(['mine', 'swarm:ready', 'urgent'])
        },
        { timeout: 60_000, interval: 500 },
      )
      expect(lineOf(await status(), 1).evidence).toMatchObject([{ kind: 'person' }])
      expect((await shown(one)).labels).toEqual(['mine', 'swarm:done'])

      const payload = JSON.stringify({
        action: 'closed',
        issue: { number: four },
        repository: { full_name: repo },
        sender: { login: 'stranger' },
      })
      const deliver = (signature: string) =>
        fetch(`${address}/api/webhooks/github`, {
          method: 'POST',
          headers: { 'x-github-event': 'issues', 'x-hub-signature-256': signature, 'content-type': 'application/json' },
          body: payload,
        })
      const sign = (key: string) => `sha256=${createHmac('sha256', key).update(payload).digest('hex')}`
      expect((await deliver(sign('wrong'))).status).toBe(401)
      const heard = await deliver(sign(secret))
      expect([heard.status, await heard.json()]).toEqual([202, { noticed: true }])
      expect(lineOf(await status(), 4)).toMatchObject({
        state: 'DONE',
        evidence: [{ kind: 'person', detail: 'closed on the forge by stranger' }],
      })
      expect(await (await deliver(sign(secret))).json()).toEqual({ noticed: false })
      server.child.kill('SIGTERM')
      await server.finished
      expectNoSecrets(project)
      // Each was noticed once, however often it was looked.
      const noticed = ofType(await project.events(), 'forge.changed').map(
        ({ number, change: what }) => `${number} ${what}`,
      )
      expect(noticed.filter((one) => one.endsWith('closed')).sort()).toEqual(['1 closed', '2 closed', '4 closed'])
      expect(noticed.filter((one) => one.endsWith('commented'))).toEqual(['3 commented'])
    },
  )
})
