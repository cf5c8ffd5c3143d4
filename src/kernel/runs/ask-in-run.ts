/** A question as one durable step: written down before it is put, streamed while it is answered, recorded once. */
import type { Agent, AgentMessage, AgentRequest, AskKind, Usage } from '../agent.ts'
import { type AskRequest, type AskResult, ask } from '../ask/ask.ts'
import { type AboutAsk, askFinished, askInterrupted, askStarted } from '../ask/ask-events.ts'
import type { BudgetPort } from '../ask/attempt.ts'
import type { Deltas } from '../ask/deltas.ts'
import type { RetryPolicy } from '../ask/retry.ts'
import type { SignsOfLife } from '../ask/signs-of-life.ts'
import type { Clock } from '../clock.ts'
import type { Run, StepContext } from '../engine.ts'
import type { EventPlace, NewEvent } from '../events.ts'
import { runRecovered, runStream } from '../run-events.ts'
import type { Store } from '../store.ts'
import type { Parking } from './parking.ts'

export interface AskDeps {
  store: Store
  deltas: Deltas
  signs: SignsOfLife
  clock: Clock
  /** How failed calls to this agent are tried again, and after how long a silence they have failed. */
  patienceWith(agent: Agent): { retry: Partial<RetryPolicy>; silenceMs: number }
  /** What the run may still spend, together with every run it belongs to. `ask` names the call over restarts. */
  budgetOf(run: Run, ask: string): Promise<BudgetPort>
  /** For work that waits until a person acts instead of continuing without the answer. */
  parking: Pick<Parking, 'park'>
}

export interface RunQuestion<Value> {
  agent: Agent
  kind: AskKind
  /** Made inside the step, so that it may read the log as it was before. */
  messages: () => Promise<AgentMessage[]> | AgentMessage[]
  schema?: AskRequest<Value>['schema']
  repairs?: AskRequest<Value>['repairs']
  limits?: AskRequest<Value>['limits']
  retry?: AskRequest<Value>['retry']
  workspace?: AgentRequest['workspace']
  facts?: AgentRequest['facts']
  /** Where its events are shown: a room, a feature, a run. */
  stream: string
  feature?: string
  path?: string[]
  /** On whose behalf the agent is asked, where it is not its own. */
  for?: string
  /** What listeners see of the words as they come: each piece goes in, what may be shown comes out. Absent: nothing. */
  show?: () => (piece: string) => string
  /** The name of the exit that a reply is, for the log. */
  exitName?: (value: Value) => string
  /** The run goes on before the answer is on disk: whatever it does next begins with something that is written down. */
  ahead?: boolean
  /** Facts that are written down before the agent is asked. */
  before?: NewEvent[]
  /** Facts that follow from the answer, written down together with it. */
  tell?: (result: AskResult<Value>, ask: string) => NewEvent[]
}

export function askInRun<Value = string>(
  run: Run,
  deps: AskDeps,
  question: RunQuestion<Value>,
): Promise<AskResult<Value>> {
  return run.step(`${question.kind} ${question.agent.name}`, (step) => askInStep(run, step, deps, question), {
    stoppable: true,
    ahead: question.ahead,
  })
}

/** The same inside a step that does more than ask. */
export async function askInStep<Value>(
  run: Run,
  step: StepContext,
  deps: AskDeps,
  question: RunQuestion<Value>,
): Promise<AskResult<Value>> {
  const { runId } = run
  const { agent, kind, stream, feature, facts } = question
  const place = { stream, run: runId, actor: agent.name, ...(feature === undefined ? {} : { feature }) }
  const about = {
    ask: step.key,
    kind,
    agent: agent.name,
    rehearsal: agent.rehearsal,
    attempt: facts?.attempt ?? 1,
    ...(facts?.node === undefined ? {} : { node: facts.node }),
    ...(question.path === undefined ? {} : { path: question.path }),
    ...(question.for === undefined ? {} : { for: question.for }),
  }
  const budget = await deps.budgetOf(run, step.key)
  let reserved = { tokens: 0, usd: null as number | null }
  const patience = deps.patienceWith(agent)
  const began = deps.clock.now()
  const messages = await question.messages()
  let show: ((piece: string) => string) | undefined
  let lastUsed: Usage | undefined
  const earlier = step.recovered ? await callsBeforeRestarts(deps.store, runId) : 0
  try {
    const result = await ask<Value>(agent, {
      kind,
      question: { run: runId, step: String(step.position) },
      messages,
      schema: question.schema,
      repairs: question.repairs,
      limits: { silenceMs: patience.silenceMs, ...question.limits },
      retry: { ...patience.retry, ...question.retry },
      facts,
      workspace: question.workspace,
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
      async onAttempt({ number }) {
        const started = [...(question.before ?? []), askStarted.create(place, { ...about, reserved })]
        if (number === 1) await Promise.all(started.map((event) => step.append(event)))
        show = question.show?.()
        if (show) deps.deltas.begin(stream, step.key, earlier + number, feature)
      },
      onText: (text) => {
        if (show) deps.deltas.push(step.key, show(text))
      },
      onActivity: () => deps.signs.note(runId, agent.name),
    })
    // What the budget refused was never asked; what it cut short is asked again.
    if (isCutShort(result)) await deps.store.append([askInterrupted.create(place, { ...about, usage: result.usage })])
    else if (result.attempts.length > 0)
      step.emit(finished(place, { ...about, ...exitOf(question, result) }, result, deps.clock.now() - began))
    for (const event of question.tell?.(result, step.key) ?? []) step.emit(event)
    return result
  } catch (error) {
    // The run was stopped in the middle of the call: it is put again, and what it used is gone.
    if (step.signal.aborted && lastUsed)
      deps.store.append([askInterrupted.create(place, { ...about, usage: lastUsed })]).catch(() => {})
    throw error
  } finally {
    deps.deltas.end(step.key)
    deps.signs.forget(runId, agent.name)
  }
}

function isCutShort({ exit }: AskResult<unknown>): boolean {
  return !exit.ok && exit.failure.reason === 'budget' && exit.failure.begun === true
}

function exitOf<Value>({ exitName }: RunQuestion<Value>, { exit }: AskResult<Value>): { exit?: string } {
  return exit.ok && exitName ? { exit: exitName(exit.value) } : {}
}

function finished(
  place: EventPlace,
  about: AboutAsk & { exit?: string },
  { exit, usage, attempts }: AskResult<unknown>,
  milliseconds: number,
) {
  const failure = exit.ok ? {} : { failure: { reason: exit.failure.reason, message: exit.failure.message } }
  return askFinished.create(place, { ...about, ...failure, usage, tries: attempts.length, milliseconds })
}

/** Listeners replace what a lower attempt sent, so the count must rise over restarts too. */
async function callsBeforeRestarts(store: Store, runId: string): Promise<number> {
  const events = await store.read({ stream: runStream(runId) })
  return 100 * events.filter((event) => runRecovered.is(event)).length
}
