/** From a goal to merged code: through the command, artefact by artefact, and from a room that shows the progress. */
import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { TranscriptItem } from '../../src/room/view.ts'
import type { Origin } from '../../src/runs/origin.ts'
import { chainOf } from '../../src/runs/origin-view.ts'
import type { ShipView } from '../../src/ship/ship/ship-view.ts'
import type { ShipReport } from '../../src/ship/ship/ships.ts'
import { type ServerProcess, serveAt } from '../browser/server-process.ts'
import { asked, buildProject, held, type Line, ofType, type Project, specOf } from '../build/project.ts'
import { agreeable, scored } from '../plan/project.ts'
import { start } from '../support/convene.ts'
import { freePort } from '../support/free-port.ts'
import { serve } from '../support/server.ts'
import { openTerminal } from '../support/terminal.ts'

const goal = 'Give people a function that doubles and one that doubles twice'
const whole = { timeout: 240_000 }

interface Issue {
  number: number
  depends_on?: number[]
}

const issues = (list: Issue[]): Line => ({
  when: { ask: 'phase', contains: 'Turn the plan into issues' },
  repeat: true,
  reply: {
    summary: 'One after the other.',
    issues: list.map(({ number, depends_on = [] }) => ({
      number,
      title: `Function f${number}`,
      acceptance_criteria: [{ id: `f${number}-works`, text: `f${number}(1) is ${number + 1}` }],
      depends_on,
      size: 'small',
      target_path: `src/f${number}.js`,
      test_path: `test/f${number}.test.js`,
    })),
  },
})

const built = (number: number, result = number + 1): Line => ({
  when: { ask: 'implement', contains: `f${number}-works: ` },
  repeat: true,
  files: {
    [`src/f${number}.js`]: `export const f${number} = () => ${result}\n`,
    [`test/f${number}.test.js`]: `import assert from 'node:assert'\nimport { test } from 'node:test'\nimport { f${number} } from '../src/f${number}.js'\ntest('f${number} works', () => assert.equal(f${number}(1), ${number + 1}))\n`,
  },
  reply: { TestsPassed: { iterations: 1, passedTests: [] } },
})

const summary: Line = { when: { ask: 'summary' }, repeat: true, reply: { summary: 'It works.' } }
const talk: Line[] = [
  { when: { ask: 'micro-proposal' }, repeat: true, reply: { angle: 'all of it', confidence: 0.9, covers: ['all'] } },
  { when: { ask: 'answer' }, repeat: true, text: 'ROOM-MARK: start with the small one.' },
]

function shipping(list: Issue[], lines: Line[], config: Record<string, unknown> = {}): Project {
  const agents = Object.fromEntries(
    ['lead', 'ada'].map((name) => [name, { provider: 'rehearsal', script: '../script.yaml' }]),
  )
  return buildProject({
    spec: specOf('unused'),
    lines: [...lines, issues(list), summary, ...talk, ...(agreeable as Line[])],
    files: { 'AGENTS.md': '# Rules\n\nTests first.\n' },
    config: { agents, roles: { coordinator: 'lead', panel: ['ada', 'lead'] }, ...config },
  })
}

function payload({ folder }: Project, ref: string): string {
  const hash = ref.replace('sha256:', '')
  return readFileSync(join(folder, '.convene/payloads', hash.slice(0, 2), hash.slice(2)), 'utf8')
}

const two: Issue[] = [{ number: 1 }, { number: 2, depends_on: [1] }]

describe('a look at the issues', () => {
  it('is asked for once at a terminal: `stop` builds nothing, `build` goes on', whole, async () => {
    const project = shipping(two, [built(1), built(2)])
    const ship = () => openTerminal(['ship', goal, '--mode', 'rapid'], { cwd: project.folder })
    const first = ship()
    const screen = await first.shows(/1 {2}build\n {2}2 {2}stop\n[\s\S]*1 to 2:/)
    expect(screen).toContain('#1 Function f1 · 1 criterion · small')
    expect(screen).toContain('#2 Function f2 · 1 criterion · small · after #1')
    first.type('stop\r')
    expect(await first.finished).toBe(1)
    expect(first.screen()).toContain('you stopped before the build')
    expect(first.screen()).not.toContain('next: ')
    expect(ofType(await project.events(), 'feature.greenlit')).toEqual([])
    const second = ship()
    await second.shows(/1 to 2:/)
    second.type('build\r')
    expect(await second.finished).toBe(0)
    expect(second.screen()).toContain('2 of 2 issues')
  })

  it('[RK4] is not asked for with --yes; a small goal takes at most four asks to plan', whole, async () => {
    const project = shipping([{ number: 1 }], [built(1)])
    const terminal = openTerminal(['ship', 'Let src/f1.js double', '--yes'], { cwd: project.folder })
    expect(await terminal.finished).toBe(0)
    expect(terminal.screen()).toContain('issues to build:')
    const events = await project.events()
    expect(ofType(events, 'question.asked')).toEqual([])
    const planned = events.findIndex(({ type }) => type === 'plan.finished')
    expect(asked(events.slice(0, planned)).length).toBeGreaterThan(0)
    expect(asked(events.slice(0, planned)).length).toBeLessThanOrEqual(4)
  })
})

describe('convene ship', () => {
  it(
    '[PH6] [IS2] [BU1] plans, builds in order, merges, and writes every artefact; a second run finds it done',
    whole,
    async () => {
      const project = shipping(two, [built(1), built(2)])
      const ended = await project.convene('ship', goal, '--mode', 'rapid', '--merge')
      expect(ended.code, ended.stderr).toBe(0)
      const report = ended.report as unknown as ShipReport
      expect(report).toMatchObject({ status: 'done', merged: true, goal, branch: `convene/${report.feature}/main` })
      expect(report.issues.map(({ number, state }) => [number, state])).toEqual([
        [1, 'DONE'],
        [2, 'DONE'],
      ])

      const folder = join(project.folder, '.convene/plans', report.plan)
      for (const file of ['spec.md', 'research.md', 'design.md', 'plan.md', 'test-plan.md', 'tasks.md', 'issues.json'])
        expect(existsSync(join(folder, file)), file).toBe(true)
      expect(existsSync(join(folder, `specs/${report.feature}-1.yaml`))).toBe(true)
      expect(readFileSync(join(folder, 'spec.md'), 'utf8')).not.toContain('Said in the room')

      const log = (format: string) => project.git('log', '--first-parent', `--format=${format}`, 'main').split('\n')
      expect(log('%s').slice(0, 2)).toEqual(['Function f2', 'Function f1'])
      expect(project.git('log', '-1', '--format=%(trailers:key=Convene-Issue,valueonly)', 'main').trim()).toBe(
        `${report.feature}#2`,
      )
      expect(report.issues[1]!.commit).toBe(project.git('rev-parse', 'main'))
      expect(readFileSync(join(project.folder, 'src/f2.js'), 'utf8')).toBe('export const f2 = () => 3\n')
      expect(project.git('status', '--porcelain')).toBe('')
      expect(project.git('worktree', 'list').split('\n')).toHaveLength(1)

      const events = await project.events()
      const calls = asked(events)
      // Nobody builds on the second issue, so no agent is asked for its summary.
      expect(calls.slice(-5).map((call) => call.split(' ')[0])).toEqual([
        'implement',
        'review-impl',
        'summary',
        'implement',
        'review-impl',
      ])
      expect(report.cost).toMatchObject({ asks: calls.length, usd: 0 })
      expect(report.cost!.tokens).toBeGreaterThan(0)
      expect(ofType(events, 'ship.finished')).toMatchObject([
        { status: 'done', done: [1, 2], blocked: [], merged: true, cost: report.cost },
      ])
      const mirror = readFileSync(join(project.folder, `.convene/events/${report.feature}.jsonl`), 'utf8')
      expect(mirror.match(/"issue_done"/g)).toHaveLength(2)
      expect(events.every(({ type }) => type !== 'notice.posted')).toBe(true)

      // The builder had the plan's decision in its prompt, and `why` says who decided it on what grounds.
      const [first] = ofType(events, 'task.put').filter(({ kind }) => kind === 'implement')
      expect(payload(project, first!.prompt_ref as string)).toContain('Reading comes first (writing needs it)')
      const why = await start(['why', 'src/f1.js:1'], { cwd: project.folder }).finished
      expect(why.stdout).toContain('Criterion\n  f1(1) is 2\n')
      expect(why.stdout).toMatch(/^ {2}Reading comes first \(lead, \w+ phase of the plan; writing needs it\)$/m)
      expect(why.stdout).not.toMatch(/D\d-\d|f1-works|\b(decision\.recorded|exit\.routed)\b/)
      expect((await project.convene('why', 'src/f1.js:1')).report).toMatchObject({
        criteria: ['f1-works'],
        context: expect.stringContaining(
          'Decisions to follow:\n- D2-1, D4-1, D7-1: Reading comes first (writing needs it)',
        ),
      })

      const again = await project.convene('run', report.feature)
      expect(again.code, again.stderr).toBe(0)
      expect(asked(await project.events())).toHaveLength(calls.length)
    },
  )

  it('[RK1] prints risks and the estimate of each mode before it starts, and a summary at the end', whole, async () => {
    const project = shipping([{ number: 1 }], [built(1)])
    const { code, stdout, stderr } = await start(['ship', `${goal} in production`, '--mode', 'rapid'], {
      cwd: project.folder,
    }).finished
    expect(code, stderr).toBe(0)
    const notes = stderr.split('\n')
    const at = (pattern: RegExp) => notes.findIndex((line) => pattern.test(line))
    expect(at(/^risk: production-access/)).toBe(0)
    for (const mode of ['rapid', 'standard', 'advanced', 'complete'])
      expect(at(new RegExp(`^ +${mode} +about \\d+ asks, \\d+k tokens`))).toBeGreaterThan(0)
    expect(at(/complete +about/)).toBeLessThan(at(/^plan /))
    expect(stderr).toContain('issues to build:\n  #1 Function f1 · 1 criterion · small\n')
    expect(stderr).toMatch(/-1: implement by \S+: TestsPassed/)
    expect(stdout).toMatch(/DONE +#1 Function f1/)
    expect(stdout).toMatch(/shipped {2}1 of 1 issues: (convene\/\S+\/main); merge it with: git merge \1/)
    expect(stdout).toMatch(/^spent: \d+ asks with \d+ requests, [\d,]+ tokens, \$0\.00, (?:\d+ min )?\d+ s$/m)
    expect(project.git('log', '-1', '--format=%s', 'main')).toBe('first')
  })

  it('[SG2] [PH3] exits with 3 on a question, and continues after the answer', whole, async () => {
    const gate: Line[] = [
      { when: { ask: 'phase', contains: 'The person has answered' }, repeat: true, reply: scored({}) },
      { when: { ask: 'phase', contains: 'Score how well the request' }, reply: scored({ scope: 0, risk: 0 }) },
    ]
    const project = shipping([{ number: 1 }], [...gate, built(1)])
    const waits = await project.convene('ship', goal, '--mode', 'standard')
    expect(waits.code, waits.stderr).toBe(3)
    const { run, status, questions } = waits.report
    expect(status).toBe('waiting')
    expect(questions!.map(({ text }) => text)).toContain(
      'If only one slice could ship, which one would already be useful?',
    )
    const { questions: listed } = (await project.convene('questions')).report as { questions?: { id: string }[] }
    expect(listed!.map(({ id }) => id)).toEqual(questions!.map(({ id }) => id))
    for (const { id } of questions!) expect((await project.convene('answer', id, 'the first one')).code).toBe(0)
    const done = await project.convene('resume', run)
    expect(done.code, done.stderr).toBe(0)
    const report = done.report as unknown as ShipReport
    expect(report).toMatchObject({ status: 'done', issues: [{ number: 1, state: 'DONE' }] })
    expect(readFileSync(join(project.folder, '.convene/plans', report.plan, 'spec.md'), 'utf8')).toContain(
      'the first one',
    )
  })

  it(
    '[IS1] exits with 1 if an issue is blocked: the others are done, and the report names what waits',
    whole,
    async () => {
      const project = shipping([{ number: 1 }, { number: 2 }, { number: 3, depends_on: [2] }], [built(1), built(2, 0)])
      const ended = await project.convene('ship', goal, '--mode', 'rapid', '--merge')
      expect(ended.code, ended.stderr).toBe(1)
      const report = ended.report as unknown as ShipReport
      expect(report.issues.map(({ state }) => state)).toEqual(['DONE', 'BLOCKED', 'SKIPPED'])
      expect(report.reason).toMatch(/^blocked: #2/)
      expect(project.git('log', '-1', '--format=%s', report.branch)).toBe('Function f1')
      expect(project.git('log', '-1', '--format=%s', 'main')).toBe('first')
    },
  )

  it('[BU1] keeps plan and builds within one budget', whole, async () => {
    const project = shipping(two, [built(1), built(2)], { budget: { calls: 3 } })
    const ended = await project.convene('ship', goal, '--mode', 'rapid')
    expect(ended.code).toBe(1)
    expect(ended.report.reason).toBe('budget_exhausted')
    expect(asked(await project.events())).toHaveLength(3)
  })
})

describe('a ship from a room', () => {
  it('posts every step once and can be discussed, even if the server is killed in between', whole, async () => {
    const project = shipping(two, [built(1), { ...built(2), ...held }])
    const port = await freePort()
    const first = await serveAt(port, project.folder)
    const { id: room } = (await call(first, 'POST', '/api/rooms', { name: 'Here' })) as { id: string }
    const wanted = { goal, mode: 'rapid', merge: true, room, id: `ship-${randomUUID()}` }
    expect(await call(first, 'POST', '/api/ships', wanted)).toEqual({ id: wanted.id })
    // Sent again, it is the same ship and is posted once.
    expect(await call(first, 'POST', '/api/ships', wanted)).toEqual({ id: wanted.id })
    await until(first, room, (items) => items.some(({ text }) => text.endsWith('#1 Function f1')))
    first.kill()

    const second = await serveAt(port, project.folder)
    project.release()
    const items = await until(second, room, (all) => all.some(({ text }) => text.startsWith('Shipped')))
    const [said, ...rest] = items
    expect(said).toMatchObject({ type: 'human_message', sender: 'you', target: 'router', text: goal })
    const replies = rest.filter(({ sender }) => sender !== 'router')
    expect(replies.map(({ text }) => text)).toContain('ROOM-MARK: start with the small one.')
    const notices = rest.filter(({ sender }) => sender === 'router')
    for (const notice of notices) {
      expect(notice).toMatchObject({ type: 'agent_response', target: 'all', thread: 'default' })
      expect(Object.keys(notice).sort()).toEqual(['call_id', 'sender', 'target', 'text', 'thread', 'ts', 'type'])
      expect(notice.call_id).toBe(said!.call_id)
    }
    expect(notices.map(({ text }) => text.replace(/Spent: .*/, '…'))).toEqual([
      expect.stringMatching(/^Planning in rapid mode, about \d+ asks and \d+k tokens\. Risk: none found\.$/),
      'The plan is ready: 2 issues.',
      'Done (1 of 2): #1 Function f1',
      'Done (2 of 2): #2 Function f2',
      'Shipped: 2 of 2 issues, merged into main. …',
    ])
    const ship = (await call(second, 'GET', `/api/ships/${wanted.id}`)) as ShipReport & { progress: ShipView }
    expect(ship.progress).toMatchObject({ stage: 'over', status: 'done', issues: [1, 2], merged: true, room })
    expect(ship.progress.cost).toEqual(ship.cost)
    const spec = readFileSync(join(project.folder, '.convene/plans', ship.plan, 'spec.md'), 'utf8')
    expect(spec).toContain('> ROOM-MARK: start with the small one.')
    const why = (await call(second, 'GET', '/api/why?what=src/f2.js:1')) as Origin
    const stations = chainOf('src/f2.js:1', why).map(({ what }) => what)
    expect(stations).toEqual(expect.arrayContaining(['commit', 'issue', 'criteria', 'decisions', 'turns', 'message']))
    const types = why.events.map(({ type }) => type)
    expect(types.slice(0, 3)).toEqual(['message.posted', 'ship.started', 'plan.started'])
    expect(why.events[0]!.summary).toContain(goal)
    expect(types).toContain('issue.moved')
    second.kill()

    const third = await serveAt(port, project.folder)
    expect(await transcript(third, room)).toEqual(items)
  })

  it('reports a stop, a question and a failure, and rejects an unknown room', whole, async () => {
    const gate: Line[] = [{ when: { ask: 'phase', contains: 'Score how well' }, reply: scored({ scope: 0, risk: 0 }) }]
    const project = shipping([{ number: 1 }], [...gate])
    const served = await serve({}, { folder: project.folder })
    expect((await served.call('POST', '/api/ships', { goal, room: 'nowhere' })).status).toBe(404)
    const { id: room } = (await served.call('POST', '/api/rooms', {})).body as { id: string }
    const { id } = (await served.call('POST', '/api/ships', { goal, room, discuss: false })).body as { id: string }
    await until(served, room, (items) => items.some(({ text }) => text.startsWith('A question waits for you: If only')))
    expect((await served.call('POST', `/api/runs/${id}/stop`)).status).toBe(202)
    const items = await until(served, room, (all) => all.some(({ text }) => text.startsWith('Stopped.')))
    expect(items.filter(({ sender }) => !['you', 'router'].includes(sender))).toEqual([])
    await served.call('POST', `/api/runs/${id}/resume`)
    const { questions } = (await served.call('GET', '/api/questions')).body as { questions: { id: string }[] }
    for (const question of questions) await served.call('POST', `/api/questions/${question.id}/answer`, { text: 'yes' })
    await until(served, room, (all) => all.some(({ text }) => /^Not shipped: .*no line left/.test(text)))
  })
})

describe('/ship in a message', () => {
  it('starts a ship in that room: over HTTP, and with ask, which follows it', whole, async () => {
    const project = shipping([{ number: 1 }], [built(1)])
    const asked = await project.convene('ask', `/ship ${goal}`)
    expect(asked.code, asked.stderr).toBe(0)
    expect(asked.report).toMatchObject({ status: 'done', goal, issues: [{ number: 1, state: 'DONE' }] })

    const served = await serve({}, { folder: project.folder })
    const { id: room } = (await served.call('POST', '/api/rooms', {})).body as { id: string }
    const message_id = randomUUID()
    const send = (text: string) => served.call('POST', `/api/rooms/${room}/messages`, { text, message_id })
    expect(await send('/ship')).toMatchObject({ status: 400, body: { error: { code: 'invalid_input', path: 'text' } } })
    expect(await send(`/ship ${goal}`)).toMatchObject({ status: 202, body: { message_id, run: `ship-${message_id}` } })
    const items = await until(served, room, (all) => all.some(({ text }) => text.startsWith('Shipped')))
    expect(items[0]).toMatchObject({ sender: 'you', text: goal })
  })

  it('starts a ship from a terminal room, which shows its progress', whole, async () => {
    const project = shipping([{ number: 1 }], [built(1)])
    const terminal = openTerminal([], { cwd: project.folder })
    await terminal.shows(/terminal › ?$/)
    terminal.type('/help\r')
    await terminal.shows('/ship <goal>')
    terminal.type(`/ship ${goal}\r`)
    await terminal.shows(/Shipping as ship-\S+\. \/stop stops it/)
    await terminal.shows(/Shipped: 1 of 1 issues/)
    terminal.type('/quit\r')
    expect(await terminal.finished).toBe(0)
  })
})

type Server = Pick<ServerProcess, 'server'>

async function until(
  served: Server,
  room: string,
  enough: (items: TranscriptItem[]) => boolean,
): Promise<TranscriptItem[]> {
  for (;;) {
    const items = await transcript(served, room)
    if (enough(items)) return items
    await pause(50)
  }
}

async function transcript(served: Server, room: string): Promise<TranscriptItem[]> {
  return ((await call(served, 'GET', `/api/rooms/${room}/transcript`)) as { items: TranscriptItem[] }).items
}

async function call({ server }: Server, method: string, path: string, body?: unknown): Promise<unknown> {
  const response = await fetch(server.url + path, {
    method,
    headers: { authorization: `Bearer ${server.token}`, accept: 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return response.json()
}
