/** Which rooms are in the middle of a round. Agents' own messages wait for its end. AM3. */

export class RoomActivity {
  readonly #rounds = new Map<string, number>()
  readonly #listeners: ((room: string) => void)[] = []

  /** A round begins; call what is returned when it has ended. */
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

  /** Called with a room when its last open round has ended. */
  onQuiet(listener: (room: string) => void): void {
    this.#listeners.push(listener)
  }
}
