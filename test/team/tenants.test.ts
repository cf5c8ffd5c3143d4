/**
 * Two tenants in one project: nothing of one is visible to the other by any route. Generated from the API table: a new
 * route is tried too, and one that needs something this file does not have fails.
 */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import type { StoredEvent } from '../../src/kernel/events.ts'
import { scopedNames } from '../../src/serve/guard.ts'
import { type ListedRoute, listedRoutes } from '../../src/serve/openapi.ts'
import { buildProject, type Line, specOf } from '../build/project.ts'
import { overHttp, readText, structured } from '../mcp/client.ts'
import { agreeable } from '../plan/project.ts'
import { type Caller, serveTeam, type Team } from './served-team.ts'
import { type RunningPostgres, startPostgres } from './start-postgres.ts'

let postgres: RunningPostgres
beforeAll(async () => {
  postgres = await startPostgres()
})
afterAll(() => postgres?.stop())

/** Parameters that name nothing of a room; a new one must be put here or among the scoped names. */
const unscoped = { user: 'ann', agent: 'lead', rule: 'risk', commit: 'HEAD', file: 'issues.json' }

/** Bodies that the routes with parameters accept. */
const bodies: Record<string, unknown> = {
  postMessage: { text: 'Let me in', target: 'lead' },
  overrideRoom: { override: null },
  postAgentMessage: { kind: 'inform', from: 'you', to: 'lead', content: 'Let me in' },
  greenlight: { issues: [] },
  unblock: { issue: 1 },
  markReviewed: { all: true },
  answerQuestion: { text: 'build' },
  assignRoles: { roles: {} },
  decide: { prompt: 'drop table' },
}

/**
 * Fields of queries and bodies that name nothing of a room. A new one must be put here or among the scoped names, by which
 * the guard finds it. `id` is a new run's; `text`, `types`, `after` and their like narrow what the reader sees anyway.
 */
const unscopedFields =
  `actor after agents all answers attachments before choice connect content discuss dispatch email end
  expects_reply file folder from from_github goal id issue issues kind last limit look max_rounds members merge message_id mode name
  override participants preset pull_request query role roles smart speaker spec start strategy target text thread to topic types what
  unrecorded yes`.split(/\s+/)

const scopedIn = ({ path }: ListedRoute) =>
  [...path.matchAll(/:(\w+)/g)].map(([, name]) => name!).filter((name) => scopedNames.some((one) => one === name))

it('[US1] every route names its role, and everything that a request can name is known to be of a room or not', () => {
  const names = [...scopedNames, ...Object.keys(unscoped)]
  for (const { name, role, path } of listedRoutes) {
    expect([name, role]).toEqual([name, expect.stringMatching(/^(viewer|member|owner|public)$/)])
    for (const [, parameter] of path.matchAll(/:(\w+)/g)) expect(names).toContain(parameter)
  }
  const fields = listedRoutes.flatMap(({ query, body }) => [...fieldsOf(query), ...fieldsOf(body)])
  const unknown = fields.filter((field) => ![...scopedNames, ...unscopedFields].some((known) => known === field))
  expect(unknown).toEqual([])
})

it('[US2] nothing of one tenant is visible to the other by any route', async () => {
  const { team, ann, bob, hers, his } = await twoTenants()
  const vic = await team.add('vic', 'viewer')
  const world = await everythingOf(ann, hers)
  const secrets = ['ALPHA', hers, world.feature, world.plan, ...world.runs, world.question, world.session]
  const leaks = (text: string) => secrets.filter((secret) => text.includes(secret))
  const problems: string[] = []
  const check = (label: string, is: unknown, wanted: unknown) => {
    if (JSON.stringify(is) !== JSON.stringify(wanted)) problems.push(`${label}: ${JSON.stringify(is)}`)
  }

  for (const route of listedRoutes) {
    if (route.role === 'public') continue
    const body = route.method === 'GET' ? undefined : (bodies[route.name] ?? {})
    if (route.role !== 'viewer') {
      const refused = await vic.call(route.method, filled(route, world), body)
      check(`${route.name} as a viewer`, [refused.status, leaks(refused.text)], [403, []])
    }
    if (route.role === 'owner') {
      const refused = await bob.call(route.method, filled(route, world), body)
      check(`${route.name} as bob`, [refused.status, leaks(refused.text)], [403, []])
      continue
    }
    const scoped = scopedIn(route)
    if (scoped.length === 0 && route.method === 'GET') {
      const query = route.name === 'why' ? `?what=${world.seq}` : ''
      const seen = await bob.call('GET', route.path.replace(/:(\w+)/g, (_, name) => unscoped[name as 'rule']) + query)
      check(`${route.name} as bob`, leaks(seen.text.replaceAll(/"seq":\d+/g, '')), [])
      check(`${route.name} as bob`, seen.status, route.name === 'why' ? 404 : 200)
      if (listsWork.includes(route.name)) {
        const own = await ann.call('GET', route.path)
        check(`${route.name} as ann`, leaks(own.text).length > 0, true)
      }
      continue
    }
    if (scoped.length === 0) {
      // What a member starts is tried below if it can name a room; what only reads must say nothing.
      if (route.role !== 'viewer') continue
      const read = await bob.call('POST', filled(route, unscoped), bodies[route.name] ?? { goal: 'Take over' })
      check(`${route.name} as bob`, [read.status, leaks(read.text)], [200, []])
      continue
    }
    for (const ids of idsFor(route, world)) {
      const path = filled(route, ids)
      const hidden = await bob.call(route.method, path, body)
      check(`${route.method} ${path} as bob`, hidden.status, 404)
      const nothing = Object.fromEntries(scoped.map((name) => [name, missingLike(ids[name]!)]))
      const missing = await bob.call(route.method, filled(route, { ...ids, ...nothing }), body)
      const same = scoped.reduce((text, name) => text.replaceAll(nothing[name]!, ids[name]!), missing.text)
      if (missing.status === 404) check(`${route.method} ${path} beside a missing one`, hidden.text, same)
      if (route.method === 'GET' && !isEmptyFor(route, ids)) {
        const own = await ann.call('GET', path)
        check(`${path} as ann`, own.status, 200)
      }
    }
  }
  expect(problems).toEqual([])

  for (const query of [`room=${hers}`, `run=${world.run}`, `feature=${world.feature}`])
    expect([query, (await bob.call('GET', `/api/events?${query}`)).status]).toEqual([query, 404])
  const last = await bob.call('GET', '/api/events?last=10000')
  expect([leaks(last.text), last.text.includes('BETA')]).toEqual([[], true])
  for (const commit of world.commits) expect((await bob.call('GET', `/api/why?what=${commit}`)).status).toBe(404)
  expect((await ann.call('GET', `/api/why?what=${world.commits[0]}`)).status).toBe(200)
  for (const route of listedRoutes.filter((one) => one.method === 'POST' && fieldsOf(one.body).includes('room')))
    expect((await bob.call('POST', route.path, { goal: 'Take over', room: hers })).status).toBe(404)

  expect((await ann.call('GET', `/api/rooms/${his}`)).status).toBe(404)
  expect((await ann.call('GET', '/api/events')).text).not.toContain('BETA')
  const { owner } = team
  expect((await owner.call<{ rooms: object[] }>('GET', '/api/rooms')).body.rooms).toHaveLength(2)

  const mcp = await overHttp(team.served, bob.token)
  const { resources } = await mcp.listResources()
  for (const tool of ['convene_status', 'convene_questions'])
    expect(leaks(JSON.stringify(await structured(mcp, tool)))).toEqual([])
  expect(leaks(JSON.stringify(resources))).toEqual([])
  for (const uri of [`rooms/${hers}/transcript`, `runs/${world.run}`, `plans/${world.plan}/issues.json`])
    await expect(readText(mcp, `convene://${uri}`)).rejects.toThrow(/there is no/)
  for (const [tool, given, code] of [
    ['convene_status', { run: world.run }, 'unknown_run'],
    ['convene_status', { feature: world.feature }, 'unknown_feature'],
    ['convene_stop', { run: world.ship }, 'unknown_run'],
    ['convene_answer', { id: world.question, answer: 'build' }, 'unknown_question'],
  ] as const)
    expect([tool, await structured(mcp, tool, given)]).toMatchObject([tool, { code }])
  // A name that is nobody's to them is a new room's name, as it would be without the other tenant.
  const asked = await structured(mcp, 'convene_ask', { text: 'Let me in', room: hers, to: ['lead'] })
  expect([asked.room !== hers, leaks(JSON.stringify(asked))]).toEqual([true, []])
  const session = await fetch(`${team.served.server.url}/mcp`, {
    method: 'POST',
    headers: mcpHeaders(ann.token, mcp.transport!.sessionId!),
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
  })
  expect(session.status).toBe(404)

  const annsTask = await a2a(team, ann, 'message/send', messageTo(hers, 'ALPHA from outside'))
  expect(annsTask.text).toContain('"state":"completed"')
  const task = (annsTask.body as { result: { id: string } }).result
  expect((await a2a(team, ann, 'tasks/get', { id: task.id })).text).toContain('"state":"completed"')
  for (const method of ['tasks/get', 'tasks/cancel', 'tasks/resubscribe'])
    expect([method, (await a2a(team, bob, method, { id: task.id })).text]).toEqual([
      method,
      expect.stringContaining('"code":-32001'),
    ])
  const bobsTask = await a2a(team, bob, 'message/send', messageTo(hers, 'Let me in'))
  expect(leaks(bobsTask.text.replaceAll(JSON.stringify(hers), ''))).toEqual([])
  expect((await ann.call('GET', `/api/rooms/${hers}/transcript`)).text).not.toContain('Let me in')
})

/** Version 0.3 of the protocol, which needs no header. */
async function a2a({ served }: Team, { token }: Caller, method: string, params: object) {
  const response = await fetch(`${served.server.url}/a2a`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  const text = await response.text()
  return { text, body: text.startsWith('{') ? (JSON.parse(text) as object) : {} }
}

const messageTo = (room: string, text: string) => ({
  message: {
    kind: 'message',
    messageId: randomUUID(),
    role: 'user',
    parts: [{ kind: 'text', text }],
    metadata: { room, to: ['lead'] },
  },
})

const listsWork = [
  'listRooms',
  'listPlans',
  'listBuilds',
  'listShips',
  'listFeatures',
  'listQuestions',
  'listRuns',
  'events',
]

/** Work of other kinds answers 404 to its own tenant too. */
const isEmptyFor = ({ name }: ListedRoute, ids: Record<string, string>) =>
  name === 'reportComparison' || name === 'reportFeatureRun' || (name === 'diffBuild' && ids.commit === 'HEAD')

interface World extends Record<string, string | string[]> {
  room: string
  feature: string
  plan: string
  question: string
  session: string
  run: string
  runs: string[]
  refs: string[]
  commits: string[]
  seq: string
}

async function twoTenants() {
  const project = buildProject({
    spec: specOf('unused'),
    lines: [...lines, ...(agreeable as Line[])],
    config: { agents, roles: { coordinator: 'lead', panel: ['ada', 'lead'] }, project: 'tenants' },
  })
  const team: Team = await serveTeam({}, { folder: project.folder, env: { CONVENE_DATABASE_URL: postgres.url } })
  const [ann, bob] = [await team.add('ann', 'member'), await team.add('bob', 'member')]
  const room = async (caller: Caller) =>
    (await caller.call<{ id: string }>('POST', '/api/rooms', { name: `of ${caller.name}`, members: [] })).body.id
  const [hers, his] = [await room(ann), await room(bob)]
  await bob.call('POST', `/api/rooms/${his}/messages`, { text: 'BETA', target: 'lead' })
  onTestFinished(() => team.served.close())
  return { team, ann, bob, hers, his }
}

/** Ann talks, collaborates, ships one goal to its end and another up to a question. */
async function everythingOf(ann: Caller, room: string): Promise<World> {
  const say = async (body: object) =>
    (await ann.call<{ run: string; session_id: string }>('POST', `/api/rooms/${room}/messages`, body)).body
  const message = await say({ text: 'ALPHA', target: 'lead', attachments: [{ name: 'note', text: 'ALPHA attached' }] })
  const session = await say({ text: 'ALPHA together', mode: 'collaborate', participants: ['lead', 'ada'] })
  await ann.call('POST', `/api/rooms/${room}/agent-messages`, {
    kind: 'inform',
    from: 'you',
    to: 'ada',
    content: 'ALPHA',
  })
  const ship = async (more: object) =>
    (
      await ann.call<{ id: string }>('POST', '/api/ships', {
        goal: 'ALPHA: give people f1',
        mode: 'rapid',
        room,
        ...more,
      })
    ).body.id
  const shipped = await ship({ yes: true })
  await expect.poll(async () => (await ann.call('GET', `/api/ships/${shipped}`)).body.status).toBe('done')
  await ship({ look: true })
  const questions = async () =>
    (await ann.call<{ questions: { id: string }[] }>('GET', '/api/questions')).body.questions
  await expect.poll(questions).toHaveLength(1)
  const { body: view } = await ann.call<{ feature: string; plan: string }>('GET', `/api/ships/${shipped}`)
  const { runs } = (await ann.call<{ runs: { id: string; kind: string }[] }>('GET', '/api/runs')).body
  const { events } = (await ann.call<{ events: StoredEvent[] }>('GET', '/api/events?limit=10000')).body
  const of = (kind: string) => runs.find((one) => one.kind === kind)!.id
  const text = JSON.stringify(events)
  return {
    room,
    session: session.session_id,
    run: message.run,
    runs: runs.map(({ id }) => id),
    ship: shipped,
    build: of('build'),
    comparison: shipped,
    feature: view.feature,
    plan: view.plan,
    question: (await questions())[0]!.id,
    refs: [...new Set(text.match(/sha256:[0-9a-f]{64}/g))],
    commits: [...new Set([...text.matchAll(/"mergeCommit":"([0-9a-f]{40})"/g)].map(([, commit]) => commit!))],
    seq: String(events.find(({ type }) => type === 'message.posted')!.seq),
    ...unscoped,
  }
}

/** Each way to fill in a route: with every run and every payload. */
function idsFor(route: ListedRoute, world: World): Record<string, string>[] {
  const { runs, refs, commits: _, ...single } = world
  const base = single as Record<string, string>
  if (route.path.includes(':ref')) return refs.map((ref) => ({ ...base, ref }))
  if (route.path.includes(':run')) return runs.map((run) => ({ ...base, run }))
  return [base]
}

function filled(route: ListedRoute, ids: Record<string, unknown>): string {
  return route.path.replace(/:(\w+)/g, (_, name: string) => {
    if (typeof ids[name] !== 'string') throw new Error(`${route.name}: no ${name} to try`)
    return encodeURIComponent(ids[name])
  })
}

/** An id of the same form that nothing has. */
const missingLike = (id: string) => id.replace(/[0-9a-f](?=[^0-9a-f]*$)/, (digit) => (digit === '0' ? '1' : '0'))

interface ObjectSchema {
  properties?: object
  anyOf?: ObjectSchema[]
}

function fieldsOf(schema: z.ZodType | undefined): string[] {
  if (!schema) return []
  const whole = z.toJSONSchema(schema, { unrepresentable: 'any', io: 'input' }) as ObjectSchema
  return [whole, ...(whole.anyOf ?? [])].flatMap(({ properties = {} }) => Object.keys(properties))
}

const mcpHeaders = (token: string, session: string) => ({
  authorization: `Bearer ${token}`,
  accept: 'application/json, text/event-stream',
  'content-type': 'application/json',
  'mcp-session-id': session,
})

const agents = Object.fromEntries(
  ['lead', 'ada'].map((name) => [name, { provider: 'rehearsal', script: '../script.yaml' }]),
)

const lines: Line[] = [
  {
    when: { ask: 'implement', contains: 'f1-works: ' },
    repeat: true,
    files: {
      'src/f1.js': 'export const f1 = () => 2\n',
      'test/f1.test.js': `import assert from 'node:assert'\nimport { test } from 'node:test'\nimport { f1 } from '../src/f1.js'\ntest('f1 works', () => assert.equal(f1(1), 2))\n`,
    },
    reply: { TestsPassed: { iterations: 1, passedTests: [] } },
  },
  {
    when: { ask: 'phase', contains: 'Turn the plan into issues' },
    repeat: true,
    reply: {
      summary: 'One function.',
      issues: [
        {
          number: 1,
          title: 'Function f1',
          acceptance_criteria: [{ id: 'f1-works', text: 'f1(1) is 2' }],
          depends_on: [],
          size: 'small',
          target_path: 'src/f1.js',
          test_path: 'test/f1.test.js',
        },
      ],
    },
  },
  { when: { ask: 'summary' }, repeat: true, reply: { summary: 'It works.' } },
  { when: { ask: 'micro-proposal' }, repeat: true, reply: { angle: 'all of it', confidence: 0.9, covers: ['all'] } },
  { when: { ask: 'turn' }, repeat: true, reply: { message: 'Done.', final: true } },
  { when: { ask: 'answer' }, repeat: true, text: 'Start with the small one.' },
  { when: { ask: 'agent-message' }, repeat: true, text: 'Noted.' },
]
