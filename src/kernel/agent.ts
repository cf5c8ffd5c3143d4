/** The port to an agent. An adapter translates one provider's shapes; policy (retries, limits, budget) lives in `ask/`. */
import type { z } from 'zod'
import type { AgentMessageKind } from '../rules/room/agent-message.ts'
import type { ProjectSource } from './project-source.ts'

/** The kinds of ask; scripts and prices are keyed by them. */
export const askKinds = [
  'answer',
  'micro-proposal',
  'turn',
  'agent-message',
  'room-summary',
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
  'align',
  'plan-alone',
] as const
export type AskKind = (typeof askKinds)[number]

/** How an ask can fail. Expected failure is data: an agent never throws for these. */
export const failureReasons = ['rate-limited', 'timeout', 'refused', 'malformed', 'unavailable', 'disconnect'] as const
export type FailureReason = (typeof failureReasons)[number]

export interface AgentMessage {
  /** `tool`: the results of the tools that the message before it called. */
  role: 'system' | 'user' | 'assistant' | 'tool'
  content: string
  /** The message in the form of the adapter that received it, with its tool calls and results. Only adapters read it. */
  native?: unknown
}

/** Identifies one call. It survives the process: after a restart the same ask makes the same call. */
export interface CallId {
  run: string
  step: string
  try: number
}

/** Where an agent may read and write files, and run commands. */
export interface AgentWorkspace {
  readonly folder: string
  /** Runs a shell command there, sandboxed and limited like every other. Absent: no commands. */
  run?(command: string, options: { signal: AbortSignal; timeoutMs?: number }): Promise<CommandOutcome>
  /** Called after every tool call, for the log. */
  onTool?(call: ToolCall): void
}

/** A commit that an agent may read through tools, and the room in which it may send messages outside the conversation. */
export interface AgentSource {
  readonly reader: ProjectSource
  readonly room?: AgentRoom
  /** How many model replies, tool calls included, the ask may take; the last one must be the answer. */
  readonly maxSteps: number
  /** A clean checkout of the commit, for agents that read with their own tools. Thrown away on release. */
  checkout?(): Promise<{ folder: string; release(): Promise<void> }>
  onTool?(call: ToolCall): void
}

/** What an agent asks permission for. */
export interface PermissionRequest {
  /** The kind of tool: `edit`, `execute`, `fetch` … */
  tool: string
  title: string
  path?: string
  command?: string
}

/** What an agent can do in its room beside answering. */
export interface AgentRoom {
  /** The agents that it may write to. */
  readonly others: readonly string[]
  /** Whether its prompt left messages out. */
  readonly hidesMessages: boolean
  /** Rejects with the reason if the message is refused. */
  tell(message: { to?: string; kind: AgentMessageKind; content: string; expects_reply?: boolean }): Promise<void>
  /** The latest messages that fit, oldest first; numbers count from the room's first message. */
  earlier(request: {
    search?: string
    before?: number
    count: number
  }): Promise<{ number: number; from: string; text: string }[]>
}

export interface CommandOutcome {
  exitCode: number
  /** Shortened to a readable size, with a note that says so. */
  output: string
  ended:
    | 'exited'
    | 'timed-out'
    | 'too-much-output'
    | 'aborted'
    | 'out-of-memory'
    | 'too-many-processes'
    | 'file-too-large'
}

export interface ToolCall {
  tool: string
  summary: string
  ok: boolean
  milliseconds: number
  /** The file it read. */
  file?: string
}

/** One call to an agent. */
export interface AgentRequest {
  kind: AskKind
  question: CallId
  messages: AgentMessage[]
  /** The reply must be JSON of this shape. Providers with structured output enforce it; the caller always validates. */
  schema?: z.ZodType
  /** Without a workspace and a source the agent has no tools. */
  workspace?: AgentWorkspace
  source?: AgentSource
  maxOutputTokens?: number
  /** Rehearsal scripts select lines by these; models do not see them. */
  facts?: { node?: string; phase?: string; round?: number; attempt?: number }
}

export interface Usage {
  inputTokens: number
  outputTokens: number
  cachedInputTokens?: number
  /** `null`: the price is unknown. */
  usd: number | null
  /** Some of it was estimated from the text, because the provider sent no count. */
  estimated?: boolean
  /** The requests to a model behind it, if there was more than one: an agent that uses tools makes one for each step. */
  requests?: number
}

export interface AgentFailure {
  reason: FailureReason
  message: string
  /** How long the provider asked us to wait before another attempt. */
  retryAfterMs?: number
  /** False when another attempt cannot help (a refusal, a wrong key, a bad request). */
  retryable: boolean
  /** Only a person can fix it, and the message says how: a missing key, an unknown model. It is no attempt (AS3). */
  configuration?: true
  /** Nothing answered at its address: the request did not arrive. */
  unreached?: true
  /** What the agent lacks, if that is why it cannot be asked. */
  lacks?: 'program' | 'version' | 'login'
  /** The call timed out because the agent produced no output for the silence limit. */
  silent?: true
  /** The rule that the agent broke, when that ended the call. */
  rule?: string
}

export type AgentReply =
  | {
      ok: true
      text: string
      usage: Usage
      /** It called this tool, though none was offered: `text` has the arguments. */
      calledTool?: string
    }
  | { ok: false; failure: AgentFailure; partialText: string; usage: Usage }

export interface CallOptions {
  signal: AbortSignal
  /** Called with each piece of text as it arrives. */
  onText?: (text: string) => void
  /** Called on any output: a token, a tool call, a heartbeat. */
  onActivity?: () => void
  /**
   * Called with the usage so far, by agents that make several requests for one call. With `goesOn` another request is
   * about to follow: the callee aborts `signal` when the budget does not allow it.
   */
  onUsage?: (usage: Usage, goesOn?: boolean) => void
  /**
   * Called by agents that work in several steps, after each step, with the messages of that step. Together they are what
   * followed the request's messages; an ask can continue from there.
   */
  onMessages?: (messages: AgentMessage[]) => void
  /**
   * Called when the agent asks permission for something, with what the policy says. Resolves with the final decision, which may
   * take as long as a person needs. Absent: what the policy leaves to a person is refused.
   */
  onPermission?: (request: PermissionRequest, judged: 'allow' | 'deny' | 'ask') => Promise<'allow' | 'deny'>
  /** Whether to wait when the provider is rate-limited. */
  patient?: boolean
  /** The result of the agent's own `prepare` for this request. */
  prepared?: unknown
}

export interface Agent {
  readonly name: string
  readonly provider: string
  readonly model?: string
  /** Plays a script. Every surface that shows its words labels them so. */
  readonly rehearsal: boolean
  /** Retries after a failed call, if configured for this agent: overrides the caller's. */
  readonly retries?: number
  /**
   * Makes one call, without retries. Resolves with a failure for anything a provider can do wrong. Rejects only when
   * `signal` aborts, or when a rehearsal script has no line left (`ScriptExhausted`).
   */
  call(request: AgentRequest, options: CallOptions): Promise<AgentReply>
  /** Writes what must be durable before the call; shares a commit with the `ask.started` event. */
  prepare?(request: AgentRequest): Promise<unknown>
  /** Estimates the usage of a call with these messages and this reply, or this many reply tokens. Never throws. */
  estimateUsage?(messages: readonly AgentMessage[], reply: string | number): Usage
  close?(): Promise<void>
}
