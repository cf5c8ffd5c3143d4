/** Decides whether a recovery is worth showing: only the followed run's own, and not one caused by an answer. */
import { askStarted } from '../../kernel/ask/ask-events.ts'
import type { StoredEvent } from '../../kernel/events.ts'
import { runRecovered } from '../../kernel/run-events.ts'
import { questionAnswered, questionAsked } from '../../kernel/runs/question-events.ts'

export class Interruptions {
  readonly #run: string
  readonly #open = new Set<string>()
  /** A person has answered, and no agent was asked since. */
  #isAnswered = false

  constructor(run: string) {
    this.#run = run
  }

  /** Call it for every event, in order. True for a run that is taken up again where the person has nothing to learn from it. */
  isUnimportant(event: StoredEvent): boolean {
    if (questionAsked.is(event)) this.#open.add(event.data.id)
    if (questionAnswered.is(event)) {
      this.#open.delete(event.data.id)
      this.#isAnswered = true
    }
    if (askStarted.is(event)) this.#isAnswered = false
    if (!runRecovered.is(event)) return false
    return event.run !== this.#run || this.#isAnswered || this.#open.size > 0
  }
}
