/**
 * All models answer 429 for a while in the middle of a fan-out: nothing is lost, requests slow down, and the work ends
 * as usual.
 */
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { loadProvider, modelProviders } from '../../src/agents/models/providers.ts'
import { Emulator, models } from '../agents/emulator.ts'
import { actingModel } from '../build/acting-model.ts'
import { approved, expectExit, ofType } from '../build/project.ts'
import { FaultProxy } from '../forge/fault-proxy.ts'
import { agreeable, planFolder, ServedPlan } from '../plan/project.ts'
import { type Served, serve } from '../support/server.ts'
import { states } from './project.ts'
import { filesOf, passed, shellProject } from './shell-issues.ts'

const slow = 300_000
const emulator = new Emulator()
const stormMs = 1500
/** Without pacing, the retries would give up long before the storm ends. */
const retry = { retries: 1, first_wait_ms: 50, longest_wait_ms: 200 }
const keys = [
  'ANTHROPIC_API_KEY',
  'OPENAI_API_KEY',
  'GOOGLE_GENERATIVE_AI_API_KEY',
  'GEMINI_API_KEY',
  'COMPATIBLE_API_KEY',
]
const env = Object.fromEntries(keys.map((name) => [name, 'sk-test-0123456789']))

beforeAll(async () => {
  await emulator.start()
  await Promise.all([import('ai'), ...modelProviders.map(loadProvider)])
})
afterAll(() => emulator.stop())

type Wait = 'with Retry-After' | 'without a word how long'

/** Starts at the n-th request and ends by itself. */
async function stormProxy(target: string, from: number, how: Wait): Promise<FaultProxy> {
  const proxy = new FaultProxy(target)
  let until: number | undefined
  proxy.fault = (_, count) => {
    if (count + 1 < from) return undefined
    until ??= Date.now() + stormMs
    if (Date.now() > until) return undefined
    const headers: Record<string, string> = how === 'with Retry-After' ? { 'retry-after-ms': '150' } : {}
    return {
      kind: 'status',
      status: 429,
      headers,
      body: { error: { message: 'too many requests', type: 'rate_limit' } },
    }
  }
  await proxy.start()
  onTestFinished(() => proxy.stop())
  return proxy
}

const refusedBy = (proxy: FaultProxy) => proxy.requests.filter(({ fault }) => fault !== undefined).length

/** The first burst is refused; after that, one request per provider probes, at intervals of at least half a wait. */
const mostRefusals = (asking: number, providers: number) => asking + providers * Math.ceil(stormMs / 25)

function agentsAt(address: string): Record<string, object> {
  return Object.fromEntries(
    modelProviders.map((provider) => {
      const base_url = `${address}${provider === 'google' ? '/v1beta' : '/v1'}`
      const key = provider === 'openai-compatible' ? { api_key_env: 'COMPATIBLE_API_KEY' } : {}
      return [provider, { provider, model: models[provider], base_url, ...key }]
    }),
  )
}

function answerWith(reply: (prompt: string) => string): void {
  emulator.mock.clearFixtures()
  emulator.mock.on({ predicate: () => true }, ({ messages }) => {
    const prompt = messages
      .map(({ content }) => (typeof content === 'string' ? content : JSON.stringify(content)))
      .join('\n\n')
    return { content: reply(prompt) }
  })
}

describe.each<Wait>(['with Retry-After', 'without a word how long'])('a storm of 429 %s', (how) => {
  it('over a plan with four providers: no member is missing, nothing is asked twice', { timeout: slow }, async () => {
    answerWith(replyTo)
    const proxy = await stormProxy(emulator.mock.url, 6, how)
    const folder = planFolder({
      config: {
        agents: agentsAt(proxy.address),
        roles: { coordinator: 'anthropic', panel: [...modelProviders] },
        plan: { mpa: { deliberation: { variant: 'full' } } },
        retry,
      },
    })
    const served = await serve({}, { folder, env })
    const { body } = await served.call('POST', '/api/plans', { goal: 'Export orders', mode: 'advanced' })
    const { id, plan } = body as { id: string; plan: string }
    const planned = new ServedPlan(served, id, plan, [])

    expect(await planned.settled()).toMatchObject({ status: 'done', degraded: false })

    const finished = await planned.events('ask.finished')
    expect(finished.filter(({ data }) => data.failure !== undefined)).toEqual([])
    expect(finished.map(({ data }) => data.tries)).toEqual(finished.map(() => 1))
    expect(refusedBy(proxy)).toBeGreaterThan(0)
    expect(refusedBy(proxy)).toBeLessThanOrEqual(mostRefusals(4, 4))
  })

  it('over a room with four agents: every message is answered', { timeout: slow }, async () => {
    answerWith(() => 'An answer.')
    const proxy = await stormProxy(emulator.mock.url, 2, how)
    const config = { agents: agentsAt(proxy.address), retry }
    const served = await serve({ 'convene.yaml': JSON.stringify(config) }, { env })
    const room = (await served.call('POST', '/api/rooms', { name: 'storm' })).body as { id: string }
    const posted = await Promise.all(
      [...modelProviders, ...modelProviders].map((agent) =>
        served.call('POST', `/api/rooms/${room.id}/messages`, { text: `@${agent} are you there?` }),
      ),
    )
    const runs = posted.map(({ body }) => (body as { run: string }).run)
    await Promise.all(runs.map((run) => served.app.engine.result(run)))
    expect(await repliesIn(served)).toBe(8)
    expect(refusedBy(proxy)).toBeGreaterThan(0)
    expect(refusedBy(proxy)).toBeLessThanOrEqual(mostRefusals(8, 4))
  })

  it('over issues built in parallel: none loses an attempt', { timeout: slow }, async () => {
    const model = await actingModel(({ kind, prompt }) => {
      if (kind === 'review-impl') return { reply: approved }
      const number = Number(/the function f(\d+) is there/.exec(prompt)![1])
      const writes = Object.entries(filesOf(number)).map(
        ([path, text]) => `mkdir -p ${path.split('/')[0]} && printf %s '${text.replaceAll("'", `'\\''`)}' > ${path}`,
      )
      return { command: writes.join(' && '), reply: passed }
    })
    const proxy = await stormProxy(new URL(model.url).origin, 3, how)
    const issues = [1, 2, 3, 4].map((number) => ({ number }))
    const project = shellProject(issues, {
      config: {
        agents: { coder: { provider: 'openai-compatible', model: 'm', base_url: `${proxy.address}/v1` } },
        coordination: { generate_summaries: false },
        retry,
      },
    })
    expectExit(await project.convene('greenlight', 'demo', '--issues', 'issues.json'), 0)
    const ran = await project.convene('run', 'demo')
    expectExit(ran, 0)
    expect(states(ran.report)).toEqual(issues.map(({ number }) => [number, 'DONE']))
    const events = await project.events()
    expect(ofType(events, 'ask.finished').map(({ attempt, tries }) => [attempt, tries])).toEqual(
      issues.flatMap(() => [
        [1, 1],
        [1, 1],
      ]),
    )
    expect(ofType(events, 'verification.failed')).toEqual([])
    expect(refusedBy(proxy)).toBeGreaterThan(0)
    expect(refusedBy(proxy)).toBeLessThanOrEqual(mostRefusals(4, 1))
  })
})

async function repliesIn({ app }: Served): Promise<number> {
  return (await app.store.read({ types: ['reply.posted'] })).length
}

function replyTo(prompt: string): string {
  const [, form] = /Reply in this form: (.*)\.$/m.exec(prompt)!
  switch (form) {
    case 'a view of your own':
      return JSON.stringify({ output: 'I agree.', positions: [{ question: 'How', choice: 'as a stream' }] })
    case 'scores':
      return JSON.stringify(agreeable[0]!.reply)
    case 'issues':
      return JSON.stringify(agreeable[1]!.reply)
    case 'findings of a review':
      return JSON.stringify({ findings: [] })
    default:
      return JSON.stringify(agreeable.find(({ when }) => when.contains?.includes(form!))!.reply)
  }
}
