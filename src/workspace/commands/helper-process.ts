/**
 * A small process that starts others for a large one: a fork copies the page tables of the process that forks, so that each
 * start costs a large one ten milliseconds and more in which it does nothing else. It goes when nobody has needed it for a
 * while, and ends with whoever started it.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { getCompileCacheDir } from 'node:module'

const idleMs = 30_000

interface Ears<Answer> {
  answer(answer: Answer): void
  /** It was ended from outside, with whatever it was asked. */
  gone(): void
}

/** What a helper says once it can be asked. */
export interface Ready {
  ready: true
}

export class HelperProcess<Request extends object, Answer extends object> {
  isOpen = true
  isReady = false
  readonly #child: ChildProcess
  readonly #ears: Ears<Answer>
  #idle?: NodeJS.Timeout

  constructor(program: string, ears: Ears<Answer>) {
    this.#ears = ears
    this.#child = fork(program, [], {
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      execArgv: [],
      // It starts as quickly as what started it. The helper itself takes this out of what others get from it.
      env: { ...process.env, NODE_COMPILE_CACHE: getCompileCacheDir() },
      // A signal to everyone in the terminal must not end it before those who still ask, or what it has started.
      detached: true,
    })
    this.#child.on('message', (answer: Answer | Ready) => this.#hear(answer))
    this.#child.once('error', () => this.#end())
    this.#child.once('exit', () => this.#end())
    this.rest()
  }

  /** Something that it is asked is under way from now on. */
  work(): void {
    clearTimeout(this.#idle)
    this.#hold(true)
  }

  /** `failed`: it was not sent, so nothing was begun. */
  send(request: Request, failed: () => void = () => undefined): void {
    if (!this.#child.connected) failed()
    else this.#child.send(request, (error) => void (error && failed()))
  }

  /** Nothing that it was asked is under way any more. */
  rest(): void {
    if (!this.isOpen) return
    this.#hold(false)
    this.#idle = setTimeout(() => {
      this.isOpen = false
      this.isReady = false
      if (this.#child.connected) this.#child.disconnect()
    }, idleMs).unref()
  }

  #hear(answer: Answer | Ready): void {
    if ('ready' in answer) this.isReady = true
    else this.#ears.answer(answer as Answer)
  }

  /** While nobody asks, it keeps no program from ending. */
  #hold(isNeeded: boolean): void {
    const action = isNeeded ? 'ref' : 'unref'
    this.#child[action]()
    this.#child.channel?.[action]()
  }

  #end(): void {
    this.isOpen = false
    this.isReady = false
    clearTimeout(this.#idle)
    this.#ears.gone()
  }
}
