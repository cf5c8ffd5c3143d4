/** One prompt to a session: collects what the agent says and does, and answers what it asks for. */
import type {
  ReadTextFileRequest,
  RequestPermissionRequest,
  RequestPermissionResponse,
  SessionNotification,
  SessionUpdate,
  ToolCallUpdate,
  UsageUpdate,
  WriteTextFileRequest,
} from '@agentclientprotocol/sdk/unstable'
import type { CallOptions, PermissionRequest, ToolCall } from '../../kernel/agent.ts'
import {
  judgePermission,
  optionFor,
  type PermissionFacts,
  type PermissionPolicy,
  permissionText,
} from '../../rules/agents/permission.ts'
import { readForAgent, writeForAgent } from './client-files.ts'
import type { SessionHost } from './session-host.ts'
import { describePlan, describeTool, exitToolOf, isInside, permissionOf } from './tool-facts.ts'

export interface TurnSettings extends Pick<CallOptions, 'onText' | 'onActivity' | 'onPermission'> {
  folder: string
  mayWrite: boolean
  policy: PermissionPolicy
  /** The reply is JSON: words between tool calls are not part of it. */
  isStructured: boolean
  /** The agent asks only for commands that leave a sandbox of its own. */
  sandboxesCommands?: boolean | undefined
  /** Messages of the program itself, which are not the agent's words. */
  noise?: RegExp | undefined
  onTool?: (call: ToolCall) => void
  /** Called now and then while the agent runs a tool. */
  onBusy?: () => void
  /** Called when the agent begins a tool call, with their number: another request to its model will follow. */
  onStep?: (count: number) => void
}

/** How often an agent counts as active that runs a tool, or waits until a person has decided. */
const busyMs = 2000

interface OpenTool {
  call: ToolCallUpdate
  startedAt: number
}

export class Turn implements SessionHost {
  /** The session whose updates count. */
  session: string | null = null
  /** Everything the agent said, in order, and what it said after its last tool call. */
  allText = ''
  lastText = ''
  /** What was passed on as text. */
  said = ''
  /** How many characters the agent thought and gave to its tools, for an estimate of its usage. */
  unseen = 0
  /** What was refused, in a line each. */
  denied: string[] = []
  tools = 0
  usage: UsageUpdate | null = null
  readonly #settings: TurnSettings
  readonly #open = new Map<string, OpenTool>()
  readonly #beat: NodeJS.Timeout
  #undecided = 0
  #isOver = false
  /** Where the agent is in its own plan. */
  #planned = ''

  constructor(settings: TurnSettings) {
    this.#settings = settings
    this.#beat = setInterval(() => {
      if (this.#open.size > 0 || this.#undecided > 0) settings.onActivity?.()
      if (this.#open.size > 0) settings.onBusy?.()
    }, busyMs)
    this.#beat.unref()
  }

  /** Nothing that comes later counts. */
  end(): void {
    this.#isOver = true
    clearInterval(this.#beat)
  }

  update({ sessionId, update }: SessionNotification): void {
    if (this.#isOver || sessionId !== this.session || !update) return
    this.#settings.onActivity?.()
    this.#apply(update)
  }

  #apply(update: SessionUpdate): void {
    switch (update.sessionUpdate) {
      case 'agent_message_chunk':
        if (update.content?.type === 'text') this.#say(update.content.text)
        return
      case 'agent_thought_chunk':
        if (update.content?.type === 'text') this.unseen += update.content.text.length
        return
      case 'tool_call':
      case 'tool_call_update':
        this.#tool(update)
        return
      case 'plan':
        this.#plan(update.entries)
        return
      case 'usage_update':
        this.usage = update
        return
    }
  }

  #say(text: string): void {
    if (typeof text !== 'string' || text === '' || this.#settings.noise?.test(text)) return
    const isNewPart = this.lastText === '' && this.allText !== ''
    const shown = isNewPart ? `\n\n${text}` : text
    this.lastText += text
    this.allText += shown
    if (this.#settings.isStructured && !/^\s*[{`]/.test(this.lastText)) return
    this.said += shown
    this.#settings.onText?.(shown)
  }

  /** The list that an agent keeps of its own work: each change shows in the timeline where it is. */
  #plan(entries: unknown): void {
    const summary = describePlan(entries)
    if (summary === null || summary === this.#planned) return
    this.#planned = summary
    this.#step()
    this.#settings.onTool?.({ tool: 'plan', summary, ok: true, milliseconds: 0 })
  }

  #step(): void {
    this.tools++
    this.lastText = ''
    this.#settings.onStep?.(this.tools)
  }

  #tool(update: ToolCallUpdate): void {
    const known = this.#open.get(update.toolCallId)
    const call = { ...known?.call, ...withoutEmpty(update) } as ToolCallUpdate
    if (!known) {
      this.unseen += JSON.stringify(call.rawInput ?? '').length
      this.#step()
    }
    const startedAt = known?.startedAt ?? performance.now()
    const isDone = call.status === 'completed' || call.status === 'failed'
    this.#settings.onBusy?.()
    if (!isDone) return void this.#open.set(update.toolCallId, { call, startedAt })
    this.#open.delete(update.toolCallId)
    // The exit tool is the reply, not work.
    if (exitToolOf(call)) return
    this.#settings.onTool?.({
      ...describeTool(call, this.#settings.folder),
      ok: call.status === 'completed',
      milliseconds: Math.round(performance.now() - startedAt),
    })
  }

  async permission({ sessionId, toolCall, options }: RequestPermissionRequest): Promise<RequestPermissionResponse> {
    const cancelled = { outcome: { outcome: 'cancelled' } } as const
    if (this.#isOver || sessionId !== this.session) return cancelled
    this.#settings.onActivity?.()
    const call = { ...this.#open.get(toolCall.toolCallId)?.call, ...withoutEmpty(toolCall) } as ToolCallUpdate
    const decision = await this.#decide(permissionOf(call, this.#settings.folder), {
      kind: call.kind ?? 'other',
      isExitTool: exitToolOf(call),
      isInside: await isInside(call, this.#settings.folder),
      leavesSandbox: call.kind === 'execute' && this.#settings.sandboxesCommands === true,
    })
    if (this.#isOver) return cancelled
    const optionId = optionFor(decision, options)
    return optionId === null ? cancelled : { outcome: { outcome: 'selected', optionId } }
  }

  async #decide(
    request: PermissionRequest,
    facts: Omit<PermissionFacts, 'policy' | 'mayWrite'>,
  ): Promise<'allow' | 'deny'> {
    const { policy, mayWrite, onPermission } = this.#settings
    const { decision: judged } = judgePermission({ ...facts, policy, mayWrite })
    this.#undecided++
    const asked = Promise.resolve(onPermission?.(request, judged)).finally(() => this.#undecided--)
    const decision = (await asked) ?? (judged === 'allow' ? 'allow' : 'deny')
    if (decision === 'deny') this.denied.push(permissionText(request))
    return decision
  }

  async read(request: ReadTextFileRequest) {
    this.#check(request.sessionId)
    return readForAgent(this.#settings.folder, request)
  }

  async write(request: WriteTextFileRequest) {
    this.#check(request.sessionId)
    const { folder, mayWrite, policy } = this.#settings
    const asked = { tool: 'edit', title: `Write ${request.path}`, path: request.path }
    const within = await isInside({ path: request.path }, folder)
    const facts = { kind: 'edit', isExitTool: false, isInside: within, leavesSandbox: false }
    // An agent that writes through us has asked before, where its own settings want that; only a refusal is news.
    const { decision } = judgePermission({ ...facts, policy: policy === 'ask' ? 'worktree' : policy, mayWrite })
    if (decision === 'deny') {
      await this.#settings.onPermission?.(asked, 'deny')
      this.denied.push(permissionText(asked))
      throw new Error(`writing ${request.path} is not allowed here`)
    }
    return writeForAgent(folder, request)
  }

  #check(sessionId: string): void {
    if (this.#isOver || sessionId !== this.session) throw new Error('this session is over')
    this.#settings.onActivity?.()
  }
}

/** Updates repeat only what changed. */
function withoutEmpty(update: ToolCallUpdate): Partial<ToolCallUpdate> {
  return Object.fromEntries(Object.entries(update).filter(([, value]) => value !== null && value !== undefined))
}
