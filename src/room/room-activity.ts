/** Tracks which rooms have an open round. Messages between agents wait until it ends. AM3. */

export class RoomActivity {
  readonly #rounds = new Map<string, number>()
  readonly #listeners: ((room: string) => void)[] = []

  /** Marks a round as open; call the returned function when it ends. */
  begin(room: string): () => void {
    this.#rounds.set(room, (this.#rounds.get(room) ?? 0) + 1)
    return () => {
      const left = this.#rounds.get(room)! - 1
      if (left > 0) this.#rounds.set(room, left)
      else {
        this.#rounds.delete(room)
        for (const listener of this.#listeners) listener(room)
      }
    }
  }

  isBusy(room: string): boolean {
    return this.#rounds.has(room)
  }

  /** Calls the listener with a room when its last open round ends. */
  onQuiet(listener: (room: string) => void): void {
    this.#listeners.push(listener)
  }
}
