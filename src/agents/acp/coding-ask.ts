/** One ask to one process of a coding agent. */
import type { PromptResponse } from '@agentclientprotocol/sdk/unstable'
import type { AgentReply, AgentRequest, CallOptions, Usage } from '../../kernel/agent.ts'
import { ReplyTooLarge } from '../../kernel/ask/reply-too-large.ts'
import { noUsage } from '../../kernel/ask/usage.ts'
import { beyondReplyLimit } from '../../rules/trust/reply-limits.ts'
import { priced } from '../models/price.ts'
import type { CodingAgentSettings } from './acp.ts'
import type { AgentProcess } from './agent-process.ts'
import type { WorkFolder } from './empty-folder.ts'
import { configurationFailure, type FailingCodingAgent, failureFrom, failureOf } from './failure.ts'
import { presets } from './presets.ts'
import { firstPrompt, nextPrompt, type PromptPlace } from './prompt.ts'
import { applySettings, UnknownModel } from './session-settings.ts'
import { offersExit, type Session, type Sessions } from './sessions.ts'
import { Turn } from './turn.ts'
import { estimatedUsage, replyIn } from './turn-result.ts'
import { missingReply, reportedFailure, unfitness } from './unfit.ts'

/** The folder of one ask, and what the ask may do there. */
export type AskFolder = WorkFolder & { kind: PromptPlace['place'] }

export interface AskParts {
  request: AgentRequest
  options: CallOptions
  place: AskFolder
  settings: Pick<CodingAgentSettings, 'model' | 'permissions' | 'price'>
  sessions: Sessions
  about: FailingCodingAgent
  /** The agent's program has started before. */
  hasWorked: boolean
}

/** How long an agent may take to stop when asked to; then Convene ends its processes. */
const cancelMs = 3000

export class CodingAsk {
  /** Resolves when the process is at rest; true if it can be used again. */
  readonly atRest: Promise<boolean>
  readonly #parts: AskParts
  readonly #turn: Turn
  readonly #rest: (isReusable: boolean) => void
  /** Ends the ask from within: it was stopped, or the reply grew too large. */
  readonly #giveUp = Promise.withResolvers<never>()
  #prompt = ''
  #process: AgentProcess | undefined
  #session: Session | undefined
  #answer: Promise<PromptResponse> | undefined

  constructor(parts: AskParts) {
    this.#parts = parts
    const { promise, resolve } = Promise.withResolvers<boolean>()
    this.atRest = promise
    this.#rest = resolve
    const { request, options, place, settings, about } = parts
    const preset = about.agent && presets[about.agent]
    this.#turn = new Turn({
      folder: place.folder,
      mayWrite: place.kind === 'write',
      policy: settings.permissions ?? 'worktree',
      isStructured: request.schema !== undefined,
      noise: preset?.noise,
      sandboxesCommands: preset?.sandboxesCommands,
      onText: options.onText,
      onActivity: options.onActivity,
      onPermission: options.onPermission,
      onTool: (call) => (request.workspace ?? request.source)?.onTool?.(call),
      onBusy: () => this.#process?.noteCommands(),
      // BU1: the budget may stop the ask before the agent's next request to its model.
      onStep: (count) => {
        options.onUsage?.(this.#usage(), true)
        const tooMuch = beyondReplyLimit('toolCalls', count)
        if (tooMuch) this.#giveUp.reject(new ReplyTooLarge(tooMuch))
      },
    })
  }

  async run(process: AgentProcess): Promise<AgentReply> {
    const { options, about, sessions } = this.#parts
    this.#process = process
    const unfit = unfitness(process.initialized, about)
    if (unfit) {
      this.#rest(false)
      return { ok: false, failure: unfit, partialText: '', usage: noUsage }
    }
    process.host = this.#turn
    const stop = () => {
      // At once: what arrived together with the last words is not passed on.
      this.#turn.end()
      this.#giveUp.reject(options.signal.reason)
    }
    options.signal.addEventListener('abort', stop, { once: true })
    if (options.signal.aborted) stop()
    let isGivenUp = false
    this.#giveUp.promise.catch(() => {
      isGivenUp = true
      this.#turn.end()
      void this.#stop(process)
    })
    try {
      return await Promise.race([this.#talk(process), this.#giveUp.promise])
    } finally {
      options.signal.removeEventListener('abort', stop)
      this.#turn.end()
      if (!isGivenUp) {
        if (this.#session) await sessions.leave(this.#session)
        this.#rest(process.isAlive)
      }
    }
  }

  /** What an error means for the ask. */
  failed(error: unknown): AgentReply {
    const { about, hasWorked } = this.#parts
    // No process: it did not start.
    if (!this.#process) {
      this.#turn.end()
      this.#rest(false)
    }
    if (error instanceof UnknownModel) {
      const failure = configurationFailure(about, error.message, `correct agents.${about.name}.model in convene.yaml`)
      return { ok: false, failure, partialText: '', usage: noUsage }
    }
    const isBegun = this.#answer !== undefined
    if (error instanceof ReplyTooLarge) {
      const failure = { ...failureOf(about, 'malformed', error.message, false), rule: 'TR5' }
      return { ok: false, failure, partialText: '', usage: this.#usage() }
    }
    const failure = failureFrom(error, about, { isBegun, stderr: this.#process?.stderr ?? '', hasWorked })
    return { ok: false, failure, partialText: this.#turn.said, usage: isBegun ? this.#usage() : noUsage }
  }

  async #talk(process: AgentProcess): Promise<AgentReply> {
    const { request, options, place, settings, sessions, about } = this.#parts
    const { session, unsaid, response } = await sessions.open(process, request, place.folder)
    this.#session = session
    const preset = about.agent && presets[about.agent]
    const mayWrite = place.kind === 'write' && settings.permissions !== 'deny'
    await applySettings(session, response, { model: settings.model, preset, mayWrite })
    options.signal.throwIfAborted()
    options.onActivity?.()
    if (request.schema) session.exitTool?.offer(request.schema)
    const how: PromptPlace = {
      place: place.kind,
      folder: place.folder,
      hasExitTool: session.exitTool !== null && offersExit(request),
      isStructured: request.schema !== undefined,
    }
    this.#prompt = unsaid ? nextPrompt(unsaid, how) : firstPrompt(request.messages, how)
    session.turn++
    this.#turn.session = session.id
    this.#answer = process.connection.agent.request('session/prompt', {
      sessionId: session.id,
      prompt: [{ type: 'text', text: this.#prompt }],
    })
    return this.#reply(session, await this.#answer)
  }

  #reply(session: Session, response: PromptResponse): AgentReply {
    const { request, options, sessions, about } = this.#parts
    const turn = this.#turn
    turn.end()
    const usage = this.#usage(response)
    session.usd = turn.usage?.cost?.amount ?? session.usd
    const text = (request.schema && session.exitTool?.reply) ?? replyIn(turn, request)
    const missing = reportedFailure(about, text) ?? missingReply(about, response.stopReason, text, turn)
    if (missing) return { ok: false, failure: missing, partialText: turn.said, usage }
    const mark = sessions.mark(session, request)
    options.onMessages?.([{ role: 'assistant', content: text, native: { acp: mark } }])
    return { ok: true, text, usage }
  }

  /** What the agent reports, or an estimate from what was sent and said. */
  #usage(response?: PromptResponse): Usage {
    const { price } = this.#parts.settings
    const counted = response?.usage
    const usage: Usage = counted?.totalTokens
      ? {
          inputTokens: counted.inputTokens + (counted.cachedReadTokens ?? 0) + (counted.cachedWriteTokens ?? 0),
          outputTokens: counted.outputTokens + (counted.thoughtTokens ?? 0),
          ...(counted.cachedReadTokens ? { cachedInputTokens: counted.cachedReadTokens } : {}),
          usd: null,
        }
      : estimatedUsage(this.#turn, this.#prompt)
    const cost = this.#turn.usage?.cost
    if (price || cost?.currency !== 'USD') return priced(usage, price)
    return { ...usage, usd: Math.max(0, cost.amount - (this.#session?.usd ?? 0)) }
  }

  /** Tells the agent to stop; one that does not is ended. The session stays, so that a reminder can continue it. */
  async #stop(process: AgentProcess): Promise<void> {
    const { sessions, request } = this.#parts
    const session = this.#session
    const answer = this.#answer
    if (!session || !answer) {
      if (session) await sessions.leave(session)
      return this.#rest(false)
    }
    const { agent } = process.connection
    const stopping = agent.notify('session/cancel', { sessionId: session.id }).then(() => answer)
    const hasStopped = await Promise.race([stopping.then(isDone, isDone), later(cancelMs)])
    if (hasStopped && process.isAlive) sessions.cut(session, request)
    else await sessions.forget(session)
    this.#rest(hasStopped && process.isAlive)
  }
}

const isDone = () => true

function later(milliseconds: number): Promise<false> {
  return new Promise((resolve) => {
    setTimeout(() => resolve(false), milliseconds).unref()
  })
}
