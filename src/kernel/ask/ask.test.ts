import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import {
  type Agent,
  type AgentFailure,
  type AgentReply,
  type AgentRequest,
  type AskKind,
  askKinds,
  type CallOptions,
  type Usage,
} from '../agent.ts'
import type { Clock } from '../clock.ts'
import { ScriptExhausted } from '../errors.ts'
import { type AskRequest, ask } from './ask.ts'
import type { BudgetPort } from './attempt.ts'

const schema = z.strictObject({ answer: z.number() })
const used: Usage = { inputTokens: 10, outputTokens: 5, usd: 0.01 }

describe('ask', () => {
  it('gives back the text, and without a schema the text is the value', async () => {
    const result = await ask(agentThat(says('four')), request())
    expect(result).toEqual({
      exit: { ok: true, text: 'four', value: 'four' },
      usage: used,
      attempts: [{ number: 1, try: 1, repair: false, usage: used }],
      raw: 'four',
      exchanged: [{ role: 'assistant', content: 'four' }],
    })
  })

  it('reads a structured reply into its value', async () => {
    const text = '{"answer": 4}'
    const { exit } = await ask(agentThat(says(text)), request({ schema }))
    expect(exit).toEqual({ ok: true, text, value: { answer: 4 } })
  })

  it('[AS1] takes the one object that fits from a fence or from words around it, flagged loose, without another call', async () => {
    for (const text of ['```json\n{"answer": 4}\n```', 'I think {so}: {"answer": 4}. {"note": "That was easy."}']) {
      const { exit, attempts } = await ask(agentThat(says(text)), request({ schema }))
      expect(exit).toEqual({ ok: true, text, value: { answer: 4 }, loose: true })
      expect(attempts).toHaveLength(1)
    }
  })

  it('[AS1] takes the arguments of a call to a tool that was not offered, flagged loose, without another call', async () => {
    for (const text of [
      '{"answer": 4}',
      '{"reply": {"answer": 4}, "note": {"done": true}}',
      '{"json": "{\\"answer\\": 4}"}',
    ]) {
      const { exit, attempts } = await ask(agentThat(calls('submit', text)), request({ schema }))
      expect(exit).toEqual({ ok: true, text, value: { answer: 4 }, loose: true })
      expect(attempts).toMatchObject([{ calledTool: 'submit' }])
    }
  })

  it('[AS2] says in the repair turn that a tool was called though none is offered', async () => {
    const agent = agentThat(calls('submit', '{"a": {"answer": 4}, "b": {"answer": 5}}'), says('{"answer": 4}'))
    const { exit, attempts } = await ask(agent, request({ schema }))
    expect(exit).toEqual({ ok: true, text: '{"answer": 4}', value: { answer: 4 } })
    expect(attempts.map(({ repair, calledTool }) => [repair, calledTool])).toEqual([
      [false, 'submit'],
      [true, undefined],
    ])
    expect(agent.requests[1]!.messages.at(-1)!.content).toMatch(
      /^Your reply could not be used: it calls the tool "submit", but no tools are offered here, and the arguments are no reply: /,
    )
  })

  it('passes on what the agent needs, and nothing it does not', async () => {
    const agent = agentThat(says('{"answer": 4}'))
    const facts = { node: 'parser', attempt: 2 }
    await ask(
      agent,
      request({ schema, facts, workspace: { folder: '/work' }, limits: { maxOutputTokens: 99 }, kind: 'implement' }),
    )
    expect(agent.requests).toEqual([
      {
        kind: 'implement',
        question: { run: 'run', step: 'step', try: 1 },
        messages: request().messages,
        schema,
        facts,
        workspace: { folder: '/work' },
        maxOutputTokens: 99,
      },
    ])
  })

  it('puts parallel questions in the order in which they were asked', async () => {
    const agent = agentThat(says('one'), says('two'), says('three'))
    const limits = { timeoutMs: 1000 }
    const asking = ['a', 'b', 'c'].map((step) => ask(agent, request({ question: { run: 'run', step }, limits })))
    const texts = (await Promise.all(asking)).map(({ exit }) => exit.ok && exit.text)
    expect(agent.requests.map(({ question }) => question.step)).toEqual(['a', 'b', 'c'])
    expect(texts).toEqual(['one', 'two', 'three'])
  })

  it('waits for what must be written down before a call', async () => {
    const order: string[] = []
    const agent = agentThat(async (...call) => {
      order.push('call')
      return says('four')(...call)
    })
    const onAttempt = async () => {
      await new Promise((resolve) => setImmediate(resolve))
      order.push('written')
    }
    await ask(agent, request({ onAttempt }))
    expect(order).toEqual(['written', 'call'])
  })

  it('streams each attempt under its own number', async () => {
    const heard: unknown[] = []
    const agent = agentThat(fails('disconnect', { partialText: 'fo' }), says('four'))
    const attempts: unknown[] = []
    await ask(
      agent,
      request({
        onText: (text, attempt) => heard.push([attempt.number, text]),
        onAttempt: (attempt) => void attempts.push(attempt),
      }),
      quick(),
    )
    expect(heard).toEqual([
      [1, 'fo'],
      [2, 'four'],
    ])
    expect(attempts).toEqual([
      { number: 1, try: 1, repair: false },
      { number: 2, try: 2, repair: false },
    ])
  })
})

describe('retries', () => {
  it('ask again after what may pass, with the next try of the question, and add up what was used', async () => {
    const agent = agentThat(fails('unavailable'), fails('rate-limited'), says('four'))
    const result = await ask(agent, request({ question: { run: 'r', step: 's', try: 4 } }), quick())
    expect(result.exit).toMatchObject({ ok: true, text: 'four' })
    expect(agent.requests.map(({ question }) => question.try)).toEqual([4, 5, 6])
    expect(result.attempts.map(({ failure }) => failure?.reason)).toEqual(['unavailable', 'rate-limited', undefined])
    expect(result.usage).toEqual({ inputTokens: 30, outputTokens: 15, usd: 0.03, requests: 3 })
  })

  it('do not ask again after what will not pass', async () => {
    const agent = agentThat(fails('refused', { retryable: false }))
    const { exit, attempts } = await ask(agent, request(), quick())
    expect(exit).toMatchObject({ ok: false, failure: { reason: 'refused' } })
    expect(attempts).toHaveLength(1)
  })

  it('end with the last failure once they are spent', async () => {
    const agent = agentThat(fails('unavailable'), fails('timeout'), fails('rate-limited'), says('too late'))
    const { exit, attempts } = await ask(agent, request({ retry: { retries: 2 } }), quick())
    expect(exit).toMatchObject({ ok: false, failure: { reason: 'rate-limited' } })
    expect(attempts).toHaveLength(3)
  })

  it('wait twice as long each time, up to a limit, half of it by chance', async () => {
    const failing = Array.from({ length: 5 }, () => fails('unavailable'))
    const retry = { retries: 4, baseMs: 1000, maxMs: 3000 }
    for (const [random, waits] of [
      [0, [500, 1000, 1500, 1500]],
      [0.5, [750, 1500, 2250, 2250]],
    ] as const) {
      const clock = new QuickClock()
      await ask(agentThat(...failing), request({ retry }), { clock, random: () => random })
      expect(clock.waits).toEqual(waits)
    }
  })

  it('wait as long as the provider asks, up to a cap', async () => {
    const clock = new QuickClock()
    const agent = agentThat(
      fails('rate-limited', { retryAfterMs: 7000 }),
      fails('rate-limited', { retryAfterMs: 900_000 }),
      says('four'),
    )
    await ask(agent, request({ retry: { retryAfterCapMs: 30_000 } }), { clock, random: () => 0 })
    expect(clock.waits).toEqual([7000, 30_000])
  })

  it('are none for a rehearsal, unless its configuration says so', async () => {
    const scripted = { rehearsal: true }
    expect(
      (await ask(agentThat(fails('timeout'), says('x')).with(scripted), request(), quick())).attempts,
    ).toHaveLength(1)
    const configured = agentThat(fails('timeout'), says('x')).with({ ...scripted, retries: 1 })
    expect((await ask(configured, request(), quick())).exit).toMatchObject({ ok: true })
  })

  it("follow the agent's own number before the asker's, but 0 from the asker is final", async () => {
    const agent = () => agentThat(fails('timeout'), fails('timeout'), says('x')).with({ retries: 1 })
    expect((await ask(agent(), request({ retry: { retries: 5 } }), quick())).attempts).toHaveLength(2)
    expect((await ask(agent(), request({ retry: { retries: 0 } }), quick())).attempts).toHaveLength(1)
  })

  it('stop waiting as soon as they are stopped', async () => {
    const controller = new AbortController()
    const reason = new Error('stopped')
    const clock = new StillClock()
    const asking = ask(agentThat(fails('unavailable')), request({ signal: controller.signal }), { clock })
    await clock.armed
    controller.abort(reason)
    await expect(asking).rejects.toBe(reason)
    expect(clock.timers.size).toBe(0)
  })
})

describe('a time-out', () => {
  it('is a failure as data, aborts the call, and counts what was heard', async () => {
    const clock = new StillClock()
    let aborted = false
    const agent = agentThat(async (_, { signal, onText }) => {
      onText?.('Once upon')
      await new Promise((resolve) => signal.addEventListener('abort', resolve))
      aborted = true
      throw signal.reason
    })
    const asking = ask(agent, request({ limits: { timeoutMs: 8000 }, retry: { retries: 0 } }), { clock })
    await clock.armed
    clock.fire()
    const { exit, raw, usage } = await asking
    expect(exit).toMatchObject({ ok: false, failure: { reason: 'timeout', retryable: true } })
    expect(!exit.ok && exit.failure.message).toContain('8 s')
    expect(raw).toBe('Once upon')
    expect(usage).toMatchObject({ estimated: true })
    expect(usage.outputTokens).toBeGreaterThan(0)
    expect(aborted).toBe(true)
  })

  it('ends a call that does not listen, and what it still says is not heard', async () => {
    const clock = new StillClock()
    const heard: string[] = []
    let speak: (text: string) => void = () => {}
    const agent = agentThat((_, { onText }) => {
      speak = onText!
      return new Promise(() => {})
    })
    const limits = { timeoutMs: 10 }
    const asking = ask(agent, request({ limits, retry: { retries: 0 }, onText: (text) => heard.push(text) }), { clock })
    await clock.armed
    speak('in time')
    clock.fire()
    expect((await asking).exit).toMatchObject({ ok: false, failure: { reason: 'timeout' } })
    speak('too late')
    expect(heard).toEqual(['in time'])
  })

  it('ends a call that has fallen silent, and only then', async () => {
    const clock = new HandClock()
    let speak: (text: string) => void = () => {}
    const agent = agentThat((_, { onText }) => {
      speak = onText!
      return new Promise(() => {})
    })
    const asking = ask(agent, request({ limits: { silenceMs: 100 }, retry: { retries: 0 } }), { clock })
    await new Promise((resolve) => setImmediate(resolve))
    clock.pass(90)
    speak('still')
    clock.pass(90)
    speak(' here')
    expect(clock.waiting).toBe(1)
    clock.pass(100)
    const { exit, raw } = await asking
    expect(raw).toBe('still here')
    expect(exit).toMatchObject({ ok: false, failure: { reason: 'timeout', silent: true } })
    expect(!exit.ok && exit.failure.message).toContain('no output for 0.1 s')
    expect(clock.waiting).toBe(0)
  })

  it('leaves no timer behind when the reply came first', async () => {
    const clock = new StillClock()
    await ask(agentThat(says('four')), request({ limits: { timeoutMs: 8000 } }), { clock })
    expect(clock.timers.size).toBe(0)
  })
})

describe('a reply that does not fit', () => {
  const bad = '{"answer": "four"}'

  it('is sent back once, with what was wrong', async () => {
    const agent = agentThat(says(bad), says('{"answer": 4}'))
    const result = await ask(agent, request({ schema, kind: 'phase' }))
    expect(result.exit).toMatchObject({ ok: true, value: { answer: 4 } })
    expect(result.attempts.map(({ repair }) => repair)).toEqual([false, true])
    const [first, second] = agent.requests
    expect(second!.question.try).toBe(2)
    expect(second!.messages.slice(0, -2)).toEqual(first!.messages)
    expect(second!.messages.at(-2)).toEqual({ role: 'assistant', content: bad })
    expect(second!.messages.at(-1)!.role).toBe('user')
    expect(second!.messages.at(-1)!.content).toMatch(/answer: .*expected number/)
    expect(second!.messages.at(-1)!.content).toContain('{"answer": number}')
    expect(result.exchanged).toEqual([...second!.messages.slice(-2), { role: 'assistant', content: '{"answer": 4}' }])
  })

  it('[AS2] is sent back where two different objects would do', async () => {
    const agent = agentThat(says('{"answer": 4} or {"answer": 5}'), says('{"answer": 4}'))
    const { exit } = await ask(agent, request({ schema, kind: 'implement' }))
    expect(exit).toMatchObject({ ok: true, value: { answer: 4 } })
    expect(agent.requests[1]!.messages.at(-1)!.content).toContain('2 different JSON objects')
  })

  it('[AS2] is sent back in the same conversation, with the tools that were used before it', async () => {
    const steps = [
      { role: 'assistant' as const, content: '[write a.ts]', native: { some: 'form' } },
      { role: 'tool' as const, content: 'written', native: { other: 'form' } },
      { role: 'assistant' as const, content: 'All done!' },
    ]
    const agent = agentThat(async (_, { onMessages }) => {
      onMessages!(steps)
      return { ok: true, text: 'All done!', usage: used }
    }, says('{"answer": 4}'))
    await ask(agent, request({ schema, kind: 'implement' }))
    expect(agent.requests[1]!.messages.slice(1, -1)).toEqual(steps)
  })

  it('is malformed when the second does not fit either, and the last text is kept', async () => {
    const agent = agentThat(says(bad), says('Sorry! {"answer": "4"}'), says('{"answer": 4}'))
    const result = await ask(agent, request({ schema, kind: 'phase' }))
    expect(result.exit).toMatchObject({ ok: false, failure: { reason: 'malformed', retryable: false } })
    expect(result.attempts).toHaveLength(2)
    expect(result.raw).toBe('Sorry! {"answer": "4"}')
  })

  it.each(askKinds.filter((kind) => kind !== 'turn' && kind !== 'micro-proposal'))(
    '[AS2] of kind %s is sent back once unless the caller reads prose',
    async (kind) => {
      const agent = agentThat(says(bad), says('{"answer": 4}'))
      expect((await ask(agent, request({ schema, kind }))).exit).toMatchObject({ ok: true, value: { answer: 4 } })
      expect(agent.requests).toHaveLength(2)
    },
  )

  it.each(['turn', 'micro-proposal'] as AskKind[])('[TN1] [RD4] of a %s is never sent back', async (kind) => {
    const agent = agentThat(says(bad), says('{"answer": 4}'))
    const result = await ask(agent, request({ schema, kind, repairs: 1 }))
    expect(result.exit).toMatchObject({ ok: false, failure: { reason: 'malformed' } })
    expect(result.attempts).toHaveLength(1)
    expect(result.raw).toBe(bad)
  })

  it('is not sent back where that is not wanted', async () => {
    const result = await ask(
      agentThat(says(bad), says('{"answer": 4}')),
      request({ schema, kind: 'phase', repairs: 0 }),
    )
    expect(result.attempts).toHaveLength(1)
  })

  it('that is empty goes back as a message that is not', async () => {
    const agent = agentThat(says(' '), says('{"answer": 4}'))
    await ask(agent, request({ schema, kind: 'phase' }))
    expect(agent.requests[1]!.messages.every(({ content }) => content.trim() !== '')).toBe(true)
  })

  it('keeps its text when the repair then fails', async () => {
    const agent = agentThat(says(bad), fails('refused', { retryable: false }))
    const result = await ask(agent, request({ schema, kind: 'phase' }))
    expect(result.exit).toMatchObject({ ok: false, failure: { reason: 'refused' } })
    expect(result.raw).toBe(bad)
  })
})

describe('a reminder', () => {
  const silence = { limits: { silenceMs: 100 }, reminder: 'Are you there?' }

  it('[GR5] follows the first silence at once, also for an agent whose calls are retried', async () => {
    const clock = new HandClock()
    const agent = agentThat(async (_, { onText }) => {
      onText!('I begin')
      return new Promise(() => {})
    }, says('four')).with({ retries: 5 })
    const reminders: number[] = []
    const onAttempt = ({ number, reminder }: { number: number; reminder?: true }) => {
      if (reminder) reminders.push(number)
    }
    const asking = ask(agent, request({ ...silence, onAttempt }), { clock })
    await new Promise((resolve) => setImmediate(resolve))
    clock.pass(100)
    expect((await asking).exit).toMatchObject({ ok: true, text: 'four' })
    expect(reminders).toEqual([2])
    expect(agent.requests[1]!.messages.slice(1)).toEqual([
      { role: 'assistant', content: 'I begin' },
      { role: 'user', content: 'Are you there?' },
    ])
  })

  it('[GR5] is sent once: a second silence fails the ask', async () => {
    const clock = new HandClock()
    const never: Call = () => new Promise(() => {})
    const agent = agentThat(never, never, says('too late')).with({ retries: 5 })
    const asking = ask(agent, request(silence), { clock })
    for (let silences = 0; silences < 2; silences++) {
      await new Promise((resolve) => setImmediate(resolve))
      clock.pass(100)
    }
    const { exit, attempts } = await asking
    expect(exit).toMatchObject({ ok: false, failure: { reason: 'timeout', silent: true } })
    expect(attempts).toHaveLength(2)
  })
})

describe('a call that breaks off while the agent works', () => {
  it('is retried from the last tool result, not from the beginning', async () => {
    const steps = [
      { role: 'assistant' as const, content: '[write a.ts]' },
      { role: 'tool' as const, content: 'written' },
    ]
    const agent = agentThat(async (_, { onMessages }) => {
      onMessages!([...steps, { role: 'assistant', content: 'cut' }])
      return {
        ok: false,
        failure: { reason: 'disconnect', message: 'gone', retryable: true },
        partialText: '',
        usage: used,
      }
    }, says('four'))
    await ask(agent, request({ kind: 'implement' }), quick())
    expect(agent.requests[1]!.messages.slice(1)).toEqual(steps)
  })
})

describe('the budget', () => {
  it('is asked before each call and told after it what was used', async () => {
    const budget = new NotedBudget()
    await ask(agentThat(fails('unavailable'), says('four')), request({ budget }), quick())
    expect(budget.notes).toEqual(['reserve 1', 'settle 1 15', 'reserve 2', 'settle 2 15'])
    expect(budget.estimates[0]!.inputTokens).toBeGreaterThan(0)
    expect(budget.estimates[0]!.outputTokens).toBeGreaterThan(0)
  })

  it('ends the ask where it refuses, without a call', async () => {
    const agent = agentThat(says('four'))
    const result = await ask(agent, request({ budget: new NotedBudget(0) }))
    expect(result).toMatchObject({ attempts: [], raw: '', usage: { inputTokens: 0, outputTokens: 0, usd: 0 } })
    expect(result.exit).toMatchObject({ ok: false, failure: { reason: 'budget', limit: 'calls', retryable: false } })
    expect(agent.requests).toEqual([])
  })

  it('ends the retries where it refuses another call, and keeps what the first brought', async () => {
    const agent = agentThat(fails('disconnect', { partialText: 'fo' }), says('four'))
    const result = await ask(agent, request({ budget: new NotedBudget(1) }), quick())
    expect(result.exit).toMatchObject({ ok: false, failure: { reason: 'budget' } })
    expect(result).toMatchObject({ raw: 'fo', usage: used })
    expect(result.attempts).toHaveLength(1)
  })

  it('is told an estimate of what a stopped call had used', async () => {
    const budget = new NotedBudget()
    const controller = new AbortController()
    const agent = agentThat(async (_, { signal, onText }) => {
      onText?.('Once upon a time')
      controller.abort(new Error('stopped'))
      throw signal.reason
    })
    await expect(ask(agent, request({ budget, signal: controller.signal }))).rejects.toThrow('stopped')
    expect(budget.notes).toEqual(['reserve 1', expect.stringMatching(/^settle 1 [1-9]/)])
  })

  it('gets back what it set aside where the call was not made', async () => {
    const controller = new AbortController()
    const agent = agentThat(says('four'))
    const stopped = new NotedBudget()
    const stop = () => controller.abort(new Error('stopped'))
    await expect(ask(agent, request({ budget: stopped, signal: controller.signal, onAttempt: stop }))).rejects.toThrow(
      'stopped',
    )
    expect(stopped.notes).toEqual(['reserve 1', 'release 1'])
    const failed = new NotedBudget()
    const onAttempt = () => Promise.reject(new Error('the disk is full'))
    await expect(ask(agent, request({ budget: failed, onAttempt }))).rejects.toThrow('the disk is full')
    expect(failed.notes).toEqual(['reserve 1', 'release 1'])
    expect(agent.requests).toEqual([])
  })

  it('gets back what it set aside where the script had no line', async () => {
    const budget = new NotedBudget()
    const agent = agentThat(async () => {
      throw new ScriptExhausted('no line left')
    })
    await expect(ask(agent, request({ budget }))).rejects.toBeInstanceOf(ScriptExhausted)
    expect(budget.notes).toEqual(['reserve 1', 'release 1'])
  })

  it('[BU1] counts what a call of many requests had used when it was stopped', async () => {
    const budget = new NotedBudget()
    const controller = new AbortController()
    const agent = agentThat(async (_, { onUsage }) => {
      onUsage?.({ inputTokens: 4000, outputTokens: 1000, usd: 0 })
      controller.abort(new Error('stopped'))
      return new Promise(() => {})
    })
    await expect(ask(agent, request({ budget, signal: controller.signal }))).rejects.toThrow('stopped')
    expect(budget.notes).toEqual(['reserve 1', 'settle 1 5000'])
  })

  it('[BU1] cuts a call short between two requests where nothing is left, and keeps what it used', async () => {
    const budget = Object.assign(new NotedBudget(), {
      grow: (_: string, { inputTokens }: Usage) =>
        inputTokens < 3000 ? { ok: true as const } : { ok: false as const, limit: 'tokens' },
    })
    let requests = 0
    const agent = agentThat(async (_, { onUsage, signal }) => {
      for (;;) {
        signal.throwIfAborted()
        requests++
        onUsage?.({ inputTokens: 1000 * requests, outputTokens: 0, usd: 0 }, true)
      }
    })
    const result = await ask(agent, request({ budget }))
    expect(result.exit).toMatchObject({ ok: false, failure: { reason: 'budget', limit: 'tokens', begun: true } })
    expect(result.usage.inputTokens).toBe(3000)
    expect(requests).toBe(3)
    expect(budget.notes).toEqual(['reserve 1', 'settle 1 3000'])
  })

  it('[BU1] waits where a call under way may leave enough, and asks again then', async () => {
    const settled = Promise.withResolvers<void>()
    let asked = 0
    const budget: BudgetPort = {
      reserve: () => (asked++ === 0 ? { ok: false, limit: 'usd', settled: settled.promise } : { ok: true, id: 'a' }),
      settle: () => {},
      release: () => {},
    }
    const asking = ask(agentThat(says('four')), request({ budget }))
    settled.resolve()
    expect((await asking).exit).toMatchObject({ ok: true })
    expect(asked).toBe(2)
  })
})

describe('what ask throws', () => {
  it('is what the signal says, at once where it has said so before', async () => {
    const reason = new Error('stopped')
    const agent = agentThat(says('four'))
    await expect(ask(agent, request({ signal: AbortSignal.abort(reason) }))).rejects.toBe(reason)
    expect(agent.requests).toEqual([])
  })

  it('is what the signal says, also where the agent does not listen', async () => {
    const controller = new AbortController()
    const reason = new Error('stopped')
    const asking = ask(
      agentThat(() => new Promise(() => {})),
      request({ signal: controller.signal }),
    )
    controller.abort(reason)
    await expect(asking).rejects.toBe(reason)
  })

  it('is nothing else: an agent that breaks down is a failure', async () => {
    const agent = agentThat(async () => {
      throw new TypeError('undefined is not a function')
    })
    const { exit } = await ask(agent, request(), quick())
    expect(exit).toMatchObject({ ok: false, failure: { reason: 'unavailable', retryable: false } })
    expect(!exit.ok && exit.failure.message).toContain('undefined is not a function')
  })
})

type Call = (request: AgentRequest, options: CallOptions) => Promise<AgentReply>

function says(text: string): Call {
  return async (_, { onText }) => {
    onText?.(text)
    return { ok: true, text, usage: used }
  }
}

/** A tool call where none is offered. */
function calls(calledTool: string, text: string): Call {
  return async () => ({ ok: true, text, calledTool, usage: used })
}

function fails(reason: AgentFailure['reason'], more: Partial<AgentFailure> & { partialText?: string } = {}): Call {
  return async (_, { onText }) => {
    const { partialText = '', ...failure } = more
    if (partialText) onText?.(partialText)
    return {
      ok: false,
      failure: { reason, message: `it was ${reason}`, retryable: true, ...failure },
      partialText,
      usage: used,
    }
  }
}

interface PlayedAgent extends Agent {
  requests: AgentRequest[]
  with(more: Partial<Agent>): PlayedAgent
}

/** Plays these calls one after the other. */
function agentThat(...calls: Call[]): PlayedAgent {
  const requests: AgentRequest[] = []
  return {
    name: 'gpt',
    provider: 'test',
    rehearsal: false,
    requests,
    call(request, options) {
      requests.push(request)
      const next = calls.shift()
      if (!next) throw new Error('asked once too often')
      return next(request, options)
    },
    with(more) {
      return Object.assign(this, more)
    },
  }
}

function request<Value = string>(more: Partial<AskRequest<Value>> = {}): AskRequest<Value> {
  return {
    kind: 'answer',
    question: { run: 'run', step: 'step' },
    messages: [{ role: 'user', content: 'What is two and two?' }],
    signal: new AbortController().signal,
    ...more,
  }
}

/** Waits that are over at once, and written down. */
class QuickClock implements Clock {
  readonly waits: number[] = []
  now = () => 0

  after(milliseconds: number, fn: () => void): () => void {
    this.waits.push(milliseconds)
    const timer = setImmediate(fn)
    return () => clearImmediate(timer)
  }
}

function quick() {
  return { clock: new QuickClock(), random: () => 0 }
}

/** Time that stands still until a test lets it pass. */
class StillClock implements Clock {
  readonly timers = new Set<() => void>()
  readonly #armed = Promise.withResolvers<void>()
  readonly armed = this.#armed.promise
  now = () => 0

  after(_: number, fn: () => void): () => void {
    this.timers.add(fn)
    this.#armed.resolve()
    return () => this.timers.delete(fn)
  }

  fire(): void {
    for (const fn of this.timers) fn()
  }
}

/** Time that passes as far as a test says. */
class HandClock implements Clock {
  #time = 0
  #timers: { at: number; fn: () => void }[] = []
  now = () => this.#time

  after(milliseconds: number, fn: () => void): () => void {
    const timer = { at: this.#time + milliseconds, fn }
    this.#timers.push(timer)
    return () => {
      this.#timers = this.#timers.filter((each) => each !== timer)
    }
  }

  pass(milliseconds: number): void {
    this.#time += milliseconds
    const due = this.#timers.filter((timer) => timer.at <= this.#time)
    this.#timers = this.#timers.filter((timer) => timer.at > this.#time)
    for (const timer of due) timer.fn()
  }

  get waiting(): number {
    return this.#timers.length
  }
}

class NotedBudget implements BudgetPort {
  readonly notes: string[] = []
  readonly estimates: Usage[] = []
  readonly #calls: number

  constructor(calls = Number.POSITIVE_INFINITY) {
    this.#calls = calls
  }

  reserve(estimate: Usage) {
    if (this.estimates.length >= this.#calls) return { ok: false as const, limit: 'calls' }
    this.estimates.push(estimate)
    const id = String(this.estimates.length)
    this.notes.push(`reserve ${id}`)
    return { ok: true as const, id }
  }

  settle(id: string, usage: Usage): void {
    this.notes.push(`settle ${id} ${usage.inputTokens + usage.outputTokens}`)
  }

  release(id: string): void {
    this.notes.push(`release ${id}`)
  }
}
