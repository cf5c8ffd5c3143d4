/**
 * Manages a small helper process that starts others for Convene: a fork copies the page tables of the forking process, so
 * each start blocks a large process for ten milliseconds or more. The helper exits when it has been idle for a
 * while, and with the process that started it.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { getCompileCacheDir } from 'node:module'

const idleMs = 30_000

interface Ears<Answer> {
  answer(answer: Answer): void
  /** The helper was killed; the outcome of its requests is unknown. */
  gone(): void
}

/** The message a helper sends when it is ready. */
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
      // Use the same compile cache as Convene. The helper removes it from its children's environment.
      env: { ...process.env, NODE_COMPILE_CACHE: getCompileCacheDir() },
      // Detached: a signal to the terminal's group must not end it before its callers or the processes it started.
      detached: true,
    })
    this.#child.on('message', (answer: Answer | Ready) => this.#receive(answer))
    this.#child.once('error', () => this.#end())
    this.#child.once('exit', () => this.#end())
    this.rest()
  }

  /** Call it when a request starts. */
  work(): void {
    clearTimeout(this.#idle)
    this.#hold(true)
  }

  /** `failed`: the request was not sent, so nothing started. */
  send(request: Request, failed: () => void = () => undefined): void {
    if (!this.#child.connected) failed()
    else this.#child.send(request, (error) => void (error && failed()))
  }

  /** Call it when no request is running any more. */
  rest(): void {
    if (!this.isOpen) return
    this.#hold(false)
    this.#idle = setTimeout(() => {
      this.isOpen = false
      this.isReady = false
      if (this.#child.connected) this.#child.disconnect()
    }, idleMs).unref()
  }

  #receive(answer: Answer | Ready): void {
    if ('ready' in answer) this.isReady = true
    else this.#ears.answer(answer as Answer)
  }

  /** While idle, it does not keep the process alive. */
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
