/** One ask to a coding agent in its headless mode: a process that gets the prompt on stdin and ends with its answer. */
import { createInterface } from 'node:readline'
import type { StopReason } from '@agentclientprotocol/sdk/unstable'
import type { AgentReply, AgentRequest, CallOptions, Usage } from '../../kernel/agent.ts'
import { ReplyTooLarge } from '../../kernel/ask/reply-too-large.ts'
import { noUsage } from '../../kernel/ask/usage.ts'
import { beyondReplyLimit } from '../../rules/trust/reply-limits.ts'
import type { AskFolder } from '../acp/coding-ask.ts'
import { type FailingCodingAgent, failureByWords, failureFrom, failureOf } from '../acp/failure.ts'
import { type PresetName, presets } from '../acp/presets.ts'
import { type AgentProgram, endGroup, type ProcessGroup, startGroup } from '../acp/process-group.ts'
import { firstPrompt } from '../acp/prompt.ts'
import { StartFailed } from '../acp/start-failed.ts'
import { Turn } from '../acp/turn.ts'
import { estimatedUsage, replyIn } from '../acp/turn-result.ts'
import { missingReply, reportedFailure } from '../acp/unfit.ts'
import { type Price, priced } from '../models/price.ts'
import type { HeadlessUsage } from './headless-line.ts'
import { headlessModes } from './modes.ts'

export interface HeadlessParts {
  request: AgentRequest
  options: CallOptions
  place: AskFolder
  agent: PresetName
  program: AgentProgram
  about: FailingCodingAgent
  /** The agent's program has answered before. */
  hasWorked: boolean
  price?: Price
}

/** The turn counts what belongs to a session; here a process is one. */
const session = 'headless'

export class HeadlessAsk {
  readonly #parts: HeadlessParts
  readonly #turn: Turn
  readonly #prompt: string
  readonly #giveUp = Promise.withResolvers<never>()
  #group: ProcessGroup | undefined
  #counted: HeadlessUsage | null = null
  #usd: number | null = null
  #failed: string | null = null
  #ended: StopReason | null = null
  #isBegun = false

  constructor(parts: HeadlessParts) {
    this.#parts = parts
    const { request, options, place, agent } = parts
    const isStructured = request.schema !== undefined
    this.#prompt = firstPrompt(request.messages, {
      place: place.kind,
      folder: place.folder,
      hasExitTool: false,
      isStructured,
    })
    this.#turn = new Turn({
      folder: place.folder,
      mayWrite: place.kind === 'write',
      policy: 'worktree',
      isStructured,
      noise: presets[agent].noise,
      onText: options.onText,
      onActivity: options.onActivity,
      onTool: (call) => (request.workspace ?? request.source)?.onTool?.(call),
      // BU1: the budget may stop the ask before the agent's next request to its model.
      onStep: (count) => {
        options.onUsage?.(this.#usage(), true)
        this.#limit('toolCalls', count)
      },
    })
    this.#turn.session = session
  }

  /** Rejects with the signal's reason if it is stopped; `end` then ends what still runs. */
  async run(): Promise<AgentReply> {
    const { options, program, place } = this.#parts
    const stop = () => {
      this.#turn.end()
      this.#giveUp.reject(options.signal.reason)
    }
    options.signal.addEventListener('abort', stop, { once: true })
    this.#giveUp.promise.catch(() => this.#turn.end())
    try {
      options.signal.throwIfAborted()
      this.#group = startGroup(program, place.folder)
      return await Promise.race([this.#talk(this.#group), this.#giveUp.promise])
    } catch (error) {
      if (error instanceof StartFailed) return this.#unstarted(error, '')
      if (!(error instanceof ReplyTooLarge)) throw error
      const failure = { ...failureOf(this.#parts.about, 'malformed', error.message, false), rule: 'TR5' }
      return { ok: false, failure, partialText: '', usage: this.#usage() }
    } finally {
      options.signal.removeEventListener('abort', stop)
      this.#turn.end()
    }
  }

  /** Resolves when no process is left. */
  async end(): Promise<void> {
    if (this.#group) await endGroup(this.#group.child)
  }

  async #talk(group: ProcessGroup): Promise<AgentReply> {
    const { child } = group
    child.stdin!.end(this.#prompt)
    let unread = 0
    child.stdout!.on('data', (chunk: Buffer) => {
      const end = chunk.lastIndexOf(10)
      unread = end === -1 ? unread + chunk.length : chunk.length - end - 1
      this.#limit('bytes', Math.max(unread, this.#turn.allText.length))
    })
    const lines = createInterface({ input: child.stdout! })
    lines.on('error', () => {})
    lines.on('line', (line) => this.#read(line))
    const exitCode = await new Promise<number | null>((resolve) => {
      child.once('error', () => resolve(127))
      child.once('close', (code) => resolve(code))
    })
    return this.#reply(exitCode, group.stderr())
  }

  #limit(what: Parameters<typeof beyondReplyLimit>[0], count: number): void {
    const tooMuch = beyondReplyLimit(what, count)
    if (tooMuch) this.#giveUp.reject(new ReplyTooLarge(tooMuch))
  }

  /** Lines that are not JSON are the program's own words. */
  #read(text: string): void {
    let line: unknown
    try {
      line = JSON.parse(text)
    } catch {
      return
    }
    if (typeof line !== 'object' || line === null) return
    this.#isBegun = true
    this.#parts.options.onActivity?.()
    const {
      updates = [],
      usage,
      usd,
      failed,
      ended,
    } = headlessModes[this.#parts.agent].read(line as Record<string, unknown>)
    for (const update of updates) this.#turn.update({ sessionId: session, update })
    if (usage) this.#counted = added(this.#counted, usage)
    if (usd !== undefined) this.#usd = (this.#usd ?? 0) + usd
    if (failed !== undefined) this.#failed = failed
    if (ended !== undefined) this.#ended = ended
  }

  #reply(exitCode: number | null, stderr: string): AgentReply {
    const { options, about, agent, hasWorked } = this.#parts
    const turn = this.#turn
    turn.end()
    const usage = this.#isBegun ? this.#usage() : noUsage
    const partialText = turn.said
    if (this.#failed !== null) return { ok: false, failure: failureByWords(about, this.#failed), partialText, usage }
    const ended = this.#ended ?? (headlessModes[agent].endsSilently && exitCode === 0 ? 'end_turn' : null)
    if (ended === null) {
      if (!this.#isBegun) return this.#unstarted(new StartFailed(stderr || 'it ended', { exitCode }), stderr)
      const failure = failureFrom(new Error('ended'), about, { isBegun: true, stderr, hasWorked })
      return { ok: false, failure, partialText, usage }
    }
    const text = replyIn(turn, this.#parts.request)
    const missing = reportedFailure(about, text) ?? missingReply(about, ended, text, turn)
    if (missing) return { ok: false, failure: missing, partialText, usage }
    // The next ask of the thread repeats the conversation: a headless process holds no session.
    options.onMessages?.([{ role: 'assistant', content: text }])
    return { ok: true, text, usage }
  }

  #unstarted(error: StartFailed, stderr: string): AgentReply {
    const { about, hasWorked } = this.#parts
    const failure = failureFrom(error, about, { isBegun: false, stderr, hasWorked })
    return { ok: false, failure, partialText: '', usage: noUsage }
  }

  /** What the agent reports, or an estimate from what was sent and said. */
  #usage(): Usage {
    const { price } = this.#parts
    const counted = this.#counted
    if (!counted || counted.inputTokens + counted.outputTokens === 0)
      return priced(estimatedUsage(this.#turn, this.#prompt), price)
    const usage: Usage = { ...counted, usd: null }
    return price || this.#usd === null ? priced(usage, price) : { ...usage, usd: this.#usd }
  }
}

function added(before: HeadlessUsage | null, more: HeadlessUsage): HeadlessUsage {
  const cached = (before?.cachedInputTokens ?? 0) + (more.cachedInputTokens ?? 0)
  return {
    inputTokens: (before?.inputTokens ?? 0) + more.inputTokens,
    outputTokens: (before?.outputTokens ?? 0) + more.outputTokens,
    ...(cached > 0 ? { cachedInputTokens: cached } : {}),
  }
}
