/**
 * The one way to ask an agent: a typed request, a typed exit. It retries, times out, parses structured replies and keeps to
 * the budget. The caller decides what a failure means.
 */
import type { z } from 'zod'
import { afterSilence } from '../../rules/build/silence.ts'
import { replyForms } from '../../rules/schema/form.ts'
import { readBySchema, readCalledTool } from '../../rules/schema/reply.ts'
import type { ReadReply } from '../../rules/text/reply-json.ts'
import { boundedPrompt } from '../../rules/trust/prompt-size.ts'
import type { Agent, AgentFailure, AgentMessage, AgentRequest, AskKind, CallOptions, Usage } from '../agent.ts'
import { type Clock, systemClock } from '../clock.ts'
import { sleep } from '../sleep.ts'
import { type AttemptReply, attempt, type BudgetFailure, type BudgetPort, type CallLimits } from './attempt.ts'
import { callWithRetries, defaultRetryPolicy, type RetryPolicy } from './retry.ts'
import { addUsage, noUsage } from './usage.ts'

/** What is asked and how patiently: the part of a request that does not depend on how the ask is run. */
export interface AskTerms<Value> extends Pick<AgentRequest, 'kind' | 'workspace' | 'source' | 'facts'> {
  /** The reply is JSON of this shape. Without it the value is the text. */
  schema?: z.ZodType<Value>
  /** How often an unreadable reply is sent back for correction: once unless given, never for turns and proposals (TN1, RD4). */
  repairs?: 0 | 1
  /** Sent once to an agent that falls silent, instead of retrying blindly; a second silence fails the ask (GR5). */
  reminder?: string
  limits?: CallLimits & Pick<AgentRequest, 'maxOutputTokens'>
  /** `retries: 0` is final; otherwise the agent's own setting overrides this one, and a rehearsal has none. */
  retry?: Partial<RetryPolicy>
}

export interface AskRequest<Value = string>
  extends AskTerms<Value>,
    Pick<CallOptions, 'signal' | 'onActivity' | 'onPermission'> {
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
  /** The agent was silent and is reminded (GR5). */
  reminder?: true
}

export type AskFailure = AgentFailure | BudgetFailure

/** `loose`: the value stood in a code fence, among other words or in a tool call. */
export type AskExit<Value> =
  | { ok: true; text: string; value: Value; loose?: boolean }
  | { ok: false; failure: AskFailure }

export interface AskResult<Value> {
  exit: AskExit<Value>
  /** The sum over all calls. */
  usage: Usage
  attempts: (AskAttempt & { usage: Usage; failure?: AgentFailure; calledTool?: string })[]
  /** The last text received, complete or partial, unparsed. */
  raw: string
  /** The messages that followed the request's, replies and tools included: a later ask may continue from them. */
  exchanged: AgentMessage[]
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
  const sum: Omit<AskResult<Value>, 'exit'> = { usage: noUsage, attempts: [], raw: '', exchanged: [] }
  const policy = policyFor(agent, request.retry)
  const wait = (milliseconds: number) => sleep(milliseconds, request.signal, clock)
  const ended = (exit: AskExit<Value>): AskResult<Value> => ({ ...sum, exit })

  /** Continues the conversation: each call is sent everything that was said before it. */
  const put = (why: 'first' | 'repair' | 'reminder') =>
    callWithRetries(policy, random, wait, async () => {
      const number = sum.attempts.length + 1
      const call: AskAttempt = { number, try: (request.question.try ?? 1) + number - 1, repair: why === 'repair' }
      const messages = boundedPrompt([...request.messages, ...sum.exchanged])
      const reply = await attempt(agent, agentRequest(request, messages, call.try), {
        signal: request.signal,
        clock,
        ...request.limits,
        patient: policy.retries > 0,
        budget: request.budget,
        onStart: () => request.onAttempt?.(why === 'reminder' ? { ...call, reminder: true } : call),
        onText: (text) => request.onText?.(text, call),
        onActivity: request.onActivity,
        onPermission: request.onPermission,
      })
      count(sum, call, reply)
      return request.reminder !== undefined && isSilent(reply) ? withoutRetry(reply) : reply
    })

  let reminded = false
  const putWithReminder = async (why: 'first' | 'repair') => {
    const reply = await put(why)
    if (request.reminder === undefined || !isSilent(reply) || afterSilence(reminded) === 'fail') return reply
    reminded = true
    // The agent sees how far it came, and its files are as it left them.
    if (reply.partialText.trim()) sum.exchanged.push({ role: 'assistant', content: reply.partialText })
    sum.exchanged.push({ role: 'user', content: request.reminder })
    return put('reminder')
  }

  const reply = await putWithReminder('first')
  if (!reply.ok) return ended({ ok: false, failure: reply.failure })
  const read = readAs(reply, request.schema)
  if (read.ok) return ended(taken(reply.text, read))
  if (repairsOf(request) === 0) return ended({ ok: false, failure: malformed(agent, read.problem) })

  sum.exchanged.push({ role: 'user', content: correction(read.problem, request.schema!) })
  const second = await putWithReminder('repair')
  if (!second.ok) return ended({ ok: false, failure: second.failure })
  const reread = readAs(second, request.schema)
  return ended(reread.ok ? taken(second.text, reread) : { ok: false, failure: malformed(agent, reread.problem) })
}

function taken<Value>(text: string, { value, loose }: { value: Value; loose: boolean }): AskExit<Value> {
  return { ok: true, text, value, ...(loose ? { loose } : {}) }
}

function isSilent(reply: AttemptReply): reply is AttemptReply & { ok: false; failure: AgentFailure } {
  return !reply.ok && 'silent' in reply.failure && reply.failure.silent === true
}

function withoutRetry(reply: AttemptReply & { ok: false; failure: AgentFailure }): AttemptReply {
  return { ...reply, failure: { ...reply.failure, retryable: false } }
}

/** A call that the budget refused does not count; one that it cut short does. */
function count<Value>(sum: Omit<AskResult<Value>, 'exit'>, call: AskAttempt, reply: AttemptReply): void {
  if (!reply.ok && reply.failure.reason === 'budget' && !reply.failure.begun) return
  const more = reply.ok ? calledIn(reply) : { failure: reply.failure as AgentFailure }
  sum.attempts.push({ ...call, usage: reply.usage, ...more })
  sum.usage = addUsage(sum.usage, reply.usage)
  sum.exchanged.push(...(reply.ok ? reply.exchanged : upToLastTool(reply.exchanged)))
  sum.raw = reply.ok ? reply.text : reply.partialText || sum.raw
}

function calledIn({ calledTool }: Said) {
  return calledTool === undefined ? {} : { calledTool }
}

/** A failed call can be continued after its last tool result; a reply that was cut off cannot. */
function upToLastTool(messages: readonly AgentMessage[]): AgentMessage[] {
  return messages.slice(0, messages.findLastIndex(({ role }) => role === 'tool') + 1)
}

function agentRequest<Value>(request: AskRequest<Value>, messages: AgentMessage[], attempt: number): AgentRequest {
  const { kind, question, schema, workspace, source, limits, facts } = request
  return {
    kind,
    question: { run: question.run, step: question.step, try: attempt },
    messages,
    ...(schema ? { schema } : {}),
    ...(workspace === undefined ? {} : { workspace }),
    ...(source === undefined ? {} : { source }),
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

function readAs<Value>({ text, calledTool }: Said, schema: z.ZodType<Value> | undefined): ReadReply<Value> {
  if (!schema) return { ok: true, value: text as Value, loose: false }
  return calledTool === undefined ? readBySchema(text, schema) : readCalledTool(calledTool, text, schema)
}

type Said = Pick<AttemptReply & { ok: true }, 'text' | 'calledTool'>

/** Says what was wrong with a reply, and shows the form again: of several forms, the agent chooses one. */
function correction(problem: string, schema: z.ZodType): string {
  const forms = replyForms(schema)
  const wanted = forms.length === 1 ? forms[0]! : `one of these forms:\n${forms.map((form) => `- ${form}`).join('\n')}`
  return (
    `Your reply could not be used: ${problem}.\n` +
    'What you did before it is kept; do not repeat it. Reply again, with no words around it, ' +
    `as ${wanted}`
  )
}

function malformed(agent: Agent, problem: string): AgentFailure {
  const message = `agent "${agent.name}" sent a reply that cannot be used: ${problem}`
  return { reason: 'malformed', message, retryable: false }
}
