/** The port to whoever can be asked. An adapter translates one provider's shapes; policy lives in `ask.ts`. */
import type { z } from 'zod'

/** The kinds of question Convene asks; scripts and prices are keyed by them. */
export const askKinds = [
  'answer',
  'micro-proposal',
  'turn',
  'agent-message',
  'phase',
  'review',
  'defend',
  'scaffold',
  'write-tests',
  'implement',
  'review-impl',
  'merge',
  'rebase',
  'judge-child',
  'child-failed',
  'failure-analysis',
  'select-issue',
  'summary',
] as const
export type AskKind = (typeof askKinds)[number]

/** How an ask can fail. Expected failure is data: an agent never throws for these. */
export const failureReasons = ['rate-limited', 'timeout', 'refused', 'malformed', 'unavailable', 'disconnect'] as const
export type FailureReason = (typeof failureReasons)[number]

export interface AgentMessage {
  role: 'system' | 'user' | 'assistant'
  content: string
}

/** Which question this is. It outlives the process: after a restart the same question is the same call. */
export interface Question {
  run: string
  step: string
  try: number
}

/** Where an agent may read and write files, and run commands. */
export interface AgentWorkspace {
  readonly folder: string
  /** Runs a shell command there, sandboxed and limited like every other. Absent: no commands. */
  run?(command: string, options: { signal: AbortSignal; timeoutMs?: number }): Promise<CommandOutcome>
  /** Told of every tool call, for the log. */
  onTool?(call: ToolCall): void
}

export interface CommandOutcome {
  exitCode: number
  /** Cut to a readable size, with a note of what was cut. */
  output: string
  ended: 'exited' | 'timed-out' | 'too-much-output' | 'aborted'
}

export interface ToolCall {
  tool: string
  summary: string
  ok: boolean
  milliseconds: number
}

/** One call to an agent. */
export interface AgentRequest {
  kind: AskKind
  question: Question
  messages: AgentMessage[]
  /** JSON text is wanted, of this shape. Providers with structured output enforce it; the caller validates in any case. */
  schema?: z.ZodType
  /** Absent: talk only. */
  workspace?: AgentWorkspace
  maxOutputTokens?: number
  /** Facts that scripts select on; models do not see them. */
  facts?: { node?: string; phase?: string; round?: number; attempt?: number }
}

export interface Usage {
  inputTokens: number
  outputTokens: number
  cachedInputTokens?: number
  /** `null`: the price is unknown. */
  usd: number | null
  /** Some of it was reckoned from the text, because the provider gave no count. */
  estimated?: boolean
}

export interface AgentFailure {
  reason: FailureReason
  message: string
  /** What the provider asked us to wait before another try. */
  retryAfterMs?: number
  /** False where another try cannot help (a refusal, a wrong key, a bad request). */
  retryable: boolean
  /** The call timed out because the agent produced no output for the silence limit. */
  silent?: true
  /** The rule that it broke, where it was stopped for that. */
  rule?: string
}

export type AgentReply =
  | { ok: true; text: string; usage: Usage }
  | { ok: false; failure: AgentFailure; partialText: string; usage: Usage }

export interface CallOptions {
  signal: AbortSignal
  /** Called with each piece of text as it arrives. */
  onText?: (text: string) => void
  /** Called on any sign of life: a token, a tool call, a heartbeat. */
  onActivity?: () => void
  /**
   * Called with what the call has used so far, by agents that make several requests for one call. With `goesOn` another
   * request would follow: `signal` is aborted where it must not.
   */
  onUsage?: (usage: Usage, goesOn?: boolean) => void
  /** Whether it is worth waiting for a provider that asks to be asked later. */
  patient?: boolean
  /** What the agent's own `prepare` gave for this request, where it was prepared. */
  prepared?: unknown
}

export interface Agent {
  readonly name: string
  readonly provider: string
  readonly model?: string
  /** Scripted. Every surface that shows its words says so. */
  readonly rehearsal: boolean
  /** Tries after a failed call, where its configuration sets them: they then stand before the asker's own. */
  readonly retries?: number
  /**
   * Asks once: no retries here. Resolves with a failure for anything a provider can do wrong. Rejects only when
   * `signal` aborts, or when a rehearsal script has no line left (`ScriptExhausted`).
   */
  call(request: AgentRequest, options: CallOptions): Promise<AgentReply>
  /** What an agent has to write down before a call: it then shares a commit with the fact that the question is put. */
  prepare?(request: AgentRequest): Promise<unknown>
  /** What a call with these messages and this reply (or so many tokens of it) would use. Never throws, asks nobody. */
  estimateUsage?(messages: readonly AgentMessage[], reply: string | number): Usage
  close?(): Promise<void>
}
