/** Runs the project's commands: sandboxed, with a timeout and an output limit, and leaving no process behind. */
import { stat } from 'node:fs/promises'
import { ConveneError } from '../../kernel/errors.ts'
import { type CommandLimits, limitMessage, type ReachedLimit, wroteTooMuch } from '../../rules/trust/command-limits.ts'
import { findCgroup } from './cgroup.ts'
import { commandEnvironment } from './command-environment.ts'
import { GroupLost, type GroupStarter, groupStarter } from './group-starter.ts'
import { type OutputFile, OutputWriter } from './output-file.ts'
import type { ProcessGroup } from './process-group.ts'
import { findSandbox, type Sandbox, type SandboxState } from './sandbox.ts'

export type { OutputFile } from './output-file.ts'

export interface CommandRequest {
  /** A shell string. */
  command: string
  folder: string
  /** Folders it may write besides `folder`; created if missing. */
  writable?: string[]
  /** Paths it may read besides the system's programs and the user's toolchains. */
  readable?: string[]
  /** Without it, a sandbox has only the loopback interface. */
  network?: boolean
  /** Added to the environment of all commands. */
  env?: Record<string, string>
  /** The user's own code at their own commit, such as their tests in `doctor`: it may run without a sandbox. */
  isUsersOwn?: boolean
  timeoutMs: number
  maxOutputBytes?: number
  signal?: AbortSignal
  onOutput?: (chunk: Buffer) => void
}

export type CommandEnd = 'exited' | 'timed-out' | 'too-much-output' | 'aborted' | LimitEnd

/** TR11: how a command is called that reached a limit of `build.limits`. */
type LimitEnd = 'out-of-memory' | 'too-many-processes' | 'file-too-large'

export interface CommandResult {
  /** 124: timed out; 125: too much output; 128+n: ended by signal n. */
  exitCode: number
  ended: CommandEnd
  /** stdout and stderr, interleaved. The caller removes it. */
  output: OutputFile
  /** The last 8 KB. */
  tail: string
  milliseconds: number
  sandboxed: boolean
}

export interface CommandSettings {
  sandbox: 'auto' | 'required' | 'off'
  env: NodeJS.ProcessEnv
  /** Names of variables that commands may see besides the usual ones: `build.env`. */
  allowEnv: string[]
  /** Paths that no sandboxed command may see, wherever they lie: `.convene/`, the user's checkout. */
  hide?: string[]
  /** Paths that every command may read: what the user shares with `build.share`. */
  share?: string[]
  /** How much of the machine one command may use: `build.limits`. */
  limits?: CommandLimits
  /** Starts process groups. Defaults to a helper process once there are many commands. */
  starter?: Pick<GroupStarter, 'start'>
}

const defaultOutputBytes = 10 * 1024 * 1024
const longestTimer = 2 ** 31 - 1
/** Time between SIGTERM and SIGKILL. */
const politeMs = 2_000
/** Background processes may keep printing after the shell has ended: as long as they do, and at most this long. */
const quietMs = 300
const afterwardsMs = 2_000

export class Commands {
  readonly #settings: CommandSettings
  readonly #env: Record<string, string>
  #sandbox?: Promise<SandboxState>

  constructor(settings: CommandSettings) {
    this.#settings = settings
    this.#env = commandEnvironment(settings.env, settings.allowEnv)
  }

  /** Whether commands can be sandboxed here; tried once. */
  async sandboxState(): Promise<{ available: boolean; kind?: Sandbox['kind']; why?: string; fix?: string }> {
    const state = await this.#findSandbox()
    return state.available ? { available: true, kind: state.sandbox.kind } : state
  }

  async run(request: CommandRequest): Promise<CommandResult> {
    await refuseMissing(request.folder)
    const sandbox = await this.#chosenSandbox(request.isUsersOwn ?? false)
    return this.#runOnce(request, sandbox).catch((error) => {
      if (!(error instanceof GroupLost)) throw error
      return this.#runOnce(request, sandbox)
    })
  }

  async #runOnce(request: CommandRequest, sandbox: Sandbox | undefined): Promise<CommandResult> {
    const writer = await OutputWriter.create(request.maxOutputBytes ?? defaultOutputBytes)
    const started = performance.now()
    const { exitCode, ended } = await this.#execute(request, sandbox, writer).catch(async (error) => {
      await (await writer.close()).output.remove()
      throw error
    })
    const milliseconds = Math.round(performance.now() - started)
    return { exitCode, ended, ...(await writer.close()), milliseconds, sandboxed: sandbox !== undefined }
  }

  async #execute(request: CommandRequest, sandbox: Sandbox | undefined, writer: OutputWriter): Promise<Ending> {
    if (request.signal?.aborted) return { exitCode: exitCodes.aborted, ended: 'aborted' }
    const env = { ...this.#env, ...request.env }
    const readable = [...(this.#settings.share ?? []), ...(request.readable ?? [])]
    const prepared = await sandbox?.prepare({ ...request, readable }, env)
    try {
      const argv = [...(prepared?.argv ?? []), '/bin/sh', '-c', request.command]
      const starter = this.#settings.starter ?? groupStarter
      const { limits } = this.#settings
      const cgroup = limits && (await findCgroup(this.#env))
      const group = await starter.start(argv, {
        folder: request.folder,
        env: { ...env, ...prepared?.env },
        // Processes of a sandbox end with it.
        canLeave: sandbox?.kind !== 'bubblewrap',
        ...(limits ? { limits } : {}),
        ...(cgroup ? { cgroup } : {}),
      })
      const ending = await supervise(group, request, writer)
      return limits ? await withLimit(ending, group, limits, writer) : ending
    } finally {
      // Not waited for: the command has ended.
      void prepared?.remove()
    }
  }

  /** TR9: without a sandbox nothing runs that an agent may have written, unless the configuration says so. */
  async #chosenSandbox(isUsersOwn: boolean): Promise<Sandbox | undefined> {
    const { sandbox: wanted } = this.#settings
    if (wanted === 'off') return undefined
    const state = await this.#findSandbox()
    if (state.available) return state.sandbox
    if (wanted === 'auto' && isUsersOwn) return undefined
    throw new ConveneError('sandbox_unavailable', noSandbox(state), { path: 'build.sandbox' })
  }

  /** A sandbox that was found stays; a missing one may be installed meanwhile. */
  async #findSandbox(): Promise<SandboxState> {
    const { env, hide = [] } = this.#settings
    this.#sandbox ??= findSandbox({ env, hide })
    const state = await this.#sandbox
    if (!state.available) this.#sandbox = undefined
    return state
  }
}

/** TR9: why commands cannot run, and the line that fixes it. */
export function noSandbox({ why, fix }: { why?: string; fix?: string }): string {
  return (
    `commands that agents write need a sandbox, and there is none: ${why ?? 'none was found'}. ${fix ?? ''}`.trim() +
    '. To run them without one, with access to everything you can read, write build: {sandbox: off} into convene.yaml'
  )
}

type Ending = Pick<CommandResult, 'exitCode' | 'ended'>

const exitCodes = { 'timed-out': 124, 'too-much-output': 125, aborted: 143 } as const

/** Reads a group's output to its end, and kills the group at its limits. */
async function supervise(group: ProcessGroup, request: CommandRequest, writer: OutputWriter): Promise<Ending> {
  const timers: NodeJS.Timeout[] = []
  let ended: CommandEnd = 'exited'
  let lastOutput = performance.now()

  const stop = (why: Exclude<CommandEnd, 'exited'>) => {
    if (ended !== 'exited') return
    ended = why
    group.signal('SIGTERM')
    timers.push(setTimeout(() => group.signal('SIGKILL'), politeMs))
  }
  const abort = () => stop('aborted')
  request.signal?.addEventListener('abort', abort)
  timers.push(setTimeout(() => stop('timed-out'), Math.min(request.timeoutMs, longestTimer)))

  const read = async () => {
    for await (const piece of group.output as AsyncIterable<Buffer>) {
      lastOutput = performance.now()
      const kept = await writer.write(piece)
      if (kept.length > 0) request.onOutput?.(kept)
      if (kept.length < piece.length) stop('too-much-output')
    }
  }
  const endLeftovers = () => {
    const exited = performance.now()
    const check = () => {
      const now = performance.now()
      if (ended === 'exited' && (now - lastOutput > quietMs || now - exited > afterwardsMs)) group.signal('SIGKILL')
    }
    lastOutput = exited
    timers.push(setInterval(check, 50))
  }

  try {
    const reading = read()
    const [code] = await Promise.all([group.exitCode, reading, group.exitCode.then(endLeftovers)])
    return { exitCode: ended === 'exited' ? code : exitCodes[ended], ended }
  } finally {
    request.signal?.removeEventListener('abort', abort)
    await group.end()
    for (const timer of timers) clearTimeout(timer)
  }
}

const limitEnds: Record<ReachedLimit, LimitEnd> = {
  memory: 'out-of-memory',
  processes: 'too-many-processes',
  file: 'file-too-large',
}

/** TR11: names the limit that ended a command, in its output too. */
async function withLimit(
  ending: Ending,
  group: ProcessGroup,
  limits: CommandLimits,
  writer: OutputWriter,
): Promise<Ending> {
  if (ending.ended !== 'exited') return ending
  const reached = group.reached() ?? (wroteTooMuch(ending.exitCode, await writer.tail()) ? 'file' : undefined)
  if (reached === undefined) return ending
  await writer.note(`\nconvene: ${limitMessage(reached, limits)}\n`)
  return { ...ending, ended: limitEnds[reached] }
}

async function refuseMissing(folder: string): Promise<void> {
  const isFolder = await stat(folder).then(
    (found) => found.isDirectory(),
    () => false,
  )
  if (!isFolder) throw new ConveneError('folder_missing', `there is no folder ${folder} to run a command in`)
}
