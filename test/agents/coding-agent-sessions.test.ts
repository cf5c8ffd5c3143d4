/** What a coding agent is given and keeps: sessions, processes, settings, and what it uses. In one process, with a scripted agent. */
import { describe, expect, it } from 'vitest'
import type { CodingAgentSettings } from '../../src/agents/acp/acp.ts'
import type { AgentMessage, CallOptions } from '../../src/kernel/agent.ts'
import type { ProjectSource } from '../../src/kernel/project-source.ts'
import { methodsOf, openScripted, promptsTo, user } from './scripted-agent.ts'

describe('a coding agent’s thread', () => {
  const turns = [{ sayTurn: true }]
  const capabilities = { loadSession: true, sessionCapabilities: { fork: {} } }

  it('[AG5] goes on in the same session for the same work, in a copy for other work, told anew for another folder', async () => {
    const { call, fake, workspace, folder } = openScripted(turns, { capabilities })
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
    const { call, fake } = openScripted([{ say: 'ok' }], { capabilities, agentInfo }, { agent: 'claude-code' })
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

    const other = openScripted([{ say: 'ok' }])
    for (const step of ['1', '2', '3', '4', '5', '6', '7', '8'])
      await other.call({ question: { run: 'r', step, try: 1 } })
    expect(methodsOf(other.fake)).not.toContain('session/close')
  })

  it('[AG5] an agent that starts a process for each session has one ready for the next ask in the same place', async () => {
    const agentInfo = { name: 'claude-agent-acp', version: '0.99.1' }
    const { call, fake, workspace } = openScripted([{ say: 'ok' }], { agentInfo }, { agent: 'claude-code' })
    const started = () => methodsOf(fake).filter((method) => method === 'session/new').length
    const used = () =>
      fake
        .received()
        .filter(({ method }) => method === 'session/prompt')
        .map(({ params }) => Number(String(params!.sessionId).replace(/^.*-/, '')))
    const checkout = async () => ({ folder: workspace, release: async () => {} })
    const reads = (commit: string, step: string) => {
      const source = { reader: { commit } as ProjectSource, maxSteps: 1, checkout }
      return call({ source, question: { run: 'r', step, try: 1 } })
    }
    await reads('a', '1')
    await expect.poll(started).toBe(2)
    await reads('a', '2')
    expect(used()).toEqual([1, 2])
    await expect.poll(started).toBe(3)
    // Other files are there now, and the session may have read them when it started.
    await reads('b', '3')
    expect(used()).toEqual([1, 2, 4])
    await expect.poll(started).toBe(5)

    // A proposal needs no files: it gets the same empty folder as the one before.
    await call({ kind: 'micro-proposal', question: { run: 'r', step: '4', try: 1 } })
    await expect.poll(started).toBe(7)
    await call({ kind: 'micro-proposal', question: { run: 'r', step: '5', try: 1 } })
    expect(used()).toEqual([1, 2, 4, 6, 7])
    // The one for reading is still ready.
    await reads('b', '6')
    expect(used().at(-1)).toBe(5)
  })

  it('[GR5] a silent agent is reminded in its session', async () => {
    const { call, fake, workspace } = openScripted([{ say: 'working' }, { hang: true }])
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
    const { call, fake } = openScripted([{ sleep: 20 }, { say: 'ok' }], {}, {}, { machineMb: 2000 })
    const asks = Array.from({ length: 10 }, (_, index) => call({ question: { run: 'r', step: `${index}`, try: 1 } }))
    expect(await Promise.all(asks)).toMatchObject(asks.map(() => ({ ok: true, text: 'ok' })))
    // 300 MB each: three fit into 1,000 MB, and answer all ten.
    expect(methodsOf(fake).filter((method) => method === 'initialize')).toHaveLength(3)
  })

  it('[AG4] takes a process that was started before the ask; if that one failed, the ask tells why', async () => {
    const { call, fake, warm } = openScripted([{ say: 'ok' }])
    warm()
    warm()
    expect(await call()).toMatchObject({ ok: true })
    expect(methodsOf(fake).filter((method) => method === 'initialize')).toHaveLength(1)

    const broken = openScripted([{ say: 'ok' }], { stderr: 'cannot find my settings', exitCode: 3 })
    broken.warm()
    const message = expect.stringContaining('cannot find my settings')
    expect(await broken.call()).toMatchObject({ ok: false, failure: { configuration: true, message } })
  })

  it('[AG4] keeps its process warm between asks', async () => {
    const { call, fake } = openScripted([{ say: 'ok' }])
    await call()
    await call()
    expect(methodsOf(fake).filter((method) => method === 'initialize')).toHaveLength(1)
  })
})

describe('what a coding agent uses', () => {
  it('is what it reports, in tokens and money, or an estimate', async () => {
    const usage = { totalTokens: 130, inputTokens: 100, outputTokens: 10, cachedReadTokens: 20 }
    const cost = { sessionUpdate: 'usage_update', used: 1, size: 2, cost: { amount: 0.25, currency: 'USD' } }
    const counted = openScripted([{ update: cost }, { say: 'ok', usage }])
    expect((await counted.call()).usage).toEqual({
      inputTokens: 120,
      outputTokens: 10,
      cachedInputTokens: 20,
      usd: 0.25,
    })
    const uncounted = openScripted([{ say: 'ok' }])
    expect((await uncounted.call()).usage).toMatchObject({ estimated: true, usd: null })
  })

  it('[BU1] is reported before each further request, so that a budget can end the turn', async () => {
    const { call } = openScripted([
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
    const { call, fake } = openScripted([{ say: 'ok' }], {}, settings)
    await call()
    return fake.received().find(({ method }) => method === 'session/new')!.params!._meta
  }
  const options = { promptSuggestions: false, title: 'Convene' }
  expect(await metaOf({ agent: 'claude-code' })).toEqual({ claudeCode: { options } })
  expect(await metaOf({})).toBeUndefined()
})

it('[AG9] a session that can be named is named, so that the agent asks no model for a title', async () => {
  const named = async (capabilities: object) => {
    const { call, fake } = openScripted([{ say: 'ok' }], { capabilities })
    await call()
    return fake
      .received()
      .filter(({ method }) => method === 'session/set_title')
      .map(({ params }) => params!.title)
  }
  expect(await named({ sessionCapabilities: { title: {} } })).toEqual(['Convene'])
  expect(await named({})).toEqual([])
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
  const { call, fake, workspace } = openScripted(
    [{ say: 'ok' }],
    { session, agentInfo },
    { agent: 'codex', model: 'b' },
  )
  await call()
  await call({ workspace: { folder: workspace } })
  const set = fake.received().filter(({ method }) => method === 'session/set_config_option')
  expect(set.map(({ params }) => params!.value)).toEqual(['vendor/b', 'read-only', 'vendor/b', 'workspace-write'])

  // What an agent does without asking cannot be refused, so it works in the mode that only reads.
  const denied = openScripted([{ say: 'ok' }], { session, agentInfo }, { agent: 'codex', permissions: 'deny' })
  await denied.call({ workspace: { folder: denied.workspace } })
  const modes = denied.fake.received().filter(({ method }) => method === 'session/set_config_option')
  expect(modes.map(({ params }) => params!.value)).toEqual(['read-only'])

  const unknown = openScripted([], { session, agentInfo }, { agent: 'codex', model: 'c' })
  const message = expect.stringMatching(/has no model c; it offers a, vendor\/b; correct agents.coder.model/)
  expect(await unknown.call()).toMatchObject({ ok: false, failure: { configuration: true, message } })
})
