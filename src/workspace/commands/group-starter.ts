/** Starts commands through a helper process, once a process has started several. */

import { extname } from 'node:path'
import { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import type { ReachedLimit } from '../../rules/trust/command-limits.ts'
import type { GroupAnswer, GroupRequest } from './group-helper.ts'
import { HelperProcess } from './helper-process.ts'
import { type GroupSettings, type ProcessGroup, startProcessGroup } from './process-group.ts'

/** The helper and its command were killed; the command's result is unknown. */
export class GroupLost extends Error {}

export class GroupStarter {
  readonly #startsBeforeHelp: number
  #starts = 0
  #helper: Helper | undefined

  /** A few commands need no helper. */
  constructor(startsBeforeHelp = 12) {
    this.#startsBeforeHelp = startsBeforeHelp
  }

  start(argv: readonly string[], settings: GroupSettings): Promise<ProcessGroup> {
    const helper = ++this.#starts > this.#startsBeforeHelp ? this.#help() : undefined
    return helper?.process.isReady ? helper.start(argv, settings) : startProcessGroup(argv, settings)
  }

  #help(): Helper {
    if (!this.#helper?.process.isOpen) this.#helper = new Helper()
    return this.#helper
  }
}

/** One helper per process: a fork copies the page tables of the whole process. */
export const groupStarter: Pick<GroupStarter, 'start'> = new GroupStarter()

class Helper {
  // `.ts` in a checkout, `.js` in the package, where the bundle has the helper as an entry of its own.
  readonly process = new HelperProcess<GroupRequest, GroupAnswer>(
    fileURLToPath(new URL(`./group-helper${extname(import.meta.url)}`, import.meta.url)),
    { answer: (answer) => this.#groups.get(answer.number)?.receive(answer), gone: () => this.#end() },
  )
  readonly #groups = new Map<number, RemoteGroup>()
  #number = 0

  start(argv: readonly string[], settings: GroupSettings): Promise<ProcessGroup> {
    this.process.work()
    const number = this.#number++
    const group = new RemoteGroup((request) => this.process.send({ ...request, number }))
    this.#groups.set(number, group)
    group.over.then(() => {
      this.#groups.delete(number)
      if (this.#groups.size === 0) this.process.rest()
    })
    this.process.send({ number, do: 'start', argv, ...settings })
    return group.started
  }

  #end(): void {
    for (const group of this.#groups.values()) group.lose()
    this.#groups.clear()
  }
}

/** What a started group can be asked for. */
type StartedGroupRequest = { do: 'read' } | { do: 'signal'; signal: NodeJS.Signals } | { do: 'end' }

/** A process group that runs in the helper. */
class RemoteGroup implements ProcessGroup {
  readonly output: Readable
  readonly started: Promise<ProcessGroup>
  readonly exitCode: Promise<number>
  /** Its processes are gone, or never started. */
  readonly over: Promise<void>
  readonly #send: (request: StartedGroupRequest) => void
  readonly #start = Promise.withResolvers<ProcessGroup>()
  readonly #exit = Promise.withResolvers<number>()
  readonly #over = Promise.withResolvers<void>()
  #reached: ReachedLimit | undefined

  constructor(send: (request: StartedGroupRequest) => void) {
    this.#send = send
    this.output = new Readable({ read: () => send({ do: 'read' }) })
    this.started = this.#start.promise
    this.exitCode = this.#exit.promise
    this.over = this.#over.promise
    // Callers that await it see the rejection; without callers it must not crash the process.
    this.exitCode.catch(() => undefined)
    this.output.on('error', () => undefined)
  }

  reached(): ReachedLimit | undefined {
    return this.#reached
  }

  signal(signal: NodeJS.Signals): void {
    this.#send({ do: 'signal', signal })
  }

  end(): Promise<void> {
    this.output.destroy()
    this.#send({ do: 'end' })
    return this.over
  }

  receive(answer: GroupAnswer): void {
    if ('started' in answer) this.#start.resolve(this)
    else if ('failed' in answer) this.#fail(Object.assign(new Error(answer.failed.message), answer.failed))
    else if ('piece' in answer) this.output.push(answer.piece === null ? null : Buffer.from(answer.piece))
    else if ('exitCode' in answer) {
      this.#reached = answer.reached
      this.#exit.resolve(answer.exitCode)
    } else this.#over.resolve()
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
