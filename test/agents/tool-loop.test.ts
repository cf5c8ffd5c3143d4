/** A model that works in a folder, against the emulator, on every kind of provider. */
import { mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { type ModelProvider, modelProviders } from '../../src/agents/models/providers.ts'
import type { Agent, AgentRequest, AgentWorkspace, CallOptions, ToolCall } from '../../src/kernel/agent.ts'
import { ask } from '../../src/kernel/ask/ask.ts'
import { exitSchemaAt } from '../../src/rules/build/exits.ts'
import { exitsAt, graphPlaces } from '../../src/rules/build/graph-table.ts'
import { type CannedServer, opening, sendError, sendEvents, serveCanned } from './canned-server.ts'
import { Emulator, modelAgent, secretKey } from './emulator.ts'
import {
  commandsIn,
  madeCalls,
  offeredTools,
  type ScriptedStep,
  script,
  stepUsage,
  toolAnswers,
} from './tool-loop-script.ts'

const emulator = new Emulator()
beforeAll(() => emulator.start())
afterAll(() => emulator.stop())

let outer: string
let folder: string
beforeEach(async () => {
  outer = await mkdtemp(join(tmpdir(), 'tool-loop-'))
  folder = join(outer, 'project')
  await mkdir(join(folder, '.git'), { recursive: true })
  await writeFile(join(folder, '.git/config'), '[core]\n')
  await writeFile(join(outer, 'secret.txt'), 'the secret')
  await writeFile(join(folder, 'sum.mjs'), 'export const sum = (a, b) => a - b\n')
  await writeFile(join(folder, 'sum.test.mjs'), sumTest)
})
let canned: CannedServer | undefined
afterEach(async () => {
  canned?.close()
  canned = undefined
  await rm(outer, { recursive: true, force: true })
})

const sumTest = `import assert from 'node:assert'
import { it } from 'node:test'
import { sum } from './sum.mjs'
it('adds', () => assert.equal(sum(2, 3), 5))
`
const runTests = `${JSON.stringify(process.execPath)} --test --test-reporter=tap`
const implement = exitSchemaAt('impl')
const passed = { TestsPassed: { iterations: 2, passedTests: ['adds'] } }
const finish: ScriptedStep = { calls: [['finish', passed]] }

describe.each(modelProviders)('a model behind %s', (provider) => {
  it('lists, reads, edits, runs the tests, sees red, edits again, sees green and ends', async () => {
    const { run } = commandsIn(folder)
    const { reply, tools, pieces } = await work(provider, { run }, [
      { text: 'Let me look.', calls: [['list', {}]] },
      { calls: [['read', { path: 'sum.mjs' }]] },
      { calls: [['edit', { path: 'sum.mjs', old: 'a - b', new: 'a * b' }]] },
      { text: 'Now the tests.', calls: [['run', { command: runTests }]] },
      { calls: [['edit', { path: './sum.mjs', old: 'a * b', new: 'a + b' }]] },
      { calls: [['run', { command: runTests }]] },
      finish,
    ])
    expect(reply).toMatchObject({ ok: true })
    expect(reply.ok && JSON.parse(reply.text)).toEqual(passed)
    expect(await readFile(join(folder, 'sum.mjs'), 'utf8')).toBe('export const sum = (a, b) => a + b\n')
    expect(tools.map(({ tool, ok }) => `${tool} ${ok}`)).toEqual([
      'list true',
      'read true',
      'edit true',
      'run false',
      'edit true',
      'run true',
      'finish true',
    ])
    expect(tools[3]!.summary).toContain('exit code 1')
    expect(pieces.join('')).toBe('Let me look.\n\nNow the tests.')

    const answers = toolAnswers(provider, emulator.sent.at(-1)!.body)
    expect(answers.map(({ text }) => text.split('\n')[0])).toEqual([
      'sum.mjs 35',
      '1\texport const sum = (a, b) => a - b',
      'replaced 1 place in sum.mjs',
      'exit code 1',
      'replaced 1 place in ./sum.mjs',
      'exit code 0',
    ])
    expect(answers[3]!.text).toContain('not ok 1 - adds')
    expect(answers[5]!.text).toContain('ok 1 - adds')
    expect(answers.map(({ call }) => call)).toEqual(madeCalls(provider, emulator.sent.at(-1)!.body))
  })

  it("is offered its tools in the provider's format", async () => {
    await work(provider, commandsIn(folder), [finish])
    const offered = offeredTools(provider, emulator.sent[0]!.body)
    expect(offered.map(({ name }) => name).sort()).toEqual(['edit', 'finish', 'list', 'read', 'run', 'search', 'write'])
    for (const { schema } of offered) {
      expect(schema).toMatchObject({ type: 'object', properties: expect.any(Object), additionalProperties: false })
      expect(JSON.stringify(schema)).not.toMatch(/"(oneOf|allOf|\$ref|\$schema|const|minimum|minLength|maxLength)"/)
    }
    const end = offered.find(({ name }) => name === 'finish')!
    expect(Object.keys(end.schema.properties)).toEqual([
      'TestsPassed',
      'RequestRetry',
      'BlockedDependency',
      'SpecAmbiguity',
      'Stuck',
    ])
    // Strict mode allows no optional property.
    if (provider === 'openai') expect(end).toMatchObject({ strict: true })
    expect(end.schema.required).toHaveLength(provider === 'openai' ? 5 : 0)
    expect(JSON.stringify(emulator.sent[0]!.body)).toContain('call the tool finish')
  })

  it('adds up the usage of its steps as one call', async () => {
    const price = { input: 2, output: 10 }
    const { reply } = await work(provider, {}, [{ calls: [['list', {}]] }, { calls: [['list', {}]] }, finish], {
      settings: { price },
    })
    expect(reply.usage).toMatchObject({
      inputTokens: 3 * stepUsage.inputTokens,
      outputTokens: 3 * stepUsage.outputTokens,
    })
    expect(reply.usage.usd).toBeCloseTo((3 * (1000 * 2 + 50 * 10)) / 1e6, 9)
    expect(reply.usage.estimated).toBeUndefined()
  })

  it('may end with JSON text instead', async () => {
    const { reply } = await work(provider, {}, [{ calls: [['list', {}]] }, { text: JSON.stringify(passed) }])
    expect(reply).toMatchObject({ ok: true, text: JSON.stringify(passed) })
    expect(reply.usage.inputTokens).toBe(2000)
  })

  it('may omit a part of its exit with null', async () => {
    const { reply } = await work(provider, {}, [
      { calls: [['finish', { TestsPassed: { commitHash: null, iterations: 1, passedTests: [] } }]] },
    ])
    expect(implement.safeParse(JSON.parse((reply as { text: string }).text)).success).toBe(true)
    const nulls = { RequestRetry: null, BlockedDependency: null, SpecAmbiguity: null, Stuck: null }
    const other = await work(provider, {}, [{ calls: [['finish', { ...passed, ...nulls }]] }])
    expect(other.reply).toMatchObject({ ok: true, text: JSON.stringify(passed) })
    expect(emulator.sent).toHaveLength(1)
  })

  it.each(graphPlaces)('can end the work at %s by a tool', async (place) => {
    const schema = exitSchemaAt(place)
    script(emulator, provider, [{ text: 'no' }])
    await workWith(emulator.agent(provider), {}, {}, { schema })
    const end = offeredTools(provider, emulator.sent[0]!.body).find(({ name }) => name === 'finish')!
    expect(Object.keys(end.schema.properties)).toEqual(exitsAt(place))
    expect(end.description).toContain(`exactly one of ${exitsAt(place).join(', ')}.`)
  })

  it('cannot leave its folder, whatever it tries, and is told why', async () => {
    await symlink(outer, join(folder, 'out'))
    await symlink(join(outer, 'secret.txt'), join(folder, 'leak'))
    await symlink(join(folder, '.git'), join(folder, 'innocent'))
    await symlink(join(outer, 'nowhere'), join(folder, 'dangling'))
    const ways = [
      '../secret.txt',
      'a/../../secret.txt',
      join(outer, 'secret.txt'),
      '/etc/passwd',
      'out/secret.txt',
      'leak',
      '.git/config',
      '.GIT/config',
      'innocent/config',
      'dangling',
      'a\\..\\..\\secret.txt',
      'sum.mjs\u0000',
    ]
    const { reply, tools } = await work(provider, {}, [
      { calls: ways.map((path) => ['read', { path }]) },
      { calls: ways.map((path) => ['write', { path, content: 'gotcha' }]) },
      { calls: ways.map((path) => ['edit', { path, old: 'e', new: 'gotcha', all: true }]) },
      { calls: ['..', '/', 'out', '.git', 'innocent'].map((path) => ['list', { path }]) },
      { calls: ['..', '/', 'out', '.git', 'innocent'].map((path) => ['search', { path, pattern: 'secret|core' }]) },
      { calls: [['search', { pattern: 'the secret|\\[core\\]' }]] },
      finish,
    ])
    expect(reply).toMatchObject({ ok: true })
    const answers = toolAnswers(provider, emulator.sent.at(-1)!.body).map(({ text }) => text)
    expect(answers).toHaveLength(3 * ways.length + 11)
    for (const answer of answers.slice(0, -1)) expect(answer).toMatch(/^error: /)
    expect(answers.at(-1)).toBe('no match in 2 files')
    expect(tools.filter(({ ok }) => ok).map(({ tool }) => tool)).toEqual(['search', 'finish'])
    const sent = JSON.stringify(emulator.sent.map(({ body }) => body))
    expect(sent).not.toContain('root:')
    expect(answers.join()).not.toContain('the secret')
    expect(await readFile(join(outer, 'secret.txt'), 'utf8')).toBe('the secret')
    expect(await readFile(join(folder, '.git/config'), 'utf8')).toBe('[core]\n')
    await expect(stat(join(outer, 'nowhere'))).rejects.toThrow()
  })

  it('that starts an endless command has it killed, and continues', async () => {
    const { run, running } = commandsIn(folder, { timeoutMs: 3000 })
    const { reply } = await work(provider, { run }, [
      { calls: [['run', { command: 'echo begun; sleep 1000 & wait' }]] },
      finish,
    ])
    expect(reply).toMatchObject({ ok: true })
    expect(toolAnswers(provider, emulator.sent[1]!.body)[0]!.text).toBe('ended: it took too long\nbegun\n')
    await expect.poll(running).toBe(0)
  })

  it('whose command prints 100 MB gets the beginning and the end of what was kept', async () => {
    const { run, running } = commandsIn(folder)
    const { reply, tools } = await work(provider, { run }, [
      { calls: [['run', { command: 'yes 0123456789 | head -c 100000000' }]] },
      finish,
    ])
    expect(reply).toMatchObject({ ok: true })
    const [answer] = toolAnswers(provider, emulator.sent[1]!.body)
    expect(answer!.text).toMatch(/^ended: it printed too much\n0123456789\n/)
    expect(answer!.text).toContain('characters left out')
    expect(JSON.stringify(emulator.sent[1]!.body).length).toBeLessThan(60_000)
    expect(tools[0]).toMatchObject({ tool: 'run', ok: false })
    await expect.poll(running).toBe(0)
  })

  it('that never ends is stopped, after a warning', async () => {
    const { reply } = await work(provider, {}, [{ calls: [['list', {}]] }], { settings: { maxSteps: 8 } })
    expect(reply).toMatchObject({ ok: false, failure: { reason: 'malformed', retryable: false } })
    expect(!reply.ok && reply.failure.message).toMatch(/did not finish within 8 steps/)
    expect(reply.usage.inputTokens).toBe(8 * stepUsage.inputTokens)
    expect(emulator.sent).toHaveLength(8)
    const texts = toolAnswers(provider, emulator.sent.at(-1)!.body).map(({ text }) => text)
    expect(texts[1]).not.toContain('until the work is cut off')
    expect(texts.at(-1)).toContain('[1 more step until the work is cut off')
  })

  it('that calls an unknown tool or passes invalid arguments gets an error and continues', async () => {
    const { reply, tools } = await work(provider, {}, [
      { calls: [['bash', { command: 'ls' }]] },
      { calls: [['run', { command: 'ls' }]] },
      { calls: [['read', { file: 'sum.mjs' }]] },
      { calls: [['read', { path: 'sum.mjs', from: 'top' }]] },
      { calls: [['edit', { path: 'sum.mjs', old: 'a', new: 'z' }]] },
      { calls: [['edit', { path: 'sum.mjs', old: 'nowhere', new: 'z' }]] },
      { calls: [['read', { path: 'missing.mjs' }]] },
      { calls: [['finish', { Passed: {} }]] },
      { calls: [['read', { path: 'sum.mjs', from: null, lines: 1 }]] },
      finish,
    ])
    expect(reply).toMatchObject({ ok: true, text: JSON.stringify(passed) })
    const answers = toolAnswers(provider, emulator.sent.at(-1)!.body).map(({ text }) => text)
    expect(answers[0]).toMatch(/'bash'.*list/)
    expect(answers[1]).toMatch(/'run'.*list/)
    expect(answers[2]).toMatch(/^error: path: /)
    expect(answers[3]).toMatch(/^error: from: /)
    expect(answers[4]).toMatch(/^error: .* contains the old text 2 times/)
    expect(answers[5]).toMatch(/^error: .* does not contain the old text/)
    expect(answers[6]).toBe('error: "missing.mjs" does not exist')
    expect(answers[7]).toMatch(/^error: the reply does not fit: .*exactly one of its exits/)
    expect(answers[8]).toMatch(/^1\texport const sum/)
    expect(tools.map(({ ok }) => ok)).toEqual([...Array(8).fill(false), true, true])
    expect(answers.join()).not.toContain(outer)
  })

  it('that calls several tools at once gets them run in order, each with its result', async () => {
    const { reply } = await work(provider, {}, [
      {
        calls: [
          ['write', { path: 'deep/er/a.txt', content: 'one\n' }],
          ['edit', { path: 'deep/er/a.txt', old: 'one', new: 'two' }],
          ['edit', { path: 'deep/er/a.txt', old: 'two', new: '$& three' }],
          ['read', { path: 'deep/er/a.txt' }],
        ],
      },
      finish,
    ])
    expect(reply).toMatchObject({ ok: true })
    expect(await readFile(join(folder, 'deep/er/a.txt'), 'utf8')).toBe('$& three\n')
    const { body } = emulator.sent[1]!
    expect(toolAnswers(provider, body).map(({ text }) => text)).toEqual([
      'wrote deep/er/a.txt',
      'replaced 1 place in deep/er/a.txt',
      'replaced 1 place in deep/er/a.txt',
      '1\t$& three',
    ])
    expect(toolAnswers(provider, body).map(({ call }) => call)).toEqual(madeCalls(provider, body))
  })

  it('that is truncated in a later step fails like one that is truncated at once', async () => {
    const { reply } = await work(provider, {}, [
      { calls: [['write', { path: 'a.txt', content: 'kept' }]] },
      { text: 'one two three four five six seven eight nine ten', cutAfter: 6 },
    ])
    expect(reply).toMatchObject({ ok: false, failure: { reason: 'disconnect', retryable: true } })
    expect(!reply.ok && reply.partialText).not.toBe('')
    expect(reply.usage.inputTokens).toBeGreaterThan(stepUsage.inputTokens)
    expect(reply.usage).toMatchObject({ estimated: true })
    expect(emulator.sent).toHaveLength(2)
  })

  it('that is truncated while it calls a tool has not called it', async () => {
    canned = await serveCanned((response) => sendEvents(response, cutCall[provider]))
    const { reply, tools } = await workWith(modelAgent(provider, canned.address), {})
    expect(reply).toMatchObject({ ok: false, failure: { reason: 'disconnect', retryable: true } })
    expect(tools.filter(({ ok }) => ok)).toEqual([])
    await expect(stat(join(folder, 'a.txt'))).rejects.toThrow()
    expect(canned.requests).toHaveLength(1)
  })

  it.each([
    [429, 'rate-limited'],
    [503, 'unavailable'],
    [408, 'timeout'],
    [400, 'refused'],
  ])('that fails with %i in the middle of its work is %s, with its usage so far', async (fail, reason) => {
    const { reply } = await work(provider, {}, [{ calls: [['list', {}]] }, { fail }])
    expect(reply).toMatchObject({ ok: false, failure: { reason }, usage: stepUsage })
    expect(emulator.sent).toHaveLength(2)
  })

  it("is asked for plain JSON if the provider rejects the reply's schema", async () => {
    canned = await serveCanned((response, count) => {
      if (count === 1) return sendError(response, 400, { error: { message: "Invalid schema for function 'finish'" } })
      sendEvents(response, [...opening[provider](JSON.stringify(passed)), ...ending[provider]])
    })
    const { reply } = await workWith(modelAgent(provider, canned.address), {})
    expect(reply).toMatchObject({ ok: true, text: JSON.stringify(passed) })
    expect(
      canned.requests.map(({ body }) => offeredTools(provider, body).some(({ name }) => name === 'finish')),
    ).toEqual([true, false])
  })

  it('is stopped at once, and its command with it', async () => {
    const { run, running } = commandsIn(folder)
    const controller = new AbortController()
    const reason = new Error('stopped')
    script(emulator, provider, [{ calls: [['run', { command: 'touch begun; sleep 1000' }]] }, finish])
    const call = workWith(emulator.agent(provider), { run }, { signal: controller.signal })
    await expect
      .poll(() =>
        stat(join(folder, 'begun')).then(
          () => true,
          () => false,
        ),
      )
      .toBe(true)
    controller.abort(reason)
    await expect(call).rejects.toBe(reason)
    await expect.poll(running).toBe(0)
    expect(emulator.sent).toHaveLength(1)
  })
})

describe('a working model', () => {
  it('emits activity while a tool runs', async () => {
    let signs = 0
    const { promise, resolve } = Promise.withResolvers<void>()
    const run: AgentWorkspace['run'] = async () => {
      const before = signs
      await expect.poll(() => signs, { timeout: 120_000 }).toBeGreaterThan(before + 1)
      resolve()
      return { exitCode: 0, output: '', ended: 'exited' }
    }
    script(emulator, 'openai-compatible', [{ calls: [['run', { command: 'x' }]] }, finish])
    const { reply } = await workWith(emulator.agent('openai-compatible'), { run }, { onActivity: () => signs++ })
    await promise
    expect(reply).toMatchObject({ ok: true })
  })

  it('is stopped even if its command ignores signals', async () => {
    const controller = new AbortController()
    const run: AgentWorkspace['run'] = () => {
      controller.abort(new Error('stopped'))
      return new Promise(() => {})
    }
    script(emulator, 'openai', [{ calls: [['run', { command: 'x' }]] }, finish])
    const call = workWith(emulator.agent('openai'), { run }, { signal: controller.signal })
    await expect(call).rejects.toThrow('stopped')
  })

  it('is one call to the budget, which settles with the total', async () => {
    script(emulator, 'anthropic', [{ calls: [['list', {}]] }, { calls: [['list', {}]] }, finish])
    const settled: number[] = []
    let reserved = 0
    const { exit, attempts } = await ask(emulator.agent('anthropic'), {
      ...question(),
      schema: implement,
      workspace: { folder },
      budget: {
        reserve: () => ({ ok: true, id: String(++reserved) }),
        settle: (_, usage) => settled.push(usage.inputTokens + usage.outputTokens),
        release: () => {},
      },
      signal: new AbortController().signal,
    })
    expect(exit).toMatchObject({ ok: true, value: passed })
    expect(attempts).toHaveLength(1)
    expect(reserved).toBe(1)
    expect(settled).toEqual([3 * 1050])
  })

  it('that ends in prose is sent back once, like any reply of the wrong shape', async () => {
    script(emulator, 'google', [{ text: 'All done!' }, { calls: [['list', {}]] }, finish])
    const signal = new AbortController().signal
    const { exit, attempts } = await ask(emulator.agent('google'), {
      ...question(),
      schema: implement,
      workspace: { folder },
      signal,
    })
    expect(exit).toMatchObject({ ok: true, value: passed })
    expect(attempts.map(({ repair }) => repair)).toEqual([false, true])
  })

  it('that insists on a reply of the wrong shape returns it to the caller', async () => {
    const { reply } = await work('anthropic', {}, [{ calls: [['finish', { Passed: {} }]] }])
    expect(reply).toMatchObject({ ok: true, text: '{"Passed":{}}' })
    expect(emulator.sent).toHaveLength(3)
  })

  it('answers an ask without a schema in prose', async () => {
    script(emulator, 'openai', [{ calls: [['read', { path: 'sum.mjs' }]] }, { text: 'It subtracts.' }])
    const { reply } = await workWith(emulator.agent('openai'), {}, {}, { schema: undefined })
    expect(reply).toMatchObject({ ok: true, text: 'It subtracts.' })
    expect(offeredTools('openai', emulator.sent[0]!.body).map(({ name }) => name)).not.toContain('finish')
  })

  it('is asked in words for a schema that no tool can take', async () => {
    const schema = z.record(z.string(), z.unknown())
    script(emulator, 'openai', [{ text: '{"any":"thing"}' }])
    const { reply } = await workWith(emulator.agent('openai'), {}, {}, { schema })
    expect(reply).toMatchObject({ ok: true, text: '{"any":"thing"}' })
    expect(JSON.stringify(emulator.sent[0]!.body)).toContain('as your last message')
  })

  it('is not sent old tool results once they are too long', async () => {
    await writeFile(join(folder, 'big.txt'), `${'x'.repeat(99)}\n`.repeat(380))
    const reads: ScriptedStep[] = Array.from({ length: 9 }, () => ({ calls: [['read', { path: 'big.txt' }]] }))
    const { reply } = await work('openai-compatible', {}, [...reads, finish])
    expect(reply).toMatchObject({ ok: true })
    const last = toolAnswers('openai-compatible', emulator.sent.at(-1)!.body).map(({ text }) => text)
    expect(last[0]).toContain('shortened: it was long ago')
    expect(last.at(-1)).toHaveLength(last.at(-2)!.length)
    for (const { body } of emulator.sent) expect(JSON.stringify(body).length).toBeLessThan(300_000)
    const lengths = emulator.sent.map(({ body }) => toolAnswers('openai-compatible', body)[0]?.text.length ?? 0)
    expect(Math.max(...lengths)).toBeGreaterThan(35_000)
  })

  it('of Anthropic marks the end of the cacheable part, once', async () => {
    await work('anthropic', {}, [{ calls: [['list', {}]] }, { calls: [['list', {}]] }, finish])
    for (const { body } of emulator.sent) expect(JSON.stringify(body).match(/cache_control/g)).toHaveLength(1)
  })

  it('of OpenAI that reasons is sent its own reasoning again, with nothing stored by the provider', async () => {
    const { reply } = await work('openai', {}, [{ calls: [['list', {}]] }, finish], { settings: { model: 'gpt-5' } })
    expect(reply).toMatchObject({ ok: true })
    for (const { body } of emulator.sent) {
      expect(body).toMatchObject({ store: false, include: ['reasoning.encrypted_content'] })
      expect(JSON.stringify(body)).not.toMatch(/item_reference|previous_response_id/)
    }
  })

  it('that runs out of tokens in the middle of a call does not make the call', async () => {
    const events = [
      ...opening['openai-compatible']('I write the file.'),
      callEvent('write', '{"path":"a.txt","content":"half'),
      { id: 'c', choices: [{ index: 0, delta: {}, finish_reason: 'length' }] },
      '[DONE]',
    ]
    canned = await serveCanned((response) => sendEvents(response, events))
    const { reply } = await workWith(modelAgent('openai-compatible', canned.address), {})
    expect(reply).toMatchObject({ ok: false, failure: { reason: 'malformed' } })
    expect(!reply.ok && reply.failure.message).toContain('output tokens while calling write')
    expect(canned.requests).toHaveLength(1)
    await expect(stat(join(folder, 'a.txt'))).rejects.toThrow()
  })

  it('with arguments that are not JSON gets an error and continues', async () => {
    const events = (name: string, json: string) => [
      callEvent(name, json),
      { id: 'c', choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] },
      '[DONE]',
    ]
    canned = await serveCanned((response, count) =>
      sendEvents(response, count === 1 ? events('read', '{"path": oops') : events('finish', JSON.stringify(passed))),
    )
    const { reply, tools } = await workWith(modelAgent('openai-compatible', canned.address), {})
    expect(reply).toMatchObject({ ok: true, text: JSON.stringify(passed) })
    expect(toolAnswers('openai-compatible', canned.requests[1]!.body)[0]!.text).toMatch(/JSON/)
    expect(tools.map(({ tool, ok }) => [tool, ok])).toEqual([
      ['read', false],
      ['finish', true],
    ])
  })

  it('never reveals its key, not even to its tools', async () => {
    const { reply, tools } = await work('openai', {}, [{ calls: [['list', {}]] }, { fail: 401 }])
    expect(JSON.stringify([reply, tools, emulator.sent.map(({ body }) => body)])).not.toContain(secretKey)
  })
})

interface More {
  settings?: Parameters<Emulator['agent']>[1]
}

async function work(
  provider: ModelProvider,
  workspace: Partial<AgentWorkspace>,
  steps: ScriptedStep[],
  { settings }: More = {},
) {
  script(emulator, provider, steps)
  return workWith(emulator.agent(provider, settings), workspace)
}

async function workWith(
  agent: Agent,
  workspace: Partial<AgentWorkspace>,
  options: Partial<CallOptions> = {},
  request: Partial<AgentRequest> = {},
) {
  const tools: ToolCall[] = []
  const pieces: string[] = []
  const asked = { ...question(), schema: implement, ...request }
  const reply = await agent.call(
    { ...asked, workspace: { folder, run: workspace.run, onTool: (call) => tools.push(call) } },
    { signal: new AbortController().signal, onText: (piece) => pieces.push(piece), ...options },
  )
  return { reply, tools, pieces }
}

function question(): AgentRequest {
  return {
    kind: 'implement',
    question: { run: 'run', step: 'step', try: 1 },
    messages: [
      { role: 'system', content: 'You are a careful engineer.' },
      { role: 'user', content: 'Make the tests of sum.mjs pass.' },
    ],
  }
}

function callEvent(name: string, json: string) {
  const call = { index: 0, id: 'call_1', type: 'function', function: { name, arguments: json } }
  return { id: 'c', choices: [{ index: 0, delta: { tool_calls: [call] } }] }
}

/** A stream that stops in the middle of a call to `write`. */
const cutCall: Record<ModelProvider, unknown[]> = {
  anthropic: [
    opening.anthropic('')[0],
    { type: 'content_block_start', index: 0, content_block: { type: 'tool_use', id: 't', name: 'write', input: {} } },
    {
      type: 'content_block_delta',
      index: 0,
      delta: { type: 'input_json_delta', partial_json: '{"path":"a.txt","content":"x"}' },
    },
    { type: 'content_block_stop', index: 0 },
  ],
  openai: [
    opening.openai('')[0],
    {
      type: 'response.output_item.added',
      output_index: 0,
      item: { type: 'function_call', id: 'i', call_id: 't', name: 'write', arguments: '' },
    },
    {
      type: 'response.output_item.done',
      output_index: 0,
      item: {
        type: 'function_call',
        id: 'i',
        call_id: 't',
        name: 'write',
        arguments: '{"path":"a.txt","content":"x"}',
        status: 'completed',
      },
    },
  ],
  google: [
    {
      candidates: [
        {
          content: {
            role: 'model',
            parts: [{ functionCall: { name: 'write', args: { path: 'a.txt', content: 'x' } } }],
          },
          index: 0,
        },
      ],
    },
  ],
  'openai-compatible': [callEvent('write', '{"path":"a.txt","content":"x"}')],
}

const ending: Record<ModelProvider, unknown[]> = {
  anthropic: [
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: { output_tokens: 5 } },
    { type: 'message_stop' },
  ],
  openai: [{ type: 'response.completed', response: { usage: { input_tokens: 9, output_tokens: 5 } } }],
  google: [{ candidates: [{ content: { role: 'model', parts: [] }, finishReason: 'STOP', index: 0 }] }],
  'openai-compatible': [{ id: 'c', choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }, '[DONE]'],
}
