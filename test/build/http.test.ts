/** Builds over HTTP: start one, follow it, answer its question, read its results; and what is refused. */
import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { BuildView } from '../../src/build/view.ts'
import type { StoredEvent } from '../../src/kernel/events.ts'
import { listen, type Served, serve } from '../support/server.ts'
import { buildProject, code, honest, type Line, leaf, type Project, specOf, testFile } from './project.ts'

const env = { PATH: process.env.PATH!, HOME: process.env.HOME! }
const spec = specOf('inc')
const good = honest(spec)
const clarification = { question: 'By how much?', ambiguityReference: 'description', specSentence: 'The function inc' }

/** A child part, so that there is a run below the build's own; and a part that asks a question first. */
const top = specOf('top', ['inc-1', 'kept'])
const lines: Line[] = [
  {
    when: { ask: 'scaffold', node: 'top' },
    files: {
      'src/top.js': 'export function top(value) {\n  throw new Error("not implemented")\n}\n',
      'contract/top.test.js': testFile('top', { 'top contract': 'assert.equal(top(1), 4)' }),
    },
    reply: {
      InitWork: {
        interfaceFile: 'src/top.js',
        contractSuite: 'contract/top.test.js',
        testPlan: [{ criterionId: 'kept', plannedTestName: 'top doubles', approach: 'call it' }],
        childSpecs: [spec],
      },
    },
  },
  {
    when: { ask: 'write-tests', node: 'top' },
    files: { 'test/top.test.js': testFile('top', { 'top doubles': 'assert.equal(top(2), 6)' }) },
    reply: { TestsReady: { testFiles: ['test/top.test.js'], pendingCriteria: ['kept'] } },
  },
  {
    when: { ask: 'implement', node: 'top' },
    files: { 'src/top.js': `import { inc } from './inc.js'\n${code('top', '2 * inc(value)')}` },
    reply: { TestsPassed: { iterations: 1, passedTests: [] } },
  },
  { ...good.review, when: { ask: 'review-impl', node: 'top' } },
  { when: { ask: 'scaffold', node: 'inc' }, reply: { ClarificationNeeded: clarification } },
  { ...good.scaffold, when: { ...good.scaffold.when, contains: 'By one.' } },
  good.tests,
  good.code,
  good.review,
  good.judged('top'),
]

function served(project: Project): Promise<Served> {
  return serve({}, { folder: project.folder, env })
}

const finished = (run: string) => (events: StoredEvent[]) =>
  events.some((event) => event.type === 'build.finished' && event.run === run)

describe('a build over HTTP', () => {
  it('can be started, followed, answered and inspected, from its first event to its last', async () => {
    const other = specOf('other')
    const project = buildProject({ spec: top, lines: [...lines, ...leaf(other)] })
    const at = await served(project)
    const { call } = at
    const started = await call('POST', '/api/builds', { spec: top, strategy: 'graph' })
    expect(started).toMatchObject({ status: 202, body: { id: expect.stringMatching(/^build-/) } })
    const { id } = started.body as { id: string }
    const second = await call('POST', '/api/builds', { spec: other, strategy: 'graph' })
    expect(await call('POST', '/api/builds', { spec: top })).toMatchObject({
      status: 409,
      body: { error: { code: 'already_building', path: 'spec.id' } },
    })

    const until = await listen(at, `?run=${id}&after=0`, ({ events }) =>
      events.some(({ type }) => type === 'question.asked'),
    )
    const { questions } = (await call('GET', '/api/questions')).body as { questions: Record<string, unknown>[] }
    expect(questions).toEqual([
      {
        id: expect.any(String),
        run: `${id}/inc`,
        text: 'inc: By how much?',
        choices: ['retry', 'give up'],
        context: expect.objectContaining({ node: 'inc', path: ['top', 'inc'], exit: 'ClarificationNeeded' }),
      },
    ])
    const [question] = questions
    const answer = (body: unknown, name = question!.id as string) =>
      call('POST', `/api/questions/${encodeURIComponent(name)}/answer`, body)
    expect(await answer({ text: ' ' })).toMatchObject({ status: 400 })
    expect(await answer({ choice: 'perhaps' })).toMatchObject({ status: 400, body: { error: { path: 'choice' } } })
    expect(await answer({ text: 7 })).toMatchObject({ status: 400 })
    expect(await answer({ text: 'x', more: 1 })).toMatchObject({ status: 400 })
    expect(await answer({ text: 'x' }, 'nobody')).toMatchObject({ status: 404 })
    expect(await answer({ text: 'By one.' })).toMatchObject({ status: 202 })
    expect(await answer({ text: 'By two.' })).toMatchObject({ status: 409 })

    // It continues by itself, and the stream resumes where it was left.
    const last = until.events.at(-1)!.seq
    const rest = await listen(at, `?run=${id}`, ({ events }) => finished(id)(events), { 'last-event-id': String(last) })
    const heard = [...until.events, ...rest.events]
    expect(heard.map(({ seq }) => seq)).toEqual([...new Set(heard.map(({ seq }) => seq))].sort((a, b) => a - b))
    expect(heard.every(({ run }) => run === id || run?.startsWith(`${id}/`))).toBe(true)
    expect(heard.some(({ run }) => run === `${id}/inc`)).toBe(true)
    expect(heard.some(({ type }) => type === 'build.started')).toBe(true)
    await listen(at, `?run=${(second.body as { id: string }).id}&after=0`, ({ events }) =>
      events.some(({ type }) => type === 'build.finished'),
    )

    const view = (await call('GET', `/api/builds/${id}`)).body as BuildView & { seq: number }
    expect(view).toMatchObject({
      id,
      spec: 'top',
      strategy: 'graph',
      status: 'done',
      branch: 'convene/top/main',
      rehearsal: true,
      questions: [],
      nodes: [
        { id: 'top', path: ['top'], state: 'merged' },
        { id: 'inc', path: ['top', 'inc'], state: 'merged', merge: { impactLevel: 'Additive' } },
      ],
    })
    expect(view.seq).toBeGreaterThanOrEqual(heard.at(-1)!.seq)
    expect(project.git('rev-parse', 'convene/top/main')).toBe(view.commit)
    const report = (await call('GET', `/api/builds/${id}/report`)).body as Record<string, unknown>
    expect(report).toMatchObject({ run: id, status: 'done', commit: view.commit, tree: view.tree })
    const { builds } = (await call('GET', '/api/builds')).body as { builds: { id: string; status: string }[] }
    expect(builds.map(({ status }) => status)).toEqual(['done', 'done'])

    await envelopes(at, heard)
    await payloads(at, view)
    await diffs(at, view)
  }, 400_000)

  it('with the same id is the same build; invalid input is rejected before anything runs', async () => {
    const project = buildProject({ spec, lines: leaf(spec) })
    const at = await served(project)
    const { call } = at
    const wrong = [
      {},
      { spec: { ...spec, acceptanceCriteria: [] } },
      { spec: { ...spec, targetPath: '../out.js' } },
      { spec: { ...spec, targetPath: '/etc/passwd' } },
      { spec: { ...spec, id: '../x' } },
      { spec: { ...spec, extra: 1 } },
      { spec, strategy: 'waterfall' },
      { spec, merge: 'yes' },
      { spec, id: 'build-1' },
      { spec, unknown: true },
      [],
      'text',
      null,
    ]
    for (const body of wrong) {
      const refused = await call('POST', '/api/builds', JSON.stringify(body))
      expect(refused, JSON.stringify(body)).toMatchObject({
        status: 400,
        body: { error: { code: expect.any(String) } },
      })
    }
    expect(await call('POST', '/api/builds', '{"spec":')).toMatchObject({ status: 400 })
    expect((await call('GET', '/api/builds')).body).toEqual({ builds: [] })
    for (const path of [
      '/api/builds/nobody',
      '/api/builds/nobody/report',
      '/api/builds/nobody/diffs/HEAD',
      '/api/runs/nobody',
    ])
      expect(await call('GET', path), path).toMatchObject({
        status: 404,
        body: { error: { message: expect.any(String) } },
      })
    expect(await call('POST', '/api/runs/nobody/stop')).toMatchObject({ status: 404 })
    expect(await call('POST', '/api/runs/nobody/resume')).toMatchObject({ status: 404 })

    const id = `build-${crypto.randomUUID()}`
    const body = { spec, strategy: 'graph', id }
    const both = await Promise.all([call('POST', '/api/builds', body), call('POST', '/api/builds', body)])
    expect(both).toEqual([
      { status: 202, body: { id } },
      { status: 202, body: { id } },
    ])
    await listen(at, `?run=${id}&after=0`, ({ events }) => finished(id)(events))
    expect(await call('POST', '/api/builds', body)).toEqual({ status: 202, body: { id } })
    const { events } = (await call('GET', `/api/events?run=${id}`)).body as { events: StoredEvent[] }
    expect(events.filter(({ type }) => type === 'build.started')).toHaveLength(1)
    expect(await call('POST', `/api/runs/${id}/stop`)).toMatchObject({ status: 202, body: { status: 'done' } })
  }, 240_000)
})

/** EN1: the letter is enough to route by, and its reference holds the exit itself. */
async function envelopes(at: Served, events: StoredEvent[]): Promise<void> {
  const routed = events.filter(({ type }) => type === 'exit.routed')
  const letters = routed.map(({ data }) => data as { exit: string; envelope: Record<string, string> })
  expect(letters.length).toBeGreaterThanOrEqual(10)
  for (const [index, { exit, envelope }] of letters.entries()) {
    expect(Object.keys(envelope).sort()).toEqual(['payload_ref', 'route_hint', 'severity', 'type'])
    expect(envelope.type).toBe(exit.replace(/(?<=[a-z])(?=[A-Z])/g, '_').toUpperCase())
    expect(envelope.payload_ref).toBe(routed[index]!.payload_ref)
    const text = await (await raw(at, envelope.payload_ref!)).text()
    expect(Object.keys(JSON.parse(text))).toEqual([exit])
    expect(`sha256:${createHash('sha256').update(text).digest('hex')}`).toBe(envelope.payload_ref)
  }
  const asking = letters.find(({ exit }) => exit === 'ClarificationNeeded')!
  expect(asking.envelope).toMatchObject({ severity: 'BLOCKER', route_hint: 'ask_person' })
  expect(await (await raw(at, asking.envelope.payload_ref!)).json()).toEqual({ ClarificationNeeded: clarification })
}

async function payloads(at: Served, view: BuildView): Promise<void> {
  const { output_ref, output_bytes } = view.nodes[0]!.evidence.find((one) => one.output_ref)!
  const whole = await raw(at, output_ref!)
  expect(whole.headers.get('content-type')).toContain('text/plain')
  expect(whole.headers.get('x-content-type-options')).toBe('nosniff')
  const bytes = Buffer.from(await whole.arrayBuffer())
  expect(bytes.length).toBe(output_bytes)
  const part = async (query: string) => Buffer.from(await (await raw(at, output_ref!, query)).arrayBuffer())
  expect((await part('?start=5&end=12')).equals(bytes.subarray(5, 12))).toBe(true)
  expect((await part('?start=10')).equals(bytes.subarray(10))).toBe(true)
  expect((await part('?end=4')).equals(bytes.subarray(0, 4))).toBe(true)
  expect(await part(`?start=${bytes.length + 9}`)).toHaveLength(0)
  expect(await part('?start=9&end=3')).toHaveLength(0)
  for (const query of ['?start=-1', '?start=x', '?end=1.5', '?start=Infinity', '?start=1e400'])
    expect((await raw(at, output_ref!, query)).status, query).toBe(400)
  const { prompt_ref } = view.nodes[0]!.asks[0]!
  expect(JSON.parse(await (await raw(at, prompt_ref!)).text())).toMatchObject([{ role: 'system' }, { role: 'user' }])

  expect((await raw(at, `sha256:${'0'.repeat(64)}`)).status).toBe(404)
  const tricks = [
    'nothing',
    'sha256:',
    'sha256:..%2f..%2f..%2f..%2fetc%2fpasswd',
    'sha256:..%2f..%2ftoken',
    '..%2f..%2ftoken',
    '%2e%2e%2ftoken',
    `${output_ref!.slice(0, -1)}g`,
    `${output_ref}x`,
    output_ref!.toUpperCase(),
    'sha512:00',
    '%00',
    '__proto__',
  ]
  for (const ref of tricks) expect([400, 404], ref).toContain((await raw(at, ref)).status)
}

async function diffs(at: Served, view: BuildView): Promise<void> {
  const { call } = at
  const child = view.nodes[1]!
  const diff = async (commit: string) => call('GET', `/api/builds/${view.id}/diffs/${encodeURIComponent(commit)}`)
  const merged = await diff(child.merge!.commit)
  expect(merged).toMatchObject({
    status: 200,
    body: { cut: false, text: expect.stringContaining('+  return value + 1') },
  })
  const written = child.commits.find(({ kind }) => kind === 'test')!
  const { text } = (await diff(written.commit)).body as { text: string }
  expect(text).toContain('+++ b/test/inc.test.js')
  expect(text).not.toContain('src/inc.js b/src/inc.js')
  for (const commit of [
    'HEAD',
    'main',
    '0'.repeat(40),
    '--output=x',
    view.base!,
    `${child.merge!.commit}^1`,
    '../main',
  ])
    expect(await diff(commit), commit).toMatchObject({ status: 404 })
}

function raw({ server }: Served, ref: string, query = ''): Promise<Response> {
  return fetch(`${server.url}/api/payloads/${ref}${query}`, { headers: { authorization: `Bearer ${server.token}` } })
}
