/** Work on the same thing waits for its turn, in the order it came. */
export class OneAtATime {
  readonly #last = new Map<string, Promise<unknown>>()

  run<Value>(thing: string, work: () => Promise<Value>): Promise<Value> {
    const mine = (this.#last.get(thing) ?? Promise.resolve()).then(work, work)
    this.#last.set(thing, mine)
    const forget = () => {
      if (this.#last.get(thing) === mine) this.#last.delete(thing)
    }
    mine.then(forget, forget)
    return mine
  }
}
