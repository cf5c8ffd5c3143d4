/** What a coding agent can do wrong: in one process, with an agent that plays a script. */
import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { CallOptions } from '../../src/kernel/agent.ts'
import { isRunning } from '../../src/workspace/commands/is-alive.ts'
import { openScripted } from './scripted-agent.ts'

const exits = z.object({ Done: z.object({ n: z.number() }) })

describe('a coding agent that misbehaves', () => {
  it('prints lines that are not JSON: they are passed over', async () => {
    const { call } = openScripted([{ say: 'hello' }], { garbage: ['Welcome!', '{not json', '', '[1]', '"text"'] })
    expect(await call()).toMatchObject({ ok: true, text: 'hello' })
  })

  it('[AG3] speaks another version of the protocol', async () => {
    const { call } = openScripted([], { protocolVersion: 7 })
    const message = expect.stringContaining('speaks version 7 of the agent client protocol, Convene 1')
    expect(await call()).toMatchObject({ ok: false, failure: { configuration: true, message } })
  })

  it('[AG3] is too old: the command that updates it is named', async () => {
    const start = { agentInfo: { name: 'codex-acp', version: '0.3.1' } }
    const { call } = openScripted([], start, { agent: 'codex' })
    const message = expect.stringContaining('run: npm install -g @agentclientprotocol/codex-acp@latest')
    expect(await call()).toMatchObject({ ok: false, failure: { configuration: true, message } })
  })

  it('[AG3] is not installed', async () => {
    const { call } = openScripted([], {}, { agent: 'claude-code', command: undefined, env: { PATH: '/nowhere' } })
    const message =
      'agent "coder" (Claude Code) needs the program claude-agent-acp, which is not installed; run: npm install -g @agentclientprotocol/claude-agent-acp'
    expect(await call()).toMatchObject({ ok: false, failure: { configuration: true, message } })
  })

  it.each([
    { newSessionError: { code: -32000, message: 'Authentication required' } },
    { initializeError: { code: -32000, message: 'Authentication required' } },
  ])('[AG3] is not logged in: %j', async (start) => {
    const { call } = openScripted([], start, { agent: 'claude-code' })
    const message = expect.stringContaining('run: claude /login')
    expect(await call()).toMatchObject({ ok: false, failure: { configuration: true, message } })
  })

  it('[AG3] never answers to initialize: it is given up and ended, and no attempt is spent', async () => {
    const { call } = openScripted([], { neverInitialises: true, ignoresSignals: true }, {}, { startMs: 300 })
    const message = expect.stringContaining('continue with convene resume')
    expect(await call()).toMatchObject({
      ok: false,
      failure: { reason: 'timeout', retryable: true, configuration: true, message },
    })
  })

  it('[AG3] ends before it is ready and never worked: a fault of the configuration, with its last words', async () => {
    const broken = { stderr: 'cannot find my settings', exitCode: 3 }
    const { call } = openScripted([], broken)
    const message =
      'agent "coder" ended with 3 before it was ready: cannot find my settings; correct agents.coder.command in convene.yaml'
    expect(await call()).toMatchObject({ ok: false, failure: { configuration: true, message } })
    const preset = openScripted([], broken, { agent: 'gemini-cli' })
    const fix = expect.stringContaining('run: npm install -g @google/gemini-cli@latest')
    expect(await preset.call()).toMatchObject({ ok: false, failure: { configuration: true, message: fix } })
  })

  it('[AG3] ends before it is ready after it has worked: a retry may cure it, and no attempt is spent', async () => {
    const { call, fake } = openScripted([{ say: 'ok' }], {}, {}, { idleMs: 0 })
    expect(await call()).toMatchObject({ ok: true })
    fake.play({ start: { stderr: 'out of files', exitCode: 3 }, prompts: [] })
    const failure = { reason: 'unavailable', retryable: true, configuration: true }
    expect(await call()).toMatchObject({ ok: false, failure })
  })

  it('[AG3] ends before it is asked anything: no attempt is spent', async () => {
    const { call } = openScripted([], { diesInSession: true })
    const failure = { reason: 'disconnect', retryable: true, configuration: true }
    expect(await call()).toMatchObject({ ok: false, failure })
  })

  it('ends in the middle of a prompt, and is started again for the next', async () => {
    const { call, fake } = openScripted([{ say: 'one ' }, { sleep: 50, die: 1 }])
    expect(await call()).toMatchObject({ ok: false, failure: { reason: 'disconnect' }, partialText: 'one ' })
    fake.play({ prompts: [{ contains: '', do: [{ say: 'better' }] }] })
    expect(await call()).toMatchObject({ ok: true, text: 'better' })
  })

  it('dies while a command runs: the command is ended', async () => {
    const command = { toolCallId: 'dev', kind: 'execute', title: 'npm run dev' }
    const { call, folder } = openScripted([
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
    const { call } = openScripted([{ thoughts: 10_000 }, { say: 'done' }])
    let signs = 0
    expect(await call({}, { onActivity: () => signs++ })).toMatchObject({ ok: true, text: 'done' })
    expect(signs).toBeGreaterThan(10_000)
  })

  it('[TR5] uses a thousand tools and goes on: the ask ends', async () => {
    const { call } = openScripted([{ tools: 1001 }, { hang: true }])
    const message = expect.stringContaining('made more than 1,000 tool calls')
    expect(await call()).toMatchObject({ ok: false, failure: { retryable: false, rule: 'TR5', message } })
  })

  it('ignores cancel: the whole group is ended, and what had left it', async () => {
    const { call, folder } = openScripted(
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
    const { call } = openScripted([{ together: ['one ', 'two ', 'three '] }, { hang: true }])
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
    const { call, workspace } = openScripted([{ say: 'hello' }])
    const stop = new AbortController()
    const reason = new Error('stopped')
    let released = 0
    const checkout = async () => {
      stop.abort(reason)
      return { folder: workspace, release: async () => void released++ }
    }
    const source = { maxSteps: 1, reader: {} as never, checkout }
    const question = { run: 'r', step: '3', try: 1 }
    await expect(call({ question, source }, { signal: stop.signal })).rejects.toBe(reason)
    await expect.poll(() => released).toBe(1)
    expect(await call({ question })).toMatchObject({ ok: true, text: 'hello' })
  })

  it('is killed before it reads the answer of the exit tool: only the ask fails', async () => {
    const { call } = openScripted([{ exit: { dieWhileCalling: true, Done: { n: 1 } } }])
    const reply = await call({ kind: 'implement', schema: exits })
    expect(reply).toMatchObject({ ok: false, failure: { reason: 'disconnect' } })
  })

  it('ends its turn without a reply: its exit tool is closed', async () => {
    const { call, fake } = openScripted([{ say: ' ' }])
    const reply = await call({ kind: 'implement', schema: exits })
    expect(reply).toMatchObject({ ok: false, failure: { reason: 'malformed' } })
    const begun = fake.received().find(({ method }) => method === 'session/new')
    const [server] = begun!.params!.mcpServers as { args: string[] }[]
    expect(existsSync(server!.args[1]!)).toBe(false)
  })

  it('gives a wrong reply to the exit tool, is told the field, and gives the right one', async () => {
    const { call } = openScripted([
      { exit: { Done: { n: 'x' } }, sayAnswer: true },
      { exit: { Done: { n: 2 } }, sayAnswer: true },
    ])
    const said: string[] = []
    const reply = await call({ kind: 'implement', schema: exits }, { onText: (text) => said.push(text) })
    expect(reply).toMatchObject({ ok: true, text: '{"Done":{"n":2}}' })
  })

  it('talks instead of using the exit tool: the last fitting object counts', async () => {
    const { call } = openScripted([
      { say: 'First I thought {"Done": {"n": 1}}, ' },
      { tool: { kind: 'read', title: 'look' } },
      { say: 'but it is ```json\n{"Done": {"n": 3}}\n``` and {"Other": 1}.' },
    ])
    expect(await call({ kind: 'implement', schema: exits })).toMatchObject({ ok: true, text: '{"Done": {"n": 3}}' })
  })
})

describe('a coding agent’s files', () => {
  it('[VF6] are those of its worktree, links included', async () => {
    const { call, folder, workspace } = openScripted([
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
    const { call, workspace } = openScripted([{ clientWrite: { path: 'new.txt', content: 'no' } }])
    const source = {
      maxSteps: 1,
      reader: {} as never,
      checkout: async () => ({ folder: workspace, release: async () => {} }),
    }
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
