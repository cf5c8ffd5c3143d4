/** A coding agent's process: spoken to over the agent client protocol, and ended with everything it started. */
import type { ChildProcess } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ClientConnection, InitializeResponse } from '@agentclientprotocol/sdk/unstable'
import { version } from '../../kernel/version.ts'
import { removeFolder } from './empty-folder.ts'
import { messageStream } from './message-stream.ts'
import { type AgentProgram, endGroup, isRunning, type ProcessGroup, startGroup } from './process-group.ts'
import { descendantsOf, endSurvivors, type SeenProcess } from './process-tree.ts'
import { closedHost, type SessionHost } from './session-host.ts'
import { StartFailed } from './start-failed.ts'

const lookMs = 1000

export class AgentProcess {
  readonly connection: ClientConnection
  readonly initialized: InitializeResponse
  /** Handles what the agent asks for. One ask at a time uses the process. */
  host: SessionHost = closedHost
  readonly #child: ChildProcess
  readonly #folder: string
  readonly #stderr: () => string
  /** The processes below the agent at the last look. */
  #below: { seen: SeenProcess[]; at: number } = { seen: [], at: Number.NEGATIVE_INFINITY }
  #ending: Promise<void> | undefined

  private constructor(
    started: { child: ChildProcess; folder: string; stderr: () => string },
    connection: ClientConnection,
    initialized: InitializeResponse,
  ) {
    this.#child = started.child
    this.#folder = started.folder
    this.#stderr = started.stderr
    this.connection = connection
    this.initialized = initialized
    this.#child.once('exit', () => endSurvivors(this.#below.seen))
  }

  /** Rejects with `StartFailed`, or with what the agent answered to `initialize`. */
  static async start(program: AgentProgram, startMs: number, signal: AbortSignal): Promise<AgentProcess> {
    signal.throwIfAborted()
    const env = { ...program.env, ...(await program.moreEnv?.(signal)) }
    // Neutral ground: each session names the folder that it works in.
    const folder = mkdtempSync(join(tmpdir(), 'convene-agent-'))
    const started = { folder, ...(await startIn(folder, { ...program, env })) }
    let host: () => SessionHost = () => closedHost
    try {
      const greeting = initialize(started.child, () => host())
      const { connection, initialized } = await beforeTheEnd(started, startMs, signal, greeting)
      const process = new AgentProcess(started, connection, initialized)
      host = () => process.host
      return process
    } catch (error) {
      await endProcess(started.child, folder)
      throw error
    }
  }

  get isAlive(): boolean {
    return isRunning(this.#child) && this.#ending === undefined && !this.connection.signal.aborted
  }

  get pid(): number {
    return this.#child.pid!
  }

  /** The last words on stderr, for a failure that has no better explanation. */
  get stderr(): string {
    return this.#stderr()
  }

  /** Notes the processes below the agent, at most once a second: once the agent is dead, nothing shows that they were its own. */
  noteCommands(): void {
    if (!this.isAlive || performance.now() - this.#below.at < lookMs) return
    this.#below = { seen: descendantsOf(this.pid), at: performance.now() }
  }

  /** Ends the whole group, and processes that left it. Resolves when they are gone. */
  end(): Promise<void> {
    this.host = closedHost
    this.#ending ??= endProcess(this.#child, this.#folder)
    return this.#ending
  }
}

async function initialize(child: ChildProcess, host: () => SessionHost) {
  // Loaded while the program starts.
  const acp = await import('@agentclientprotocol/sdk/unstable')
  const stream = messageStream(child.stdin!, child.stdout!, (update) => host().update(update))
  const { client: on } = acp.methods
  const connection = acp
    .client({ name: 'convene' })
    .onRequest(on.session.requestPermission, ({ params }) => host().permission(params))
    .onRequest(on.fs.readTextFile, ({ params }) => host().read(params))
    .onRequest(on.fs.writeTextFile, ({ params }) => host().write(params))
    .connect(stream)
  const initialized = await connection.agent.request(acp.methods.agent.initialize, {
    protocolVersion: acp.PROTOCOL_VERSION,
    clientCapabilities: { fs: { readTextFile: true, writeTextFile: true } },
    clientInfo: { name: 'convene', title: 'Convene', version: version() },
  })
  return { connection, initialized }
}

async function startIn(folder: string, program: AgentProgram): Promise<ProcessGroup> {
  try {
    return startGroup(program, folder)
  } catch (error) {
    await removeFolder(folder)
    throw error
  }
}

async function beforeTheEnd<Value>(
  { child, stderr }: { child: ChildProcess; stderr: () => string },
  startMs: number,
  signal: AbortSignal,
  answer: Promise<Value>,
): Promise<Value> {
  answer.catch(() => {})
  let timer: NodeJS.Timeout | undefined
  let stop = () => {}
  const failed = new Promise<never>((_, reject) => {
    child.once('error', (error) => reject(new StartFailed(error.message)))
    child.once('exit', (code) => {
      // The last words arrive a moment later.
      setTimeout(() => reject(new StartFailed(stderr() || 'it ended', { exitCode: code })), 50)
    })
    timer = setTimeout(
      () => reject(new StartFailed(`it did not start within ${startMs / 1000} s`, { isSlow: true })),
      startMs,
    )
    stop = () => reject(signal.reason)
    signal.addEventListener('abort', stop, { once: true })
  })
  try {
    // A connection that breaks because the process ended says less than the process does.
    const answered = answer.catch((error) => (isRunning(child) && !isBroken(error) ? Promise.reject(error) : failed))
    return await Promise.race([answered, failed])
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', stop)
    failed.catch(() => {})
  }
}

/** The connection broke: the error carries no answer of the agent. */
function isBroken(error: unknown): boolean {
  return typeof (error as { code?: unknown })?.code !== 'number'
}

async function endProcess(child: ChildProcess, folder: string): Promise<void> {
  await endGroup(child)
  await removeFolder(folder)
}
