/** An agent that plays a script, for tests, demos and dry runs. The UI labels everything it says as rehearsal. */
import { existsSync } from 'node:fs'
import type { Agent, AgentFailure, AgentReply, AgentRequest, CallOptions } from '../../kernel/agent.ts'
import { estimateTokens } from '../../kernel/ask/usage.ts'
import { type Clock, systemClock } from '../../kernel/clock.ts'
import { ScriptExhausted } from '../../kernel/errors.ts'
import { sleep } from '../../kernel/sleep.ts'
import type { LineBindings } from '../../kernel/stores/line-bindings.ts'
import { oneLine } from '../../rules/text/one-line.ts'
import { type Price, priced } from '../models/price.ts'
import { writeFiles } from '../tools/workspace-files.ts'
import type { RehearsalScript, ScriptLine, When } from './script.ts'

export interface RehearsalAgentSettings {
  name: string
  script: RehearsalScript
  bindings: LineBindings
  /** The model name to show; no model is called. */
  model?: string
  retries?: number
  /** The price of its pretended usage, to rehearse budgets; defaults to free. */
  price?: Price
  clock?: Clock
}

const free: Price = { input: 0, output: 0 }

export function createRehearsalAgent(settings: RehearsalAgentSettings): Agent {
  const { name, script, bindings, model, retries, price = free, clock = systemClock } = settings
  const bind = async (request: AgentRequest): Promise<ScriptLine> => {
    // Must be the first await: parallel asks bind lines in the order in which they were started.
    const number = await bindings.bind(script.file, request.question, (used) => chooseLine(script, name, request, used))
    const line = number === null ? undefined : script.lines[number]
    if (!line) throw exhausted(script, name, request)
    return line
  }
  return {
    name,
    provider: 'rehearsal',
    model,
    rehearsal: true,
    retries,
    prepare: bind,
    async call(request, options) {
      options.signal.throwIfAborted()
      const startedAt = clock.now()
      const line = (options.prepared as ScriptLine | undefined) ?? (await bind(request))
      options.signal.throwIfAborted()
      const reply = await play(line, script, request, options, clock, startedAt)
      return { ...reply, usage: priced(reply.usage, price) }
    },
    estimateUsage: (messages, reply) => priced(estimateTokens(messages, reply), price),
  }
}

async function play(
  line: ScriptLine,
  script: RehearsalScript,
  request: AgentRequest,
  options: CallOptions,
  clock: Clock,
  startedAt: number,
): Promise<AgentReply> {
  const usage = estimateTokens(request.messages, line.text)
  const problem = await putFiles(line, request.workspace)
  if (problem) {
    const failure = failureOf('malformed', `${problem} (${script.file}, line ${line.row})`, false)
    return { ok: false, failure: { ...failure, rule: 'VF6' }, partialText: '', usage }
  }
  // Count the silence from the start of the call: recording the bound line is part of it.
  const silence = startedAt + line.afterMs - clock.now()
  if (silence > 0) await sleep(silence, options.signal, clock)
  while (line.afterFile !== undefined && !existsSync(line.afterFile)) await sleep(20, options.signal, clock)
  await speak(line, options, clock)
  if (!line.fail) return { ok: true, text: line.text, usage }
  const failure = failureOf(line.fail, `${line.fail}, as the script says (${script.file}, line ${line.row})`)
  return { ok: false, failure, partialText: line.text, usage }
}

async function putFiles(line: ScriptLine, workspace: AgentRequest['workspace']): Promise<string | null> {
  if (line.files.length === 0) return null
  if (!workspace) return 'the script writes files, but this ask has no workspace'
  return writeFiles(workspace.folder, line.files)
}

async function speak(line: ScriptLine, options: CallOptions, clock: Clock): Promise<void> {
  const pieces = split(line.text, line.streamMs)
  for (const piece of pieces) {
    if (line.streamMs > 0) await sleep(line.streamMs / pieces.length, options.signal, clock)
    options.onActivity?.()
    options.onText?.(piece)
  }
}

/** Pieces of about 50 ms each; never splits a character. */
function split(text: string, streamMs: number): string[] {
  const wanted = Math.ceil(streamMs / 50)
  if (wanted <= 1) return text === '' ? [] : [text]
  const characters = Array.from(text)
  const count = Math.min(characters.length, wanted)
  return Array.from({ length: count }, (_, index) => {
    const from = Math.floor((index * characters.length) / count)
    return characters.slice(from, Math.floor(((index + 1) * characters.length) / count)).join('')
  })
}

function failureOf(reason: AgentFailure['reason'], message: string, retryable = reason !== 'refused'): AgentFailure {
  return { reason, message, retryable }
}

/** The first matching line that is unused or repeats. */
function chooseLine(
  script: RehearsalScript,
  agent: string,
  request: AgentRequest,
  used: ReadonlySet<number>,
): number | null {
  const found = script.lines.findIndex((line, index) => {
    return (line.repeat || !used.has(index)) && holds(line.when, agent, request)
  })
  return found === -1 ? null : found
}

function holds(when: When, agent: string, { kind, facts = {}, question, messages }: AgentRequest): boolean {
  if (when.ask !== undefined && when.ask !== kind) return false
  if (when.agent !== undefined && when.agent !== agent) return false
  if (when.node !== undefined && when.node !== facts.node) return false
  if (when.phase !== undefined && when.phase !== facts.phase) return false
  if (when.round !== undefined && when.round !== facts.round) return false
  if (when.attempt !== undefined && when.attempt !== (facts.attempt ?? question.try)) return false
  return when.contains === undefined || renderedPrompt(messages).includes(when.contains)
}

function renderedPrompt(messages: AgentRequest['messages']): string {
  return messages.map((message) => message.content).join('\n\n')
}

function exhausted(script: RehearsalScript, agent: string, request: AgentRequest): ScriptExhausted {
  const { run, step, try: attempt } = request.question
  const facts = Object.entries(request.facts ?? {}).flatMap(([key, value]) =>
    value === undefined ? [] : [`${key} ${value}`],
  )
  const prompt = oneLine(request.messages.findLast((message) => message.role === 'user')?.content ?? '', 120)
  return new ScriptExhausted(
    `rehearsal script ${script.file} has no line left for agent "${agent}", ask "${request.kind}" ` +
      `(${[`run ${run}`, `step ${step}`, `attempt ${attempt}`, ...facts].join(', ')}): ${prompt}`,
  )
}
