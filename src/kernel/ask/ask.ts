/**
 * The one way to ask an agent: a typed request, a typed exit. It retries, times out, parses structured replies and keeps to
 * the budget. The caller decides what a failure means.
 */
import type { z } from 'zod'
import { inputError } from '../../rules/schema/rule.ts'
import { readReplyJson } from '../../rules/text/reply-json.ts'
import type { Agent, AgentFailure, AgentMessage, AgentRequest, AskKind, CallOptions, Usage } from '../agent.ts'
import { type Clock, systemClock } from '../clock.ts'
import { sleep } from '../sleep.ts'
import { type AttemptReply, attempt, type BudgetFailure, type BudgetPort, type CallLimits } from './attempt.ts'
import { callWithRetries, defaultRetryPolicy, type RetryPolicy } from './retry.ts'
import { addUsage, noUsage } from './usage.ts'

/** What is asked and how patiently: the part of a request that does not depend on how the ask is run. */
export interface AskTerms<Value> extends Pick<AgentRequest, 'kind' | 'workspace' | 'facts'> {
  /** The reply is JSON of this shape. Without it the value is the text. */
  schema?: z.ZodType<Value>
  /** How often an unreadable reply is sent back for correction: once unless given, never for turns and proposals (TN1, RD4). */
  repairs?: 0 | 1
  limits?: CallLimits & Pick<AgentRequest, 'maxOutputTokens'>
  /** `retries: 0` is final; otherwise the agent's own setting overrides this one, and a rehearsal has none. */
  retry?: Partial<RetryPolicy>
}

export interface AskRequest<Value = string> extends AskTerms<Value>, Pick<CallOptions, 'signal' | 'onActivity'> {
  /** `try` is the number of the first call, 1 unless given; each further call has the next. */
  question: { run: string; step: string; try?: number }
  messages: AgentMessage[]
  budget?: BudgetPort
  onText?: (text: string, attempt: AskAttempt) => void
  /** Awaited before each call. Text streamed by earlier calls is void from then on. */
  onAttempt?: (attempt: AskAttempt) => void | Promise<void>
}

/** One call: `number` counts from 1 within this ask, `try` across restarts. */
export interface AskAttempt {
  number: number
  try: number
  repair: boolean
}

export type AskFailure = AgentFailure | BudgetFailure

export type AskExit<Value> = { ok: true; text: string; value: Value } | { ok: false; failure: AskFailure }

export interface AskResult<Value> {
  exit: AskExit<Value>
  /** The sum over all calls. */
  usage: Usage
  attempts: (AskAttempt & { usage: Usage; failure?: AgentFailure })[]
  /** The last text received, complete or partial, unparsed. */
  raw: string
}

export interface AskDependencies {
  clock?: Clock
  random?: () => number
}

/** Throws only what `signal` aborts with, what `onAttempt` throws, and `ScriptExhausted`. */
export async function ask<Value = string>(
  agent: Agent,
  request: AskRequest<Value>,
  { clock = systemClock, random = Math.random }: AskDependencies = {},
): Promise<AskResult<Value>> {
  const sum: Omit<AskResult<Value>, 'exit'> = { usage: noUsage, attempts: [], raw: '' }
  const policy = policyFor(agent, request.retry)
  const wait = (milliseconds: number) => sleep(milliseconds, request.signal, clock)

  const put = (messages: AgentMessage[], repair: boolean) =>
    callWithRetries(policy, random, wait, async () => {
      const number = sum.attempts.length + 1
      const call: AskAttempt = { number, try: (request.question.try ?? 1) + number - 1, repair }
      const reply = await attempt(agent, agentRequest(request, messages, call.try), {
        signal: request.signal,
        clock,
        ...request.limits,
        patient: policy.retries > 0,
        budget: request.budget,
        onStart: () => request.onAttempt?.(call),
        onText: (text) => request.onText?.(text, call),
        onActivity: request.onActivity,
      })
      count(sum, call, reply)
      return reply
    })

  const first = await put(request.messages, false)
  if (!first.ok) return { ...sum, exit: { ok: false, failure: first.failure } }
  const read = readReply(first.text, request.schema)
  if (read.ok) return { ...sum, exit: { ok: true, text: first.text, value: read.value } }
  if (repairsOf(request) === 0) return { ...sum, exit: { ok: false, failure: malformed(agent, read.problem) } }

  const second = await put(withRepair(request.messages, first.text, read.problem), true)
  if (!second.ok) return { ...sum, exit: { ok: false, failure: second.failure } }
  const reread = readReply(second.text, request.schema)
  if (reread.ok) return { ...sum, exit: { ok: true, text: second.text, value: reread.value } }
  return { ...sum, exit: { ok: false, failure: malformed(agent, reread.problem) } }
}

/** A call that the budget refused does not count; one that it cut short does. */
function count<Value>(sum: Omit<AskResult<Value>, 'exit'>, call: AskAttempt, reply: AttemptReply): void {
  if (!reply.ok && reply.failure.reason === 'budget' && !reply.failure.begun) return
  sum.attempts.push({ ...call, usage: reply.usage, ...(reply.ok ? {} : { failure: reply.failure as AgentFailure }) })
  sum.usage = addUsage(sum.usage, reply.usage)
  sum.raw = reply.ok ? reply.text : reply.partialText || sum.raw
}

function agentRequest<Value>(request: AskRequest<Value>, messages: AgentMessage[], attempt: number): AgentRequest {
  const { kind, question, schema, workspace, limits, facts } = request
  return {
    kind,
    question: { run: question.run, step: question.step, try: attempt },
    messages,
    ...(schema ? { schema } : {}),
    ...(workspace === undefined ? {} : { workspace }),
    ...(limits?.maxOutputTokens === undefined ? {} : { maxOutputTokens: limits.maxOutputTokens }),
    ...(facts ? { facts } : {}),
  }
}

function policyFor(agent: Agent, asked: Partial<RetryPolicy> = {}): RetryPolicy {
  const own = agent.retries ?? (agent.rehearsal ? 0 : (asked.retries ?? defaultRetryPolicy.retries))
  return { ...defaultRetryPolicy, ...asked, retries: asked.retries === 0 ? 0 : own }
}

const neverRepaired: ReadonlySet<AskKind> = new Set<AskKind>(['turn', 'micro-proposal'])

function repairsOf<Value>({ kind, repairs }: AskRequest<Value>): 0 | 1 {
  return neverRepaired.has(kind) ? 0 : (repairs ?? 1)
}

type Read<Value> = { ok: true; value: Value } | { ok: false; problem: string }

function readReply<Value>(text: string, schema: z.ZodType<Value> | undefined): Read<Value> {
  if (!schema) return { ok: true, value: text as Value }
  const parsed = readReplyJson(text)
  if (!parsed.ok) return parsed
  const checked = schema.safeParse(parsed.value)
  return checked.success ? { ok: true, value: checked.data } : { ok: false, problem: inputError(checked.error).message }
}

/** Sends the reply back with what was wrong. Providers reject an empty message. */
function withRepair(messages: AgentMessage[], reply: string, problem: string): AgentMessage[] {
  const correction =
    `Your reply could not be used: ${problem}.\n` +
    'Answer the same question again with the corrected JSON and nothing else: no words around it.'
  return [
    ...messages,
    { role: 'assistant', content: reply.trim() || '(nothing)' },
    { role: 'user', content: correction },
  ]
}

function malformed(agent: Agent, problem: string): AgentFailure {
  const message = `agent "${agent.name}" sent a reply that cannot be used: ${problem}`
  return { reason: 'malformed', message, retryable: false }
}
