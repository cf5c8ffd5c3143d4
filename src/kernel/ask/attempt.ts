/** One call to an agent, within its budget and its time. Whatever goes wrong comes back as data. */
import { msUntilSilent } from '../../rules/build/silence.ts'
import type { Agent, AgentFailure, AgentReply, AgentRequest, Usage } from '../agent.ts'
import type { Clock } from '../clock.ts'
import { ScriptExhausted } from '../errors.ts'
import { estimateTokens, noUsage } from './usage.ts'

export interface BudgetPort {
  /**
   * Sets aside what a call will probably use. Refused where a limit would be passed; with `settled` it is worth asking
   * again then, because a call under way may turn out to use less than was set aside for it.
   */
  reserve(estimate: Usage): { ok: true; id: string } | { ok: false; limit: string; settled?: Promise<void> }
  /** A call that takes several requests has used so much, and is about to make another. */
  grow?(id: string, used: Usage): { ok: true } | { ok: false; limit: string }
  /** The call is over: this is what it used. */
  settle(id: string, usage: Usage): void
  /** The call never took place. */
  release(id: string): void
}

export interface BudgetFailure {
  reason: 'budget'
  /** Which limit: calls, tokens, usd, minutes or depth. */
  limit: string
  message: string
  retryable: false
  /** The call had begun and was cut short. Absent: it never took place. */
  begun?: true
}

export type AttemptReply = AgentReply | { ok: false; failure: BudgetFailure; partialText: string; usage: Usage }

export interface AttemptOptions {
  signal: AbortSignal
  clock: Clock
  /** From the call's start to its last word. */
  timeoutMs?: number
  /** Without a word or any other sign of life. */
  silenceMs?: number
  patient?: boolean
  budget?: BudgetPort
  /** The budget allows it, and the call is made as soon as this has ended: what must be written down first is. */
  onStart?: () => void | Promise<void>
  onText?: (text: string) => void
  onActivity?: () => void
}

/** Throws only what `signal` aborts with, what `onStart` throws, and `ScriptExhausted`. */
export async function attempt(agent: Agent, request: AgentRequest, options: AttemptOptions): Promise<AttemptReply> {
  const { signal, budget } = options
  signal.throwIfAborted()
  let reserved = budget?.reserve(expectedUsage(agent, request))
  while (reserved && !reserved.ok && reserved.settled) {
    await orAborted(reserved.settled, signal)
    reserved = budget!.reserve(expectedUsage(agent, request))
  }
  if (reserved && !reserved.ok) return refusedByBudget(agent, reserved.limit)
  const reservation = reserved?.id
  const settle = (usage: Usage) => reservation !== undefined && budget!.settle(reservation, usage)
  const release = () => reservation !== undefined && budget!.release(reservation)
  const ear = listen(options)
  let called = false
  let used: Usage | undefined
  try {
    // Begun in one turn of the event loop, so that what both write down shares one commit.
    const starting = options.onStart?.()
    const preparing = agent.prepare?.(request)
    preparing?.catch(() => {})
    await starting
    const prepared = await preparing
    signal.throwIfAborted()
    called = true
    const reply = await withinTime(options, ear.lastSign, (inner, giveUp) => {
      const onUsage = (usage: Usage, goesOn?: boolean) => {
        used = used ? larger(used, usage) : usage
        const grown = goesOn && reservation !== undefined ? budget!.grow?.(reservation, used) : undefined
        if (grown && !grown.ok) giveUp(new Spent(grown.limit))
      }
      return agent.call(request, { ...ear.callbacks, onUsage, patient: options.patient, signal: inner, prepared })
    })
    settle(reply.usage)
    return reply
  } catch (error) {
    if (!called || error instanceof ScriptExhausted) {
      release()
      throw error
    }
    const usage = larger(used, estimate(agent, request, ear.heard()))
    settle(usage)
    signal.throwIfAborted()
    if (error instanceof Spent) {
      const message = `the budget has no ${error.limit} left for what agent "${agent.name}" is doing`
      const failure = { reason: 'budget', limit: error.limit, message, retryable: false, begun: true } as const
      return { ok: false, failure, partialText: ear.heard(), usage }
    }
    return { ok: false, failure: thrownFailure(agent, error), partialText: ear.heard(), usage }
  } finally {
    ear.close()
  }
}

function orAborted<Value>(wait: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason)
    signal.addEventListener('abort', stop, { once: true })
    wait.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}

/** A call that was given up may go on talking for a moment; nobody hears it then. */
function listen(options: AttemptOptions) {
  let text = ''
  let open = true
  let lastSign = options.clock.now()
  return {
    callbacks: {
      onText: (piece: string) => {
        if (!open) return
        lastSign = options.clock.now()
        text += piece
        options.onText?.(piece)
      },
      onActivity: () => {
        if (!open) return
        lastSign = options.clock.now()
        options.onActivity?.()
      },
    },
    heard: () => text,
    lastSign: () => lastSign,
    close: () => {
      open = false
    },
  }
}

/** The agent's own count, unless it had not come to the text that was heard. */
function larger(counted: Usage | undefined, estimated: Usage): Usage {
  const total = ({ inputTokens, outputTokens }: Usage) => inputTokens + outputTokens
  return counted && total(counted) >= total(estimated) ? counted : estimated
}

class TimedOut extends Error {
  /** The agent produced no output for the silence limit. */
  readonly silent: boolean

  constructor(message: string, { silent }: { silent: boolean }) {
    super(message)
    this.silent = silent
  }
}

/** The budget does not allow what the call would do next. */
class Spent extends Error {
  readonly limit: string

  constructor(limit: string) {
    super(`no ${limit} left`)
    this.limit = limit
  }
}

/** Ends the call when its time is up, it falls silent or it is stopped, whether or not the agent listens to its signal. */
async function withinTime<Result>(
  { signal, timeoutMs, silenceMs, clock }: AttemptOptions,
  lastSign: () => number,
  call: (signal: AbortSignal, giveUp: (reason: unknown) => void) => Promise<Result>,
): Promise<Result> {
  const ending = new AbortController()
  let end = (_reason: unknown) => {}
  const giveUp = (reason: unknown) => {
    end(reason)
    ending.abort(reason)
  }
  const timers = [
    timeoutMs === undefined
      ? null
      : clock.after(timeoutMs, () =>
          giveUp(new TimedOut(`did not finish within ${timeoutMs / 1000} s`, { silent: false })),
        ),
    silenceMs === undefined
      ? null
      : afterSilence(silenceMs, clock, lastSign, () =>
          giveUp(new TimedOut(`produced no output for ${silenceMs / 1000} s`, { silent: true })),
        ),
  ]
  const stop = () => giveUp(signal.reason)
  signal.addEventListener('abort', stop, { once: true })
  try {
    return await new Promise<Result>((resolve, reject) => {
      end = reject
      call(ending.signal, giveUp).then(resolve, reject)
    })
  } finally {
    for (const callOff of timers) callOff?.()
    signal.removeEventListener('abort', stop)
  }
}

/** Calls `fn` once the last sign of life lies `milliseconds` back; returns how to call it off. */
function afterSilence(milliseconds: number, clock: Clock, lastSign: () => number, fn: () => void): () => void {
  let callOff = () => {}
  const arm = (wait: number) => {
    callOff = clock.after(wait, () => {
      const left = msUntilSilent(lastSign(), clock.now(), milliseconds)
      if (left > 0) arm(left)
      else fn()
    })
  }
  arm(milliseconds)
  return () => callOff()
}

function thrownFailure(agent: Agent, error: unknown): AgentFailure {
  const words = error instanceof Error ? error.message : String(error)
  if (error instanceof TimedOut)
    return {
      reason: 'timeout',
      message: `agent "${agent.name}" ${words}`,
      retryable: true,
      ...(error.silent ? { silent: true } : {}),
    }
  return { reason: 'unavailable', message: `agent "${agent.name}" failed unexpectedly: ${words}`, retryable: false }
}

function refusedByBudget(agent: Agent, limit: string): AttemptReply {
  const message = `the budget has no ${limit} left to ask agent "${agent.name}"`
  return { ok: false, failure: { reason: 'budget', limit, message, retryable: false }, partialText: '', usage: noUsage }
}

/** Most replies are far below their limit; setting all of it aside would stop parallel work for nothing. */
const expectedOutputTokens = 1000

function expectedUsage(agent: Agent, request: AgentRequest): Usage {
  return estimate(agent, request, Math.min(request.maxOutputTokens ?? expectedOutputTokens, expectedOutputTokens))
}

function estimate(agent: Agent, { messages }: AgentRequest, reply: string | number): Usage {
  return agent.estimateUsage?.(messages, reply) ?? estimateTokens(messages, reply)
}
