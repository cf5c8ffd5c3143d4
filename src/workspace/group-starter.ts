/**
 * Starts commands through a helper once there are some of them: a fork copies the page tables of the process that forks, so
 * that each start costs a large one ten milliseconds and more in which it does nothing else.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import type { GroupAnswer, GroupRequest } from './group-helper.ts'
import { type ProcessGroup, startProcessGroup } from './process-group.ts'

const idleMs = 30_000

export interface GroupSettings {
  folder: string
  env: NodeJS.ProcessEnv
}

/** The helper was ended from outside, and the command with it: what it would have said is not known. */
export class GroupLost extends Error {}

export class GroupStarter {
  readonly #startsBeforeHelp: number
  #starts = 0
  #helper: Helper | undefined

  /** Programs that run a few commands do without a helper. */
  constructor(startsBeforeHelp = 12) {
    this.#startsBeforeHelp = startsBeforeHelp
  }

  start(argv: readonly string[], settings: GroupSettings): Promise<ProcessGroup> {
    const helper = ++this.#starts > this.#startsBeforeHelp ? this.#help() : undefined
    return helper?.isReady ? helper.start(argv, settings) : startProcessGroup(argv, settings)
  }

  #help(): Helper {
    if (!this.#helper?.isOpen) this.#helper = new Helper()
    return this.#helper
  }
}

/** One for the whole process, which is what a fork copies. */
export const groupStarter: Pick<GroupStarter, 'start'> = new GroupStarter()

class Helper {
  isOpen = true
  isReady = false
  readonly #child: ChildProcess
  readonly #groups = new Map<number, RemoteGroup>()
  #number = 0
  #idle?: NodeJS.Timeout

  constructor() {
    // What differs is the ending alone: `.ts` as it is written, `.js` as it is shipped.
    const program = fileURLToPath(import.meta.url).replace('group-starter', 'group-helper')
    this.#child = fork(program, [], {
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      execArgv: [],
      // A signal to everyone in the terminal must not end it before what it has started.
      detached: true,
    })
    this.#child.on('message', (answer: GroupAnswer) => this.#hear(answer))
    this.#child.once('error', () => this.#end())
    this.#child.once('exit', () => this.#end())
    this.#rest()
  }

  start(argv: readonly string[], { folder, env }: GroupSettings): Promise<ProcessGroup> {
    clearTimeout(this.#idle)
    this.#hold(true)
    const number = this.#number++
    const group = new RemoteGroup((request) => this.#send({ ...request, number }))
    this.#groups.set(number, group)
    group.over.then(() => {
      this.#groups.delete(number)
      if (this.#groups.size === 0 && this.isOpen) this.#rest()
    })
    this.#send({ number, do: 'start', argv, folder, env })
    return group.started
  }

  #send(request: GroupRequest): void {
    if (this.#child.connected) this.#child.send(request, () => undefined)
  }

  #hear(answer: GroupAnswer): void {
    if ('ready' in answer) this.isReady = true
    else this.#groups.get(answer.number)?.hear(answer)
  }

  #rest(): void {
    this.#hold(false)
    this.#idle = setTimeout(() => {
      this.isOpen = false
      this.isReady = false
      if (this.#child.connected) this.#child.disconnect()
    }, idleMs).unref()
  }

  /** While nothing runs, it keeps no program from ending. */
  #hold(isNeeded: boolean): void {
    const action = isNeeded ? 'ref' : 'unref'
    this.#child[action]()
    this.#child.channel?.[action]()
  }

  #end(): void {
    this.isOpen = false
    this.isReady = false
    clearTimeout(this.#idle)
    for (const group of this.#groups.values()) group.lose()
    this.#groups.clear()
  }
}

type Told = { do: 'read' } | { do: 'signal'; signal: NodeJS.Signals } | { do: 'end' }

/** A group as the helper tells of it. */
class RemoteGroup implements ProcessGroup {
  readonly output: Readable
  readonly started: Promise<ProcessGroup>
  readonly exitCode: Promise<number>
  /** Its processes are gone, or were never there. */
  readonly over: Promise<void>
  readonly #tell: (told: Told) => void
  readonly #start = Promise.withResolvers<ProcessGroup>()
  readonly #exit = Promise.withResolvers<number>()
  readonly #over = Promise.withResolvers<void>()

  constructor(tell: (told: Told) => void) {
    this.#tell = tell
    this.output = new Readable({ read: () => tell({ do: 'read' }) })
    this.started = this.#start.promise
    this.exitCode = this.#exit.promise
    this.over = this.#over.promise
    // Whoever waits for it hears of it; where nobody does, that is no failure of the whole program.
    this.exitCode.catch(() => undefined)
    this.output.on('error', () => undefined)
  }

  signal(signal: NodeJS.Signals): void {
    this.#tell({ do: 'signal', signal })
  }

  end(): Promise<void> {
    this.output.destroy()
    this.#tell({ do: 'end' })
    return this.over
  }

  hear(answer: Exclude<GroupAnswer, { ready: true }>): void {
    if ('started' in answer) this.#start.resolve(this)
    else if ('failed' in answer) this.#fail(Object.assign(new Error(answer.failed.message), answer.failed))
    else if ('piece' in answer) this.output.push(answer.piece === null ? null : Buffer.from(answer.piece))
    else if ('exitCode' in answer) this.#exit.resolve(answer.exitCode)
    else this.#over.resolve()
  }

  lose(): void {
    this.#fail(new GroupLost('the process that started the command was ended'))
  }

  #fail(error: Error): void {
    this.#start.reject(error)
    this.#exit.reject(error)
    this.output.destroy(error)
    this.#over.resolve()
  }
}
