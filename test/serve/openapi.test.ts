/** The OpenAPI document: it lists every route and no other, and every route can succeed with the response it describes. */
import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import type { BuildView } from '../../src/build/view.ts'
import { createHttp } from '../../src/serve/http.ts'
import { listedRoutes } from '../../src/serve/openapi.ts'
import { serverPlace } from '../../src/serve/people/server-place.ts'
import { rehearsalProject, temporaryFolder } from '../support/convene.ts'
import { listen, serve } from '../support/server.ts'

interface Document {
  openapi: string
  paths: Record<string, Record<string, Operation>>
  components: Record<string, Record<string, unknown>>
}

interface Operation {
  operationId: string
  security?: unknown[]
  parameters?: { name: string; in: string }[]
  requestBody?: { required: boolean }
  responses: Record<string, unknown>
}

const project = rehearsalProject(`
- when: { ask: turn }
  repeat: true
  reply: { message: done, final: true }
- when: { ask: agent-message }
  repeat: true
  text: noted
- when: { ask: answer }
  repeat: true
  text: hello
- when: { ask: implement, node: inc }
  files: { inc.js: 'export const inc = 1', test/inc.test.js: "import assert from 'node:assert'; import { test } from 'node:test'; import { inc } from '../inc.js'; test('inc', () => assert.equal(inc, 1))" }
  reply: { TestsPassed: { iterations: 1, passedTests: [] } }
- when: { ask: review-impl }
  repeat: true
  reply: { Approved: { signOff: good, coverageReport: { criteriaWithTests: [], criteriaMissing: [] } } }
- when: { ask: implement, node: demo-1 }
  repeat: true
  reply: { Stuck: { diagnosis: too hard, recommendation: none, attempts: 1 } }
- when: { ask: phase, phase: "3" }
  repeat: true
  reply: { scores: { value: 2, scope: 2, acceptance: 2, constraints: 2, risk: 2 } }
- when: { ask: phase, phase: "9" }
  repeat: true
  reply: { issues: [{ number: 1, title: One, acceptance_criteria: [{ id: one, text: it is there }] }] }
- when: { ask: phase }
  repeat: true
  reply: { artefact: "## Approach", summary: fine, output: fine }
- when: { ask: implement, node: hard }
  reply: { Stuck: { diagnosis: too hard, recommendation: none, attempts: 1 } }
`)

const specOf = (id: string) => ({
  id,
  description: id,
  acceptanceCriteria: [{ id: 'one', text: 'it is there' }],
  targetPath: 'inc.js',
  testPath: 'test/inc.test.js',
})

/** A project with its own repository and a test command, so that it can build. */
async function buildable() {
  const sample = 'sample: { goal: ship the report, start: HEAD }\n'
  const config = `${project['convene.yaml']}build: { test: '"${process.execPath}" --test' }\n${sample}`
  const env = { PATH: process.env.PATH ?? '', HOME: temporaryFolder() }
  const folder = temporaryFolder({ ...project, 'convene.yaml': config, 'package.json': '{"type":"module"}' })
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@b.c', ...args], { cwd: folder })
  git('init', '--quiet')
  git('add', '--all')
  git('commit', '--quiet', '--message=first')
  return serve({}, { folder, env: { ...env, ANTHROPIC_API_KEY: 'sk-ant-not-real-0123456789' } })
}

async function documented() {
  const served = await serve(project)
  const { status, body } = await served.call('GET', '/api/openapi.json')
  expect(status).toBe(200)
  return { served, document: body as Document }
}

describe('the OpenAPI document', () => {
  it('lists exactly the routes that the server has', async () => {
    const { served, document } = await documented()
    const http = createHttp(served.app, {
      token: 'x',
      version: 'test',
      place: serverPlace(
        () => new Set(),
        () => 0,
        undefined,
      ),
      closing: new AbortController().signal,
    })
    const registered = http.routes
      .filter(({ method, path }) => method !== 'ALL' && path.startsWith('/api/'))
      .map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`)
    const described = Object.entries(document.paths).flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
    )
    expect(described.toSorted()).toEqual([...new Set(registered)].toSorted())
    expect(described.length).toBeGreaterThan(15)
  })

  it('is consistent: references resolve, path parameters are declared, operation ids are unique', async () => {
    const { document } = await documented()
    expect(document.openapi).toBe('3.1.0')
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(([, reference]) => reference!)
    expect(references.length).toBeGreaterThan(50)
    for (const reference of references) {
      const [, , kind, name] = reference.split('/')
      expect(document.components[kind!], reference).toHaveProperty([name!])
    }
    const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.values(methods).map((operation) => ({ path, ...operation })),
    )
    expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length)
    for (const { path, parameters = [] } of operations) {
      const inPath = parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name)
      expect(inPath).toEqual([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name))
    }
  })

  it('describes required and optional body fields, and the errors', async () => {
    const { document } = await documented()
    const say = document.paths['/api/rooms/{room}/messages']!.post!
    expect(say.requestBody!.required).toBe(true)
    expect(Object.keys(say.responses)).toEqual(['202', '400', '401', '403', '404', '409', '413'])
    expect(document.paths['/api/rooms']!.post!.requestBody!.required).toBe(false)
    expect(document.components.schemas!.PostMessageBody).toMatchObject({
      required: ['text'],
      properties: { max_rounds: { type: 'integer', minimum: 1, maximum: 50 } },
    })
    expect(document.paths['/api/health']!.get).toMatchObject({ security: [] })
  })

  it('needs the token', async () => {
    const served = await serve(project)
    expect((await fetch(`${served.server.url}/api/openapi.json`)).status).toBe(401)
  })
})

describe('responses', () => {
  it('match the table for every route', async () => {
    const served = await buildable()
    const seen = new Set<string>()
    // `serve` compares each response with the table; here each route must succeed once.
    const call = async (method: 'get' | 'post', path: string, body?: unknown) => {
      const route = listedRoutes.find(
        (each) =>
          each.method.toLowerCase() === method &&
          new RegExp(`^${each.path.replace(/:\w+/g, '[^/]+')}$`).test(path.split('?')[0]!),
      )!
      seen.add(route.name)
      const response = await served.call(method.toUpperCase(), path, body)
      expect(response.status, path).toBe(route.status ?? 200)
      return response.body as Record<string, string>
    }

    await call('get', '/api/health')
    await call('get', '/api/openapi.json')
    await call('get', '/api/agents')
    await call('get', '/api/project')
    await call('get', '/api/me')
    await call('get', '/api/users')
    await call('get', '/api/audit')
    await call('post', '/api/sample/reset')
    const { id } = await call('post', '/api/rooms', { name: 'first' })
    await call('get', '/api/rooms')
    const single = await call('post', `/api/rooms/${id}/messages`, { text: 'hi', target: 'gpt' })
    await served.app.engine.result(single.run!)
    const { session_id, run } = await call('post', `/api/rooms/${id}/messages`, {
      text: 'a goal',
      mode: 'collaborate',
      participants: ['gpt', 'claude'],
    })
    await served.app.engine.result(run!)
    await call('get', `/api/rooms/${id}/transcript`)
    await call('get', `/api/sessions/${session_id}`)
    await call('post', `/api/sessions/${session_id}/stop`)
    await call('post', `/api/rooms/${id}/override`, { override: 'only gpt' })
    await call('get', `/api/rooms/${id}`)
    await call('post', `/api/rooms/${id}/agent-messages`, { kind: 'inform', from: 'gpt', to: 'claude', content: 'hi' })
    await call('get', '/api/runs')
    await call('get', `/api/runs/${run}`)
    await call('post', `/api/runs/${run}/stop`)
    await call('post', `/api/runs/${run}/resume`)
    await call('post', `/api/runs/${run}/fork`, {})
    const { id: build } = await call('post', '/api/builds', { spec: specOf('inc') })
    expect(await served.app.engine.result(build!)).toMatchObject({ status: 'done' })
    await call('get', '/api/builds')
    await call('get', '/api/files?query=src')
    const view = (await call('get', `/api/builds/${build}`)) as unknown as BuildView
    await call('get', `/api/builds/${build}/report`)
    await call('get', `/api/builds/${build}/diffs/${view.nodes[0]!.commits[0]!.commit}`)
    const payload = await fetch(`${served.server.url}/api/payloads/${view.nodes[0]!.asks[0]!.prompt_ref}?end=1`, {
      headers: { authorization: `Bearer ${served.server.token}` },
    })
    expect(await payload.text()).toBe('[')
    seen.add('readPayload')
    await call('post', '/api/builds', { spec: specOf('hard') })
    const asked = await listen(served, '?after=0', ({ events }) => events.some(({ type }) => type === 'question.asked'))
    await call('get', '/api/questions')
    const { data } = asked.events.find(({ type }) => type === 'question.asked')! as { data: { id: string } }
    await call('post', `/api/questions/${data.id}/answer`, { choice: 'give up' })
    await call('post', '/api/plans/advice', { goal: 'export the report' })
    const { id: plan } = await call('post', '/api/plans', { goal: 'export the report', mode: 'rapid', yes: true })
    await served.app.engine.result(plan!)
    await call('get', '/api/plans')
    await call('get', `/api/plans/${plan}`)
    await call('get', `/api/plans/${plan}/report`)
    await call('get', `/api/plans/${plan}/files`)
    await call('get', `/api/plans/${plan}/files/design.md`)
    const issue = { number: 1, title: 'One', acceptance_criteria: [{ id: 'one', text: 'it is there' }] }
    await call('post', '/api/features/demo/greenlight', { issues: [issue] })
    const { id: loop } = await call('post', '/api/features/demo/runs', {})
    await served.app.engine.result(loop!)
    await call('get', '/api/ship-settings')
    await call('get', '/api/features')
    await call('get', '/api/features/demo')
    await call('get', '/api/features/demo/status')
    await call('get', `/api/feature-runs/${loop}/report`)
    await call('post', '/api/features/demo/unblock', { issue: 1 })
    await call('post', '/api/features/demo/reviewed', { all: true })
    const { id: shipped } = await call('post', '/api/ships', { goal: 'ship the report', mode: 'rapid', yes: true })
    await call('get', '/api/ships')
    await call('get', `/api/ships/${shipped}`)
    await call('get', `/api/ships/${shipped}/report`)
    const { id: compared } = await call('post', '/api/comparisons', { spec: specOf('twice') })
    await call('get', `/api/comparisons/${compared}/report`)
    await call('get', `/api/why?what=${view.nodes[0]!.commits[0]!.commit}`)
    await call('post', `/api/runs/${build}/replay`)
    await call('get', `/api/runs/${build}/overview`)
    await call('get', '/api/events?limit=5')
    await call('get', '/api/files?query=convene')
    await call('post', '/api/decide/risk', { prompt: 'drop the users table' })
    await call('get', '/api/workers')
    await call('get', '/api/settings')
    await call('post', '/api/settings/agents', { connect: 'anthropic' })
    await call('post', '/api/settings/agents/gpt/try')
    await call('post', '/api/settings/roles', { roles: { impl: 'gpt' } })
    // GitHub webhooks are signed: test/ship/github.long.test.ts covers them.
    // These need a shared database: test/team/users.test.ts.
    const ofUsers = ['addUser', 'replaceToken', 'removeUser']
    expect([...seen, ...ofUsers, 'receiveGitHubWebhook'].toSorted()).toEqual(
      listedRoutes.map(({ name }) => name).toSorted(),
    )
  })
})
