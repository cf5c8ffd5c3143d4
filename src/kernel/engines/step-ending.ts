/** Whether and why a step under way is to end early. Its signal is only made where the step asks for it: that is slow. */
export class StepEnding {
  #controller: AbortController | undefined
  #ended = false
  #reason: unknown

  get ended(): boolean {
    return this.#ended
  }

  get reason(): unknown {
    return this.#reason
  }

  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController()
      if (this.#ended) this.#controller.abort(this.#reason)
    }
    return this.#controller.signal
  }

  end(reason: unknown): void {
    if (this.#ended) return
    this.#ended = true
    this.#reason = reason
    this.#controller?.abort(reason)
  }
}
