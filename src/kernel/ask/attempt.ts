/** One call to an agent, within its budget and time limits. Failures come back as data. */
import { msUntilSilent } from '../../rules/build/silence.ts'
import { beyondReplyLimit } from '../../rules/trust/reply-limits.ts'
import type { Agent, AgentFailure, AgentMessage, AgentReply, AgentRequest, CallOptions, Usage } from '../agent.ts'
import { type Clock, steadyNow } from '../clock.ts'
import { ScriptExhausted } from '../errors.ts'
import { ReplyTooLarge, replyMeter } from './reply-too-large.ts'
import { estimateTokens, noUsage } from './usage.ts'

export interface BudgetPort {
  /**
   * Reserves what a call will probably use. Refused when that would exceed a limit; with `settled`, ask again once that
   * resolves, because a call in progress may turn out to use less than it reserved.
   */
  reserve(estimate: Usage): { ok: true; id: string } | { ok: false; limit: string; settled?: Promise<void> }
  /** A call of several requests has used this much and is about to make another request. */
  grow?(id: string, used: Usage): { ok: true } | { ok: false; limit: string }
  /** The call is over and used this. */
  settle(id: string, usage: Usage): void
  /** The call was never made. */
  release(id: string): void
}

export interface BudgetFailure {
  reason: 'budget'
  /** Which limit: calls, tokens, usd, minutes or depth. */
  limit: string
  message: string
  retryable: false
  /** The call had begun and was cut short. Absent: it was never made. */
  begun?: true
}

export type AttemptReply = (AgentReply | { ok: false; failure: BudgetFailure; partialText: string; usage: Usage }) & {
  /** The messages that followed the request's, as far as they are complete. */
  exchanged: AgentMessage[]
}

export interface CallLimits {
  /** From the start of the call to the end of its reply. */
  timeoutMs?: number
  /** Without any output. */
  silenceMs?: number
  /** The longest call of all: one that trickles on for longer is not retried (TR5). */
  callMs?: number
}

export interface AttemptOptions
  extends CallLimits,
    Pick<CallOptions, 'signal' | 'patient' | 'onText' | 'onActivity' | 'onPermission'> {
  clock: Clock
  budget?: BudgetPort
  /** Awaited after the budget has granted the call and before it is made: for what must be written first. */
  onStart?: () => void | Promise<void>
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
  const output = collectOutput(options)
  let called = false
  let used: Usage | undefined
  try {
    // Started in the same tick, so that what both write shares one commit.
    const starting = options.onStart?.()
    const preparing = agent.prepare?.(request)
    preparing?.catch(() => {})
    await starting
    const prepared = await preparing
    signal.throwIfAborted()
    called = true
    const reply = await withinTime(options, output.lastAt, (inner, giveUp) => {
      output.onTooLarge(giveUp)
      const onUsage = (usage: Usage, goesOn?: boolean) => {
        used = used ? larger(used, usage) : usage
        const grown = goesOn && reservation !== undefined ? budget!.grow?.(reservation, used) : undefined
        if (grown && !grown.ok) giveUp(new Spent(grown.limit))
      }
      const { patient, onPermission } = options
      return agent.call(request, { ...output.callbacks, onUsage, onPermission, patient, signal: inner, prepared })
    })
    settle(reply.usage)
    if (reply.ok && beyondReplyLimit('bytes', Buffer.byteLength(reply.text)))
      return { ...tooLarge(agent), usage: reply.usage, exchanged: [] }
    return { ...reply, exchanged: exchangedOf(reply, output.messages()) }
  } catch (error) {
    if (!called || error instanceof ScriptExhausted) {
      release()
      throw error
    }
    const usage = larger(used, estimate(agent, request, output.text()))
    settle(usage)
    signal.throwIfAborted()
    if (error instanceof Spent) {
      const message = `the budget has no ${error.limit} left for what agent "${agent.name}" is doing`
      const failure = { reason: 'budget', limit: error.limit, message, retryable: false, begun: true } as const
      return { ok: false, failure, partialText: output.text(), usage, exchanged: output.messages() }
    }
    const failure = thrownFailure(agent, error)
    return { ok: false, failure, partialText: output.text(), usage, exchanged: output.messages() }
  } finally {
    output.close()
  }
}

function orAborted<Value>(wait: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason)
    signal.addEventListener('abort', stop, { once: true })
    wait.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}

/** An agent that reports no messages has said its reply and nothing else. */
function exchangedOf(reply: AgentReply, reported: AgentMessage[]): AgentMessage[] {
  if (reported.length > 0 || !reply.ok) return reported
  // Providers reject an empty message.
  return [{ role: 'assistant', content: reply.text.trim() === '' ? '(nothing)' : reply.text }]
}

/** Collects the call's output. A call that was given up may produce more for a moment; that is dropped. */
function collectOutput(options: AttemptOptions) {
  let text = ''
  const messages: AgentMessage[] = []
  let open = true
  let lastAt = steadyNow(options.clock)
  let giveUp = (_reason: unknown) => {}
  const countBytes = replyMeter('bytes')
  return {
    onTooLarge: (listener: (reason: unknown) => void) => {
      giveUp = listener
    },
    callbacks: {
      onText: (piece: string) => {
        if (!open) return
        lastAt = steadyNow(options.clock)
        try {
          countBytes(Buffer.byteLength(piece))
        } catch (tooMuch) {
          open = false
          giveUp(tooMuch)
          return
        }
        text += piece
        options.onText?.(piece)
      },
      onActivity: () => {
        if (!open) return
        lastAt = steadyNow(options.clock)
        options.onActivity?.()
      },
      onMessages: (more: AgentMessage[]) => {
        if (open) messages.push(...more)
      },
    },
    text: () => text,
    messages: () => messages,
    lastAt: () => lastAt,
    close: () => {
      open = false
    },
  }
}

/** The agent's own count, unless it is lower than the estimate for the text received. */
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

/** The call took longer than any call may (`retry.call_minutes`). */
class CallTooLong extends Error {}

const minutes = (milliseconds: number) => `${Math.round(milliseconds / 600) / 100} minutes (retry.call_minutes)`

/** The budget does not allow what the call would do next. */
class Spent extends Error {
  readonly limit: string

  constructor(limit: string) {
    super(`no ${limit} left`)
    this.limit = limit
  }
}

/** Ends the call on timeout, silence or abort, whether or not the agent honours its signal. */
async function withinTime<Result>(
  { signal, timeoutMs, silenceMs, callMs, clock }: AttemptOptions,
  lastAt: () => number,
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
      : afterSilence(silenceMs, clock, lastAt, () =>
          giveUp(new TimedOut(`produced no output for ${silenceMs / 1000} s`, { silent: true })),
        ),
  ]
  if (callMs !== undefined)
    timers.push(clock.after(callMs, () => giveUp(new CallTooLong(`did not finish within ${minutes(callMs)}`))))
  const stop = () => giveUp(signal.reason)
  signal.addEventListener('abort', stop, { once: true })
  try {
    return await new Promise<Result>((resolve, reject) => {
      end = reject
      call(ending.signal, giveUp).then(resolve, reject)
    })
  } finally {
    for (const cancel of timers) cancel?.()
    signal.removeEventListener('abort', stop)
  }
}

/** Calls `fn` when the last output is `milliseconds` ago. Returns a function that cancels it. */
function afterSilence(milliseconds: number, clock: Clock, lastAt: () => number, fn: () => void): () => void {
  let cancel = () => {}
  const arm = (wait: number) => {
    cancel = clock.after(wait, () => {
      const left = msUntilSilent(lastAt(), steadyNow(clock), milliseconds)
      if (left > 0) arm(left)
      else fn()
    })
  }
  arm(milliseconds)
  return () => cancel()
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
  if (error instanceof CallTooLong)
    return { reason: 'timeout', message: `agent "${agent.name}" ${words}`, retryable: false, rule: 'TR5' }
  if (error instanceof ReplyTooLarge) return tooLarge(agent).failure
  return { reason: 'unavailable', message: `agent "${agent.name}" failed unexpectedly: ${words}`, retryable: false }
}

function tooLarge(agent: Agent): { ok: false; failure: AgentFailure; partialText: string } {
  const message = `agent "${agent.name}" ${beyondReplyLimit('bytes', Number.POSITIVE_INFINITY)}`
  return { ok: false, failure: { reason: 'malformed', message, retryable: false, rule: 'TR5' }, partialText: '' }
}

function refusedByBudget(agent: Agent, limit: string): AttemptReply {
  const message = `the budget has no ${limit} left to ask agent "${agent.name}"`
  const failure = { reason: 'budget', limit, message, retryable: false } as const
  return { ok: false, failure, partialText: '', usage: noUsage, exchanged: [] }
}

/** Most replies are far below their limit; reserving all of it would block parallel work for nothing. */
const expectedOutputTokens = 1000

function expectedUsage(agent: Agent, request: AgentRequest): Usage {
  return estimate(agent, request, Math.min(request.maxOutputTokens ?? expectedOutputTokens, expectedOutputTokens))
}

function estimate(agent: Agent, { messages }: AgentRequest, reply: string | number): Usage {
  return agent.estimateUsage?.(messages, reply) ?? estimateTokens(messages, reply)
}
