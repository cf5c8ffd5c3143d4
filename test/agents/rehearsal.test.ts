import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, readFile, realpath, rm, stat, symlink, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Price } from '../../src/agents/models/price.ts'
import { createRehearsalAgent } from '../../src/agents/rehearsal/rehearsal.ts'
import { parseRehearsalScript, readRehearsalScript } from '../../src/agents/rehearsal/script.ts'
import type { AgentRequest } from '../../src/kernel/agent.ts'
import type { Clock } from '../../src/kernel/clock.ts'
import { ConveneError, ScriptExhausted } from '../../src/kernel/errors.ts'
import { MemoryLineBindings } from '../../src/kernel/stores/line-bindings.ts'

let folder: string
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'rehearsal-')))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

describe('a rehearsal', () => {
  it('answers each ask with the first unused line whose `when` matches', async () => {
    const actor = play(`
      - when: { ask: turn }
        text: second kind
      - when: { agent: someone-else }
        text: not for us
      - text: first come
      - text: second come
    `)
    expect(await said(actor, { step: 'a' })).toBe('first come')
    expect(await said(actor, { step: 'b' })).toBe('second come')
    expect(await said(actor, { step: 'c', kind: 'turn' })).toBe('second kind')
  })

  it.each<[string, Asked, Asked]>([
    ['ask: turn', { kind: 'turn' }, { kind: 'answer' }],
    ['agent: gpt', { agent: 'gpt' }, { agent: 'claude' }],
    ['node: parser', { facts: { node: 'parser' } }, { facts: { node: 'lexer' } }],
    ['phase: 6b', { facts: { phase: '6b' } }, { facts: { phase: '6' } }],
    ['phase: 4', { facts: { phase: '4' } }, {}],
    ['round: 2', { facts: { round: 2 } }, { facts: { round: 1 } }],
    ['attempt: 2', { facts: { attempt: 2 } }, { facts: { attempt: 1 } }],
    ['attempt: 2', { try: 2 }, { try: 1 }],
    ['contains: Postgres', { prompt: 'Postgres or SQLite?' }, { prompt: 'postgres or sqlite?' }],
    ['contains: terse', { system: 'Be terse.' }, { system: 'Be kind.' }],
    [
      'ask: turn, agent: gpt, round: 1',
      { kind: 'turn', agent: 'gpt', facts: { round: 1 } },
      { kind: 'turn', agent: 'gpt' },
    ],
  ])('matches a line by when {%s}', async (when, holds, fails) => {
    const script = `[{ when: { ${when} }, text: this one }, { text: the other, repeat: true }]`
    expect(await said(play(script, { name: holds.agent }), holds)).toBe('this one')
    expect(await said(play(script, { name: fails.agent }), fails)).toBe('the other')
  })

  it('sends a reply as JSON text and text unchanged', async () => {
    const actor = play('[{ reply: { angle: caching, confidence: 0.8, covers: [storage] } }, { text: "{not json" }]')
    expect(await said(actor, { step: 'a' })).toBe('{"angle":"caching","confidence":0.8,"covers":["storage"]}')
    expect(await said(actor, { step: 'b' })).toBe('{not json')
  })

  it('reuses a line that repeats', async () => {
    const actor = play('[{ text: always, repeat: true }, { text: never }]')
    for (const step of ['a', 'b', 'c']) expect(await said(actor, { step })).toBe('always')
  })

  it('gives the same ask the same line, after a restart too', async () => {
    const bindings = new MemoryLineBindings()
    const script = '[{ text: one }, { text: two }, { text: three }]'
    const before = play(script, { bindings })
    expect(await said(before, { step: 'a' })).toBe('one')
    expect(await said(before, { step: 'b' })).toBe('two')
    const after = play(script, { bindings })
    expect(await said(after, { step: 'b' })).toBe('two')
    expect(await said(after, { step: 'a' })).toBe('one')
    expect(await said(after, { step: 'a', try: 2 })).toBe('three')
    expect(await said(after, { step: 'b' })).toBe('two')
  })

  it('binds concurrent asks in the order in which they were started', async () => {
    const actor = play('[{ text: one, after_ms: 20 }, { text: two, after_ms: 10 }, { text: three }]')
    expect(await Promise.all(['a', 'b', 'c'].map((step) => said(actor, { step })))).toEqual(['one', 'two', 'three'])
  })

  it('shares one pool of lines between the agents of a script', async () => {
    const bindings = new MemoryLineBindings()
    const script = '[{ text: one }, { text: two }]'
    expect(await said(play(script, { bindings, name: 'gpt' }), { step: 'a' })).toBe('one')
    expect(await said(play(script, { bindings, name: 'claude' }), { step: 'b' })).toBe('two')
  })

  it('says which agent asked what of which script when no line is left', async () => {
    const actor = play('[{ when: { ask: answer }, text: one }]', { name: 'gpt' })
    await said(actor, { step: 'a' })
    const gone = said(actor, { run: 'r7', step: 'ask-gpt', try: 2, facts: { round: 3 }, prompt: 'What now?' })
    await expect(gone).rejects.toBeInstanceOf(ScriptExhausted)
    await expect(gone).rejects.toMatchObject({ code: 'script_exhausted', exitCode: 2 })
    const { message } = (await gone.catch((error) => error)) as Error
    for (const part of ['demo.yaml', '"gpt"', '"answer"', 'r7', 'ask-gpt', 'attempt 2', 'round 3', 'What now?']) {
      expect(message).toContain(part)
    }
  })

  it('is exhausted for an ask whose line is no longer in the script', async () => {
    const bindings = new MemoryLineBindings()
    await said(play('[{ text: one }]', { bindings }), { step: 'a' })
    await expect(said(play('[]', { bindings }), { step: 'a' })).rejects.toBeInstanceOf(ScriptExhausted)
  })

  it('is labelled, costs nothing and estimates its tokens', async () => {
    const actor = play('[{ text: some words }]')
    expect(actor).toMatchObject({ rehearsal: true, provider: 'rehearsal' })
    const reply = await actor.call(request({}), { signal: new AbortController().signal })
    expect(reply.usage).toMatchObject({ usd: 0, estimated: true })
  })

  it('costs what its price says, like a model', async () => {
    const actor = play('[{ text: some words }]', { price: { input: 100, output: 500 } })
    const asked = request({})
    const { usage } = await actor.call(asked, { signal: new AbortController().signal })
    expect(usage.usd).toBeCloseTo((usage.inputTokens * 100 + usage.outputTokens * 500) / 1e6)
    expect(actor.estimateUsage!(asked.messages, 1000).usd).toBeGreaterThan(0.5)
  })

  it('waits first, then streams its text over time', async () => {
    const clock = new HandClock()
    const actor = play('[{ text: abcdefgh, after_ms: 1000, stream_ms: 200 }]', { clock })
    const pieces: string[] = []
    const pending = actor.call(request({}), {
      signal: new AbortController().signal,
      onText: (piece) => pieces.push(piece),
    })
    await clock.reach(999)
    expect(pieces).toEqual([])
    await clock.reach(1100)
    expect(pieces).toEqual(['ab', 'cd'])
    await clock.reach(1200)
    expect(pieces).toEqual(['ab', 'cd', 'ef', 'gh'])
    expect(await pending).toMatchObject({ ok: true, text: 'abcdefgh' })
  })

  it("waits until a file exists, relative to the script's folder", async () => {
    await writeFile(join(folder, 'script.yaml'), '[{ text: now, after_file: go }]')
    const script = readRehearsalScript(join(folder, 'script.yaml'))
    const clock = new HandClock()
    const actor = createRehearsalAgent({ name: 'gpt', script, bindings: new MemoryLineBindings(), clock })
    const pieces: string[] = []
    const pending = actor.call(request({}), {
      signal: new AbortController().signal,
      onText: (piece) => pieces.push(piece),
    })
    await clock.reach(60_000)
    expect(pieces).toEqual([])
    await writeFile(join(folder, 'go'), '')
    await clock.reach(60_100)
    expect(await pending).toMatchObject({ ok: true, text: 'now' })
  })

  it('never splits a character', async () => {
    const actor = play('[{ text: "👩‍🚀🎉漢", stream_ms: 250 }]', { clock: new HandClock(true) })
    const pieces: string[] = []
    await actor.call(request({}), { signal: new AbortController().signal, onText: (piece) => pieces.push(piece) })
    expect(pieces.join('')).toBe('👩‍🚀🎉漢')
    for (const piece of pieces) expect(piece.isWellFormed()).toBe(true)
  })

  it.each(['after_ms', 'stream_ms'])('stops at once in the middle of %s', async (key) => {
    const actor = play(`[{ text: words, ${key}: 100000000 }]`)
    const controller = new AbortController()
    const reason = new Error('stop')
    const pending = actor.call(request({}), { signal: controller.signal })
    setImmediate(() => controller.abort(reason))
    await expect(pending).rejects.toBe(reason)
  })

  it('streams its text first if it then fails', async () => {
    const actor = play('[{ text: Once upon, fail: disconnect }, { reply: { a: 1 }, fail: timeout }]')
    const pieces: string[] = []
    const reply = await actor.call(request({}), {
      signal: new AbortController().signal,
      onText: (piece) => pieces.push(piece),
    })
    expect(reply).toMatchObject({
      ok: false,
      failure: { reason: 'disconnect', retryable: true },
      partialText: 'Once upon',
    })
    expect(pieces).toEqual(['Once upon'])
  })
})

describe('the files of a line', () => {
  const files = (entries: Record<string, string | null>) => JSON.stringify([{ files: entries, reply: { done: true } }])

  it('are in the workspace before the first word', async () => {
    const actor = play(files({ 'src/parser.ts': 'export const a = 1\n' }))
    const seen: string[] = []
    const onText = () => seen.push('text')
    await writeFile(join(folder, 'README.md'), 'old')
    const reply = await actor.call(request({ workspace: folder }), { signal: new AbortController().signal, onText })
    expect(reply).toMatchObject({ ok: true, text: '{"done":true}' })
    expect(seen).toEqual(['text'])
    expect(await readFile(join(folder, 'src/parser.ts'), 'utf8')).toBe('export const a = 1\n')
    expect(await readFile(join(folder, 'README.md'), 'utf8')).toBe('old')
  })

  it('replace existing files, and null deletes', async () => {
    await writeFile(join(folder, 'a.txt'), 'old')
    await writeFile(join(folder, 'b.txt'), 'old')
    await said(play(files({ 'a.txt': 'new', 'b.txt': null, 'gone.txt': null })), { workspace: folder })
    expect(await readFile(join(folder, 'a.txt'), 'utf8')).toBe('new')
    await expect(stat(join(folder, 'b.txt'))).rejects.toThrow()
  })

  it.each(['../evil.txt', '/etc/evil', 'a/../../evil.txt', '.git/config', 'a\\..\\b', ''])(
    'are all refused if one is "%s"',
    async (path) => {
      const actor = play(files({ 'fine.txt': 'x', [path]: 'y' }))
      const reply = await actor.call(request({ workspace: folder }), { signal: new AbortController().signal })
      expect(reply).toMatchObject({ ok: false, failure: { reason: 'malformed', retryable: false } })
      expect(!reply.ok && reply.failure.message).toContain(`"${path}"`)
      await expect(stat(join(folder, 'fine.txt'))).rejects.toThrow()
    },
  )

  it('do not follow a link out of the workspace', async () => {
    const workspace = join(folder, 'work')
    await mkdir(join(workspace, 'real'), { recursive: true })
    await mkdir(join(folder, 'outside'))
    await symlink(join(folder, 'outside'), join(workspace, 'out'))
    await symlink(join(folder, 'missing'), join(workspace, 'dangling'))
    await symlink(join(workspace, 'real'), join(workspace, 'in'))
    for (const path of ['out/a.txt', 'dangling', 'dangling/a.txt']) {
      const reply = await play(files({ [path]: 'x' })).call(request({ workspace }), {
        signal: new AbortController().signal,
      })
      expect(reply, path).toMatchObject({ ok: false, failure: { reason: 'malformed' } })
    }
    await expect(stat(join(folder, 'outside/a.txt'))).rejects.toThrow()
    expect(await said(play(files({ 'in/a.txt': 'x' })), { workspace })).toBe('{"done":true}')
  })

  it('need a workspace', async () => {
    const reply = await play(files({ 'a.txt': 'x' })).call(request({}), { signal: new AbortController().signal })
    expect(reply).toMatchObject({
      ok: false,
      failure: { reason: 'malformed', message: expect.stringContaining('workspace') },
    })
  })
})

describe('an invalid script', () => {
  it.each([
    ['- text: a\n  atfer_ms: 5', 2, '0.atfer_ms', 'did you mean "after_ms"?'],
    ['- text: a\n- text: b\n  when: { asks: turn }', 3, '1.when.asks', 'did you mean "ask"?'],
    ['- text: a\n  when:\n    ask: micro-propsal', 3, '0.when.ask', 'did you mean "micro-proposal"?'],
    ['- text: a\n  fail: rate_limited', 2, '0.fail', 'did you mean "rate-limited"?'],
    ['- text: a\n  reply: { b: 1 }', 1, '0.text', 'both reply and text'],
    ['- when: { ask: turn }', 1, '0', 'says nothing'],
    ['- reply:', 1, '0.reply', 'is empty'],
    ['- text: 42', 1, '0.text', 'in quotes'],
    ['- text: a\n  after_file: 5', 2, '0.after_file', 'the path of a file'],
    ['- text: a\n  after_ms: soon', 2, '0.after_ms', 'milliseconds'],
    ['- text: a\n  stream_ms: -1', 2, '0.stream_ms', 'milliseconds'],
    ['- text: a\n  repeat: 3', 2, '0.repeat', 'true or false'],
    ['- text: a\n  when: { round: two }', 2, '0.when.round', 'a whole number'],
    ['- text: a\n  when: turn', 2, '0.when', 'keys'],
    ['- text: a\n  files: [a.ts]', 2, '0.files', 'path: content'],
    ['- text: a\n  files: { a.ts: 1 }', 2, '0.files.a.ts', 'null to delete'],
    ['- just words', 1, '0', 'not a set of keys'],
    ['text: a', 1, undefined, 'a script is a list'],
    ['- text: "a', 1, undefined, 'Missing closing'],
    ['- text: a\n  text: b', 2, undefined, 'Map keys must be unique'],
  ])('%j is rejected with its file, line and key', (source, row, path, words) => {
    const error = errorOf(() => parseRehearsalScript(source, 'scripts/demo.yaml'))
    expect(error).toMatchObject({ code: 'invalid_script', exitCode: 2 })
    expect(error.path).toBe(path)
    expect(error.message).toContain(`scripts/demo.yaml, line ${row}:`)
    expect(error.message).toContain(words)
  })

  it('says that the file does not exist', () => {
    expect(errorOf(() => readRehearsalScript(join(folder, 'none.yaml'), 'none.yaml')).message).toContain('none.yaml')
  })

  it('[TR5] refuses a device, a pipe and a huge file instead of reading without end', async () => {
    const why = (path: string) => errorOf(() => readRehearsalScript(path, 'demo.yaml')).message
    execFileSync('mkfifo', [join(folder, 'pipe.yaml')])
    await writeFile(join(folder, 'huge.yaml'), '')
    await truncate(join(folder, 'huge.yaml'), 1024 ** 3)
    const odd = 'rehearsal script demo.yaml: it is not a regular file'
    expect(['/dev/zero', join(folder, 'pipe.yaml'), folder].map(why)).toEqual([odd, odd, odd])
    expect(why(join(folder, 'huge.yaml'))).toBe(
      'rehearsal script demo.yaml: it is larger than 16 MB; is it the right file?',
    )
  })

  it('reads an empty file as no lines', () => {
    expect(parseRehearsalScript('', 'x').lines).toEqual([])
    expect(parseRehearsalScript('# nothing yet\n', 'x').lines).toEqual([])
  })
})

function errorOf(run: () => unknown): ConveneError {
  try {
    run()
  } catch (error) {
    expect(error).toBeInstanceOf(ConveneError)
    return error as ConveneError
  }
  throw new Error('it should have been refused')
}

interface Staging {
  name?: string
  bindings?: MemoryLineBindings
  clock?: Clock
  price?: Price
}

function play(source: string, { name = 'actor', bindings = new MemoryLineBindings(), clock, price }: Staging = {}) {
  return createRehearsalAgent({ name, script: parseRehearsalScript(source, 'demo.yaml'), bindings, clock, price })
}

interface Asked {
  agent?: string
  kind?: AgentRequest['kind']
  run?: string
  step?: string
  try?: number
  prompt?: string
  system?: string
  facts?: AgentRequest['facts']
  workspace?: string
}

function request({ kind = 'answer', run = 'run', step = 'step', prompt = 'hello', ...more }: Asked): AgentRequest {
  const messages: AgentRequest['messages'] = [
    { role: 'system', content: more.system ?? 'You are on stage.' },
    { role: 'user', content: prompt },
  ]
  return {
    kind,
    question: { run, step, try: more.try ?? 1 },
    messages,
    facts: more.facts,
    workspace: more.workspace === undefined ? undefined : { folder: more.workspace },
  }
}

async function said(actor: ReturnType<typeof play>, asked: Asked): Promise<string> {
  const reply = await actor.call(request(asked), { signal: new AbortController().signal })
  if (!reply.ok) throw new Error(reply.failure.message)
  return reply.text
}

/** A clock that a test moves by hand. */
class HandClock implements Clock {
  #now = 0
  #timers: { at: number; fn: () => void }[] = []
  readonly #atOnce: boolean

  constructor(atOnce = false) {
    this.#atOnce = atOnce
  }

  now = () => this.#now

  after(milliseconds: number, fn: () => void): () => void {
    const timer = { at: this.#now + milliseconds, fn }
    this.#timers.push(timer)
    if (this.#atOnce) setImmediate(fn)
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer)
    }
  }

  async reach(time: number): Promise<void> {
    for (;;) {
      await new Promise((resolve) => setImmediate(resolve))
      const next = this.#timers.filter((timer) => timer.at <= time).sort((a, b) => a.at - b.at)[0]
      if (!next) break
      this.#now = next.at
      this.#timers = this.#timers.filter((timer) => timer !== next)
      next.fn()
    }
    this.#now = time
  }
}
