/** What one executing run waits for: signals by topic in the order sent, a point in time, a stop. */
import type { Clock } from '../clock.ts'
import type { SignalRow } from './journal.ts'

export const stopTopic = '$stop'

export interface Wait {
  topic?: string
  until?: number
  stoppable?: boolean
}

/** `let-go`: the run has ended or was released. */
export type WaitEnd = SignalRow | 'time-up' | 'stopped' | 'let-go'

export class Waits {
  readonly #clock: Clock
  readonly #inbox = new Map<string, SignalRow[]>()
  readonly #receivers = new Map<string, ((signal: SignalRow) => void)[]>()
  readonly #stopListeners = new Set<() => void>()
  readonly #endings = new Set<(how: WaitEnd) => void>()
  #stopAsked = false
  /** Numbers of delivered signals: one from another process may be seen twice. */
  readonly #delivered = new Set<number>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  get stopAsked(): boolean {
    return this.#stopAsked
  }

  deliver(signal: SignalRow): void {
    if (signal.topic === stopTopic) {
      this.#stopAsked = true
      this.#tellStopListeners()
      return
    }
    if (this.#delivered.has(signal.number)) return
    this.#delivered.add(signal.number)
    const receiver = this.#receivers.get(signal.topic)?.[0]
    if (receiver) receiver(signal)
    else queueOf(this.#inbox, signal.topic).push(signal)
  }

  /** Takes a signal that has already arrived. */
  take(topic: string): SignalRow | undefined {
    return this.#inbox.get(topic)?.shift()
  }

  /** Waits for the first of the given conditions. Does not see a stop that was requested before the call. */
  wait(wait: Wait): Promise<WaitEnd> {
    return new Promise((resolve) => {
      const leave: (() => void)[] = []
      const end = (how: WaitEnd) => {
        for (const undo of leave) undo()
        this.#endings.delete(end)
        resolve(how)
      }
      this.#endings.add(end)
      if (wait.topic !== undefined) {
        const queue = queueOf(this.#receivers, wait.topic)
        queue.push(end)
        leave.push(() => queue.splice(queue.indexOf(end), 1))
      }
      if (wait.stoppable) leave.push(this.onStop(() => end('stopped')))
      if (wait.until !== undefined) leave.push(this.#clock.after(wait.until - this.#clock.now(), () => end('time-up')))
    })
  }

  /** Calls `listener` once, on a stop or when the run is released. Returns a function that unsubscribes it. */
  onStop(listener: () => void): () => void {
    this.#stopListeners.add(listener)
    return () => {
      this.#stopListeners.delete(listener)
    }
  }

  letGo(): void {
    for (const end of this.#endings) end('let-go')
    this.#tellStopListeners()
  }

  #tellStopListeners(): void {
    const listeners = [...this.#stopListeners]
    this.#stopListeners.clear()
    for (const listener of listeners) listener()
  }
}

function queueOf<Item>(queues: Map<string, Item[]>, topic: string): Item[] {
  let queue = queues.get(topic)
  if (!queue) {
    queue = []
    queues.set(topic, queue)
  }
  return queue
}
