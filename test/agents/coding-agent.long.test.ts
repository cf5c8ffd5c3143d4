/** Coding agents in builds that go wrong: a person must decide, Convene is killed, the agent does not start, or it lies. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { startOwner } from '../../src/cli/client/owner-link.ts'
import { loadConfig } from '../../src/kernel/config/load.ts'
import { isRunning } from '../../src/workspace/commands/is-alive.ts'
import {
  approved,
  buildProject,
  code,
  expectExit,
  honest,
  type Line,
  ofType,
  specOf,
  testFile,
} from '../build/project.ts'
import { run, start, temporaryFolder } from '../support/convene.ts'
import { type Action, type FakeScript, fakeCodingAgent, fakeHeadlessAgent } from '../support/fake-coding-agent.ts'
import { gitProject } from '../support/git-project.ts'
import { processesWith } from '../support/processes.ts'

const files = {
  'src/inc.js': code('inc'),
  'test/inc.test.js': testFile('inc', { 'inc: inc-1': 'assert.equal(inc(1), 2); assert.equal(inc(5), 6)' }),
}
const working: Action[] = [{ write: files }, { exit: { TestsPassed: { iterations: 1, passedTests: [] } } }]

function projectWith(
  script: FakeScript,
  settings: object = {},
  {
    lines = [{ when: { ask: 'review-impl', agent: 'critic' }, reply: approved }],
    roles = { impl: 'coder', tdd: 'critic' },
    budget,
  }: { lines?: Line[]; roles?: object; budget?: object } = {},
  build: Record<string, unknown> = {},
) {
  const scratch = temporaryFolder()
  const fake = fakeCodingAgent(scratch, script)
  const project = buildProject({
    spec: specOf('inc'),
    lines,
    build,
    config: {
      agents: {
        coder: { provider: 'acp', command: fake.command, env: { SCRATCH: scratch }, ...settings },
        critic: { provider: 'rehearsal', script: '../script.yaml' },
      },
      roles,
      ...(budget ? { budget } : {}),
    },
  })
  // Everything that the agent starts inherits the variable; none of it may stay.
  onTestFinished(() => expect.poll(() => processesWith('SCRATCH', scratch)).toEqual([]))
  return { project, fake, scratch }
}

it.each(['allow', 'deny'])(
  '[AG2] a person decides (%s): the run waits with 3, resume puts the ask again',
  async (choice) => {
    const permission = { kind: 'execute', title: 'npm test', rawInput: { command: 'npm test' } }
    const { project } = projectWith(
      { prompts: [{ contains: '', do: [{ permission, ifAllowed: working, ifDenied: working }] }] },
      { permissions: 'ask' },
    )
    const waiting = await project.build('--strategy', 'solo')
    expectExit(waiting, 3)
    const [question] = waiting.report.questions!
    expect(question).toMatchObject({ choices: ['allow', 'deny'], text: 'coder asks for permission: npm test' })
    expect((await project.convene('answer', question!.id, choice)).code).toBe(0)
    const built = await project.convene('resume', waiting.report.run)
    expectExit(built, 0)
    const resolved = ofType(await project.events(), 'permission.resolved')
    expect(resolved.at(-1)).toMatchObject({ decision: choice, by: 'you' })
  },
)

it.each([{ asks: ['coder'] }, { asks: [] }])(
  '[AG4] starts with the command that will ask it, or that can ask nobody else ($asks)',
  async ({ asks }) => {
    const scratch = temporaryFolder()
    const fake = fakeCodingAgent(scratch, { prompts: [] })
    const agents = {
      coder: { provider: 'acp', command: fake.command, env: { SCRATCH: scratch } },
      helper: { provider: 'acp', command: ['no-such-program'], helper: true },
    }
    const folder = gitProject({ 'convene.yaml': JSON.stringify({ agents }) })
    const env = { PATH: process.env.PATH!, CONVENE_TRUST: '1' }
    const owned = await startOwner(loadConfig({ folder, env }), env, { port: 0, asks })
    await expect.poll(() => fake.received().map(({ method }) => method)).toEqual(['initialize'])
    await owned!.close()
    await expect.poll(() => processesWith('SCRATCH', scratch)).toEqual([])
  },
)

it('dies with Convene, with what it left running, and the ask is put again after kill -9', async () => {
  const scratch = temporaryFolder()
  const pidFile = join(scratch, 'pid')
  const { project, fake } = projectWith({
    start: { outlivesInput: true, ignoresSignals: true },
    prompts: [{ contains: '', do: [{ leaveRunning: `${pidFile}-of-child` }, { pid: pidFile }, { hang: true }] }],
  })
  const building = start(['build', 'spec.json', '--strategy', 'solo', '--json'], { cwd: project.folder })
  await expect.poll(() => existsSync(pidFile), { timeout: 240_000 }).toBe(true)
  await project.until((events) => ofType(events, 'ask.started').length > 0)
  building.child.kill('SIGKILL')
  await building.finished
  for (const file of [pidFile, `${pidFile}-of-child`]) {
    const pid = Number(readFileSync(file, 'utf8'))
    await expect.poll(() => isRunning(pid)).toBe(false)
  }

  fake.play({ prompts: [{ contains: '', do: working }] })
  const [first] = ofType(await project.events(), 'ask.started')
  const id = String(first!.ask).split('/')[0]!
  const resumed = await run(['resume', id, '--json'], { cwd: project.folder })
  expect(resumed, resumed.stderr).toMatchObject({ code: 0 })
  expect(ofType(await project.events(), 'ask.finished').map(({ kind }) => kind)).toEqual(['implement', 'review-impl'])
})

it.each([
  {
    what: 'that is not logged in',
    start: { newSessionError: { code: -32000, message: 'Authentication required' } },
    fix: 'run: opencode auth login',
  },
  {
    what: 'that ends before it is ready',
    start: { stderr: 'no settings', exitCode: 1 },
    fix: 'no settings; run: npm install -g opencode-ai@latest',
  },
  {
    what: 'that is killed before it is asked',
    start: { diesInSession: true },
    fix: 'ended before it began to work; continue with convene resume',
  },
])('[AS3] an agent $what parks the build with 2 and the command that helps; no attempt is spent', async (fault) => {
  const { project, fake } = projectWith(
    { start: fault.start, prompts: [{ contains: '', do: working }] },
    { agent: 'opencode' },
  )
  const parked = await project.build('--strategy', 'solo')
  expectExit(parked, 2)
  expect(parked.report.reason).toContain(fault.fix)
  fake.play({ prompts: [{ contains: '', do: working }] })
  const built = await project.convene('resume', parked.report.run)
  expectExit(built, 0)
  expect(ofType(await project.events(), 'reply.refused')).toEqual([])
})

const costs = (amount: number) => ({
  update: { sessionUpdate: 'usage_update', used: 1, size: 2, cost: { amount, currency: 'USD' } },
})
const looking: Action = { tool: { kind: 'read', title: 'look' } }

it.each([
  {
    limit: 'usd',
    budget: { usd: 0.5 },
    exit: 1,
    work: [costs(0.2), looking, costs(0.6), looking, { hang: true }],
    reason: 'budget_exhausted',
  },
  // It looks at one thing after another until it is stopped.
  {
    limit: 'minutes',
    budget: { minutes: 0.3 },
    exit: 124,
    work: Array.from({ length: 900 }, () => ({ ...looking, sleep: 100 })),
    reason: 'out_of_time',
  },
])('[BU1] the limit of $limit ends a turn between two tool calls; resume puts the ask again', async (given) => {
  const { project, fake } = projectWith({ prompts: [{ contains: '', do: given.work }] }, {}, { budget: given.budget })
  const spent = await project.build('--strategy', 'solo')
  expectExit(spent, given.exit)
  expect(spent.report).toMatchObject({ reason: given.reason })
  const events = await project.events()
  expect(ofType(events, 'budget.exhausted')).toEqual([expect.objectContaining({ limit: given.limit })])
  expect(ofType(events, 'ask.interrupted')).toHaveLength(1)
  expect(fake.received().map(({ method }) => method)).toContain('session/cancel')

  fake.play({ prompts: [{ contains: '', do: working }] })
  const config = JSON.parse(readFileSync(join(project.folder, 'convene.yaml'), 'utf8'))
  project.write({ 'convene.yaml': JSON.stringify({ ...config, budget: {} }) })
  const built = await project.convene('resume', spent.report.run)
  expectExit(built, 0)
  expect(ofType(await project.events(), 'reply.refused')).toEqual([])
})

/** What a scripted agent over the protocol does in one action, as the headless one does it. */
function headlessly({ write = {}, link = {}, remove = [], exit }: Action): Action[] {
  return [
    ...(remove as string[]).map((path) => ({ remove: path })),
    ...Object.entries(write as object).map((file) => ({ write: file })),
    ...Object.entries(link as object).map((made) => ({ link: made })),
    ...(exit ? [{ say: JSON.stringify(exit) }] : []),
  ]
}

it.each(['over the protocol', 'headless'])(
  '[VF3] [VF4] [VF6] [GR10] [TR7] catches a coding agent that lies (%s), and tells it why',
  async (way) => {
    const spec = specOf('inc')
    const { scaffold, tests, review } = honest(spec)
    const right = { 'src/inc.js': code('inc') }
    const lies = [
      { files: { 'src/inc.js': code('inc', 'value') }, rule: 'VF4', says: 'the tests do not pass' },
      {
        files: { 'src/inc.js': code('inc', 'value === 1 ? 2 : 0') },
        rule: 'VF4',
        says: 'the contract suite does not pass',
      },
      {
        files: { 'src/inc.js': code('inc', 'value'), 'test/inc.test.js': testFile('inc', { 'inc: inc-1': '' }) },
        rule: 'VF3',
        says: 'test/inc.test.js: a test',
      },
      {
        files: { 'src/inc.js': `import assert from 'node:assert'\nassert.equal = () => {}\n${code('inc', 'value')}` },
        rule: 'TR7',
        says: 'it changes node:assert',
      },
      { files: right, link: { stolen: '/etc' }, rule: 'VF6', says: 'stolen: a link out of the worktree' },
      { files: right, reply: { commitHash: '0'.repeat(40) }, rule: 'GR10', says: 'there is no commit 0000' },
    ]
    // What an agent left in its worktree is there in the next attempt.
    const repair = { remove: ['stolen'], write: tests.files }
    const prompts = [...lies, { files: right, link: {}, reply: {} }].map(({ files, link, reply }, index) => ({
      contains: lies[index - 1]?.says ?? '# Implement inc',
      once: true,
      do: [
        ...(index > 0 ? [repair] : []),
        { write: files, link },
        { exit: { TestsPassed: { iterations: 1, passedTests: ['inc: inc-1'], ...reply } } },
      ],
    }))
    const told = prompts.map(({ do: actions, ...prompt }) => ({ ...prompt, do: actions.flatMap(headlessly) }))
    const { command } = fakeHeadlessAgent(temporaryFolder(), told)
    const { project } = projectWith(
      { prompts },
      way === 'headless' ? { agent: 'claude-code', headless: true, command } : {},
      {
        lines: [scaffold, tests, review],
        roles: { scaffold: 'critic', tdd: 'critic', impl: 'coder', reviewer: 'critic' },
      },
      { caps: { attempts: 10 } },
    )
    const built = await project.build('--strategy', 'graph')
    const refused = ofType(await project.events(), 'reply.refused')
    const rules = refused.map(({ problems }) => (problems as { rule: string }[]).map(({ rule }) => rule))
    expect(rules).toEqual(lies.map(({ rule }) => expect.arrayContaining([rule])))
    expectExit(built, 0)
    expect(project.read(built.report.commit!, 'src/inc.js')).toBe(code('inc').trim())
    expect(project.git('ls-tree', '-r', '--name-only', built.report.commit!)).not.toContain('stolen')
  },
)
