/**
 * Builds in a served process: several at once on one repository, a person who answers, a server that is killed and
 * restarted.
 */
import { describe, expect, it, vi } from 'vitest'
import type { StoredEvent } from '../../src/kernel/events.ts'
import { crashProject, expectWhole } from '../crash/build-crashing.ts'
import { type Finished, lastJson, start } from '../support/convene.ts'
import { actingModel } from './acting-model.ts'
import { barrier, expectNothingLost, familyOf, familyProject, honestAct } from './family.ts'
import type { Project, Report } from './project.ts'

const patience = 240_000

interface Server {
  /** Throws unless the request succeeds. */
  call<Body>(method: string, path: string, body?: unknown): Promise<Body>
  status(method: string, path: string, body?: unknown): Promise<number>
  kill(): Promise<Finished>
}

async function serve({ folder }: Project): Promise<Server> {
  const started = start(['serve', '--port', '0', '--json'], { cwd: folder })
  const { url, token } = lastJson<{ url: string; token: string }>({
    stdout: (await started.says(/^.*"token".*$/m))[0],
  } as Finished)
  const send = (method: string, path: string, body?: unknown) =>
    fetch(url + path, {
      method,
      headers: { authorization: `Bearer ${token}`, accept: 'application/json', 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  return {
    async call(method, path, body) {
      const response = await send(method, path, body)
      const text = await response.text()
      expect(response.ok, `${method} ${path}: ${response.status} ${text}`).toBe(true)
      return JSON.parse(text)
    },
    status: async (method, path, body) => (await send(method, path, body)).status,
    kill() {
      started.child.kill('SIGKILL')
      return started.finished
    },
  }
}

/** Waits until a build matches the condition. */
function until(server: Server, id: string, status: string): Promise<Report> {
  return vi.waitFor(
    async () => {
      const report = await server.call<Report>('GET', `/api/builds/${id}/report`)
      expect(report).toMatchObject({ status })
      return report
    },
    { timeout: patience, interval: 200 },
  )
}

/** TR5: a step in flight at two kills in a row waits for a person, who says to try again. */
async function retryCrashed(server: Server): Promise<void> {
  const { questions } = await server.call<{ questions: { id: string }[] }>('GET', '/api/questions')
  for (const { id } of questions.filter((question) => question.id.startsWith('crash:')))
    await server.call('POST', `/api/questions/${encodeURIComponent(id)}/answer`, { choice: 'retry' })
}

async function eventsOf(server: Server): Promise<StoredEvent<Record<string, unknown>>[]> {
  const all: StoredEvent<Record<string, unknown>>[] = []
  for (let after: number | null = 0; after !== null; ) {
    const page: { events: typeof all; next: number | null } = await server.call('GET', `/api/events?after=${after}`)
    all.push(...page.events)
    after = page.next
  }
  return all
}

/** The maximum number of concurrent asks, by the log. */
function mostAtOnce(events: StoredEvent<Record<string, unknown>>[]): number {
  const open = new Set<unknown>()
  let most = 0
  for (const { type, data } of events) {
    if (type === 'ask.started') open.add(data.ask)
    if (type === 'ask.finished') open.delete(data.ask)
    most = Math.max(most, open.size)
  }
  return most
}

describe('several builds at once', () => {
  const names = ['red', 'green', 'blue']
  const families = names.map((name) =>
    familyOf(name, [`${name}-one`, `${name}-two`], { words: () => 'return value + 1' }),
  )

  it('[GR8] share a repository and the agents, never exceed max_parallel, and each completes', {
    timeout: patience,
  }, async () => {
    const together = barrier(3)
    const model = await actingModel(async (question) => {
      const family = families.find(({ parent }) => question.node.startsWith(parent.id))!
      // All three are in flight before any continues: that is the limit, and there are no more.
      if (question.kind === 'scaffold' && question.node === family.parent.id) await together()
      return honestAct(family, question)
    })
    const project = familyProject(families[0]!, model, { max_parallel: 3 })
    const head = project.git('rev-parse', 'HEAD')
    const server = await serve(project)
    const builds = await Promise.all(
      families.map(({ parent }) =>
        server.call<{ id: string }>('POST', '/api/builds', { spec: parent, strategy: 'graph' }),
      ),
    )
    expect(await server.status('POST', '/api/builds', { spec: families[0]!.parent })).toBe(409)
    const reports = await Promise.all(builds.map(({ id }) => until(server, id, 'done')))

    expect(model.mostAtOnce).toBe(3)
    const events = await eventsOf(server)
    expect(mostAtOnce(events)).toBe(3)
    for (const [index, report] of reports.entries()) {
      const name = names[index]!
      expectNothingLost(project, events, report, [name, `${name}-one`, `${name}-two`])
      const files = project.git('ls-tree', '-r', '--name-only', report.commit!, 'src/').split('\n')
      expect(files).toEqual([name, `${name}-one`, `${name}-two`].map((node) => `src/${node}.js`).sort())
    }
    const refs = project.git('for-each-ref', '--format=%(refname)', 'refs/heads/convene', 'refs/convene')
    expect(refs.split('\n')).toEqual(['blue', 'green', 'red'].map((name) => `refs/heads/convene/${name}/main`))
    expect(project.git('rev-parse', 'HEAD')).toBe(head)
    expect(project.git('status', '--porcelain')).toBe('')
  })
})

describe('a served build', () => {
  it('waits for a person over HTTP, survives a server restart meanwhile, and continues once answered', {
    timeout: patience,
  }, async () => {
    const family = familyOf('calc', ['left', 'right'], { words: () => 'return value + 1' })
    let isStuck = true
    const model = await actingModel((question) => {
      const { kind, node, prompt } = question
      if (kind !== 'implement' || node !== 'calc' || !isStuck) return honestAct(family, question)
      if (prompt.includes('Use plain addition.')) isStuck = false
      if (!isStuck) return honestAct(family, question)
      return { reply: { Stuck: { diagnosis: 'how is it added?', recommendation: 'ask', attempts: 1 } } }
    })
    const project = familyProject(family, model)
    const first = await serve(project)
    const { id } = await first.call<{ id: string }>('POST', '/api/builds', { spec: family.parent, strategy: 'graph' })
    await until(first, id, 'waiting')
    const view = await first.call<{ status: string; seq: number; nodes: { id?: string; state: string }[] }>(
      'GET',
      `/api/builds/${id}`,
    )
    expect(view).toMatchObject({ status: 'waiting', seq: (await eventsOf(first)).at(-1)!.seq })
    expect(view.nodes.map(({ state }) => state).filter((state) => state === 'merged')).toHaveLength(2)
    await first.kill()

    const second = await serve(project)
    await until(second, id, 'waiting')
    const { questions } = await second.call<{ questions: { id: string; run: string; choices: string[] }[] }>(
      'GET',
      '/api/questions',
    )
    expect(questions).toEqual([expect.objectContaining({ run: id, choices: ['retry', 'give up'] })])
    const answer = `/api/questions/${questions[0]!.id}/answer`
    await second.call('POST', answer, { text: 'Use plain addition.' })
    const report = await until(second, id, 'done')
    const events = await eventsOf(second)
    expectNothingLost(project, events, report, ['calc', 'left', 'right'])
    expect(model.questions.filter(({ kind, node }) => kind === 'implement' && node === 'calc')).toHaveLength(2)
    expect((await second.call<{ questions: unknown[] }>('GET', '/api/questions')).questions).toEqual([])
    const after = await second.call<{ status: string; seq: number }>('GET', `/api/builds/${id}`)
    expect(after).toMatchObject({ status: 'done', seq: events.at(-1)!.seq })
  })

  it('is resumed by the next server after SIGKILL, repeatedly, without a command', {
    timeout: patience,
  }, async () => {
    const project = crashProject()
    let server = await serve(project)
    const spec = JSON.parse(project.read('main', 'spec.json'))
    const { id } = await server.call<{ id: string }>('POST', '/api/builds', { spec, strategy: 'graph' })
    for (const sign of ['scaffold.accepted', 'work.committed', 'merge.completed']) {
      await vi.waitFor(
        async () => {
          await retryCrashed(server)
          expect((await eventsOf(server)).filter(({ type }) => type === sign).length).toBeGreaterThan(1)
        },
        { timeout: patience, interval: 20 },
      )
      await server.kill()
      server = await serve(project)
    }
    const report = await vi.waitFor(
      async () => {
        await retryCrashed(server)
        const found = await server.call<Report>('GET', `/api/builds/${id}/report`)
        expect(found).toMatchObject({ status: 'done' })
        return found
      },
      { timeout: patience, interval: 200 },
    )
    await expectWhole(project, report, report.tree)
  })
})
