/** The sessions of one coding agent, and how an ask gets one: by continuing, copying, loading or starting one. */
import type { McpServer, NewSessionResponse } from '@agentclientprotocol/sdk/unstable'
import type { AgentMessage, AgentRequest } from '../../kernel/agent.ts'
import { planThread, type ThreadMark } from '../../rules/agents/thread.ts'
import type { AgentProcess } from './agent-process.ts'
import { ExitTool } from './exit-tool.ts'
import type { Preset } from './presets.ts'

export interface Session {
  id: string
  process: AgentProcess
  folder: string
  /** The commit in the folder, if the agent only reads there. */
  commit: string | undefined
  /** In a build's worktree: later asks continue it. */
  isWork: boolean
  /** How many prompts it has received; 0 if it was started ahead of its first ask. */
  turn: number
  /** What it has cost so far, as the agent says. */
  usd: number
  exitTool: ExitTool | null
}

export interface OpenedSession {
  session: Session
  /** What the agent has not been told yet; null: everything. */
  unsaid: AgentMessage[] | null
  /** What the agent says about its modes and models. */
  response: Partial<NewSessionResponse>
}

/** How many sessions a warm process keeps for later asks, unless its preset says otherwise. */
const usuallyKept = 6

export class Sessions {
  readonly #agent: string
  /** Said when a session begins. */
  readonly #meta: { _meta?: Record<string, unknown> }
  readonly #kept: number
  readonly #all = new Map<string, Session>()
  /** Sessions of asks that were cut short, by run and step: a reminder continues them. */
  readonly #cut = new Map<string, { id: string; said: number }>()
  /** Sessions that are being started ahead of their first ask. */
  readonly #starting = new Map<AgentProcess, Promise<void>>()

  constructor(agent: string, preset?: Pick<Preset, 'sessionMeta' | 'keptSessions'>) {
    this.#agent = agent
    this.#meta = preset?.sessionMeta ? { _meta: { ...preset.sessionMeta } } : {}
    this.#kept = preset?.keptSessions ?? usuallyKept
  }

  /** The process whose session this ask would best continue. */
  preferred(request: AgentRequest): AgentProcess | undefined {
    const id = this.#cut.get(askOf(request))?.id ?? markIn(request.messages)?.mark.session
    return id === undefined ? undefined : this.#all.get(id)?.process
  }

  async open(process: AgentProcess, request: AgentRequest, folder: string): Promise<OpenedSession> {
    const cut = this.#takeCut(process, request, folder)
    if (cut) return cut
    const found = markIn(request.messages)
    const known = found && this.#all.get(found.mark.session)
    const live = known && known.process === process && process.isAlive ? known : null
    const { sessionCapabilities, loadSession } = process.initialized.agentCapabilities ?? {}
    const plan = planThread({
      agent: this.#agent,
      kind: request.kind,
      folder,
      mark: found?.mark ?? null,
      live,
      canFork: Boolean(sessionCapabilities?.fork),
      canLoad: loadSession === true,
    })
    const unsaid = found ? request.messages.slice(found.at + 1) : null
    if (plan === 'continue' && live) return { session: live, unsaid, response: {} }
    if (plan === 'fork' || plan === 'load') {
      // Agents keep sessions in their own ways; for one that is not found, the prompt repeats the conversation.
      const again = await this.#again(process, plan, found!.mark, request, folder).catch(() => null)
      if (again) return { ...again, unsaid }
    }
    const ready = await this.#takeReady(process, request, folder)
    if (ready) return { session: ready, unsaid: null, response: {} }
    return { ...(await this.#begin(process, request, folder)), unsaid: null }
  }

  /**
   * Starts a session for the next ask that reads in the same folder at the same commit. `configure` sets its model and mode.
   * Never rejects: if it fails, that ask starts its own session and reports what is wrong.
   */
  startAhead(
    process: AgentProcess,
    request: AgentRequest,
    folder: string,
    configure: (session: Session, response: Partial<NewSessionResponse>) => Promise<void>,
  ): Promise<void> {
    const isWanted = !request.workspace && !offersExit(request) && process.isAlive && !this.#starting.has(process)
    if (!isWanted || this.#ready(process, request, folder)) return Promise.resolve()
    const starting = this.#begin(process, request, folder)
      .then(({ session, response }) =>
        configure(session, response).then(
          () => this.#keep(session),
          () => close(session),
        ),
      )
      .catch(() => {})
      .finally(() => this.#starting.delete(process))
    this.#starting.set(process, starting)
    return starting
  }

  /** A session that was started ahead for an ask like this one; waits for one that is starting. */
  async #takeReady(process: AgentProcess, request: AgentRequest, folder: string): Promise<Session | null> {
    if (request.workspace || offersExit(request)) return null
    await this.#starting.get(process)
    const session = this.#ready(process, request, folder)
    // Another ask must not find it meanwhile.
    if (session) this.#all.delete(session.id)
    return session ?? null
  }

  #ready(process: AgentProcess, { source }: AgentRequest, folder: string): Session | undefined {
    return [...this.#all.values()].find(
      (session) =>
        session.turn === 0 &&
        session.process === process &&
        session.folder === folder &&
        session.commit === source?.reader.commit &&
        process.isAlive,
    )
  }

  /** The session has given its reply; the mark lets a later ask continue it. */
  mark(session: Session, request: AgentRequest): ThreadMark {
    this.#keep(session)
    return { agent: this.#agent, session: session.id, turn: session.turn, kind: request.kind, folder: session.folder }
  }

  /** The ask was cut short, and the agent stopped when asked to. */
  cut(session: Session, request: AgentRequest): void {
    this.#keep(session)
    this.#cut.set(askOf(request), { id: session.id, said: request.messages.length })
  }

  /** The ask is over: a session that no later ask can continue is closed. */
  async leave(session: Session): Promise<void> {
    if (this.#all.get(session.id) !== session) await close(session)
  }

  async forget(session: Session): Promise<void> {
    this.#all.delete(session.id)
    await close(session)
  }

  async close(): Promise<void> {
    await Promise.all([...this.#all.values()].map((session) => this.forget(session)))
  }

  #takeCut(process: AgentProcess, request: AgentRequest, folder: string): OpenedSession | null {
    const ask = askOf(request)
    const cut = this.#cut.get(ask)
    this.#cut.delete(ask)
    const session = cut && this.#all.get(cut.id)
    if (!session || session.process !== process || session.folder !== folder || !process.isAlive) return null
    const unsaid = request.messages.slice(cut.said).filter(({ role }) => role === 'user')
    return unsaid.length > 0 ? { session, unsaid, response: {} } : null
  }

  async #begin(process: AgentProcess, request: AgentRequest, folder: string) {
    const exitTool = await exitToolFor(request)
    try {
      const response = await process.connection.agent.request('session/new', {
        cwd: folder,
        mcpServers: serversOf(exitTool),
        ...this.#meta,
      })
      // AG9: an agent that lets us name a session would ask its model for a title otherwise.
      if (process.initialized.agentCapabilities?.sessionCapabilities?.title)
        process.connection.agent
          .request('session/set_title', { sessionId: response.sessionId, title: 'Convene' })
          .catch(() => {})
      return { session: newSession(response.sessionId, process, request, folder, exitTool), response }
    } catch (error) {
      await exitTool?.close()
      throw error
    }
  }

  async #again(
    process: AgentProcess,
    plan: 'fork' | 'load',
    { session: id, turn }: ThreadMark,
    request: AgentRequest,
    folder: string,
  ) {
    const exitTool = await exitToolFor(request)
    const given = { sessionId: id, cwd: folder, mcpServers: serversOf(exitTool), ...this.#meta }
    try {
      if (plan === 'fork') {
        const response = await process.connection.agent.request<NewSessionResponse>('session/fork', given)
        return { session: { ...newSession(response.sessionId, process, request, folder, exitTool), turn }, response }
      }
      const response = (await process.connection.agent.request('session/load', given)) ?? {}
      return { session: { ...newSession(id, process, request, folder, exitTool), turn }, response }
    } catch (error) {
      await exitTool?.close()
      throw error
    }
  }

  #keep(session: Session): void {
    const before = this.#all.get(session.id)
    // Read back, it has an exit tool of its own, and perhaps another process.
    if (before && before !== session)
      void (before.process === session.process ? before.exitTool?.close() : close(before))
    this.#all.delete(session.id)
    this.#all.set(session.id, session)
    const all = [...this.#all.values()]
    const beside = all.filter(({ process }) => process === session.process)
    // A used session that only read is continued by nothing but a repair of its own reply, which follows at once.
    const isSpent = (one: Session) => one !== session && one.turn > 0 && !one.isWork
    const inOrder = [...beside.filter(isSpent), ...beside.filter((one) => !isSpent(one))]
    const surplus = inOrder.slice(0, Math.max(0, beside.length - this.#kept))
    for (const old of [...surplus, ...all.filter(({ process }) => !process.isAlive)]) void this.forget(old)
  }
}

/** Some agents run a process for each session: one that stays open would keep its memory as long as the agent is warm. */
async function close({ id, process, exitTool }: Session): Promise<void> {
  // Nobody waits for the answer: an agent may give none.
  if (process.isAlive && process.initialized.agentCapabilities?.sessionCapabilities?.close)
    process.connection.agent.request('session/close', { sessionId: id }).catch(() => {})
  await exitTool?.close()
}

/** Proposals and turns are text for a room; every other typed reply is offered as a tool. */
export function offersExit({ kind, schema }: AgentRequest): boolean {
  return schema !== undefined && kind !== 'turn' && kind !== 'micro-proposal'
}

async function exitToolFor(request: AgentRequest): Promise<ExitTool | null> {
  return offersExit(request) ? ExitTool.open() : null
}

function serversOf(exitTool: ExitTool | null): McpServer[] {
  return exitTool ? [exitTool.mcpServer] : []
}

function newSession(
  id: string,
  process: AgentProcess,
  { workspace, source }: AgentRequest,
  folder: string,
  exitTool: ExitTool | null,
): Session {
  const commit = source?.reader.commit
  return { id, process, folder, commit, isWork: workspace !== undefined, turn: 0, usd: 0, exitTool }
}

function askOf({ question: { run, step } }: AgentRequest): string {
  return `${run} ${step}`
}

function markIn(messages: readonly AgentMessage[]): { at: number; mark: ThreadMark } | null {
  const at = messages.findLastIndex(({ native }) => isMarked(native))
  return at === -1 ? null : { at, mark: (messages[at]!.native as { acp: ThreadMark }).acp }
}

function isMarked(native: unknown): boolean {
  return typeof native === 'object' && native !== null && 'acp' in native
}
