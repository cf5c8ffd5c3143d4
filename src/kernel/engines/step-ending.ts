/** Whether and why an executing step must end early. Creates its AbortSignal only on demand, because that is slow. */
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
