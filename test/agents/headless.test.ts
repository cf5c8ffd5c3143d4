/** Coding agents in their headless mode: when it is used, what the program may do, and how it ends. */
import { execFile } from 'node:child_process'
import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it, onTestFinished } from 'vitest'
import { ProcessPool } from '../../src/agents/acp/process-pool.ts'
import { connectAgents } from '../../src/agents/connect.ts'
import { headlessModes } from '../../src/agents/headless/modes.ts'
import type { AgentRequest } from '../../src/kernel/agent.ts'
import { MemoryLineBindings } from '../../src/kernel/stores/line-bindings.ts'
import { isRunning } from '../../src/workspace/commands/is-alive.ts'
import { approved, buildProject, code, expectExit, ofType, specOf, testFile } from '../build/project.ts'
import { temporaryFolder } from '../support/convene.ts'
import { type FakeScript, fakeCodingAgent, fakeHeadlessAgent } from '../support/fake-coding-agent.ts'

const question: AgentRequest = {
  kind: 'answer',
  question: { run: 'r', step: 's', try: 1 },
  messages: [{ role: 'user', content: 'How are you?' }],
}
const never = new AbortController().signal

function connect(prompts: FakeScript['prompts'], settings: Record<string, unknown> = {}, machineMb?: number) {
  const folder = temporaryFolder()
  const fake = fakeHeadlessAgent(folder, prompts)
  const pool = new ProcessPool(machineMb === undefined ? {} : { machineMb })
  const agents = connectAgents(
    { coder: { provider: 'acp', agent: 'claude-code', headless: true, command: fake.command, ...settings } },
    { env: { PATH: process.env.PATH, GITHUB_TOKEN: 'x' }, bindings: new MemoryLineBindings(), baseDir: folder, pool },
  )
  const agent = agents.get('coder')!
  onTestFinished(async () => {
    await agent.close?.()
    await pool.close()
  })
  return { agent, fake, folder }
}

const workIn = (folder: string) => ({ ...question, kind: 'implement' as const, workspace: { folder, maxSteps: 5 } })

describe('a headless coding agent', () => {
  it('[AG6] is used where the adapter is missing, through the agent’s own program', async () => {
    const folder = temporaryFolder()
    const fake = fakeHeadlessAgent(folder, [{ contains: 'How are you?', do: [{ say: 'Fine.' }] }])
    const words = fake.command.map((word) => `'${word}'`).join(' ')
    writeFileSync(join(folder, 'claude'), `#!/bin/sh\nexec ${words} "$@"\n`)
    chmodSync(join(folder, 'claude'), 0o755)
    const agents = connectAgents(
      { coder: { provider: 'acp', agent: 'claude-code', model: 'haiku' }, gone: { provider: 'acp', agent: 'codex' } },
      { env: { PATH: folder, HOME: folder }, bindings: new MemoryLineBindings(), baseDir: folder },
    )
    expect(await agents.get('coder')!.call(question, { signal: never })).toMatchObject({
      ok: true,
      text: 'Fine.',
      usage: { inputTokens: 150, cachedInputTokens: 30, outputTokens: 40, usd: 0.02 },
    })
    expect(fake.starts()[0]!.args).toEqual(expect.arrayContaining(['-p', '--model', 'haiku']))
    // Nothing of it is there: the adapter is what a person should install.
    expect(await agents.get('gone')!.call(question, { signal: never })).toMatchObject({
      failure: { lacks: 'program', message: expect.stringContaining('npm install -g @agentclientprotocol/codex-acp') },
    })
    for (const agent of agents.values()) await agent.close?.()
  })

  it('[AG1][AG6] works in the folder of the ask, in a small environment, and only reads outside of builds', async () => {
    const { agent, fake, folder } = connect([
      { contains: 'How', do: [{ write: ['a.txt', 'hello'] }, { say: 'Done.' }] },
    ])
    const work = temporaryFolder()
    const used: unknown[] = []
    const workspace = { ...workIn(work).workspace, onTool: (call: unknown) => used.push(call) }
    await agent.call({ ...workIn(work), workspace }, { signal: never })
    expect(readFileSync(join(work, 'a.txt'), 'utf8')).toBe('hello')
    expect(used).toMatchObject([{ tool: 'edit', summary: 'Write', ok: true }])
    await agent.call(question, { signal: never })
    const [working, reading] = fake.starts()
    expect(working).toMatchObject({ cwd: work, args: headlessModes['claude-code'].arguments({ mayWrite: true }) })
    expect(reading!.args).toEqual(headlessModes['claude-code'].arguments({ mayWrite: false }))
    expect(reading!.cwd).not.toBe(folder)
    expect(working!.env.filter((name) => /TOKEN|KEY/.test(name))).toEqual([])
    expect(working!.env).toContain('CONVENE_DEPTH')
  })

  it('[AG6] does no work where a person is to be asked, and only reads where everything is denied', async () => {
    const asking = connect([], { permissions: 'ask' })
    const work = temporaryFolder()
    expect(await asking.agent.call(workIn(work), { signal: never })).toMatchObject({
      ok: false,
      failure: { configuration: true, message: expect.stringMatching(/permissions: ask.*claude-agent-acp/) },
    })
    expect(asking.fake.starts()).toEqual([])
    const denied = connect([], { permissions: 'deny' })
    await denied.agent.call(workIn(work), { signal: never })
    expect(denied.fake.starts()[0]!.args).toEqual(headlessModes['claude-code'].arguments({ mayWrite: false }))
  })

  it('passes over words that are not JSON, and parks when the program never gets ready or nobody is logged in', async () => {
    const noisy = connect([
      { contains: 'How', do: [{ words: 'warning: old terminal' }, { words: '[1]' }, { say: 'Hi' }] },
    ])
    expect(await noisy.agent.call(question, { signal: never })).toMatchObject({ ok: true, text: 'Hi' })
    const out = connect([{ contains: 'How', do: [{ fail: 'Not logged in · Please run /login' }] }])
    expect(await out.agent.call(question, { signal: never })).toMatchObject({
      failure: { configuration: true, lacks: 'login', message: expect.stringContaining('claude /login') },
    })
    const broken = connect([], { command: ['/bin/sh', '-c', 'echo "cannot load libfoo" >&2; exit 3'] })
    expect(await broken.agent.call(question, { signal: never })).toMatchObject({
      failure: { configuration: true, message: expect.stringContaining('cannot load libfoo') },
    })
    const gone = connect([], { command: ['no-such-program-here'] })
    expect(await gone.agent.call(question, { signal: never })).toMatchObject({
      failure: { lacks: 'program', message: expect.stringContaining('npm install -g @anthropic-ai/claude-code') },
    })
  })

  it('ends with everything it started when it is stopped', async () => {
    const folder = temporaryFolder()
    const pids = join(folder, 'pids')
    const script = `sleep 300 & echo $! > ${pids}; echo $$ >> ${pids}; echo '{"type":"system"}'; wait`
    const { agent } = connect([], { command: ['/bin/sh', '-c', script] })
    const stop = new AbortController()
    const reason = new Error('enough')
    const answer = agent.call(question, { signal: stop.signal, onActivity: () => stop.abort(reason) })
    await expect(answer).rejects.toBe(reason)
    const started = readFileSync(pids, 'utf8').trim().split('\n').map(Number)
    expect(started).toHaveLength(2)
    await expect.poll(() => started.filter(isRunning)).toEqual([])
  })

  it('[AG3] cannot start without file descriptors: a retry may cure that, as it does over the protocol', async () => {
    const folder = temporaryFolder()
    const prompts = [{ contains: 'How are you?', do: [{ say: 'Fine.' }] }]
    const commands = [fakeCodingAgent(folder, { prompts }), fakeHeadlessAgent(folder, prompts)]
    const program = join(import.meta.dirname, 'starved-program.ts')
    const args = [process.execPath, program, folder, ...commands.map(({ command }) => JSON.stringify(command))]
    const { stdout } = await promisify(execFile)('sh', ['-c', 'ulimit -n 120; exec "$@"', 'sh', ...args])
    const starved = {
      ok: false,
      failure: { reason: 'unavailable', retryable: true, message: expect.stringMatching(/EMFILE/) },
    }
    const fine = { ok: true, text: 'Fine.' }
    expect(JSON.parse(stdout)).toMatchObject([starved, starved, fine, fine])
  })

  it('[AG4] waits for memory like every other coding agent', async () => {
    const { agent, fake } = connect([{ contains: 'How', do: [{ sleep: 300 }, { say: 'Fine.' }] }], {}, 1000)
    const asks = ['a', 'b'].map((step) =>
      agent.call({ ...question, question: { run: 'r', step, try: 1 } }, { signal: never }),
    )
    await Promise.race(asks)
    expect(fake.starts()).toHaveLength(1)
    expect(await Promise.all(asks)).toMatchObject([{ ok: true }, { ok: true }])
  })

  it('[AG6] builds what is merged; a refused attempt is told again what was said', async () => {
    const files = {
      'src/inc.js': code('inc'),
      'test/inc.test.js': testFile('inc', { 'inc: inc-1': 'assert.equal(inc(1), 2); assert.equal(inc(5), 6)' }),
    }
    const passed = JSON.stringify({ TestsPassed: { iterations: 1, passedTests: [] } })
    const scratch = temporaryFolder()
    const write = Object.entries(files).map((file) => ({ write: file }))
    const fake = fakeHeadlessAgent(scratch, [
      { contains: '# Build inc', do: [{ write: write[1]!.write }, { say: `I am done: ${passed}` }] },
      { contains: '# The conversation so far', do: [...write, { say: passed }] },
    ])
    const project = buildProject({
      spec: specOf('inc'),
      lines: [{ when: { ask: 'review-impl' }, reply: approved }],
      files: { 'src/.keep': '', 'test/.keep': '' },
    })
    const config = JSON.parse(readFileSync(join(project.folder, 'convene.yaml'), 'utf8'))
    config.agents = {
      coder: { provider: 'acp', agent: 'claude-code', headless: true, command: fake.command },
      critic: { provider: 'rehearsal', script: '../script.yaml', helper: true },
    }
    config.roles = { impl: 'coder', tdd: 'critic' }
    project.write({ 'convene.yaml': JSON.stringify(config) })
    project.git('commit', '--quiet', '--all', '--message=agents')
    const built = await project.build('--strategy', 'solo', '--merge')
    expectExit(built, 0)
    expect(built.report).toMatchObject({ merged: true })
    const [first, second, ...more] = fake.starts()
    expect(more).toEqual([])
    // It has no session: the second process is told everything.
    expect(second!.prompt).toMatch(/# Build inc[\s\S]*You:\n\{"TestsPassed"[\s\S]*# Now/)
    expect(second!.prompt.length).toBeGreaterThan(first!.prompt.length)
    expect(ofType(await project.events(), 'tool.used').length).toBeGreaterThan(1)
  })
})
