/** A project with one run of very many events in its log, as a long ship leaves it. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Clock } from '../src/kernel/clock.ts'
import { systemClock } from '../src/kernel/clock.ts'
import type { Workflow } from '../src/kernel/engine.ts'
import { SqliteEngine } from '../src/kernel/engines/sqlite.ts'
import type { NewEvent } from '../src/kernel/events.ts'
import { Database } from '../src/kernel/stores/database.ts'
import { SqliteStore } from '../src/kernel/stores/sqlite.ts'

export const run = 'ship-0198f000-0000-7000-8000-000000000000'
const issues = 40
const nodes = 5
const agents = ['planner', 'tester', 'coder']
const batch = 5000

/** Writes a project whose log has a run of `size` events; the last of them is `run.finished`. */
export async function layRun(folder: string, size: number): Promise<void> {
  const state = join(folder, '.convene')
  mkdirSync(state, { recursive: true })
  const config = Object.fromEntries(agents.map((name) => [name, { provider: 'rehearsal', script: 'script.yaml' }]))
  writeFileSync(join(folder, 'convene.yaml'), JSON.stringify({ agents: config }))
  writeFileSync(join(folder, 'script.yaml'), '[]')
  // Half a second between two events: fourteen hours in all.
  let time = Date.parse('2026-03-01T08:00:00.000Z')
  const now = () => {
    time += 500
    return time
  }
  const database = new Database(join(state, 'convene.db'))
  const store = new SqliteStore(database, { payloadFolder: join(state, 'payloads'), now })
  const clock: Clock = { ...systemClock, now: () => time }
  const engine = new SqliteEngine({ database, store, clock })
  const workflow: Workflow<null, null> = {
    name: 'ship',
    version: 1,
    async run(context) {
      await context.receive('end')
      return null
    },
  }
  engine.register(workflow)
  await engine.start(workflow, null, { id: run })
  const story = eventsOf(size - 2)
  for (let from = 0; from < story.length; from += batch) await store.append(story.slice(from, from + batch))
  await engine.send(run, 'end')
  await engine.result(run)
  await engine.close()
  await store.close()
}

function eventsOf(size: number): NewEvent[] {
  const events: NewEvent[] = []
  const tell = (type: string, at: string, data: object, actor?: string) =>
    events.push({
      type,
      version: 1,
      stream: `run:${at}`,
      run: at,
      feature: 'export',
      data,
      ...(actor ? { actor } : {}),
    })
  tell('ship.started', run, {
    goal: 'Let people export the report as CSV',
    mode: 'standard',
    plan: 'p',
    feature: 'export',
  })
  const begin = (id: string, workflow: string) =>
    tell('run.started', id, { workflow, version: 1, parent: id.slice(0, id.lastIndexOf('/')) })
  begin(`${run}/run`, 'feature.run')
  const places: { id: string; path: string[] }[] = []
  for (let issue = 1; issue <= issues; issue++) {
    const id = `${run}/run/issue-${issue}`
    begin(id, 'feature.issue')
    tell('issue.started', id, { issue, session: id })
    begin(`${id}/build`, 'build')
    for (let node = 1; node <= nodes; node++) {
      const place = `${id}/build/part-${node}`
      begin(place, 'build.node')
      places.push({ id: place, path: [`export-${issue}`, `part-${node}`] })
    }
  }
  const ended = events.flatMap(({ type, run: id }) => (type === 'run.started' ? [id!] : [])).reverse()
  for (let turn = 0; events.length < size - ended.length - 1; turn++) turnOf(tell, places[turn % places.length]!, turn)
  events.length = size - ended.length - 1
  for (const id of ended) tell('run.finished', id, { status: 'done' })
  tell('ship.finished', run, { status: 'done', done: [], blocked: [], branch: 'convene/export/main' })
  return events
}

type Tell = (type: string, at: string, data: object, actor?: string) => void

/** One ask with everything that follows from it. */
function turnOf(tell: Tell, { id, path }: { id: string; path: string[] }, turn: number): void {
  const agent = agents[turn % agents.length]!
  const about = { node: path.at(-1), path, attempt: 1 + (turn % 3) }
  const ask = { ...about, ask: `${id}/${turn}`, kind: turn % 2 ? 'implement' : 'write-tests', agent, rehearsal: false }
  const commit = turn.toString(16).padStart(40, '0')
  tell('task.put', id, { ...about, ask: ask.ask, kind: ask.kind, agent, prompt_ref: `sha256:${'0'.repeat(64)}` })
  tell('ask.started', id, { ...ask, reserved: { tokens: 4000, usd: 0.02 } }, agent)
  for (let call = 0; call < 5; call++)
    tell('tool.used', id, { ...about, tool: 'read', summary: `src/part-${call}.ts`, ok: true, milliseconds: 40 }, agent)
  const usage = { inputTokens: 3000, outputTokens: 600, usd: 0.018 }
  tell('ask.finished', id, { ...ask, exit: 'TestsPassed', usage, tries: 1, milliseconds: 3000 }, agent)
  const tests = {
    parsed: true,
    passed: 12,
    failed: turn % 7 === 0 ? 1 : 0,
    skipped: 0,
    list: [{ name: 'adds', outcome: 'passed' }],
  }
  const seen = { exit_code: turn % 7 === 0 ? 1 : 0, ended: 'exited', commit, tree: commit, sandboxed: true }
  tell('evidence.recorded', id, {
    ...about,
    purpose: 'claim',
    command: 'npm test',
    ...seen,
    milliseconds: 900,
    tests,
    output_bytes: 2000,
  })
  tell('work.committed', id, { ...about, kind: 'impl', commit, tree: commit, parent: commit, files: [] })
  tell('exit.routed', id, {
    ...about,
    from: 'impl',
    exit: 'TestsPassed',
    to: ['tdd:review'],
    action: 'go',
    envelope: {},
  })
  if (turn % 4 === 3)
    tell('merge.completed', id, {
      ...about,
      into: 'convene/export/main',
      mergeCommit: commit,
      author: agent,
      impactLevel: 'Additive',
      changes: [],
      unparsed: [],
    })
}
