/** An ask as one durable step: logged before the agent is called, streamed while it answers, recorded once. */

import { promptSections } from '../../rules/context/prompt-sections.ts'
import type { Agent, AgentMessage, AgentSource, Usage } from '../agent.ts'
import { type AskResult, type AskTerms, ask } from '../ask/ask.ts'
import { type AboutAsk, askFinished, askInterrupted, askStarted, toolUsed } from '../ask/ask-events.ts'
import type { BudgetPort, CallLimits } from '../ask/attempt.ts'
import { countTokens } from '../ask/count-tokens.ts'
import type { Deltas } from '../ask/deltas.ts'
import type { RetryPolicy } from '../ask/retry.ts'
import type { SignsOfLife } from '../ask/signs-of-life.ts'
import { keepThread } from '../ask/threads.ts'
import type { Clock } from '../clock.ts'
import type { Run, StepContext } from '../engine.ts'
import type { EventHeader, NewEvent } from '../events.ts'
import type { ProjectSource } from '../project-source.ts'
import { runRecovered, runStream } from '../run-events.ts'
import type { Store } from '../store.ts'
import type { Parking } from './parking.ts'
import { permissionsOf } from './permissions.ts'
import type { RunActivity } from './run-activity.ts'

export interface AskDeps {
  store: Store
  deltas: Deltas
  signs: SignsOfLife
  clock: Clock
  /** How failed calls to this agent are retried, and how long a call may be silent or take in all. */
  patienceWith(agent: Agent): { retry: Partial<RetryPolicy>; limits: CallLimits }
  /** The budget that the run shares with its tree. `ask` identifies the call across restarts. */
  budgetOf(run: AskingRun, ask: string): Promise<BudgetPort>
  /** Which runs wait for a person. */
  runActivity: RunActivity
  /** For work that waits until a person acts instead of continuing without the answer. */
  parking: Pick<Parking, 'park'>
}

/** What an ask needs of the run that it is part of. */
export type AskingRun = Pick<Run, 'runId' | 'parent' | 'startedAt' | 'step'>

/** An ask as part of a run: where its events go, and which facts belong to it. */
export interface RunAsk<Value> extends Omit<AskTerms<Value>, 'source'> {
  agent: Agent
  /** What the agent may read; opened inside the step, because it changes with time. */
  source?: () => Promise<AgentSource | null>
  /** Built inside the step, so that it may read the log as it was before. */
  messages: (source: ProjectSource | null) => Promise<AgentMessage[]> | AgentMessage[]
  /** Where its events are shown: a room, a feature, a run. */
  stream: string
  feature?: string
  path?: string[]
  /** The agent on whose behalf this one is asked, when that is another. */
  for?: string
  /** Creates the filter for streamed text: each piece goes in, what listeners may see comes out. Absent: nothing is shown. */
  show?: () => (piece: string) => string
  /** Names the exit that a reply is, for the log. */
  exitName?: (value: Value) => string
  /** Continue the run before the answer is on disk; see `StepOptions.ahead`. */
  ahead?: boolean
  /** The caller parks the run on a configuration fault, so that the ask is made again after it was fixed (AS3). */
  parksOnFault?: boolean
  /** The same if the agent cannot be reached. */
  parksUnreached?: boolean
  /** Stores the whole conversation, so that a later ask can continue it: see `thread` of the result. */
  keepThread?: boolean
  /** Facts to write before the agent is asked. */
  before?: NewEvent[]
  /** Facts that follow from the answer, written together with it. */
  emit?: (result: RunAskResult<Value>, ask: string) => NewEvent[]
  /** Facts to write when the agent was silent and is reminded. */
  onReminder?: () => NewEvent[]
}

/** What a step records of an ask. */
export interface RunAskResult<Value> extends Omit<AskResult<Value>, 'exchanged'> {
  /** The conversation up to and including the reply, by reference; for `readThread`. Only with `keepThread`. */
  thread?: string
}

export function askInRun<Value = string>(
  run: AskingRun,
  deps: AskDeps,
  request: RunAsk<Value>,
): Promise<RunAskResult<Value>> {
  return run.step(`${request.kind} ${request.agent.name}`, (step) => askInStep(run, step, deps, request), {
    stoppable: true,
    ahead: request.ahead,
  })
}

/** Asks inside a step that does more than ask. */
export async function askInStep<Value = string>(
  run: AskingRun,
  step: StepContext,
  deps: AskDeps,
  request: RunAsk<Value>,
): Promise<RunAskResult<Value>> {
  const { runId } = run
  const { agent, kind, stream, feature, facts } = request
  const header = { stream, run: runId, actor: agent.name, ...(feature === undefined ? {} : { feature }) }
  const about = {
    ask: step.key,
    kind,
    agent: agent.name,
    rehearsal: agent.rehearsal,
    attempt: facts?.attempt ?? 1,
    ...(facts?.node === undefined ? {} : { node: facts.node }),
    ...(request.path === undefined ? {} : { path: request.path }),
    ...(request.for === undefined ? {} : { for: request.for }),
  }
  const budget = await deps.budgetOf(run, step.key)
  let reserved = { tokens: 0, usd: null as number | null }
  const patience = deps.patienceWith(agent)
  const began = deps.clock.now()
  const source = (await request.source?.()) ?? null
  const messages = await request.messages(source?.reader ?? null)
  const prompt = promptSections(messages, countTokens)
  let show: ((piece: string) => string) | undefined
  let lastUsed: Usage | undefined
  const earlier = step.recovered ? await callsBeforeRestarts(deps.store, runId) : 0
  const permissions = permissionsOf({
    store: deps.store,
    activity: deps.runActivity,
    header,
    ask: step.key,
    agent: agent.name,
    node: facts?.node,
    signal: step.signal,
  })
  try {
    const { exchanged, ...result } = await ask<Value>(agent, {
      kind,
      question: { run: runId, step: String(step.position) },
      messages,
      schema: request.schema,
      repairs: request.repairs,
      reminder: request.reminder,
      limits: { ...patience.limits, ...request.limits },
      retry: { ...patience.retry, ...request.retry },
      facts,
      workspace: request.workspace,
      ...(source ? { source: reportingSource(source, deps.store, header, step.key) } : {}),
      budget: {
        ...budget,
        reserve(estimate) {
          reserved = { tokens: estimate.inputTokens + estimate.outputTokens, usd: estimate.usd }
          return budget.reserve(estimate)
        },
        settle(id, usage) {
          lastUsed = usage
          budget.settle(id, usage)
        },
      },
      signal: step.signal,
      async onAttempt({ number, reminder }) {
        if (!reminder) permissions.startOver()
        if (reminder) await Promise.all((request.onReminder?.() ?? []).map((event) => step.append(event)))
        const started = [...(request.before ?? []), askStarted.create(header, { ...about, reserved, prompt })]
        if (number === 1) await Promise.all(started.map((event) => step.append(event)))
        show = request.show?.()
        if (show) deps.deltas.begin(stream, step.key, earlier + number, feature)
      },
      onText: (text) => {
        if (show) deps.deltas.push(step.key, show(text))
      },
      onActivity: () => deps.signs.note(runId, agent.name),
      onPermission: permissions.decide,
    })
    // An ask that the budget refused was never made; one that it cut short is made again.
    if (
      isCutShort(result) ||
      (request.parksOnFault && isFault(result)) ||
      (request.parksUnreached && isUnreached(result))
    )
      await deps.store.append([askInterrupted.create(header, { ...about, usage: result.usage })])
    else if (result.attempts.length > 0)
      step.emit(finished(header, { ...about, ...exitOf(request, result) }, result, deps.clock.now() - began))
    for (const event of request.emit?.(result, step.key) ?? []) step.emit(event)
    if (!request.keepThread) return result
    return { ...result, thread: await keepThread(deps.store, [...messages, ...exchanged]) }
  } catch (error) {
    // The run was stopped in the middle of the call. The call is made again, and what it used is lost.
    if (step.signal.aborted && lastUsed)
      deps.store.append([askInterrupted.create(header, { ...about, usage: lastUsed })]).catch(() => {})
    throw error
  } finally {
    deps.deltas.end(step.key)
    deps.signs.forget(runId, agent.name)
  }
}

/** Logs each tool call as it happens, so that everybody sees what the agent is doing. */
function reportingSource(source: AgentSource, store: Store, header: EventHeader, ask: string): AgentSource {
  return {
    ...source,
    onTool(call) {
      source.onTool?.(call)
      // With `finish` the agent replies; it looks at nothing.
      if (call.tool === 'finish') return
      const used = { ask, ...(header.actor ? { agent: header.actor } : {}), ...call }
      store.append([toolUsed.create(header, used)]).catch(() => {})
    },
  }
}

function isCutShort({ exit }: RunAskResult<unknown>): boolean {
  return !exit.ok && exit.failure.reason === 'budget' && exit.failure.begun === true
}

function isFault({ exit }: RunAskResult<unknown>): boolean {
  return !exit.ok && exit.failure.reason !== 'budget' && exit.failure.configuration === true
}

/** Not after it has begun to work: what it did until then is kept, as that of any failed reply. */
export function isUnreached({ exit, attempts }: Pick<RunAskResult<unknown>, 'exit' | 'attempts'>): boolean {
  return !exit.ok && exit.failure.reason !== 'budget' && attempts.every(({ failure }) => failure?.unreached === true)
}

function exitOf<Value>({ exitName }: RunAsk<Value>, { exit }: RunAskResult<Value>) {
  if (!exit.ok) return {}
  return { ...(exitName ? { exit: exitName(exit.value) } : {}), ...(exit.loose ? { loose: true } : {}) }
}

function finished(
  header: EventHeader,
  about: AboutAsk & { exit?: string; loose?: boolean },
  { exit, usage, attempts }: RunAskResult<unknown>,
  milliseconds: number,
) {
  const failure = exit.ok ? {} : { failure: { reason: exit.failure.reason, message: exit.failure.message } }
  const calledTool = attempts.find((attempt) => attempt.calledTool !== undefined)?.calledTool
  const called = calledTool === undefined ? {} : { called_tool: calledTool }
  return askFinished.create(header, { ...about, ...failure, ...called, usage, tries: attempts.length, milliseconds })
}

/** Listeners replace what a lower attempt sent, so the count must rise across restarts too. */
async function callsBeforeRestarts(store: Store, runId: string): Promise<number> {
  const events = await store.read({ stream: runStream(runId) })
  return 100 * events.filter((event) => runRecovered.is(event)).length
}
