/** Limits how much work runs at once; waiting work starts in the order it came, or rejects when its signal aborts. */
export class Semaphore {
  #free: number
  readonly #waiting: (() => void)[] = []

  constructor(permits: number) {
    this.#free = permits
  }

  /** Call it from inside a step: a run that the engine releases between two steps would keep its permit. */
  async run<Value>(signal: AbortSignal, work: () => Promise<Value>): Promise<Value> {
    await this.#acquire(signal)
    try {
      return await work()
    } finally {
      this.#release()
    }
  }

  #acquire(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    if (this.#free > 0) {
      this.#free--
      return Promise.resolve()
    }
    return new Promise((resolve, reject) => {
      const admit = () => {
        signal.removeEventListener('abort', giveUp)
        resolve()
      }
      const giveUp = () => {
        this.#waiting.splice(this.#waiting.indexOf(admit), 1)
        reject(signal.reason)
      }
      this.#waiting.push(admit)
      signal.addEventListener('abort', giveUp, { once: true })
    })
  }

  #release(): void {
    const next = this.#waiting.shift()
    if (next) next()
    else this.#free++
  }
}
