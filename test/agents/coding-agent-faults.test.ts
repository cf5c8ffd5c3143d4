/** What a coding agent can do wrong, and what it is given: in one process, with an agent that plays a script. */
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { type CodingAgentSettings, createCodingAgent } from '../../src/agents/acp/acp.ts'
import { type PoolSettings, ProcessPool } from '../../src/agents/acp/process-pool.ts'
import type { AgentMessage, AgentReply, AgentRequest, CallOptions } from '../../src/kernel/agent.ts'
import { isRunning } from '../../src/workspace/commands/is-alive.ts'
import { type Action, type FakeScript, fakeCodingAgent } from '../support/fake-coding-agent.ts'

const endings: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const end of endings.splice(0)) await end()
})

const exits = z.object({ Done: z.object({ n: z.number() }) })

describe('a coding agent that misbehaves', () => {
  it('prints lines that are not JSON: they are passed over', async () => {
    const { call } = open([{ say: 'hello' }], { garbage: ['Welcome!', '{not json', '', '[1]', '"text"'] })
    expect(await call()).toMatchObject({ ok: true, text: 'hello' })
  })

  it('[AG3] speaks another version of the protocol', async () => {
    const { call } = open([], { protocolVersion: 7 })
    const message = expect.stringContaining('speaks version 7 of the agent client protocol, Convene 1')
    expect(await call()).toMatchObject({ ok: false, failure: { configuration: true, message } })
  })

  it('[AG3] is too old: the command that updates it is named', async () => {
    const start = { agentInfo: { name: 'codex-acp', version: '0.3.1' } }
    const { call } = open([], start, { agent: 'codex' })
    const message = expect.stringContaining('run: npm install -g @agentclientprotocol/codex-acp@latest')
    expect(await call()).toMatchObject({ ok: false, failure: { configuration: true, message } })
  })

  it('[AG3] is not installed', async () => {
    const { call } = open([], {}, { agent: 'claude-code', command: undefined, env: { PATH: '/nowhere' } })
    const message =
      'agent "coder" (Claude Code) needs the program claude-agent-acp, which is not installed; run: npm install -g @agentclientprotocol/claude-agent-acp'
    expect(await call()).toMatchObject({ ok: false, failure: { configuration: true, message } })
  })

  it.each([
    { newSessionError: { code: -32000, message: 'Authentication required' } },
    { initializeError: { code: -32000, message: 'Authentication required' } },
  ])('[AG3] is not logged in: %j', async (start) => {
    const { call } = open([], start, { agent: 'claude-code' })
    const message = expect.stringContaining('run: claude /login')
    expect(await call()).toMatchObject({ ok: false, failure: { configuration: true, message } })
  })

  it('[AG3] never answers to initialize: it is given up and ended, and no attempt is spent', async () => {
    const { call } = open([], { neverInitialises: true, ignoresSignals: true }, {}, { startMs: 300 })
    const message = expect.stringContaining('continue with convene resume')
    expect(await call()).toMatchObject({
      ok: false,
      failure: { reason: 'timeout', retryable: true, configuration: true, message },
    })
  })

  it('[AG3] ends before it is ready and never worked: a fault of the configuration, with its last words', async () => {
    const broken = { stderr: 'cannot find my settings', exitCode: 3 }
    const { call } = open([], broken)
    const message =
      'agent "coder" ended with 3 before it was ready: cannot find my settings; correct agents.coder.command in convene.yaml'
    expect(await call()).toMatchObject({ ok: false, failure: { configuration: true, message } })
    const preset = open([], broken, { agent: 'gemini-cli' })
    const fix = expect.stringContaining('run: npm install -g @google/gemini-cli@latest')
    expect(await preset.call()).toMatchObject({ ok: false, failure: { configuration: true, message: fix } })
  })

  it('[AG3] ends before it is ready after it has worked: a retry may cure it, and no attempt is spent', async () => {
    const { call, fake } = open([{ say: 'ok' }], {}, {}, { idleMs: 0 })
    expect(await call()).toMatchObject({ ok: true })
    fake.play({ start: { stderr: 'out of files', exitCode: 3 }, prompts: [] })
    const failure = { reason: 'unavailable', retryable: true, configuration: true }
    expect(await call()).toMatchObject({ ok: false, failure })
  })

  it('[AG3] ends before it is asked anything: no attempt is spent', async () => {
    const { call } = open([], { diesInSession: true })
    const failure = { reason: 'disconnect', retryable: true, configuration: true }
    expect(await call()).toMatchObject({ ok: false, failure })
  })

  it('ends in the middle of a prompt, and is started again for the next', async () => {
    const { call, fake } = open([{ say: 'one ' }, { sleep: 50, die: 1 }])
    expect(await call()).toMatchObject({ ok: false, failure: { reason: 'disconnect' }, partialText: 'one ' })
    fake.play({ prompts: [{ contains: '', do: [{ say: 'better' }] }] })
    expect(await call()).toMatchObject({ ok: true, text: 'better' })
  })

  it('dies while a command runs: the command is ended', async () => {
    const command = { toolCallId: 'dev', kind: 'execute', title: 'npm run dev' }
    const { call, folder } = open([
      { leaveRunning: '$folder/child' },
      { update: { sessionUpdate: 'tool_call', status: 'in_progress', ...command } },
      // An answer shows that Convene has read everything before it.
      { permission: command, ifDenied: [{ die: 1 }] },
    ])
    expect(await call()).toMatchObject({ ok: false, failure: { reason: 'disconnect' } })
    const pid = Number(readFileSync(join(folder, 'child'), 'utf8'))
    await expect.poll(() => isRunning(pid)).toBe(false)
  })

  it('sends ten thousand updates', async () => {
    const { call } = open([{ thoughts: 10_000 }, { say: 'done' }])
    let signs = 0
    expect(await call({}, { onActivity: () => signs++ })).toMatchObject({ ok: true, text: 'done' })
    expect(signs).toBeGreaterThan(10_000)
  })

  it('[TR5] uses a thousand tools and goes on: the ask ends', async () => {
    const { call } = open([{ tools: 1001 }, { hang: true }])
    const message = expect.stringContaining('made more than 1,000 tool calls')
    expect(await call()).toMatchObject({ ok: false, failure: { retryable: false, message } })
  })

  it('ignores cancel: the whole group is ended, and what had left it', async () => {
    const { call, folder } = open(
      [{ pid: '$folder/pid' }, { leaveRunning: '$folder/child' }, { say: 'working' }, { hang: true }],
      { ignoresCancel: true, ignoresSignals: true, outlivesInput: true },
    )
    const stop = new AbortController()
    const reason = new Error('stopped')
    const calling = call({}, { signal: stop.signal, onText: () => stop.abort(reason) })
    await expect(calling).rejects.toBe(reason)
    for (const file of ['pid', 'child']) {
      const pid = Number(readFileSync(join(folder, file), 'utf8'))
      await expect.poll(() => isRunning(pid)).toBe(false)
    }
  })

  it('is stopped in the middle of words that arrived together: the rest is not passed on', async () => {
    // Written in one turn of the agent's loop, they reach Convene in one piece.
    const { call } = open([{ together: ['one ', 'two ', 'three '] }, { hang: true }])
    const stop = new AbortController()
    const heard: string[] = []
    const onText = (text: string) => {
      heard.push(text)
      stop.abort(new Error('enough'))
    }
    await expect(call({}, { signal: stop.signal, onText })).rejects.toThrow('enough')
    expect(heard).toEqual(['one '])
  })

  it('is stopped before it has a process: its folder is given back, and the same ask can be put again', async () => {
    const { call, workspace } = open([{ say: 'hello' }])
    const stop = new AbortController()
    const reason = new Error('stopped')
    let released = 0
    const checkout = async () => {
      stop.abort(reason)
      return { folder: workspace, release: async () => void released++ }
    }
    const source = { maxSteps: 1, reader: null as never, checkout }
    const question = { run: 'r', step: '3', try: 1 }
    await expect(call({ question, source }, { signal: stop.signal })).rejects.toBe(reason)
    await expect.poll(() => released).toBe(1)
    expect(await call({ question })).toMatchObject({ ok: true, text: 'hello' })
  })

  it('is killed before it reads the answer of the exit tool: only the ask fails', async () => {
    const { call } = open([{ exit: { dieWhileCalling: true, Done: { n: 1 } } }])
    const reply = await call({ kind: 'implement', schema: exits })
    expect(reply).toMatchObject({ ok: false, failure: { reason: 'disconnect' } })
  })

  it('ends its turn without a reply: its exit tool is closed', async () => {
    const { call, fake } = open([{ say: ' ' }])
    const reply = await call({ kind: 'implement', schema: exits })
    expect(reply).toMatchObject({ ok: false, failure: { reason: 'malformed' } })
    const begun = fake.received().find(({ method }) => method === 'session/new')
    const [server] = begun!.params!.mcpServers as { args: string[] }[]
    expect(existsSync(server!.args[1]!)).toBe(false)
  })

  it('gives a wrong reply to the exit tool, is told the field, and gives the right one', async () => {
    const { call } = open([
      { exit: { Done: { n: 'x' } }, sayAnswer: true },
      { exit: { Done: { n: 2 } }, sayAnswer: true },
    ])
    const said: string[] = []
    const reply = await call({ kind: 'implement', schema: exits }, { onText: (text) => said.push(text) })
    expect(reply).toMatchObject({ ok: true, text: '{"Done":{"n":2}}' })
  })

  it('talks instead of using the exit tool: the last fitting object counts', async () => {
    const { call } = open([
      { say: 'First I thought {"Done": {"n": 1}}, ' },
      { tool: { kind: 'read', title: 'look' } },
      { say: 'but it is ```json\n{"Done": {"n": 3}}\n``` and {"Other": 1}.' },
    ])
    expect(await call({ kind: 'implement', schema: exits })).toMatchObject({ ok: true, text: '{"Done": {"n": 3}}' })
  })
})

describe('a coding agent’s files', () => {
  it('[VF6] are those of its worktree, links included', async () => {
    const { call, folder, workspace } = open([
      { clientWrite: { path: 'src/new.txt', content: 'inside' } },
      { say: ' ' },
      { clientRead: 'src/new.txt' },
      { clientRead: 'missing.txt' },
      { clientWrite: { path: '../outside.txt', content: 'no' } },
      { clientWrite: { path: 'link/outside.txt', content: 'no' } },
      { clientRead: '../secret.txt' },
      { clientWrite: { path: '.git/config', content: 'no' } },
    ])
    writeFileSync(join(folder, 'secret.txt'), 'secret')
    symlinkSync(folder, join(workspace, 'link'))
    const reply = await call({ workspace: { folder: workspace } })
    expect(reply.ok && reply.text).toMatch(/^written inside(refused: [^\n]*){4}$/)
    expect(reply.ok && reply.text).not.toContain('secret"')
    expect(readFileSync(join(workspace, 'src/new.txt'), 'utf8')).toBe('inside')
    expect(existsSync(join(folder, 'outside.txt'))).toBe(false)
  })

  it('[AG2] are not written by an ask that may only read', async () => {
    const { call, workspace } = open([{ clientWrite: { path: 'new.txt', content: 'no' } }])
    const source = { maxSteps: 1, reader: null as never, checkout: async () => ({ folder: workspace, release }) }
    const asked: unknown[] = []
    const onPermission: CallOptions['onPermission'] = async (request, judged) => {
      asked.push([request.tool, judged])
      return 'deny'
    }
    const reply = await call({ source }, { onPermission })
    expect(reply.ok && reply.text).toContain('refused')
    expect(asked).toEqual([['edit', 'deny']])
    expect(existsSync(join(workspace, 'new.txt'))).toBe(false)
  })
})

describe('a coding agent’s thread', () => {
  const turns = [{ sayTurn: true }]
  const capabilities = { loadSession: true, sessionCapabilities: { fork: {} } }

  it('[AG5] goes on in the same session for the same work, in a copy for other work, told anew for another folder', async () => {
    const { call, fake, workspace, folder } = open(turns, { capabilities })
    const said: AgentMessage[] = []
    const first = { workspace: { folder: workspace }, kind: 'scaffold' as const }
    await call(first, { onMessages: (messages) => said.push(...messages) })
    const thread = [user('scaffold it'), ...said]
    const again = await call({ ...first, messages: [...thread, user('once more')] })
    expect(again).toMatchObject({ ok: true, text: 'turn 2' })
    expect(promptsTo(fake).at(-1)).toMatch(/^once more\n/)

    // The session was used since: a copy would hold too much.
    const other = await call({ ...first, kind: 'implement', messages: [...thread, user('implement it')] })
    expect(other).toMatchObject({ ok: true, text: 'turn 1' })
    expect(promptsTo(fake).at(-1)).toContain('scaffold it')

    const fresh: AgentMessage[] = []
    await call(first, { onMessages: (messages) => fresh.push(...messages) })
    const forked = await call({ ...first, kind: 'write-tests', messages: [user('x'), ...fresh, user('write tests')] })
    expect(forked).toMatchObject({ ok: true, text: 'turn 2' })
    expect(methodsOf(fake)).toContain('session/fork')
    expect(await call({ workspace: { folder }, messages: [user('x'), ...fresh, user('elsewhere')] })).toMatchObject({
      text: 'turn 1',
    })
  })

  it('[AG5] older sessions are closed, and those of a failed ask, in an agent that can close them', async () => {
    const capabilities = { sessionCapabilities: { close: {} } }
    const agentInfo = { name: 'claude-agent-acp', version: '0.99.1' }
    const { call, fake } = open([{ say: 'ok' }], { capabilities, agentInfo }, { agent: 'claude-code' })
    const ask = (step: number) => call({ question: { run: 'r', step: String(step), try: 1 } })
    for (const step of [1, 2, 3, 4]) await ask(step)
    fake.play({ start: { capabilities, agentInfo }, prompts: [{ contains: '', do: [{ say: ' ' }] }] })
    expect(await ask(5)).toMatchObject({ ok: false })
    const closed = () =>
      fake
        .received()
        .filter(({ method }) => method === 'session/close')
        .map(({ params }) => String(params!.sessionId).replace(/^.*-/, ''))
    // Two stay for later asks.
    await expect.poll(closed).toEqual(['1', '2', '5'])

    const other = open([{ say: 'ok' }])
    for (const step of ['1', '2', '3', '4', '5', '6', '7', '8'])
      await other.call({ question: { run: 'r', step, try: 1 } })
    expect(methodsOf(other.fake)).not.toContain('session/close')
  })

  it('[GR5] a silent agent is reminded in its session', async () => {
    const { call, fake, workspace } = open([{ say: 'working' }, { hang: true }])
    const stop = new AbortController()
    const question = { run: 'r', step: '7', try: 1 }
    const where = { workspace: { folder: workspace } }
    const silent = call({ question, ...where }, { signal: stop.signal, onText: () => stop.abort(new Error('silent')) })
    await expect(silent).rejects.toThrow('silent')
    fake.play({ prompts: [{ contains: 'wake up', do: turns }] })
    const messages = [user('do it'), user('wake up')]
    const reply = await call({ question: { ...question, try: 2 }, messages, ...where })
    expect(reply).toMatchObject({ ok: true, text: 'turn 2' })
    expect(promptsTo(fake).at(-1)).not.toContain('do it')
  })

  it('[AG4] has as many processes as half of the memory holds, however many asks come at once', async () => {
    const { call, fake } = open([{ sleep: 20 }, { say: 'ok' }], {}, {}, { machineMb: 2000 })
    const asks = Array.from({ length: 10 }, (_, index) => call({ question: { run: 'r', step: `${index}`, try: 1 } }))
    expect(await Promise.all(asks)).toMatchObject(asks.map(() => ({ ok: true, text: 'ok' })))
    // 300 MB each: three fit into 1,000 MB, and answer all ten.
    expect(methodsOf(fake).filter((method) => method === 'initialize')).toHaveLength(3)
  })

  it('[AG4] takes a process that was started before the ask; if that one failed, the ask tells why', async () => {
    const { call, fake, warm } = open([{ say: 'ok' }])
    warm()
    warm()
    expect(await call()).toMatchObject({ ok: true })
    expect(methodsOf(fake).filter((method) => method === 'initialize')).toHaveLength(1)

    const broken = open([{ say: 'ok' }], { stderr: 'cannot find my settings', exitCode: 3 })
    broken.warm()
    const message = expect.stringContaining('cannot find my settings')
    expect(await broken.call()).toMatchObject({ ok: false, failure: { configuration: true, message } })
  })

  it('[AG4] keeps its process warm between asks', async () => {
    const { call, fake } = open([{ say: 'ok' }])
    await call()
    await call()
    expect(methodsOf(fake).filter((method) => method === 'initialize')).toHaveLength(1)
  })
})

describe('what a coding agent uses', () => {
  it('is what it reports, in tokens and money, or an estimate', async () => {
    const usage = { totalTokens: 130, inputTokens: 100, outputTokens: 10, cachedReadTokens: 20 }
    const cost = { sessionUpdate: 'usage_update', used: 1, size: 2, cost: { amount: 0.25, currency: 'USD' } }
    const counted = open([{ update: cost }, { say: 'ok', usage }])
    expect((await counted.call()).usage).toEqual({
      inputTokens: 120,
      outputTokens: 10,
      cachedInputTokens: 20,
      usd: 0.25,
    })
    const uncounted = open([{ say: 'ok' }])
    expect((await uncounted.call()).usage).toMatchObject({ estimated: true, usd: null })
  })

  it('[BU1] is reported before each further request, so that a budget can end the turn', async () => {
    const { call } = open([
      { say: 'x'.repeat(4000) },
      { tool: { kind: 'execute', title: 'one' } },
      { tool: { kind: 'execute', title: 'two' } },
      { hang: true },
    ])
    const stop = new AbortController()
    const seen: number[] = []
    const onUsage: CallOptions['onUsage'] = ({ outputTokens }, goesOn) => {
      if (!goesOn) return
      seen.push(outputTokens)
      if (seen.length === 2) stop.abort(new Error('spent'))
    }
    await expect(call({}, { signal: stop.signal, onUsage })).rejects.toThrow('spent')
    expect(seen[0]).toBeGreaterThan(100)
  })
})

it('[AG9] Claude Code is told to make no requests for titles and suggestions; other agents are told nothing', async () => {
  const metaOf = async (settings: Partial<CodingAgentSettings>) => {
    const { call, fake } = open([{ say: 'ok' }], {}, settings)
    await call()
    return fake.received().find(({ method }) => method === 'session/new')!.params!._meta
  }
  const options = { promptSuggestions: false, title: 'Convene' }
  expect(await metaOf({ agent: 'claude-code' })).toEqual({ claudeCode: { options } })
  expect(await metaOf({})).toBeUndefined()
})

it('[AG8] a session’s model and mode are set', async () => {
  const select = (id: string, currentValue: string, values: string[]) => ({
    id,
    name: id,
    category: id,
    type: 'select',
    currentValue,
    options: values.map((value) => ({ value, name: value })),
  })
  const session = {
    configOptions: [
      select('model', 'a', ['a', 'vendor/b']),
      select('mode', 'agent-full-access', ['read-only', 'workspace-write', 'agent', 'agent-full-access']),
    ],
  }
  const agentInfo = { name: 'codex-acp', version: '2.6.0' }
  const { call, fake, workspace } = open([{ say: 'ok' }], { session, agentInfo }, { agent: 'codex', model: 'b' })
  await call()
  await call({ workspace: { folder: workspace } })
  const set = fake.received().filter(({ method }) => method === 'session/set_config_option')
  expect(set.map(({ params }) => params!.value)).toEqual(['vendor/b', 'read-only', 'vendor/b', 'workspace-write'])

  const unknown = open([], { session, agentInfo }, { agent: 'codex', model: 'c' })
  const message = expect.stringMatching(/has no model c; it offers a, vendor\/b; correct agents.coder.model/)
  expect(await unknown.call()).toMatchObject({ ok: false, failure: { configuration: true, message } })
})

const release = async () => {}
const user = (content: string): AgentMessage => ({ role: 'user', content })

type Fake = ReturnType<typeof fakeCodingAgent>
const methodsOf = (fake: Fake) => fake.received().map(({ method }) => method)
const promptsTo = (fake: Fake) =>
  fake
    .received()
    .filter(({ method }) => method === 'session/prompt')
    .map(({ params }) => (params!.prompt as { text: string }[])[0]!.text)

function open(
  actions: Action[],
  start: FakeScript['start'] = {},
  settings: Partial<CodingAgentSettings> = {},
  pooled: PoolSettings = {},
) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'convene-acp-')))
  const workspace = realpathSync(mkdtempSync(join(folder, 'worktree-')))
  const placed = JSON.parse(JSON.stringify(actions).replaceAll('$folder', folder)) as Action[]
  const fake = fakeCodingAgent(folder, { start, prompts: [{ contains: '', do: placed }] })
  const pool = new ProcessPool(pooled)
  const agent = createCodingAgent(
    { name: 'coder', command: fake.command, ...settings },
    { env: process.env, baseDir: folder, pool },
  )
  endings.push(async () => {
    await pool.close()
    await agent.close?.()
    rmSync(folder, { recursive: true, force: true })
  })
  const call = (request: Partial<AgentRequest> = {}, options: Partial<CallOptions> = {}): Promise<AgentReply> =>
    agent.call(
      { kind: 'answer', question: { run: 'r', step: '1', try: 1 }, messages: [user('do it')], ...request },
      { signal: new AbortController().signal, ...options },
    )
  const program = { argv: fake.command, env: { PATH: process.env.PATH! } }
  const warm = () => pool.warm({ key: 'coder', program, memoryMb: 300 })
  return { call, fake, folder, workspace, warm }
}
