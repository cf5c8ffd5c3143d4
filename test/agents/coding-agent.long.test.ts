/** Coding agents in builds that are interrupted: a person must decide, Convene is killed, the run is stopped. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { isRunning } from '../../src/workspace/commands/is-alive.ts'
import { approved, buildProject, code, expectExit, ofType, specOf, testFile } from '../build/project.ts'
import { run, start, temporaryFolder } from '../support/convene.ts'
import { type Action, type FakeScript, fakeCodingAgent } from '../support/fake-coding-agent.ts'

const files = {
  'src/inc.js': code('inc'),
  'test/inc.test.js': testFile('inc', { 'inc: inc-1': 'assert.equal(inc(1), 2); assert.equal(inc(5), 6)' }),
}
const working: Action[] = [{ write: files }, { exit: { TestsPassed: { iterations: 1, passedTests: [] } } }]

function projectWith(script: FakeScript, settings: object = {}) {
  const scratch = temporaryFolder()
  const fake = fakeCodingAgent(scratch, script)
  const project = buildProject({
    spec: specOf('inc'),
    lines: [{ when: { ask: 'review-impl', agent: 'critic' }, reply: approved }],
    config: {
      agents: {
        coder: { provider: 'acp', command: fake.command, ...settings },
        critic: { provider: 'rehearsal', script: '../script.yaml' },
      },
      roles: { impl: 'coder', tdd: 'critic' },
    },
  })
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
    expect(question).toMatchObject({ choices: ['allow', 'deny'], text: 'coder asks leave: npm test' })
    expect((await project.convene('answer', question!.id, choice)).code).toBe(0)
    const built = await project.convene('resume', waiting.report.run)
    expectExit(built, 0)
    const resolved = ofType(await project.events(), 'permission.resolved')
    expect(resolved.at(-1)).toMatchObject({ decision: choice, by: 'you' })
  },
)

it('dies with Convene, and the ask is put again after kill -9', async () => {
  const scratch = temporaryFolder()
  const pidFile = join(scratch, 'pid')
  const { project, fake } = projectWith({
    start: { outlivesInput: true, ignoresSignals: true },
    prompts: [{ contains: '', do: [{ pid: pidFile }, { say: 'working' }, { hang: true }] }],
  })
  const building = start(['build', 'spec.json', '--strategy', 'solo', '--json'], { cwd: project.folder })
  await expect.poll(() => existsSync(pidFile), { timeout: 240_000 }).toBe(true)
  await project.until((events) => ofType(events, 'ask.started').length > 0)
  building.child.kill('SIGKILL')
  await building.finished
  const pid = Number(readFileSync(pidFile, 'utf8'))
  await expect.poll(() => isRunning(pid)).toBe(false)

  fake.play({ prompts: [{ contains: '', do: working }] })
  const [first] = ofType(await project.events(), 'ask.started')
  const id = String(first!.ask).split('/')[0]!
  const resumed = await run(['resume', id, '--json'], { cwd: project.folder })
  expect(resumed, resumed.stderr).toMatchObject({ code: 0 })
  expect(ofType(await project.events(), 'ask.finished').map(({ kind }) => kind)).toEqual(['implement', 'review-impl'])
})

it('[AS3] an agent that is not logged in parks the build with 2 and the command that logs in; no attempt is spent', async () => {
  const { project, fake } = projectWith(
    {
      start: { newSessionError: { code: -32000, message: 'Authentication required' } },
      prompts: [{ contains: '', do: working }],
    },
    { agent: 'opencode' },
  )
  const parked = await project.build('--strategy', 'solo')
  expectExit(parked, 2)
  expect(parked.report.reason).toContain('run: opencode auth login')
  fake.play({ prompts: [{ contains: '', do: working }] })
  const built = await project.convene('resume', parked.report.run)
  expectExit(built, 0)
  expect(ofType(await project.events(), 'reply.refused')).toEqual([])
})
