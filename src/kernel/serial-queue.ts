/** Serialises work per key, in the order it was queued; different keys run concurrently. */
export class SerialQueue {
  readonly #last = new Map<string, Promise<unknown>>()

  /** Work that rejects does not block what is queued behind it. */
  run<Value>(key: string, work: () => Promise<Value>): Promise<Value> {
    const result = (this.#last.get(key) ?? Promise.resolve()).then(work, work)
    this.#last.set(key, result)
    const forget = () => {
      if (this.#last.get(key) === result) this.#last.delete(key)
    }
    result.then(forget, forget)
    return result
  }

  /** Resolves when everything queued so far has ended, well or badly. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#last.values())
  }
}
