/** Lets so many through at once; the others wait in the order they came. */
export class Gate {
  readonly #places: number
  #inside = 0
  readonly #waiting: (() => void)[] = []

  constructor(places: number) {
    this.#places = places
  }

  /** Call it from inside a step: a run that is let go of in between would keep its place. */
  async through<Value>(signal: AbortSignal, work: () => Promise<Value>): Promise<Value> {
    await this.#enter(signal)
    try {
      return await work()
    } finally {
      this.#leave()
    }
  }

  #enter(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    if (this.#inside < this.#places) {
      this.#inside++
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

  #leave(): void {
    const next = this.#waiting.shift()
    if (next) next()
    else this.#inside--
  }
}
