/** Those that are sent off together begin in that order, however long each of them looks around first. IS2. */

/** One that takes longer than this to look around is overtaken: order is worth less than work. */
const patienceMs = 3000

export class StartOrder {
  readonly #lines = new Map<string, Map<string, PromiseWithResolvers<void>>>()

  enter(loop: string, run: string): void {
    // One that was let go of and is taken up again stands in line anew.
    this.leave(loop, run)
    const line = this.#lines.get(loop) ?? new Map<string, PromiseWithResolvers<void>>()
    this.#lines.set(loop, line.set(run, Promise.withResolvers<void>()))
  }

  /** Until all who were sent off before have begun, or have left the line. */
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
