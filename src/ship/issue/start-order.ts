/** Starts issues that were dispatched together in their order, however long each one checks for existing work. IS2. */

/** An issue that takes longer than this is overtaken: throughput matters more than order. */
const patienceMs = 3000

export class StartOrder {
  readonly #lines = new Map<string, Map<string, PromiseWithResolvers<void>>>()

  enter(loop: string, run: string): void {
    // A run that was parked and resumed enters again at the end.
    this.leave(loop, run)
    const line = this.#lines.get(loop) ?? new Map<string, PromiseWithResolvers<void>>()
    this.#lines.set(loop, line.set(run, Promise.withResolvers<void>()))
  }

  /** Waits until every issue dispatched earlier has started or left. */
  async waitForEarlier(loop: string, run: string): Promise<void> {
    const line = [...(this.#lines.get(loop) ?? [])]
    const before = line.slice(
      0,
      line.findIndex(([one]) => one === run),
    )
    const overtaken = Promise.withResolvers<void>()
    const timer = setTimeout(overtaken.resolve, patienceMs)
    await Promise.race([Promise.all(before.map(([, { promise }]) => promise)), overtaken.promise])
    clearTimeout(timer)
  }

  leave(loop: string, run: string): void {
    const line = this.#lines.get(loop)
    line?.get(run)?.resolve()
    line?.delete(run)
    if (line?.size === 0) this.#lines.delete(loop)
  }
}
